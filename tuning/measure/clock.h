/* The clock of all timings on the host.
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

#endif
