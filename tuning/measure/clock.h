/* The clock of all timings on the host, timing of short calls by it, and the one
   statistic of all timings.
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

/* Seconds since some moment, never going back.  */
static inline double
gt_now (void)
{
  return gt_clock_seconds (CLOCK_MONOTONIC);
}

/* Seconds of a processor that this thread has had.  That of the whole process lags behind
   by a tick where other threads run.  */
static inline double
gt_processor_now (void)
{
  return gt_clock_seconds (CLOCK_THREAD_CPUTIME_ID);
}

/* The seconds that one run takes, of so many that all last about AT_LEAST
   seconds.  RUNS does COUNT of them, one after the other.  */
double gt_time_batches (void (*runs) (void *closure, unsigned count),
                        void *closure, double at_least);

/* The median of N numbers, and (MAY be null) their relative spread: half the
   distance of the quartiles over the median.  Sorts VALUES.  */
double gt_median (double *values, unsigned n, double *spread);

#endif
