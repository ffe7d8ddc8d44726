/* Watching a program's calls.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/preload/watch.h"

enum gt_watch
gt_watching (void)
{
  return GT_WATCH_NOTHING;
}

void
gt_watch_begin (struct gt_call *call)
{
  (void) call;
}

void
gt_watch_end (const struct gt_call *call)
{
  (void) call;
}
