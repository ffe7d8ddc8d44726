/* The functions of sequential.c for one arithmetic: a template of
   kernels/cpu/each_arithmetic.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cpu/lift.h"

INLINE void
NAMED (fast) (const struct gt_task *task, const enum gt_reduction reduction,
              union gt_value *sum)
{
  const TYPE *x = task->x.data;
  const size_t n = task->problem.n, stride = task->x.stride;
  TYPE s = 0;

  for (size_t i = 0; i < n; i++)
    s = (TYPE) (s + LIFT (x[i * stride]));
  sum->NAME[0] = s;
  sum->NAME[1] = 0;
}

#if REAL
INLINE void
NAMED (compensated) (const struct gt_task *task,
                     const enum gt_reduction reduction, union gt_value *sum)
{
  const TYPE *x = task->x.data;
  const size_t n = task->problem.n, stride = task->x.stride;
  TYPE s = 0, c = 0;

  for (size_t i = 0; i < n; i++)
    GT_TWO_SUM (TYPE, s, c, LIFT (x[i * stride]));
  sum->NAME[0] = s;
  sum->NAME[1] = c;
}
#endif

ENTRY (sum_fast, fast, GT_SUM)
#if REAL
ENTRY (sum_compensated, compensated, GT_SUM)
#endif
#if REAL && VECTORS
ENTRY (asum_fast, fast, GT_ASUM)
ENTRY (asum_compensated, compensated, GT_ASUM)
#endif
