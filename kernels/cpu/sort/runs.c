/* How far elements go on that a selection passes over: whole blocks, without a jump for each.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/sort/sort.h"

#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/isa/vectors.h"

#define BLOCK 4 /* vectors that are looked at together */

#define GT_TEMPLATE "kernels/cpu/sort/runs.inc"
#include "kernels/cpu/isa/each_arithmetic.h"

gt_sort_run_function *GT_FOR_ISA (gt_sort_run_of) (unsigned kind);

gt_sort_run_function *
GT_FOR_ISA (gt_sort_run_of) (unsigned kind)
{
  static gt_sort_run_function *const of[GT_N_SORT_KINDS] = {
    [GT_F64] = run_f64, [GT_F32] = run_f32,
#define X(id, name, ctype, real) [GT_##id] = run_##name,
    GT_INTEGER_ARITHMETICS (X)
#undef X
  };

  return of[kind];
}
