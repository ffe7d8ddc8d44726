/* The clock of all timings on the host.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CLOCK_H
#define GT_CLOCK_H

#include <time.h>

/* Seconds since some moment, never going back.  */
static inline double
gt_now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

#endif
