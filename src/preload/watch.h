/* Watching a program's calls, for `gsltune run --count' and `--report'.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_WATCH_H
#define GT_WATCH_H

#include "src/preload/call.h"

enum gt_watch
{
  GT_WATCH_NOTHING,
  GT_WATCH_COUNT, /* GSL's own functions are called, and counted */
  GT_WATCH_REPORT /* ours are called where they can be, and counted */
};

/* What is watched in this process.  */
enum gt_watch gt_watching (void);

void gt_watch_begin (struct gt_call *call);
void gt_watch_end (const struct gt_call *call);

#endif
