/* Protects work that must not be interrupted: loading, and looking up symbols.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_GUARD_H
#define GT_GUARD_H

#include <signal.h>

struct gt_guard
{
  sigset_t signals; /* the caller's */
  int cancelling, error;
};

/* Between gt_guard_begin and gt_guard_end no signal handler runs in this thread and the thread
   is not cancelled; fork in other threads waits, for at most GT_GUARD_PATIENCE seconds.
   gt_guard_end restores errno.  Threads do not wait for each other, because they may hold the
   loader's lock or be waiting for it.  */
#define GT_GUARD_PATIENCE 1
void gt_guard_begin (struct gt_guard *guard);
void gt_guard_end (const struct gt_guard *guard);

/* Returns whether this is the child of a fork that did not wait: it may have inherited a
   partly loaded library.  */
int gt_guard_broken (void);

#endif
