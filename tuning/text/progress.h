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

/* "a few seconds", "about 90 seconds", "about 2 minutes", "about 3 hours".  */
void gt_duration_text (double seconds, char text[32]);
/* Says how long what begins now will take: about so many SECONDS, negative when that is
   not known, and at most LIMIT, where that is not 0.  */
void gt_foretell (double seconds, double limit);

#endif
