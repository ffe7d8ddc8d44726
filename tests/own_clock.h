/* A clock that only the test moves on, in the place of clock_gettime.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_OWN_CLOCK_H
#define GT_OWN_CLOCK_H

#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int64_t now = -1; /* nanoseconds; below 0: the clock is the system's */

int
clock_gettime (clockid_t id, struct timespec *t)
{
  if (now < 0)
    return (int) syscall (SYS_clock_gettime, id, t);
  *t = (struct timespec) {now / 1000000000, now % 1000000000};
  return 0;
}

#endif
