/* How long a run of the tuner will take, before it begins.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_DURATION_H
#define GT_DURATION_H

#include "tuning/search/sweep.h"

#define GT_N_PROBLEM_KINDS \
  (GT_N_REDUCTIONS * GT_N_ARITHMETICS * GT_N_MODES * GT_N_LAYOUTS)

/* The pace of a target, as it was measured.  */
struct gt_pace
{
  struct gt_target *target;
  enum gt_effort effort;
  double loading; /* seconds a byte of test data takes */
  double awkward; /* seconds that verifying a candidate takes, once */
  double renewing; /* seconds that making threads takes */
  /* Of each reduction, arithmetic, mode and layout.  */
  struct gt_pace_kind
  {
    int known, verified;
    double fixed, per_byte; /* seconds of a sum, the mean of some candidates */
    double best;            /* what the best of them takes of that */
  } kind[GT_N_PROBLEM_KINDS];
};

/* Measures for some seconds at most how quick the target of PACE, of which nothing is known
   yet, is at problems like the N of LIST, or until STOP says so.  Returns 0, or -1 when
   that cannot be told.  */
int gt_pace_measure (struct gt_pace *pace, const struct gt_problem *list,
                     unsigned n, int (*stop) (void));

/* Seconds in which SPACE is swept, of which some candidates are timed now; the data is
   loaded.  */
double gt_pace_space (struct gt_pace *pace, const struct gt_space *space);

/* Seconds in which all of LIST is tuned.  */
double gt_pace_sweeps (struct gt_pace *pace, const struct gt_problem *list,
                       unsigned n);

/* Seconds in which the crossovers of N problems are found, whose sums the host, of this
   PACE, computes beside a GPU.  */
double gt_pace_crossings (const struct gt_pace *pace,
                          const struct gt_problem *list, unsigned n);

#endif
