/* Times short calls on the host, and computes the one statistic of all timings.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/clock.h"

#include <math.h>
#include <stdlib.h>

#define BATCHES 8            /* the most in one timing */
#define MOST_RUNS (1u << 24) /* in a batch */
#define PATIENCE 20e-3       /* seconds, some time slices of the system */
#define LONG 4               /* a batch that is too long by this factor is
                                enough */

/* Returns the runs of the next batch, if COUNT of them took TAKEN seconds and the next ones
   should take ENOUGH.  */
static unsigned
more_runs (unsigned count, double taken, double enough)
{
  double factor = taken > 0 ? 1.2 * enough / taken : 16;

  return (unsigned) (count * (factor < 2 ? 2 : factor < 16 ? factor : 16));
}

/* Disturbances only make a batch longer, so the faster batches count.  If a batch is much
   shorter than expected, those before it were disturbed, or cold; then all batches start again
   with more runs each.  If most batches are disturbed, the function gives up.  */
double
gt_time_batches (void (*runs) (void *closure, unsigned count), void *closure,
                 double at_least)
{
  double batch[BATCHES], quickest = 0, enough = at_least / BATCHES;
  double patience = gt_now () + PATIENCE;
  unsigned count = 1, k = 0;

  while (k < (quickest > LONG * at_least ? 1 : 2)
         || (k < BATCHES && k * quickest < at_least && gt_now () < patience))
    {
      double begin = gt_now ();

      runs (closure, count);
      batch[k] = gt_now () - begin;
      if (batch[k] < enough / 2 && count < MOST_RUNS)
        {
          count = more_runs (count, batch[k], enough);
          k = 0;
          continue;
        }
      if (k == 0 || batch[k] < quickest)
        quickest = batch[k];
      k++;
    }
  gt_median (batch, k); /* sorts */
  return batch[k / 4] / count;
}

/* -------------------------------------------------------------- Statistics */

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

double
gt_median (double *values, unsigned n)
{
  qsort (values, n, sizeof *values, compare_doubles);
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}
