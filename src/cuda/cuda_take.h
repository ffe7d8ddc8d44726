/* What kernels are given and deliver, in the host's terms.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_TAKE_H
#define GT_CUDA_TAKE_H

#include "kernels/args.h"
#include "kernels/task.h"

/* How the entry points of MAX, or of MINMAX, compare the elements of PROBLEM.  Of a
   problem of other reductions FLIP alone is set, where integers have a sign.  */
struct gt_order gt_order_of (const struct gt_problem *problem);

/* Reads what a launch of TASK, not in exact mode, has delivered.  */
void gt_cuda_take (const struct gt_task *task,
                   const union gt_partial *delivered, union gt_value *value);

/* Reads the accumulators of an exact value.  */
enum gt_taken
{
  GT_TAKEN,
  GT_TAKEN_GAVE_UP, /* the kernel has */
  GT_TAKEN_NO_SUM   /* no sum has such words: something has gone wrong */
};
enum gt_taken gt_cuda_take_exact (const struct gt_problem *problem,
                                  const int64_t *delivered,
                                  union gt_value *value);

#endif
