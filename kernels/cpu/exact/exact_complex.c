/* Exact dot products of complex numbers (kernels/cpu/sums/complex.inc).  What an engine of
   exact sums does once is worth longer blocks.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/catalog.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/isa/room.h"
#include "kernels/cpu/isa/vectors.h"
#include "kernels/cpu/sums/sums.h"
#include "kernels/inline.h"

gt_cpu_finder GT_FOR_ISA (gt_cpu_exact);
#define FIND(problem) GT_FOR_ISA (gt_cpu_exact) (problem, 1)
#define BLOCK 2048

#define NAMED(stem) GT_PASTE (stem, NAME)
#define NAME f64
#define TYPE double
#define PART_ID GT_F64
#include "kernels/cpu/sums/complex.inc"
#undef NAME
#undef TYPE
#undef PART_ID
#define NAME f32
#define TYPE float
#define PART_ID GT_F32
#include "kernels/cpu/sums/complex.inc"
#undef NAME
#undef TYPE
#undef PART_ID

gt_cpu_function *
GT_FOR_ISA (gt_cpu_exact_complex) (const struct gt_problem *problem, unsigned unroll)
{
  (void) unroll;
  return problem->arithmetic == GT_CF64 ? dot_f64 : dot_f32;
}
