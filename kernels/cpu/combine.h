/* Arithmetic that the CPU kernels share: TwoSum and the merging of values.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_COMBINE_H
#define GT_KERNELS_CPU_COMBINE_H

#include "kernels/task.h"

/* Adds X to the sum S and the rounding error of that addition, exactly, to the
   compensation C.  Neumaier compares magnitudes to know which operand the
   rounding cut; TwoSum (D. Knuth, The Art of Computer Programming, volume 2,
   section 4.2.2, theorem B) yields the same error without a branch, for
   scalars and vectors alike.  Compiled with -ffp-contract=off and without
   reassociation, or it is wrong.  */
#define GT_TWO_SUM(type, s, c, x)                     \
  do                                                  \
    {                                                 \
      type x_ = (x);                                  \
      type t_ = (s) + x_;                             \
      type b_ = t_ - (s);                             \
      (c) += ((s) - (t_ - b_)) + (x_ - b_);           \
      (s) = t_;                                       \
    }                                                 \
  while (0)

/* Merges FROM with INTO; both are values of parts of PROBLEM.  Sums are added.
   Of extremes, which no empty part has, the better one wins; NaN before any
   number, of equals the one with the lower index, whatever order the parts come
   in.  Long doubles are summed exactly in one part, which is rounded already:
   in exact mode they are not to be merged.  */
void gt_value_merge (const struct gt_problem *problem, union gt_value *into,
                     const union gt_value *from);

/* Makes VALUE, of exact mode, that of no elements: then parts are merged with it.  */
void gt_value_clear_exact (const struct gt_problem *problem,
                           union gt_value *value);

/* Sum K of a value of PROBLEM that is several sums at once, rounded to double.  */
double gt_value_sum (const struct gt_problem *problem,
                     const union gt_value *value, unsigned k);

/* Applies the compensation, or rounds the exact sum, once, at the end:
   afterwards member [0] is the result.  A compensated sum that has become
   infinite or NaN stands: its compensation means nothing (infinity minus
   itself).  Several sums at once are left as they are: what a program asked for is
   computed from them before anything is rounded (src/public/statistics.c).  */
void gt_value_finish (const struct gt_problem *problem, union gt_value *sum);

#endif
