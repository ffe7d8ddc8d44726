/* What exact sums, and several sums at once, bring from a GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_SUMS_H
#define GT_CUDA_SUMS_H

#include "kernels/args.h"
#include "kernels/task.h"

/* Reads a value of several sums at once, not exact ones, as it was delivered.  */
void gt_sums_take (const struct gt_problem *problem,
                   const union gt_partial *delivered, union gt_value *value);

/* Reads the accumulators of an exact value.  */
enum gt_taken_exact
{
  GT_TAKEN,
  GT_TAKEN_GAVE_UP, /* the kernel has */
  GT_TAKEN_NO_SUM   /* no sum has such words: something has gone wrong */
};
enum gt_taken_exact gt_sums_take_exact (const struct gt_problem *problem,
                                        const int64_t *delivered,
                                        union gt_value *value);

#endif
