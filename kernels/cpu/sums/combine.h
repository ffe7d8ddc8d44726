/* The merging of the values of parts.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_COMBINE_H
#define GT_KERNELS_CPU_COMBINE_H

#include "kernels/task.h"

/* Merges FROM with INTO; both are values of parts of PROBLEM.  Sums are added, with their
   rounding errors, in fast mode too, because there may be many parts.  The better one of two
   extremes wins, which no empty part has:  NaN before any number, and of equals the one with
   the lower index, whatever order the parts come in.  Long doubles are summed exactly in one
   part, which is rounded already:  in exact mode they are not to be merged.  */
void gt_value_merge (const struct gt_problem *problem, union gt_value *into,
                     const union gt_value *from);

/* Sum K of a value of PROBLEM that is several sums at once, rounded to double.  */
double gt_value_sum (const struct gt_problem *problem,
                     const union gt_value *value, unsigned k);

/* Applies the compensation, or rounds the exact sum, once, at the end:
   afterwards member [0] is the result.  A sum that has become
   infinite or NaN stands: its compensation means nothing (infinity minus
   itself).  Several sums at once are left as they are: what a program asked for is
   computed from them before anything is rounded (src/public/statistics.c).  */
void gt_value_finish (const struct gt_problem *problem, union gt_value *sum);

#endif
