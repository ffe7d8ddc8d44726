/* Which of a few candidates is the fastest, and which simpler one is as good.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_RACE_H
#define GT_RACE_H

#include "tuning/search/sweep.h"

#define GT_MOST_ENTRANTS 16
/* No pause makes a difference to sums longer than this, in seconds.  */
#define GT_NO_PAUSE 5e-3

struct gt_race
{
  struct gt_candidate *entrant[GT_MOST_ENTRANTS];
  unsigned n;
  const struct gt_candidate *chosen; /* the default; may be no entrant */
};

/* How many rounds a race has at least and at most where one sum of the quickest entrant
   lasts SECONDS.  */
void gt_race_rounds (const struct gt_effort_level *level, double seconds,
                     unsigned *least, unsigned *most);

/* Times the entrants in rounds until the winner is certain, and then, unless
   these are all or the default has won, the winner and the default again; their `seconds' and `spread' are
   of the last rounds.  Returns the winner; null when none is sound, or the sweep is to
   stop.  */
struct gt_candidate *gt_race_run (struct gt_race *race,
                                  struct gt_sweep *sweep);

#endif
