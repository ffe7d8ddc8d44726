/* Fast products of matrices beside GSL's and beside each library of the system, which is
   called by hand: while the machine is left alone, and beside a busy loop on each processor.
   Sides take turns; each figure is the median of the rounds' ratios.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_cblas.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"
#include "src/device/device.h"
#include "src/gsltune.h"
#include "src/matrix/ways.h"
#include "src/preload/taken.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/procedures.h"
#include "tuning/text/cli.h"

#define SAMPLE 50e-6 /* seconds a timing lasts at least */
#define LONG 3e-3    /* of a call of which few rounds are enough */
#define FEW_ROUNDS 3
#define MOST_ROUNDS 50

enum
{
  SIDE, WORK, GSL, FAST, BY_HAND, ALLOWED, BY_HAND_ALLOWED, GAIN, OF_BEST
};

#define COLUMNS                                                       \
  {{"side", "side", GT_UNIT_COUNT},                                   \
   {"products", "work", GT_UNIT_COUNT},                               \
   {"GSL", "gsl_seconds", GT_UNIT_SECONDS},                           \
   {"fast", "fast_seconds", GT_UNIT_SECONDS},                         \
   {"by hand", "by_hand_seconds", GT_UNIT_SECONDS},                   \
   {"of allowed, GSL", "fast_of_allowed", GT_UNIT_SHARE},             \
   {"by hand", "fast_of_by_hand_allowed", GT_UNIT_SHARE},             \
   {"fast/GSL", "fast_ratio", GT_UNIT_GAIN},                          \
   {"fast/by hand", "of_best_ratio", GT_UNIT_GAIN}}
#define BARS                                                          \
  {{"the time allowed beside GSL", ALLOWED, 1, 0, UINT64_MAX, 0, GT_ANY},                         \
   {"the time allowed beside the best library by hand", BY_HAND_ALLOWED, 1, 0, UINT64_MAX,  \
    0, GT_ANY}}

const struct gt_form gt_engines_forms[2] = {
  {.name = "engines",
   .title = "fast products of matrices of all types; allowed: GSL's time over 0.95 or 30 ns"
            " more, that of the best of the libraries and GSL's, called by hand, over 0.9 or 20"
            " ns more; ratios of speed",
   .remark = "function: rows x columns x numbers added", .columns = COLUMNS, .bars = BARS},
  {.name = "engines, busy", .title = "the same beside a busy loop on each processor",
   .remark = "function: rows x columns x numbers added", .columns = COLUMNS, .bars = BARS}
};

/* ------------------------------------------------------------------ By hand */

enum product
{
  GEMV, GEMM, SYRK, TRSV
};

#define LETTER d
#define TYPE double
#define PASS(number) (*(number))
#include "bench/bench_engines.inc"

#define LETTER s
#define TYPE float
#define PASS(number) (*(number))
#include "bench/bench_engines.inc"

#define LETTER z
#define TYPE double
#define PASS(number) (number)
#include "bench/bench_engines.inc"

#define LETTER c
#define TYPE float
#define PASS(number) (number)
#include "bench/bench_engines.inc"

typedef void by_hand (const struct gt_engine *, enum product,
                      const struct gt_procedure_call *);
static const struct
{
  char letter;
  by_hand *call;
} types[] = {{'d', by_hand_d}, {'s', by_hand_s}, {'z', by_hand_z}, {'c', by_hand_c}};

/* The shapes that are measured: the square ones of each side, and others.  */
static const struct
{
  const char *name;
  enum product product;
  char trans;
} products[] = {{"gemv", GEMV, 0}, {"gemv", GEMV, 1}, {"gemm", GEMM, 0}, {"syrk", SYRK, 0},
                {"trsv", TRSV, 0}};
static const size_t sides[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
static const size_t skinny[][3]
  = {{512, 512, 1}, {512, 512, 4}, {512, 4, 512}, {4, 512, 512}, {10, 10, 5000},
     {5000, 10, 10}, {3, 3, 200}, {200, 3, 3}};

/* -------------------------------------------------------------------- Timing

   Libraries are timed after a call that is not: wide vectors are slow at first after GSL's
   loops.  */

/* Sides: GSL's, ours, and then each library.  */
enum
{
  SIDE_GSL, SIDE_FAST, SIDE_HAND, MOST_SIDES = SIDE_HAND + GT_MOST_ENGINES
};

struct contest
{
  enum gt_taken_id id;
  enum product product;
  by_hand *call_by_hand;
  struct gt_procedure_call call;
  unsigned calls[MOST_SIDES], sides, rounds;
  double seconds[MOST_SIDES][MOST_ROUNDS];
};

static void
call_side (const struct contest *c, unsigned side)
{
  const struct gt_procedure_pair *f = gt_procedure_functions (c->id);

  gt_procedure_restore (c->id, &c->call);
  if (side < SIDE_HAND)
    gt_procedure_do (c->id, side == SIDE_GSL ? f->gsl : f->ours, &c->call);
  else
    c->call_by_hand (&gt_engines ()->engine[GT_OWN_ENGINE + 1 + side - SIDE_HAND],
                     c->product, &c->call);
}

static double
time_side (const struct contest *c, unsigned side)
{
  double begin;

  if (side != SIDE_GSL)
    call_side (c, side);
  begin = gt_now ();
  for (unsigned k = 0; k < c->calls[side]; k++)
    call_side (c, side);
  return (gt_now () - begin) / c->calls[side];
}

static void
time_rounds (struct contest *c, unsigned rounds)
{
  double longest = 0;

  c->sides = SIDE_HAND + gt_engines ()->n - GT_OWN_ENGINE - 1;
  for (unsigned side = 0; side < c->sides; side++)
    {
      double seconds;

      c->calls[side] = 1;
      while ((seconds = time_side (c, side)) * c->calls[side] < SAMPLE
             && c->calls[side] < 1u << 16)
        c->calls[side] *= 2;
      longest = fmax (longest, seconds);
    }
  c->rounds = longest > LONG && rounds > FEW_ROUNDS ? FEW_ROUNDS
              : rounds > MOST_ROUNDS                ? MOST_ROUNDS : rounds;
  for (unsigned r = 0; r < c->rounds; r++)
    for (unsigned side = 0; side < c->sides; side++)
      c->seconds[side][r] = time_side (c, side);
}

static double
median_of (const struct contest *c, unsigned side)
{
  double copy[MOST_ROUNDS];

  memcpy (copy, c->seconds[side], sizeof copy);
  return gt_median (copy, c->rounds, NULL);
}

static void
fill_row (const struct contest *c, struct gt_row *row)
{
  const double *gsl = c->seconds[SIDE_GSL], *fast = c->seconds[SIDE_FAST], *hand;
  double allowed[MOST_ROUNDS], by_hand_allowed[MOST_ROUNDS], gain[MOST_ROUNDS];
  double of_best[MOST_ROUNDS];
  unsigned best = SIDE_GSL;

  for (unsigned side = SIDE_HAND; side < c->sides; side++)
    if (median_of (c, side) < median_of (c, best))
      best = side;
  hand = c->seconds[best];
  for (unsigned r = 0; r < c->rounds; r++)
    {
      allowed[r] = fast[r] / fmax (gsl[r] / 0.95, gsl[r] + 30e-9);
      by_hand_allowed[r] = fast[r] / fmax (hand[r] / 0.9, hand[r] + 20e-9);
      gain[r] = gsl[r] / fast[r];
      of_best[r] = hand[r] / fast[r];
    }
  row->value[GSL] = median_of (c, SIDE_GSL);
  row->value[FAST] = median_of (c, SIDE_FAST);
  row->value[BY_HAND] = median_of (c, best);
  row->value[ALLOWED] = gt_median (allowed, c->rounds, NULL);
  row->value[BY_HAND_ALLOWED] = gt_median (by_hand_allowed, c->rounds, NULL);
  row->value[GAIN] = gt_median (gain, c->rounds, NULL);
  row->value[OF_BEST] = gt_median (of_best, c->rounds, NULL);
}

static int
add_row (struct contest *c, unsigned rounds, struct gt_sheet *sheet)
{
  struct gt_row *row = &sheet->rows[sheet->n_rows++];
  struct gt_procedure_call *call = &c->call;
  const size_t n = call->n < call->m ? call->n : call->m;

  call->trans_b = CblasNoTrans;
  call->uplo = CblasUpper;
  call->diag = CblasNonUnit;
  call->stride_x = call->stride_y = 1;
  call->alpha = 1;
  if (gt_procedure_operands (c->id, call))
    {
      gt_error ("bench: memory is short");
      return -1;
    }
  time_rounds (c, rounds);
  gt_procedure_free (call);
  row->value[SIDE] = (double) (call->k < n ? call->k : n);
  row->value[WORK] = gt_procedure_work (c->id, call);
  fill_row (c, row);
  snprintf (row->remark, sizeof row->remark, "%s %c: %zu x %zu x %zu", gt_taken[c->id].name,
            call->trans == CblasNoTrans ? 'N' : 'T', call->m, call->n, call->k);
  return 0;
}

static enum gt_taken_id
id_of (char letter, const char *name)
{
  int id = GT_FIRST_PROCEDURE;

  while (gt_taken[id].name[0] != letter || strcmp (gt_taken[id].name + 1, name) != 0)
    id++;
  return (enum gt_taken_id) id;
}

static int
add_rows (unsigned rounds, struct gt_sheet *sheet)
{
  int status = 0;

  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    {
      struct contest c = {.call_by_hand = types[t].call};

      for (size_t p = 0; p < sizeof products / sizeof *products; p++)
        for (size_t k = 0; k < sizeof sides / sizeof *sides && status == 0; k++)
          {
            c.id = id_of (types[t].letter, products[p].name);
            c.product = products[p].product;
            c.call = (struct gt_procedure_call) {
              .m = sides[k], .n = sides[k], .k = sides[k],
              .trans = products[p].trans ? CblasTrans : CblasNoTrans};
            status = add_row (&c, rounds, sheet);
          }
      for (size_t k = 0; k < sizeof skinny / sizeof *skinny && status == 0; k++)
        {
          c.id = id_of (types[t].letter, "gemm");
          c.product = GEMM;
          c.call = (struct gt_procedure_call) {.m = skinny[k][0], .n = skinny[k][1],
                                               .k = skinny[k][2], .trans = CblasNoTrans};
          status = add_row (&c, rounds, sheet);
        }
    }
  return status;
}

/* ---------------------------------------------------------------- Busy loops */

static void
begin_loops (pid_t *loops, int n)
{
  for (int k = 0; k < n; k++)
    {
      loops[k] = fork ();
      if (loops[k] == 0)
        {
          prctl (PR_SET_PDEATHSIG, SIGKILL);
          for (volatile unsigned i = 0;; i++)
            continue;
        }
    }
}

static void
end_loops (const pid_t *loops, int n)
{
  for (int k = 0; k < n; k++)
    if (loops[k] > 0 && kill (loops[k], SIGKILL) == 0)
      waitpid (loops[k], NULL, 0);
}

int
gt_bench_engines (struct gt_bench *all, struct gt_sheet *sheet)
{
  const struct gt_engines *engines = gt_engines ();
  const int cores = gt_device_host ()->host.threads;
  pid_t *loops = calloc ((size_t) cores, sizeof *loops);
  int status = loops ? 0 : -1;

  gt_blas_prepare ();
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  for (unsigned e = GT_OWN_ENGINE + 1; e < engines->n; e++)
    snprintf (sheet->note + strlen (sheet->note), sizeof sheet->note - strlen (sheet->note),
              "%s%s", *sheet->note ? ", " : "Libraries: ", engines->engine[e].name);
  for (int busy = 0; busy < 2 && status == 0; busy++)
    {
      begin_loops (loops, busy ? cores : 0);
      status = add_rows (all->options.rounds, sheet + busy);
      end_loops (loops, busy ? cores : 0);
    }
  free (loops);
  return status;
}
