/* Protects work that must not be interrupted: loading, and looking up symbols.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/preload/guard.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

/* The numbers of active guards and of active forks, which wait for each other.  They are not
   locks: a child can correct the share of threads that do not exist there, but must not
   release their locks.  */
static atomic_uint guards, forks;
static _Atomic pid_t process; /* the process that they belong to */
static atomic_char broken;

/* Whether this thread is forking, and its number of active guards: it may fork within a guard,
   in a constructor, and must not wait for itself.  */
static _Thread_local char forking __attribute__ ((tls_model ("initial-exec")));
static _Thread_local unsigned depth
  __attribute__ ((tls_model ("initial-exec")));

static int64_t
milliseconds (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (int64_t) t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Waits a moment; returns 0 if END has passed.  */
static int
wait_until (int64_t end)
{
  static const struct timespec nap = {0, 500000};

  if (milliseconds () >= end)
    return 0;
  nanosleep (&nap, NULL);
  return 1;
}

static int64_t
patience (void)
{
  return milliseconds () + 1000 * GT_GUARD_PATIENCE;
}

/* Corrects the counters in a child, where only this thread exists.  */
static void
in_child (void)
{
  if (guards > 0)
    broken = 1;
  guards = depth;
  forks = 0;
  forking = 0;
  process = getpid ();
}

/* Detects children of _Fork and clone, which run no handlers.  */
static void
notice_child (void)
{
  if (process != getpid ())
    in_child ();
}

static void
before_fork (void)
{
  const int error = errno;
  const int64_t end = patience ();

  notice_child ();
  forks++;
  forking = 1;
  while (depth == 0 && guards > 0 && wait_until (end))
    continue;
  errno = error;
}

static void
after_fork (void)
{
  forking = 0;
  forks--;
}

static void
watch_forks (void)
{
  process = getpid ();
  pthread_atfork (before_fork, after_fork, in_child);
}

/* Blocks all signals except those that report a fault of this thread, because blocking these
   would end the process.  */
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

/* A guard increments its counter before it reads that of forks, and a fork does the reverse,
   so that at least one of the two sees the other.  */
static void
wait_for_forks (void)
{
  const int64_t end = patience ();
  int waits = !forking && depth == 0;

  guards++;
  while (waits && forks > 0)
    {
      guards--;
      waits = wait_until (end);
      guards++;
    }
  depth++;
}

void
gt_guard_begin (struct gt_guard *guard)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;

  guard->error = errno;
  block_signals (&guard->signals);
  pthread_setcancelstate (PTHREAD_CANCEL_DISABLE, &guard->cancelling);
  pthread_once (&once, watch_forks);
  notice_child ();
  wait_for_forks ();
}

void
gt_guard_end (const struct gt_guard *guard)
{
  int ignored;

  depth--;
  guards--;
  pthread_setcancelstate (guard->cancelling, &ignored);
  pthread_sigmask (SIG_SETMASK, &guard->signals, NULL);
  errno = guard->error;
}

int
gt_guard_broken (void)
{
  return broken;
}
