/* Sums of products of doubles and of floats, by several vectors of accumulators.  Fast dot
   products of floats whose result is rounded to float have a loop of their own
   (simd_sums_floats.inc).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>

#include "kernels/catalog.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/sums/vector_products.h"
#include "kernels/cpu/wide/two_sum.h"

/* The number of vectors in a turn; each is added to its own chain: enough to hide the latency
   of additions.  SCATTERED_CHAINS is the number of chains of scalars.  */
#define CHAINS 8u
#define SCATTERED_CHAINS 4u

#define NAMED(stem) GT_PASTE (stem, NAME)

#define NAME vector
#define NUMBER doubles
#define SPLITTER 0x8000001p0
#include "kernels/cpu/wide/two_product.inc"
#undef NUMBER
#undef NAME

INLINE double
product_and_scalar (double x, double y, double s)
{
#if defined __FMA__
  return __builtin_fma (x, y, s);
#else
  return x * y + s;
#endif
}

/* Clears all chains except the first BUT of them.  */
INLINE void
clear_chains (doubles *s, const unsigned but)
{
  UNROLL
  for (unsigned i = but; i < CHAINS; i++)
    s[i] = (doubles) {0};
}

#define TYPE double
#define NAME f64
#include "kernels/cpu/isa/vector_type.inc"
#include "kernels/cpu/isa/simd_vector.inc"
#include "kernels/cpu/sums/simd_sums_loop.inc"
#undef TYPE
#undef NAME
#define TYPE float
#define NAME f32
#include "kernels/cpu/sums/simd_sums_loop.inc"
#undef NAME
#define NAME floats
#include "kernels/cpu/sums/simd_sums_floats.inc"
#undef TYPE
#undef NAME
#undef NAMED

#define ENTRY_NAME_(stem, isa) stem##_##isa
#define ENTRY_NAME(stem, isa) ENTRY_NAME_ (stem, isa)
#define ENTRY(stem, loop, square)                                                    \
  static void ENTRY_NAME (stem, GT_ISA) (const struct gt_task *task, union gt_value *value) \
  { loop (task, square, &value->sums); }
ENTRY (dot_fast_f64, multiply_f64, 0)
ENTRY (dot_fast_apart_f64, multiply_apart_f64, 0)
ENTRY (sumsq_fast_f64, multiply_f64, 1)
ENTRY (sumsq_fast_apart_f64, multiply_apart_f64, 1)
ENTRY (dot_fast_f32, multiply_f32, 0)
ENTRY (dot_fast_apart_f32, multiply_apart_f32, 0)
ENTRY (sumsq_fast_f32, multiply_f32, 1)
ENTRY (sumsq_fast_apart_f32, multiply_apart_f32, 1)

/* Dot products of floats, added up in float if the caller permits that and the result is
   accurate.  */
#define DOT_FLOATS(stem, apart, otherwise)                                                  \
  static void ENTRY_NAME (stem, GT_ISA) (const struct gt_task *task, union gt_value *value) \
  { if (!task->single || !multiply_floats (task, apart, &value->sums))                      \
      ENTRY_NAME (otherwise, GT_ISA) (task, value); }
DOT_FLOATS (dot_floats_f32, 0, dot_fast_f32)
DOT_FLOATS (dot_floats_apart_f32, 1, dot_fast_apart_f32)

#define LAYOUTS(stem, type) \
  {ENTRY_NAME (stem##_##type, GT_ISA), ENTRY_NAME (stem##_apart_##type, GT_ISA)}

gt_cpu_function *
GT_FOR_ISA (gt_cpu_simd_sums) (const struct gt_problem *problem, unsigned unroll)
{
  static gt_cpu_function *const of[2][2][GT_N_LAYOUTS]
    = {{LAYOUTS (dot_fast, f64), LAYOUTS (dot_floats, f32)},
       {LAYOUTS (sumsq_fast, f64), LAYOUTS (sumsq_fast, f32)}};

  (void) unroll;
  return of[problem->reduction == GT_SUMSQ][problem->arithmetic][problem->layout];
}
