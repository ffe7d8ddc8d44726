/* Several sums at once of real numbers, of one element or pair after the other.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/words.h" /* first: one of them is a macro later */
#include "kernels/cpu/wide/two_sum.h"
#include "kernels/inline.h"
#include "kernels/cpu/isa/isa.h"

/* The constants that a loop is compiled for.  */
#define FOR const enum gt_reduction reduction, const enum gt_mode mode
#define FOR_IT reduction, mode

/* The reductions of other algebras are not here.  */
#define LOOP_ADD(reduction) (void) 0
#define LOOP_ORDER(reduction) (void) 0
#define LOOP_COMPLEX(reduction) (void) 0
#define LOOP_MOMENTS(reduction) NAMED (sums) (task, value, reduction, GT_MODE_FAST)
#define LOOP_TERMS LOOP_MOMENTS

enum
{
#define X(id, name, ctype, real) BIT_##name = id,
  GT_REAL_ARITHMETICS (X)
#undef X
};

#define GT_SIGNLESS_ONLY 1
#define GT_TEMPLATE "kernels/cpu/sums/sequential_sums_kernels.inc"
#include "kernels/cpu/isa/each_arithmetic.h"

gt_cpu_function *
GT_FOR_ISA (gt_cpu_sequential_sums) (const struct gt_problem *problem,
                                     unsigned unroll)
{
  static gt_cpu_function *const of[GT_N_ARITHMETICS][GT_N_MODES] = {
    [GT_F64] = {fast_f64, compensated_f64},
    [GT_F32] = {fast_f32, compensated_f32},
    [GT_LDBL] = {fast_ldbl}
  };

  (void) unroll;
  return of[problem->arithmetic][problem->mode];
}
