/* How far a long run is, on standard error: a bar with the time left on a
   terminal, plain lines otherwise.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROGRESS_H
#define GT_PROGRESS_H

struct gt_progress
{
  const char *label;
  unsigned done, total;
  unsigned told;    /* tenths already told in plain lines */
  double begun;     /* gt_now */
  int terminal;
};

void gt_progress_begin (struct gt_progress *progress, const char *label,
                        unsigned total);
/* One more of `total' is done; NOW_AT names it.  */
void gt_progress_step (struct gt_progress *progress, const char *now_at);
/* Takes the bar away.  */
void gt_progress_end (struct gt_progress *progress);

#endif
