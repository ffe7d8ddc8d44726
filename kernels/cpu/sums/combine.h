/* The merging of the values of parts.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_COMBINE_H
#define GT_KERNELS_CPU_COMBINE_H

#include "kernels/task.h"

/* Merges FROM with INTO; both are values of parts of PROBLEM.  Sums are added, with their
   rounding errors, in fast mode too, because there may be many parts.  Of two extremes, which
   empty parts do not have, the better one wins: NaN before any number, and of equals the one
   with the lower index, for any order of the parts.  Long doubles are summed exactly in one
   part, which is rounded already: in exact mode they are not to be merged.  */
void gt_value_merge (const struct gt_problem *problem, union gt_value *into,
                     const union gt_value *from);

/* Returns sum K of a value of PROBLEM that is several sums at once, rounded to double.  */
double gt_value_sum (const struct gt_problem *problem,
                     const union gt_value *value, unsigned k);

/* Applies the compensation, or rounds the exact sum, once, at the end: afterwards member [0]
   is the result.  An infinite sum or NaN stays: its compensation is undefined (infinity minus
   itself).  Several sums at once are not changed: the statistic is computed from them before
   anything is rounded (src/statistics/statistics.c).  */
void gt_value_finish (const struct gt_problem *problem, union gt_value *sum);

#endif
