/* Shows how far a long run is, on standard error: a bar with the time left on
   a terminal, plain lines otherwise.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROGRESS_H
#define GT_PROGRESS_H

struct gt_progress
{
  const char *label;
  double total;     /* of the work, in any unit */
  unsigned told;    /* tenths already told in plain lines */
  double begun;     /* gt_now */
  int terminal;
};

/* LABEL: a word, e.g. "CPU".  WHAT names the whole in a plain line.  */
void gt_progress_begin (struct gt_progress *progress, const char *label,
                        double total, const char *what);
/* DONE of the total is done; NOW_AT names what comes next.  */
void gt_progress_show (struct gt_progress *progress, double done,
                       const char *now_at);
/* Takes the bar away.  */
void gt_progress_end (struct gt_progress *progress);

#endif
