/* Judges the times of a drawn problem: how much longer than a peer it may take, and whether it
   does.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BENCH_JUDGE_H
#define GT_BENCH_JUDGE_H

#include "bench/sides.h"

#define GT_MOST_ROUNDS 15
#define GT_REPEATS 3

/* The time allowed is the peer's times RATIO, or SLACK seconds more, whichever is more.  */
struct gt_allowance
{
  double ratio, slack;
};
struct gt_allowance gt_allowance_of (const struct gt_drawn *d, enum gt_side peer);

/* How our time compares with a peer's: medians of rounds; both take turns in each.  */
struct gt_comparison
{
  double speed; /* the peer's time over ours */
  double share; /* of the time allowed */
};
struct gt_comparison gt_compare (const double *ours, const double *peer, unsigned rounds,
                                 struct gt_allowance allowance);

/* The median of COUNT repeats, of each figure by itself; COUNT is GT_REPEATS at most.  */
struct gt_comparison gt_median_comparison (const struct gt_comparison *of, unsigned count);

/* Returns whether C is so near to a miss that it should be measured again.  */
int gt_is_doubtful (const struct gt_comparison *c);
int gt_is_miss (const struct gt_comparison *c);

/* The least of COUNT speeds, their deciles and the largest, and their geometric mean.  Sorts
   SPEEDS.  */
#define GT_DECILES 11
struct gt_distribution
{
  double decile[GT_DECILES], mean;
};
struct gt_distribution gt_distribution_of (double *speeds, unsigned count);

#endif
