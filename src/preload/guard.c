/* What must be done without interruption: loading, and looking symbols up.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/preload/guard.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

/* Those who load read, who forks writes.  */
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

/* Whether the thread that forks has the lock; how many guards this thread is within,
   since it may fork there, in a constructor.  */
static _Thread_local char forking __attribute__ ((tls_model ("initial-exec")));
static _Thread_local char depth __attribute__ ((tls_model ("initial-exec")));
static char broken;
static unsigned generation; /* how often the lock was made new */

static struct timespec
patience (void)
{
  struct timespec end = {0, 0};

  clock_gettime (CLOCK_REALTIME, &end);
  end.tv_sec += GT_GUARD_PATIENCE;
  return end;
}

static void
before_fork (void)
{
  const struct timespec end = patience ();

  forking = depth == 0 && pthread_rwlock_timedwrlock (&lock, &end) == 0;
}

static void
after_fork (void)
{
  if (forking)
    pthread_rwlock_unlock (&lock);
  forking = 0;
}

/* Those who have the lock may not exist here.  */
static void
in_child (void)
{
  static const pthread_rwlock_t fresh = PTHREAD_RWLOCK_INITIALIZER;

  if (!forking)
    {
      __atomic_store_n (&broken, 1, __ATOMIC_RELAXED);
      generation++;
      lock = fresh;
    }
  after_fork ();
}

static void
watch_forks (void)
{
  pthread_atfork (before_fork, after_fork, in_child);
}

/* A signal that tells of a fault of this thread comes through, for it would end the
   process.  */
static void
block_signals (sigset_t *before)
{
  static const int faults[]
    = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
  sigset_t all;

  sigfillset (&all);
  for (unsigned k = 0; k < sizeof faults / sizeof *faults; k++)
    sigdelset (&all, faults[k]);
  pthread_sigmask (SIG_BLOCK, &all, before);
}

void
gt_guard_begin (struct gt_guard *guard)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  struct timespec end;

  guard->error = errno;
  block_signals (&guard->signals);
  pthread_setcancelstate (PTHREAD_CANCEL_DISABLE, &guard->cancelling);
  pthread_once (&once, watch_forks);
  end = patience ();
  guard->awaited = pthread_rwlock_timedrdlock (&lock, &end) == 0;
  guard->generation = generation;
  depth++;
}

void
gt_guard_end (const struct gt_guard *guard)
{
  int ignored;

  depth--;
  if (guard->awaited && guard->generation == generation)
    pthread_rwlock_unlock (&lock);
  pthread_setcancelstate (guard->cancelling, &ignored);
  pthread_sigmask (SIG_SETMASK, &guard->signals, NULL);
  errno = guard->error;
}

int
gt_guard_broken (void)
{
  return __atomic_load_n (&broken, __ATOMIC_RELAXED);
}
