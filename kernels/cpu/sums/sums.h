/* Values that are several sums at once.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_SUMS_H
#define GT_KERNELS_CPU_SUMS_H

#include "kernels/task.h"

/* Merges sums for gt_value_merge; in exact mode single sums, too.  */
void gt_sums_merge (const struct gt_problem *problem, union gt_value *into,
                    const union gt_value *from);

/* Sets SUMS, the exact value of REDUCTION, to that of an empty vector.  */
void gt_sums_clear_exact (enum gt_reduction reduction,
                          struct gt_exact_sums *sums);

/* Checks whether PROBLEM's sums are sums of integers (struct gt_integer_sums).  */
static inline int
gt_sums_are_integers (const struct gt_problem *problem)
{
  return gt_is_integer (problem->arithmetic)
         && gt_reductions[problem->reduction].algebra == GT_ALGEBRA_MOMENTS;
}

#endif
