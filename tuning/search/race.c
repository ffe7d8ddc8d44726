/* Finds which of a few ways is the fastest.

   Algorithm.  In each round every entrant is timed once, one after the other, in reverse order
   in every second round, so that a drift of the clock or of the machine's load affects all
   equally.  An entrant that is far behind after the first rounds leaves, and after half of
   them one that can no longer win, but not the default.  The lower quartile counts, because
   disturbances make a timing longer.  An entrant wins if it is faster than the simpler ones
   by more than a margin.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/race.h"

#include <float.h>
#include <math.h>

#include "tuning/measure/clock.h"

#define LONG 500e-6 /* seconds of calls that are timed in half as many rounds */
/* An entrant leaves early if its time is more than FAR_BEHIND times the fastest one's, and
   after half of the rounds if it is more than BEHIND times that and the gain of a winner.  */
#define FAR_BEHIND 1.5
#define BEHIND 1.03

struct times
{
  double round[GT_MOST_ROUNDS], least; /* those that count */
  unsigned n;
};

/* Checks whether entrant number E with times T takes no part in round number R of N, where the
   quickest took BEST.  */
static int
is_out (const struct gt_race *race, unsigned e, const struct times *t, unsigned r, unsigned n,
        double best)
{
  if (t->n == 0)
    return 0;
  return t->least > DBL_MAX || (r >= (best > LONG ? 1 : 2) && t->least > FAR_BEHIND * best)
         || (e && 2 * r >= n && t->least > BEHIND * race->by_threads * best);
}

void
gt_race_run (const struct gt_race *race, uint32_t asked, double seconds[GT_MOST_ENTRANTS])
{
  struct times times[GT_MOST_ENTRANTS] = {{.n = 0}};
  double best = (double) INFINITY;
  unsigned rounds = race->rounds;

  for (unsigned r = 0; r < rounds; r++)
    {
      if (race->begin)
        race->begin (race->closure);
      for (unsigned k = 0; k < race->n; k++)
        {
          const unsigned e = r % 2 ? race->n - 1 - k : k;
          struct times *const t = &times[e];
          double now;

          if (!(asked >> e & 1) || is_out (race, e, t, r, rounds, best)
              || (now = race->time (race->closure, e)) <= 0)
            continue;
          t->least = t->n && now < INFINITY ? fmin (t->least, now) : now;
          t->round[t->n++] = now;
          best = fmin (best, t->least);
        }
      rounds = best > LONG ? race->rounds / 2 : race->rounds;
    }
  for (unsigned e = 0; e < race->n; e++)
    {
      struct times *const t = &times[e];

      if (t->n)
        gt_median (t->round, t->n, NULL); /* sorts */
      seconds[e] = t->n == 0 ? 0 : t->least > DBL_MAX ? t->least : t->round[t->n / 4];
    }
}

unsigned
gt_race_winner (const struct gt_race *race, const double seconds[GT_MOST_ENTRANTS])
{
  const unsigned *const threads = race->threads;
  unsigned best = 0;

  for (unsigned e = 1; e < race->n; e++)
    if (seconds[e] > 0 && seconds[e] <= DBL_MAX
        && (seconds[best] <= 0
            || seconds[e] * (threads[e] > threads[best] ? race->by_threads : race->better)
                 < seconds[best]))
      best = e;
  return best;
}
