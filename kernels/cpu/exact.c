/* Exact sums of doubles and floats, as a kernel: the engines of
   kernels/cpu/exact.h fill the sum's superaccumulator.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/catalog.h"
#include "kernels/cpu/exact.h"

#define ENTRY(name, ctype, u, index)                                          \
  static void exact_##name##_u##u (const struct gt_task *task,                \
                                   union gt_value *sum)                       \
  {                                                                           \
    gt_super_clear (&sum->super);                                             \
    gt_exact_add_##name (gt_exact_isa (), index, task->x.data,                \
                         task->problem.n, task->x.stride, &sum->super);       \
  }
#define ENTRIES(name, ctype)   \
  ENTRY (name, ctype, 1, 0)    \
  ENTRY (name, ctype, 2, 1)    \
  ENTRY (name, ctype, 4, 2)
GT_EXACT_TYPES (ENTRIES)

gt_cpu_function *
GT_FOR_ISA (gt_cpu_exact) (const struct gt_problem *problem, unsigned unroll)
{
  static gt_cpu_function *const of[][GT_N_UNROLLS] = {
    [GT_F64] = {exact_f64_u1, exact_f64_u2, exact_f64_u4},
    [GT_F32] = {exact_f32_u1, exact_f32_u2, exact_f32_u4}
  };

  return of[problem->arithmetic][__builtin_ctz (unroll)];
}
