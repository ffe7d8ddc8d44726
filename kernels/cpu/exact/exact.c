/* Exact sums of doubles and floats, or of their magnitudes, as a kernel: the
   engines of kernels/cpu/exact/exact.h fill the sum's superaccumulator.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/catalog.h"
#include "kernels/cpu/exact/exact.h"

#define ENTRY(stem, reduction, name, index)                                   \
  static void stem##_##name##_##index (const struct gt_task *task,            \
                                       union gt_value *sum)                   \
  {                                                                           \
    gt_super_clear (&sum->super);                                             \
    gt_exact_add_##name (gt_exact_isa (reduction), index, task->x.data,       \
                         task->problem.n, task->x.stride, &sum->super);       \
  }
#define ENTRIES(name, ctype)      \
  ENTRY (sum, GT_SUM, name, 0)    \
  ENTRY (sum, GT_SUM, name, 1)    \
  ENTRY (sum, GT_SUM, name, 2)    \
  ENTRY (asum, GT_ASUM, name, 0)  \
  ENTRY (asum, GT_ASUM, name, 1)  \
  ENTRY (asum, GT_ASUM, name, 2)
GT_EXACT_TYPES (ENTRIES)
#define UNROLLS(stem, name) \
  {stem##_##name##_0, stem##_##name##_1, stem##_##name##_2}

gt_cpu_function *
GT_FOR_ISA (gt_cpu_exact) (const struct gt_problem *problem, unsigned unroll)
{
  static gt_cpu_function *const of[][2][GT_N_UNROLLS] = {
    [GT_SUM] = {[GT_F64] = UNROLLS (sum, f64), [GT_F32] = UNROLLS (sum, f32)},
    [GT_ASUM] = {[GT_F64] = UNROLLS (asum, f64), [GT_F32] = UNROLLS (asum, f32)}
  };

  return of[problem->reduction][problem->arithmetic][__builtin_ctz (unroll)];
}
