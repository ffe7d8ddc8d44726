/* Waits for threads between timings.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "bench/timing.h"

#include <time.h>

#include "tuning/measure/clock.h"

#define LOOK 4e-3      /* seconds between two looks at the threads */
#define QUIET_LOOKS 2  /* in a row, until they count as asleep */
#define MOST_LOOKS 250

/* The CPU time of all threads, in seconds.  */
static double
cpu_time (void)
{
  return gt_clock_seconds (CLOCK_PROCESS_CPUTIME_ID);
}

void
gt_settle (void)
{
  static const struct timespec pause = {0, (long) (LOOK * 1e9)};
  int quiet = 0;

  for (int look = 0; look < MOST_LOOKS && quiet < QUIET_LOOKS; look++)
    {
      double begin = cpu_time ();

      nanosleep (&pause, NULL);
      quiet = cpu_time () - begin < LOOK / 8 ? quiet + 1 : 0;
    }
}
