/* Setups find something out once for a process, such as its host or its plans.  Others of
   these functions keep handlers of signals away.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SETUP_H
#define GT_SETUP_H

#include <fenv.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

/* Holds this thread's signals back, until they are restored to BEFORE: whoever
   leaves a handler by siglongjmp would leave work half done and locks taken, and
   one that sums would wait for its own thread.  Not held back are the signals
   that a thread brings upon itself, since a handler may be what makes memory
   readable, and SIGPROF, by which profilers find out where time goes.  */
void gt_signals_block (sigset_t *before);
void gt_signals_restore (const sigset_t *before);

/* Setup is the work of one thread at a time.  hwloc has locks of
   its own, and a child of fork would find them taken for ever if another
   thread was inside of them; so fork waits until no setup is under way.  All of
   hwloc that the library uses belongs between begin and end.  Calls
   may nest.  No thread is cancelled meanwhile.

   Between them the floating-point environment is the default one: numbers read
   from files and estimates are inexact and may overflow, which must not trap in a
   program that adds integers.  Afterwards it is the caller's again, flags
   included, and so is errno.  */
struct gt_setup
{
  int cancelling, error;
  sigset_t signals;
  fenv_t caller;
};
void gt_setup_begin (struct gt_setup *setup);
void gt_setup_end (const struct gt_setup *setup);

/* Does WORK on a thread of ours and waits for it.  What hwloc or a driver takes
   of a stack then is not the caller's, whose thread may have little; and where the loader
   does not find what one of them looks for, dlerror tells it to our thread and leaves
   the caller's message alone.  Work that the caller does within a setup is within it
   there.  In a child of fork, and where no thread can be made, the caller does WORK.  */
#define GT_ASIDE_STACK ((size_t) 1 << 20)
void gt_aside (void (*work) (void *closure), void *closure);

/* pthread_once, as a setup, aside.  In a child of fork it has either been done, or it
   has not begun.  */
struct gt_once
{
  _Atomic int done;
};
void gt_once_do (struct gt_once *once, void (*make) (void));

static inline void
gt_once (struct gt_once *once, void (*make) (void))
{
  if (!atomic_load_explicit (&once->done, memory_order_acquire))
    gt_once_do (once, make);
}

/* Set where a setup must do without hwloc: in a child whose parent
   could not wait for a setup to end.  */
extern _Atomic int gt_setup_plain;

/* A setup that has not ended so many seconds after a fork began may be waiting for
   something that the thread that forks has: then the child does without.  */
#define GT_SETUP_PATIENCE 2

/* Set in a child of fork(): one CPU thread, no CUDA.  */
extern _Atomic int gt_forked;

/* 1 in the process that loaded the library, and 0 in whatever was copied from it:
   the kernel sees to that, also where no handler of fork() runs (_Fork, clone).
   Null where it cannot.  */
extern const volatile char *gt_mark __attribute__ ((visibility ("hidden")));
int gt_notice_child (void);

/* Whether this process is a child of one that had the library loaded.  */
static inline int
gt_in_child (void)
{
  return gt_forked || (gt_mark && *gt_mark == 0 && gt_notice_child ());
}

#endif
