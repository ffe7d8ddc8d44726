/* The pool of threads and the claims of pieces as the library has them, but any
   atomic step may come late: a thread loses its time just before, or waits.  So
   orders are tried that a machine left alone has once in a million.  Programs
   that are linked with this file have it in the library's place.

   GSLTUNE_TEST_PERTURB=SEED   other delays (default 1)
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "tests/pool_points.h"

#include "src/cpu/threads.c"
#include "src/cpu/parts.c"

/* One point of so many loses its time; one of those waits.  */
#define YIELDS 4
#define SLEEPS 32

static _Atomic uint64_t threads_seen;

static uint64_t
seed (void)
{
  const char *word = getenv ("GSLTUNE_TEST_PERTURB");

  return word ? strtoull (word, NULL, 10) : 1;
}

/* Marsaglia's xorshift64, one sequence for each thread.  Nothing else is changed
   by a delay, errno neither.  */
void
gt_point (const char *what)
{
  static _Thread_local uint64_t random;
  struct timespec pause = {0, 0};
  int error = errno;

  (void) what;
  if (random == 0)
    random = (seed () * 4096 + ++threads_seen)
               * UINT64_C (0x9e3779b97f4a7c15) | 1;
  random ^= random << 13;
  random ^= random >> 7;
  random ^= random << 17;
  if ((random >> 20) % YIELDS)
    return;
  pause.tv_nsec = (long) (random >> 40) % 200000;
  if ((random >> 30) % SLEEPS == 0)
    nanosleep (&pause, NULL);
  else
    sched_yield ();
  errno = error;
}

void
gt_after_point (void)
{
}
