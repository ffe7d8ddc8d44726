/* Tables of everything that was measured of a problem, for bench/replay.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_REPLAY_H
#define GT_REPLAY_H

#include "tuning/store/measurements.h"

/* Where the data has no work for as many blocks as candidates ask for, several are one
   launch.  Their repeats are repeats of that launch and count together: the least
   of several medians of one thing would be its luck.  */

/* Candidates that are launched alike: each has the index of the next one, in a ring,
   and of the first.  */
struct alike
{
  unsigned next, first, size;
};

struct launches
{
  const struct gt_measurements *m;
  struct alike *alike; /* of each candidate */
  double *room;        /* for the repeats of one launch */
};

/* The launches of M.  Returns 0, or -1 when memory is short; either way to be
   cleared.  */
int launches_of (struct launches *l, const struct gt_measurements *m);
void launches_clear (struct launches *l);

int launched_alike (const struct gt_candidate *a, const struct gt_candidate *b);

/* Whether candidate I is a launch that could be timed, and the first of those that are
   alike.  */
int launch_counts (const struct launches *l, unsigned i);

/* As gt_measured_score, of what candidate I is launched as: of every STEPth repeat from
   FROM on.  */
double launch_score (const struct launches *l, unsigned i, unsigned from,
                     unsigned step);

/* The index of the best of the table; -1 where nothing works.  */
int launches_best (const struct launches *l);

/* Whether the model keeps the launch of candidate I, under whatever name.  */
int launch_is_kept (const struct launches *l, unsigned i);

#endif
