/* Which of a few ways is the fastest, and which simpler one is as good.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_RACE_H
#define GT_RACE_H

#include <stdint.h>

#define GT_MOST_ENTRANTS 512
#define GT_MOST_ROUNDS 16

/* The first entrant serves by default; the others follow from the simplest on.  */
struct gt_race
{
  unsigned n;
  unsigned threads[GT_MOST_ENTRANTS];
  unsigned rounds; /* if calls are short */
  unsigned room;   /* no more entrants stay after the first rounds */
  /* How many times as fast as a simpler one the winner is, at least; and if it has more
     threads, which lose more on a machine that has other work.  */
  double better, by_threads;
  void *closure; /* the argument of this function */
  /* Returns the seconds that a call of ENTRANT takes; infinity if it fails; 0 if others
     had the processors, so that this does not count.  */
  double (*time) (void *closure, unsigned entrant);
};

/* Fills SECONDS with the times of the entrants: infinity of those that fail, 0 if no timing
   counts.  */
void gt_race_run (const struct gt_race *race, double seconds[GT_MOST_ENTRANTS]);

/* Returns the quickest that is better by enough than simpler ones, by such SECONDS.  */
unsigned gt_race_winner (const struct gt_race *race, const double seconds[GT_MOST_ENTRANTS]);

#endif
