/* Finds which of some ways is the fastest.

   Algorithm.  In each round every entrant is timed once, one after the other, in reverse order
   in every second round, so that a drift of the clock or of the machine's load affects all
   equally.  Entrants that are far behind after the first rounds leave, and so do the slowest
   of the others if these are too many; after half of the rounds one that can no longer win,
   but not the default.  The lower quartile counts, because disturbances make a timing longer;
   but of two timings the longer, so that nobody wins by leaving early.  An entrant wins if it
   is faster than the simpler ones by more than a margin.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/race.h"

#include <float.h>
#include <math.h>

#include "tuning/measure/clock.h"

#define LONG 500e-6 /* seconds of calls that are timed in half as many rounds */
/* An entrant is dropped early if its time is more than FAR_BEHIND times the fastest one's, of
   many after the first round if it is more than AT_ONCE times that, and after half of the
   rounds if it is more than BEHIND times that and the gain of a winner.  */
#define AT_ONCE 2.5
#define FAR_BEHIND 1.5
#define BEHIND 1.03
/* Calls so long wait for the memory: few ways differ, and few stay after the first round.  */
#define VERY_LONG 2e-3
#define LONG_ROOM 3

struct times
{
  double round[GT_MOST_ROUNDS], least; /* those that count */
  unsigned n;
};

/* Returns how many of the N entrants were faster than number E.  */
static unsigned
rank (const struct times *times, unsigned n, unsigned e)
{
  unsigned faster = 0;

  for (unsigned k = 0; k < n; k++)
    faster += times[k].n > 0 && times[k].least < times[e].least;
  return faster;
}

/* Checks whether entrant number E takes no part in round number R of N, where the quickest
   took BEST.  The first one has a place in any case.  */
static int
is_out (const struct gt_race *race, const struct times *times, unsigned e, unsigned r,
        unsigned n, double best)
{
  const double least = times[e].least;
  const int is_late = r >= (best > LONG ? 1 : 2);

  if (times[e].n == 0)
    return 0;
  return least > DBL_MAX || (is_late && least > FAR_BEHIND * best)
         || (race->n > race->room && r > 0 && least > AT_ONCE * best)
         || (is_late && e > 0
             && rank (times, race->n, e) >= (best > VERY_LONG ? LONG_ROOM : race->room))
         || (e > 0 && 2 * r >= n && least > BEHIND * race->by_threads * best);
}

void
gt_race_run (const struct gt_race *race, double seconds[GT_MOST_ENTRANTS])
{
  struct times times[GT_MOST_ENTRANTS] = {{.n = 0}};
  double best = (double) INFINITY;
  unsigned rounds = race->rounds;

  for (unsigned r = 0; r < rounds; r++)
    {
      for (unsigned k = 0; k < race->n; k++)
        {
          const unsigned e = r % 2 ? race->n - 1 - k : k;
          struct times *const t = &times[e];
          double now;

          if (is_out (race, times, e, r, rounds, best)
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
        gt_median (t->round, t->n); /* sorts */
      seconds[e] = t->n == 0 ? 0 : t->least > DBL_MAX ? t->least
                   : t->round[t->n <= 2 ? t->n - 1 : t->n / 4];
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
