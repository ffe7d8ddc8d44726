/* Watching a program's calls, for `gsltune run --count' and `--report'.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_WATCH_H
#define GT_WATCH_H

#include "src/preload/call.h"

enum gt_watch
{
  GT_WATCH_UNKNOWN, /* nobody looked yet */
  GT_WATCH_NOTHING,
  GT_WATCH_COUNT, /* GSL's own functions are called, and counted */
  GT_WATCH_REPORT /* ours are called where they can be, and counted */
};

/* The variable of the environment that asks for it: "count:" or "report:" and the path
   of the memory that src/preload/counts.h describes.  */
#define GT_WATCH_VARIABLE "GSLTUNE_WATCH"

/* The extent to which this process is watched, never GT_WATCH_UNKNOWN.  Where the memory
   cannot be opened nothing is, and standard error says so.  */
enum gt_watch gt_watching (void);

/* Whether GSL's own functions are to be called alone, since they were to be counted, even
   if they cannot be.  */
int gt_watch_wants_gsl (void);

/* Around a watched call; the first sets the members of CALL that are this file's.  */
void gt_watch_begin (struct gt_call *call);
void gt_watch_end (const struct gt_call *call);

/* Whether this thread is in a call that is watched.  A handler of a signal may ask.  */
int gt_watch_is_within (void);

#endif
