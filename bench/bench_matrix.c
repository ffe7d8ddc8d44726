/* Products of matrices on the CPU: GSL's, and ours in fast and in exact mode.  Sides take turns, and the best of the rounds counts: a call is
   disturbed by others, never helped.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_blas.h>

#include "bench/bench.h"
#include "src/gsltune.h"
#include "src/matrix/ways.h"
#include "src/preload/taken.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/procedures.h"
#include "tuning/text/cli.h"

#define SAMPLE 50e-6 /* seconds a timing lasts at least */

enum
{
  SIDE, WORK, GSL, FAST, EXACT, ALLOWED, FAST_GAIN, EXACT_GAIN
};

const struct gt_form gt_matrix_form = {
  .name = "matrix",
  .title = "products of matrices on the CPU, small and skinny ones too; side: the least of"
           " rows, columns and what is added for an element; allowed: GSL's time over 0.95"
           " or 30 ns more; ratios of speed to GSL's; residuals: what is left when the rounded"
           " product is taken off; sparse: one number in a hundred of the first matrix",
  .remark = "function: rows x columns x numbers added, and what these are",
  .columns = {{"side", "side", GT_UNIT_COUNT},
              {"products", "work", GT_UNIT_COUNT},
              {"GSL", "gsl_seconds", GT_UNIT_SECONDS},
              {"fast", "fast_seconds", GT_UNIT_SECONDS},
              {"exact", "exact_seconds", GT_UNIT_SECONDS},
              {"fast, of allowed", "fast_of_allowed", GT_UNIT_SHARE},
              {"fast/GSL", "fast_ratio", GT_UNIT_GAIN},
              {"exact/GSL", "exact_ratio", GT_UNIT_GAIN}},
  .bars = {{"fast: the time allowed", ALLOWED, 1, 0, UINT64_MAX, 0, GT_ANY},
           {"exact: of 16 to 63 at least 0.7 of GSL's speed", EXACT_GAIN, 0.7, 16, 63, 0,
            GT_ANY},
           {"exact: from 64 on at least 1.5 times GSL's speed", EXACT_GAIN, 1.5, 64,
            UINT64_MAX, 0, GT_ANY}},
};

/* The shapes that are measured: the square ones of each side, and others.  */
static const struct
{
  const char *name;
  char trans, trans_b;
} squares[] = {{"dgemv", 0, 0}, {"dgemv", 1, 0}, {"sgemv", 0, 0}, {"dsymv", 0, 0},
               {"dtrmv", 0, 0}, {"dtrsv", 0, 0}, {"dtrsv", 1, 0}, {"dger", 0, 0},
               {"dsyr", 0, 0},  {"zgemv", 0, 0}, {"dgemm", 0, 0}, {"dgemm", 0, 1},
               {"dgemm", 1, 0}, {"sgemm", 0, 0}, {"zgemm", 0, 0}, {"cgemm", 0, 0},
               {"dsymm", 0, 0}, {"dsyrk", 0, 0}, {"dsyrk", 1, 0}, {"dsyr2k", 0, 0},
               {"dtrmm", 0, 0}, {"dtrsm", 0, 0}};
static const size_t sides[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 100, 256, 512};
static const size_t shapes[][3]
  = {{512, 512, 1}, {512, 512, 4},  {512, 1, 512}, {1, 512, 512}, {2, 512, 512},
     {512, 4, 512}, {10, 10, 5000}, {5000, 10, 10}, {3, 3, 200}, {200, 3, 3}};
#define LARGEST_OF_LEVEL_3 256

/* Kinds of numbers beside those of gt_procedure_fill, and the shapes that are measured of
   these.  */
enum numbers
{
  ORDINARY,
  RESIDUAL,
  SPARSE
};
static const char *const names_of_numbers[] = {"", ", residual", ", sparse"};
static const struct
{
  const char *name;
  char trans, trans_b;
  enum numbers numbers;
} others[] = {{"dgemm", 0, 0, RESIDUAL}, {"dgemm", 0, 1, RESIDUAL}, {"sgemm", 0, 0, RESIDUAL},
              {"zgemm", 0, 0, RESIDUAL}, {"cgemm", 0, 0, RESIDUAL}, {"dsyrk", 0, 0, RESIDUAL},
              {"dsymm", 0, 0, RESIDUAL}, {"dgemv", 0, 0, RESIDUAL}, {"dgemv", 1, 0, RESIDUAL},
              {"zgemv", 0, 0, RESIDUAL}, {"dgemm", 0, 0, SPARSE},   {"dgemm", 1, 0, SPARSE},
              {"sgemm", 0, 0, SPARSE},   {"zgemm", 0, 0, SPARSE},   {"cgemm", 0, 0, SPARSE}};
static const size_t sides_of_others[] = {16, 64, 256};
#define ONE_IN 100

struct sides
{
  enum gt_taken_id id;
  const struct gt_procedure_call *call;
  char *old; /* of residuals: what the result is before each call */
};

/* Moves the result's rows to OLD, or back.  */
static void
move_result (const struct sides *s, int back)
{
  const struct gt_procedure_result r = gt_procedure_result (s->id, s->call);

  for (size_t i = 0; i < r.rows; i++)
    memcpy (back ? r.at + i * r.step : s->old + i * r.length,
            back ? s->old + i * r.length : r.at + i * r.step, r.length);
}

/* Makes the NUMBERS of a call.  Returns 0, or -1 when memory is short.  */
static int
set_numbers (struct sides *s, struct gt_procedure_call *call, enum numbers numbers)
{
  const struct gt_procedure_result r = gt_procedure_result (s->id, call);
  const char letter = gt_taken[s->id].name[0];
  const size_t element = (letter == 'c' || letter == 'z' ? 2 : 1)
                         * (letter == 's' || letter == 'c' ? sizeof (float) : sizeof (double));

  if (numbers == SPARSE)
    for (char *at = call->a; at < (char *) call->b; at += element)
      if ((size_t) (at - (char *) call->a) / element * 37 % ONE_IN)
        memset (at, 0, element);
  if (numbers != RESIDUAL)
    return 0;
  s->old = malloc (r.rows * r.length);
  if (s->old == NULL)
    return -1;
  gt_procedure_do (s->id, gt_procedure_functions (s->id)->gsl, call);
  move_result (s, 0);
  call->alpha = -1;
  call->beta = 1;
  return 0;
}

static double
time_calls (const struct sides *s, void *function, unsigned calls)
{
  const double begin = gt_now ();

  for (unsigned k = 0; k < calls; k++)
    {
      gt_procedure_restore (s->id, s->call);
      if (s->old)
        move_result (s, 1);
      gt_procedure_do (s->id, function, s->call);
    }
  return (gt_now () - begin) / calls;
}

static void
time_row (const struct sides *s, unsigned rounds, double *gsl, double best[2])
{
  const struct gt_procedure_pair *f = gt_procedure_functions (s->id);
  unsigned calls = 1;

  while (time_calls (s, f->gsl, calls) * calls < SAMPLE && calls < 1u << 20)
    calls *= 2;
  *gsl = best[0] = best[1] = INFINITY;
  for (unsigned r = 0; r < rounds; r++)
    {
      *gsl = fmin (*gsl, time_calls (s, f->gsl, calls));
      for (int m = 0; m < 2; m++)
        {
          gsltune_set_mode (m ? GSLTUNE_MODE_EXACT : GSLTUNE_MODE_FAST);
          best[m] = fmin (best[m], time_calls (s, f->ours, calls));
        }
    }
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
}

static int
add_row (enum gt_taken_id id, struct gt_procedure_call *call, enum numbers numbers,
         unsigned rounds, struct gt_sheet *sheet)
{
  struct sides s = {.id = id, .call = call};
  struct gt_row *row = &sheet->rows[sheet->n_rows++];
  double gsl, ours[2];
  const size_t n = call->n < call->m ? call->n : call->m;

  call->uplo = CblasUpper;
  call->side = CblasLeft;
  call->diag = CblasNonUnit;
  call->alpha = 1;
  if (gt_procedure_operands (id, call))
    {
      gt_error ("bench: memory is short");
      return -1;
    }
  if (set_numbers (&s, call, numbers))
    {
      gt_procedure_free (call);
      gt_error ("bench: memory is short");
      return -1;
    }
  time_row (&s, rounds, &gsl, ours);
  free (s.old);
  gt_procedure_free (call);
  row->value[SIDE] = (double) (call->k < n ? call->k : n);
  row->value[WORK] = gt_procedure_work (id, call);
  row->value[GSL] = gsl;
  row->value[FAST] = ours[0];
  row->value[EXACT] = ours[1];
  row->value[ALLOWED] = ours[0] / fmax (gsl / 0.95, gsl + 30e-9);
  row->value[FAST_GAIN] = gsl / ours[0];
  row->value[EXACT_GAIN] = gsl / ours[1];
  snprintf (row->remark, sizeof row->remark, "%s %c%c: %zu x %zu x %zu%s",
            gt_taken[id].name,
            call->trans == CblasNoTrans ? 'N' : 'T',
            call->trans_b == CblasNoTrans ? 'N' : 'T', call->m, call->n, call->k,
            names_of_numbers[numbers]);
  return 0;
}

static enum gt_taken_id
id_of (const char *name)
{
  int id = GT_FIRST_PROCEDURE;

  while (strcmp (gt_taken[id].name, name) != 0)
    id++;
  return (enum gt_taken_id) id;
}

static CBLAS_TRANSPOSE_t
turn (char is_turned)
{
  return is_turned ? CblasTrans : CblasNoTrans;
}

int
gt_bench_matrix (struct gt_bench *all, struct gt_sheet *sheet)
{
  const unsigned rounds = all->options.rounds;
  const struct gt_engines *engines = gt_engines ();
  int status = 0;

  snprintf (sheet->note, sizeof sheet->note, "Fast products are those of %s.",
            engines->n > 1 ? engines->engine[1].name : "GSL: no BLAS was found");
  gt_blas_prepare ();
  for (size_t f = 0; f < sizeof squares / sizeof *squares; f++)
    for (size_t k = 0; k < sizeof sides / sizeof *sides && status == 0; k++)
      {
        struct gt_procedure_call call
          = {.m = sides[k], .n = sides[k], .k = sides[k],
             .trans = turn (squares[f].trans), .trans_b = turn (squares[f].trans_b)};
        const char *name = squares[f].name;

        if (sides[k] <= LARGEST_OF_LEVEL_3 || strchr (name, 'v') || strcmp (name, "dger") == 0)
          status = add_row (id_of (name), &call, ORDINARY, rounds, sheet);
      }
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes && status == 0; k++)
    for (int t = 0; t < 4 && status == 0; t++)
      {
        struct gt_procedure_call call
          = {.m = shapes[k][0], .n = shapes[k][1], .k = shapes[k][2],
             .trans = turn (t & 1), .trans_b = turn ((t & 2) != 0)};

        status = add_row (id_of ("dgemm"), &call, ORDINARY, rounds, sheet);
      }
  for (size_t f = 0; f < sizeof others / sizeof *others; f++)
    for (size_t k = 0; k < sizeof sides_of_others / sizeof *sides_of_others && status == 0; k++)
      {
        const size_t side = sides_of_others[k];
        struct gt_procedure_call call
          = {.m = side, .n = side, .k = side, .trans = turn (others[f].trans),
             .trans_b = turn (others[f].trans_b)};

        status = add_row (id_of (others[f].name), &call, others[f].numbers, rounds, sheet);
      }
  return status;
}
