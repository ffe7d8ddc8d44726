/* Setups determine something once for a process, such as its host or its plans.  Other
   functions here block signals.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SETUP_H
#define GT_SETUP_H

#include <fenv.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

/* Blocks this thread's signals until they are restored to BEFORE: a handler that ends with
   siglongjmp would leave work unfinished and locks taken, and a handler that sums would wait
   for its own thread.  Two kinds stay unblocked: synchronous signals, since a handler may make
   memory readable, and SIGPROF, for profilers.  */
void gt_signals_block (sigset_t *before);
void gt_signals_restore (const sigset_t *before);

/* Setup is the work of one thread at a time.  hwloc has its own locks; if another thread held
   one during a fork, the child would find it taken forever.  So fork waits until no setup is
   running.  The library calls hwloc only between begin and end.  Calls may nest.  No thread is
   cancelled meanwhile.

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

/* Does WORK on a thread of ours and waits for it.  So hwloc and drivers do not use the
   caller's stack, which may be small, and a failed dlopen does not replace the caller's
   message of dlerror.  If the caller is within a setup, so is WORK.  In a child of fork, and
   if no thread can be made, the caller does WORK.  */
#define GT_ASIDE_STACK ((size_t) 1 << 20)
void gt_aside (void (*work) (void *closure), void *closure);

/* Does the work of pthread_once as a setup on a thread of ours.  In a child of fork it has
   either been done or not begun.  */
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

/* Set if a setup must not use hwloc: in a child whose parent could not wait for the end of a
   setup.  */
extern _Atomic int gt_setup_plain;

/* A setup that has not ended this many seconds after a fork began may be waiting for a lock of
   the forking thread: then the child does without hwloc.  */
#define GT_SETUP_PATIENCE 2

/* Set in a child of fork(): one CPU thread, no CUDA.  */
extern _Atomic int gt_forked;

/* 1 in the process that loaded the library, and 0 in its copies: the kernel clears it, even if
   no handler of fork() runs (_Fork, clone).  Null if the kernel cannot.  */
extern const volatile char *gt_mark __attribute__ ((visibility ("hidden")));
int gt_notice_child (void);

/* Checks whether this process is a child of one that had loaded the library.  */
static inline int
gt_in_child (void)
{
  return gt_forked || (gt_mark && *gt_mark == 0 && gt_notice_child ());
}

#endif
