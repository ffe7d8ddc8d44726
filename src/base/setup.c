/* What is found out once for a process, and how that meets fork.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/base/setup.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "src/base/env.h"
#include "src/base/signals.h"

_Atomic int gt_setup_plain;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* How many setups this thread is inside of, and whether it has the lock because
   it forks.  */
static _Thread_local unsigned depth;
static _Thread_local int forking;

void
gt_setup_begin (struct gt_setup *setup)
{
  setup->error = errno;
  pthread_setcancelstate (PTHREAD_CANCEL_DISABLE, &setup->cancelling);
  gt_signals_block (&setup->signals);
  gt_in_child (); /* makes the lock anew where no handler of fork has */
  if (depth++ == 0)
    pthread_mutex_lock (&lock);
  fegetenv (&setup->caller);
  fesetenv (FE_DFL_ENV);
}

void
gt_setup_end (const struct gt_setup *setup)
{
  fesetenv (&setup->caller);
  if (--depth == 0)
    pthread_mutex_unlock (&lock);
  pthread_setcancelstate (setup->cancelling, NULL);
  errno = setup->error;
  gt_signals_restore (&setup->signals); /* a handler may not return here */
}

void
gt_once_do (struct gt_once *once, void (*make) (void))
{
  struct gt_setup setup;

  gt_setup_begin (&setup);
  if (!atomic_load_explicit (&once->done, memory_order_relaxed))
    {
      make ();
      atomic_store_explicit (&once->done, 1, memory_order_release);
    }
  gt_setup_end (&setup);
}

/* ------------------------------------------------------------------- fork */

/* A thread that forks inside of its own setup, as a plug-in of hwloc might,
   would wait for itself.  */
void
gt_setup_before_fork (void)
{
  struct timespec end;

  forking = 0;
  if (depth > 0 || clock_gettime (CLOCK_REALTIME, &end) != 0)
    return;
  end.tv_sec += GT_SETUP_PATIENCE;
  forking = pthread_mutex_timedlock (&lock, &end) == 0;
}

void
gt_setup_after_fork (void)
{
  if (forking)
    pthread_mutex_unlock (&lock);
  forking = 0;
}

/* The thread that has the lock may not exist here.  */
void
gt_setup_in_child (void)
{
  if (forking)
    {
      gt_setup_after_fork ();
      return;
    }
  gt_setup_plain = 1;
  if (depth == 0)
    pthread_mutex_init (&lock, NULL);
}
