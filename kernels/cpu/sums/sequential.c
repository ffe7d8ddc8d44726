/* Sums by one chain of additions, in the order of the elements, as GSL computes them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/catalog.h"
#include "kernels/inline.h"
#include "kernels/cpu/isa/isa.h"

#define ENTRY(stem, function, reduction)                                     \
  static void NAMED (stem) (const struct gt_task *task, union gt_value *sum) \
  { NAMED (function) (task, reduction, sum); }

#define GT_SIGNLESS_ONLY 1
#define GT_TEMPLATE "kernels/cpu/sums/sequential_kernels.inc"
#include "kernels/cpu/isa/each_arithmetic.h"

gt_cpu_function *
GT_FOR_ISA (gt_cpu_sequential) (const struct gt_problem *problem,
                                unsigned unroll)
{
  static gt_cpu_function *const of[][GT_N_SIGNLESS] = {
    [GT_SUM] = {
#define X(id, name, ctype, real) [GT_##id] = sum_fast_##name,
      GT_REAL_ARITHMETICS (X)
      GT_UNSIGNED_ARITHMETICS (X)
#undef X
    },
    [GT_ASUM] = {[GT_F64] = asum_fast_f64, [GT_F32] = asum_fast_f32}
  };

  (void) unroll;
  return of[problem->reduction][problem->arithmetic];
}
