/* Extremes on a GPU: how kernels compare elements, and what they deliver.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_ORDER_H
#define GT_CUDA_ORDER_H

#include "kernels/args.h"
#include "kernels/task.h"

/* How the entry points of MAX, or of MINMAX, compare the elements of PROBLEM.  Of a
   problem of other reductions FLIP alone is set, where integers have a sign.  */
struct gt_order gt_order_of (const struct gt_problem *problem);

/* What a launch of TASK has delivered, as the host's value.  */
void gt_order_take (const struct gt_task *task,
                    const union gt_partial *delivered, union gt_value *value);

#endif
