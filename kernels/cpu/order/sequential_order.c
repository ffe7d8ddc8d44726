/* Extremes element by element, as GSL's loops find them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/catalog.h"
#include "kernels/inline.h"
#include "kernels/cpu/isa/isa.h"

#define ENTRY(stem, reduction)                                               \
  static void NAMED (stem) (const struct gt_task *task,                      \
                            union gt_value *value)                           \
  { NAMED (scan_all) (task, reduction, value); }

#define GT_TEMPLATE "kernels/cpu/order/sequential_order_kernels.inc"
#include "kernels/cpu/isa/each_arithmetic.h"

gt_cpu_function *
GT_FOR_ISA (gt_cpu_sequential_order) (const struct gt_problem *problem,
                                      unsigned unroll)
{
  static gt_cpu_function *const
    functions[GT_N_REDUCTIONS][GT_N_ARITHMETICS] = {
#define X(id, name, ctype, real)                                             \
      [GT_MAX][GT_##id] = max_##name,                                        \
      [GT_MIN][GT_##id] = min_##name,                                        \
      [GT_MINMAX][GT_##id] = minmax_##name,
      GT_ARITHMETICS (X)
#undef X
      [GT_AMAX] = {[GT_F64] = amax_f64, [GT_F32] = amax_f32}
    };

  (void) unroll;
  return functions[problem->reduction][problem->arithmetic];
}
