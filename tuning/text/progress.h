/* Shows the progress of a long run on standard error: a bar with the time left on a terminal,
   otherwise plain lines.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROGRESS_H
#define GT_PROGRESS_H

struct gt_progress
{
  const char *label;
  double total;     /* the total work, in any unit */
  unsigned told;    /* tenths already printed in plain lines */
  double begun;     /* gt_now */
  int terminal;
};

/* Begins.  LABEL is a word, e.g. "CPU"; WHAT describes the whole work in a plain line.  */
void gt_progress_begin (struct gt_progress *progress, const char *label,
                        double total, const char *what);
/* Shows that DONE of the total is done; NOW_AT describes the next part of the work.  */
void gt_progress_show (struct gt_progress *progress, double done,
                       const char *now_at);
/* Removes the bar.  */
void gt_progress_end (struct gt_progress *progress);

#endif
