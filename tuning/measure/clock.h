/* The clock for all timings on the host, timing of short calls, and the one statistic of all
   timings.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CLOCK_H
#define GT_CLOCK_H

#include <time.h>

static inline double
gt_clock_seconds (clockid_t clock)
{
  struct timespec t;

  clock_gettime (clock, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Returns the seconds since some moment; they never decrease.  */
static inline double
gt_now (void)
{
  return gt_clock_seconds (CLOCK_MONOTONIC);
}

/* Returns the seconds of processor time of this thread.  The processor time of the whole
   process may be late by a tick if other threads run.  */
static inline double
gt_processor_now (void)
{
  return gt_clock_seconds (CLOCK_THREAD_CPUTIME_ID);
}

/* Returns the seconds of one run, measured over enough runs to last about AT_LEAST seconds.
   RUNS executes COUNT of them, one after the other.  */
double gt_time_batches (void (*runs) (void *closure, unsigned count),
                        void *closure, double at_least);

/* Returns the median of N numbers.  Sorts VALUES.  */
double gt_median (double *values, unsigned n);

#endif
