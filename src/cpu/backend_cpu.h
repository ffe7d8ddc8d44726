/* Runs CPU kernels.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BACKEND_CPU_H
#define GT_BACKEND_CPU_H

#include "src/cpu/threads.h"
#include "src/plan/plan.h"

/* A fast sum shorter than this is computed in the caller's floating-point
   environment, as gsl_vector_sum is: reading the control word waits for every
   addition before it, so that short sums could no longer overlap.  */
#define GT_CALLERS_ENV 4096

/* Adds N elements STRIDE apart with PLAN.  SUM is not finished: the caller
   applies gt_value_finish.  Fewer threads than planned may compute (gt_team_run
   says when); the parts that the vector is cut into, and so the bits, are
   those of the plan.  */
void gt_cpu_sum (const struct gt_plan *plan, enum gt_arithmetic arithmetic,
                 enum gt_mode mode, const void *data, size_t n, size_t stride,
                 union gt_value *sum);

#endif
