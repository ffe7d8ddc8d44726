/* Setups: each determines something once for a process.  A fork waits for them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/base/setup.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "src/base/log.h"

void
gt_signals_block (sigset_t *before)
{
  static const int open[]
    = {SIGBUS, SIGFPE, SIGILL, SIGPROF, SIGSEGV, SIGSYS, SIGTRAP};
  sigset_t others;

  sigfillset (&others);
  for (unsigned i = 0; i < sizeof open / sizeof *open; i++)
    sigdelset (&others, open[i]);
  pthread_sigmask (SIG_BLOCK, &others, before);
}

void
gt_signals_restore (const sigset_t *before)
{
  pthread_sigmask (SIG_SETMASK, before, NULL);
}

_Atomic int gt_setup_plain;

/* The second lock is that of a child for which no handler of fork was called.  Several of its
   threads may notice this at the same time, and reinitialising the first lock could happen
   twice.  */
static pthread_mutex_t locks[2]
  = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t *_Atomic lock = &locks[0];

/* The number of setups that this thread is in, the lock that it holds, and whether it holds
   the lock because it forks.  */
static _Thread_local unsigned depth;
static _Thread_local pthread_mutex_t *held;
static _Thread_local int forking;

void
gt_setup_begin (struct gt_setup *setup)
{
  setup->error = errno;
  pthread_setcancelstate (PTHREAD_CANCEL_DISABLE, &setup->cancelling);
  gt_signals_block (&setup->signals);
  gt_in_child (); /* chooses the other lock if no handler of fork was called */
  if (depth++ == 0)
    {
      held = lock;
      pthread_mutex_lock (held);
    }
  fegetenv (&setup->caller);
  fesetenv (FE_DFL_ENV);
}

void
gt_setup_end (const struct gt_setup *setup)
{
  fesetenv (&setup->caller);
  if (--depth == 0)
    pthread_mutex_unlock (held);
  pthread_setcancelstate (setup->cancelling, NULL);
  errno = setup->error;
  gt_signals_restore (&setup->signals); /* a handler may not return here */
}

/* ------------------------------------------------------------------ Aside */

struct aside
{
  void (*work) (void *closure);
  void *closure;
  unsigned depth;
};

/* Whether this thread was made by the library for such work.  */
static _Thread_local int is_aside;

/* Meanwhile, this thread is considered to be in the caller's setup.  */
static void *
do_aside (void *closure)
{
  const struct aside *aside = closure;

  is_aside = 1;
  depth = aside->depth;
  aside->work (aside->closure);
  return NULL;
}

static int
start_aside (pthread_t *thread, struct aside *aside)
{
  pthread_attr_t attributes;
  int failed;

  if (pthread_attr_init (&attributes))
    return -1;
  failed = pthread_attr_setstacksize (&attributes, GT_ASIDE_STACK)
           || pthread_create (thread, &attributes, do_aside, aside);
  pthread_attr_destroy (&attributes);
  return failed ? -1 : 0;
}

void
gt_aside (void (*work) (void *closure), void *closure)
{
  struct aside aside = {work, closure, depth};
  sigset_t signals;
  pthread_t thread;
  int cancelling;

  if (is_aside || gt_in_child ())
    {
      work (closure);
      return;
    }
  pthread_setcancelstate (PTHREAD_CANCEL_DISABLE, &cancelling);
  gt_signals_block (&signals);
  if (start_aside (&thread, &aside))
    work (closure);
  else
    pthread_join (thread, NULL);
  gt_signals_restore (&signals);
  pthread_setcancelstate (cancelling, NULL);
}

/* ------------------------------------------------------------------- Once */

struct make
{
  void (*make) (void);
};

static void
make_aside (void *closure)
{
  ((const struct make *) closure)->make ();
}

void
gt_once_do (struct gt_once *once, void (*make) (void))
{
  struct make aside = {make};
  struct gt_setup setup;

  gt_setup_begin (&setup);
  if (!atomic_load_explicit (&once->done, memory_order_relaxed))
    {
      gt_aside (make_aside, &aside);
      atomic_store_explicit (&once->done, 1, memory_order_release);
    }
  gt_setup_end (&setup);
}

/* ------------------------------------------------------------------- fork */

_Atomic int gt_forked;
const volatile char *gt_mark;

/* A thread that forks within its own setup, as a plug-in of hwloc might, would wait for
   itself.  */
static void
before_fork (void)
{
  struct timespec end;

  forking = 0;
  if (depth > 0 || clock_gettime (CLOCK_REALTIME, &end) != 0)
    return;
  end.tv_sec += GT_SETUP_PATIENCE;
  forking = pthread_mutex_timedlock (lock, &end) == 0;
}

static void
after_fork (void)
{
  if (forking)
    pthread_mutex_unlock (lock);
  forking = 0;
}

/* The thread that has the lock may not exist in the child.  */
static void
in_child (void)
{
  gt_forked = 1;
  if (forking)
    {
      after_fork ();
      return;
    }
  gt_setup_plain = 1;
  if (depth == 0)
    pthread_mutex_init (lock, NULL);
}

/* Another thread of a child without a call of a handler may do the same.  */
int
gt_notice_child (void)
{
  gt_setup_plain = 1;
  lock = &locks[1];
  gt_forked = 1;
  return 1;
}

/* A page that the kernel clears in a child (Linux 4.14).  It is part of zero-initialised
   memory, so that it need not be unmapped when the library is unloaded.  */
static void
make_mark (void)
{
  static char room[2 << 16];
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  char *mark = room + (page - (uintptr_t) room % page) % page;

#ifdef MADV_WIPEONFORK
  if (page > sizeof room / 2 || madvise (mark, page, MADV_WIPEONFORK) != 0)
    return;
  *mark = 1;
  gt_mark = mark;
#endif
}

/* If a fork could not be noticed, every process is treated as a child, which is slow but
   correct.  */
__attribute__ ((constructor)) static void
watch_forks (void)
{
  make_mark ();
  if (pthread_atfork (before_fork, after_fork, in_child) == 0)
    return;
  gt_forked = 1;
  gt_setup_plain = 1;
  gt_log (GT_LOG_NOTICE, "memory is short: fork() cannot be watched, so one CPU"
                         " thread computes");
}
