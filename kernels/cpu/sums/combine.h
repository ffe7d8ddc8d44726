/* Merges the values of parts.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_COMBINE_H
#define GT_KERNELS_CPU_COMBINE_H

#include "kernels/task.h"

/* Merges FROM into INTO; both are values of parts of PROBLEM.  Of two extremes, the better one is
   kept, in any order of the parts: NaN is better than any number, and of equal ones the lower
   index is better.  Empty parts have no extremes.  In exact mode, values of long doubles must
   not be merged: their sum is computed in one part, which is already rounded.  */
void gt_value_merge (const struct gt_problem *problem, union gt_value *into,
                     const union gt_value *from);

/* Returns sum K of a value of PROBLEM that is several sums at once, rounded to double.  */
double gt_value_sum (const struct gt_problem *problem,
                     const union gt_value *value, unsigned k);

/* Rounds an exact sum, once, at the end; member [0] is then the result.  A value that is several
   sums at once is not changed: the statistic is computed from unrounded sums
   (src/statistics/statistics.c).  */
void gt_value_finish (const struct gt_problem *problem, union gt_value *sum);

#endif
