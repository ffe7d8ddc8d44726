/* Work that must not be interrupted: loading, and looking symbols up.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_GUARD_H
#define GT_GUARD_H

#include <signal.h>

struct gt_guard
{
  sigset_t signals; /* these are the caller's */
  int cancelling, error;
};

/* Between these two no handler of a signal runs in this thread and nothing cancels it,
   and fork waits in other threads, or for at most as many seconds as follow.  At the
   end errno is what it was.  Threads do not wait for each other: they may have the
   loader's lock or be waiting for it.  */
#define GT_GUARD_PATIENCE 1
void gt_guard_begin (struct gt_guard *guard);
void gt_guard_end (const struct gt_guard *guard);

/* Whether fork did not wait, and this is the child: it may have inherited a library
   that is half loaded.  */
int gt_guard_broken (void);

#endif
