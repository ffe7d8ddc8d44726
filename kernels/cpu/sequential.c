/* One chain of additions, in the order of the elements: what GSL does.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/catalog.h"
#include "kernels/cpu/combine.h"
#include "kernels/cpu/isa.h"

#define GT_SIGNLESS_ONLY 1
#define GT_TEMPLATE "kernels/cpu/sequential_kernels.h"
#include "kernels/cpu/each_arithmetic.h"

gt_cpu_function *
GT_FOR_ISA (gt_cpu_sequential) (const struct gt_problem *problem,
                                unsigned unroll)
{
  static gt_cpu_function *const of[GT_N_SIGNLESS][GT_N_MODES] = {
#define X(id, name, ctype, real) [GT_##id] = {fast_##name, compensated_##name},
    GT_REAL_ARITHMETICS (X)
#undef X
#define X(id, name, ctype, real) [GT_##id] = {fast_##name},
    GT_UNSIGNED_ARITHMETICS (X)
#undef X
  };

  (void) unroll;
  return of[problem->arithmetic][problem->mode];
}
