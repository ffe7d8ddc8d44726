/* How what is short is timed on the host.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/batches.h"

#include "tuning/measure/clock.h"
#include "tuning/measure/statistics.h"

#define BATCHES 8            /* of one timing, at most */
#define MOST_RUNS (1u << 24) /* in a batch */
#define PATIENCE 20e-3       /* seconds, some time slices of the system */
#define LONG 4               /* a batch so many times too long is enough */

/* How many runs a batch takes, when COUNT of them took TAKEN seconds and they
   should take ENOUGH.  */
static unsigned
more_runs (unsigned count, double taken, double enough)
{
  double factor = taken > 0 ? 1.2 * enough / taken : 16;

  return (unsigned) (count * (factor < 2 ? 2 : factor < 16 ? factor : 16));
}

/* Whatever disturbs a batch makes it longer: the quicker ones tell.  A batch
   much shorter than it should be shows that the ones before were disturbed, or
   cold: all start again with more runs each.  Where most batches are disturbed,
   patience ends.  */
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
  gt_median (batch, k, NULL); /* sorts */
  return batch[k / 4] / count;
}
