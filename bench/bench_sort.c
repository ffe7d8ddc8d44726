/* Sorting on the CPU: GSL's functions and ours.  Sides take turns, and the best of the
   rounds counts: a call is disturbed by others, never helped.  Both times have that of the
   copy which puts the data back in its order.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "src/preload/taken.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/sorts.h"
#include "tuning/text/cli.h"

#define SAMPLE 20e-6    /* seconds a timing lasts at least */
#define BUDGET 10e-3    /* seconds for all timings of GSL's function */
#define FEW_ROUNDS 2
#define MOST_ROUNDS 40
#define SLACK 10e-9
#define LARGEST 1000000

enum
{
  N, ORDER, GSL, OURS, ALLOWED, GAIN
};

const struct gt_form gt_sort_form = {
  .name = "sort",
  .title = "sorting on the CPU, with GSL's results; order: 0 random, 1 ascending,"
           " 2 descending, 3 few values; allowed: GSL's time over 0.95 or 10 ns more;"
           " a row is the worst of an order, short: those that take more",
  .remark = "function",
  .columns = {[N] = {"n", "n", GT_UNIT_COUNT},
              [ORDER] = {"order", "order", GT_UNIT_COUNT},
              [GSL] = {"GSL", "gsl_seconds", GT_UNIT_SECONDS},
              [OURS] = {"gsltune", "gsltune_seconds", GT_UNIT_SECONDS},
              [ALLOWED] = {"of allowed", "share_of_allowed", GT_UNIT_SHARE},
              [GAIN] = {"gsltune/GSL", "ratio", GT_UNIT_GAIN}},
  .second = ORDER,
  .bars = {{"the time allowed", ALLOWED, 1, 0, UINT64_MAX, 0, GT_ANY},
           {"of 10^6 random elements at least 3 times GSL's speed", GAIN, 3, LARGEST, LARGEST, 0,
            GT_SORT_RANDOM}},
};

static const char *const names[]
  = {"sort", "sort_float", "sort_int", "sort_short", "sort_index", "sort_int_index", "sort2",
     "stats_select", "stats_median", "stats_mad"};
static const size_t lengths[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 100, 256, 1000, 10000,
                                 100000, LARGEST};

static double
time_calls (enum gt_taken_id id, const struct gt_sort_data *data, void *function,
            unsigned calls)
{
  const double begin = gt_now ();

  for (unsigned k = 0; k < calls; k++)
    {
      gt_sort_data_restore (id, data);
      gt_sort_call (id, function, data);
    }
  return (gt_now () - begin) / calls;
}

static void
time_row (enum gt_taken_id id, const struct gt_sort_data *data, struct gt_row *row)
{
  const struct gt_sort_pair *const pair = gt_sort_functions (id);
  void *const f[] = {pair->gsl, pair->ours};
  double best[2] = {INFINITY, INFINITY};
  unsigned calls = 1, rounds;
  double once;

  /* The first call sets up what is set up once.  */
  time_calls (id, data, f[1], 1);
  while ((once = time_calls (id, data, f[0], calls)) * calls < SAMPLE && calls < 1u << 16)
    calls *= 2;
  rounds = (unsigned) fmin (fmax (BUDGET / (once * calls), FEW_ROUNDS), MOST_ROUNDS);
  for (unsigned r = 0; r < rounds; r++)
    for (int side = 0; side < 2; side++)
      best[side] = fmin (best[side], time_calls (id, data, f[side], calls));
  row->value[GSL] = best[0];
  row->value[OURS] = best[1];
  row->value[ALLOWED] = best[1] / fmax (best[0] / 0.95, best[0] + SLACK);
  row->value[GAIN] = best[0] / best[1];
}

static enum gt_taken_id
id_of (const char *symbol)
{
  int id = GT_FIRST_SORT;

  while (strcmp (gt_taken[id].symbol, symbol) != 0)
    id++;
  return (enum gt_taken_id) id;
}

static int
add_row (const char *name, enum gt_sort_order order, size_t n, struct gt_sheet *sheet)
{
  struct gt_row *const row = &sheet->rows[sheet->n_rows++];
  const enum gt_taken_id id = id_of (name);
  struct gt_sort_data data;

  if (gt_sort_data_make (&data, id, order, n, SIZE_MAX) == 0)
    {
      gt_error ("bench: memory is short");
      return -1;
    }
  row->value[N] = (double) n;
  row->value[ORDER] = order;
  snprintf (row->remark, sizeof row->remark, "%s", name);
  time_row (id, &data, row);
  gt_sort_data_free (&data);
  return 0;
}

int
gt_bench_sort (struct gt_bench *all, struct gt_sheet *sheet)
{
  int status = 0;

  (void) all;
  for (int order = 0; order < GT_N_SORT_ORDERS; order++)
    for (size_t f = 0; f < sizeof names / sizeof *names; f++)
      for (size_t k = 0; k < sizeof lengths / sizeof *lengths && status == 0; k++)
        status = add_row (names[f], (enum gt_sort_order) order, lengths[k], sheet);
  return status;
}
