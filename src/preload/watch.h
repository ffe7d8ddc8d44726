/* Watches a program's calls, for `gsltune run --count' and `--report'.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_WATCH_H
#define GT_WATCH_H

#include "src/preload/call.h"

enum gt_watch
{
  GT_WATCH_UNKNOWN, /* not determined yet */
  GT_WATCH_NOTHING,
  GT_WATCH_COUNT, /* GSL's own functions are called and counted */
  GT_WATCH_REPORT /* our functions are called if possible, and counted */
};

/* The environment variable that requests watching: "count:" or "report:" and the path of the
   memory that src/preload/counts.h describes.  */
#define GT_WATCH_VARIABLE "GSLTUNE_WATCH"

/* Returns how this process is watched, never GT_WATCH_UNKNOWN.  If the memory cannot be
   opened, it is not watched, and a message on standard error says so.  */
enum gt_watch gt_watching (void);

/* Returns whether only GSL's own functions may be called, because counting them was requested,
   even if that has failed.  */
int gt_watch_wants_gsl (void);

/* Begin and end a watched call; gt_watch_begin sets the members of CALL that belong to
   watch.c.  */
void gt_watch_begin (struct gt_call *call);
void gt_watch_end (const struct gt_call *call);

/* Returns whether this thread is in a watched call.  A signal handler may call it.  */
int gt_watch_is_within (void);

#endif
