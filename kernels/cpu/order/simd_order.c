/* The greatest and the smallest elements, and where they are, by vectors of
   accumulators side by side.

   Accumulators keep values alone, which takes one instruction an element and a
   half for NaN; indexes beside them would take twice as many.  The elements go
   by in blocks that fit in the first-level cache.  At the end of each the
   accumulators are compared with the best so far: where they are better, and
   that is soon rare, the block is remembered.  At the very end the first
   element of that block that equals the best is looked for: it is the first of
   all that do, since no block before had one as good.  Its own bits are the
   result, so that of +0 and -0, which are equal, the first wins as well.

   NaN is no accumulator's matter: x86's maximum is its second operand when
   either is NaN, so that an accumulator there passes NaN over.  One comparison
   of two vectors tells whether either has one, and at the end of its block the
   search ends.

   Elements that are no neighbours, and long doubles, are looked at one by one.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <string.h>

#include "kernels/catalog.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/isa/vectors.h"

/* Vectors taken in a turn, and accumulators: as many as hide the latency of a
   maximum.  Both extremes have half of them each, or AVX2 would run out of
   registers.  So it does with eight where a maximum is a comparison and a
   choice, and SSE, whose maximum overwrites an operand, always.  */
#define TURN 8u
#define MOST_CHAINS (GT_VECTOR_BYTES >= 32 && HAS_MAXIMUM ? TURN : TURN / 2)
#define CHAINS(reduction) \
  ((reduction) == GT_MINMAX ? MOST_CHAINS / 2 : MOST_CHAINS)
/* Whether vectors of the elements can be compared.  */
#if defined __SSE2__ && !defined __SSE4_2__
#define BY_VECTORS (VECTORS && (REAL || BYTES < 8))
#else
#define BY_VECTORS VECTORS
#endif
#define NAN_CHAINS 2
#define WANTS_MOST(reduction) ((reduction) != GT_MIN)
#define WANTS_LEAST(reduction) \
  ((reduction) == GT_MIN || (reduction) == GT_MINMAX)
#define ENDS_AT_NAN(reduction) ((reduction) != GT_AMAX)

/* A block ends with some ten instructions, and half a block is searched
   through at the end: of these two the sum is least about here.  */
#define BLOCK_TURNS (2048 / GT_VECTOR_BYTES / TURN)
/* Vectors searched through at a time.  */
#define SEARCHED 4
/* Fewer elements than this are looked at one by one.  */
#define SCANNED 16

#define ENTRY_NAME_(stem, name, isa) stem##_##name##_##isa
#define ENTRY_NAME(stem, name, isa) ENTRY_NAME_ (stem, name, isa)
#define ENTRY(stem, layout, reduction)                                       \
  static void ENTRY_NAME (stem##_##layout, NAME, GT_ISA) (                   \
    const struct gt_task *task, union gt_value *value)                       \
  { NAMED (layout) (task, reduction, value); }
#define ENTRIES(stem, reduction) \
  ENTRY (stem, contiguous, reduction) ENTRY (stem, strided, reduction)

#define GT_TEMPLATE "kernels/cpu/order/simd_order_kernels.inc"
#include "kernels/cpu/isa/each_arithmetic.h"

#define LAYOUTS(stem, name)                                            \
  {[GT_CONTIGUOUS] = ENTRY_NAME (stem##_contiguous, name, GT_ISA),     \
   [GT_STRIDED] = ENTRY_NAME (stem##_strided, name, GT_ISA)}
#define COMPLEX(name)                                                  \
  {ENTRY_NAME (amax_complex, name, GT_ISA), ENTRY_NAME (amax_complex, name, GT_ISA)}

gt_cpu_function *
GT_FOR_ISA (gt_cpu_simd_order) (const struct gt_problem *problem,
                                unsigned unroll)
{
  static gt_cpu_function *const
    of[GT_N_REDUCTIONS][GT_N_ARITHMETICS][GT_N_LAYOUTS] = {
#define X(id, name, ctype, real)                  \
      [GT_MAX][GT_##id] = LAYOUTS (max, name),    \
      [GT_MIN][GT_##id] = LAYOUTS (min, name),    \
      [GT_MINMAX][GT_##id] = LAYOUTS (minmax, name),
      GT_ARITHMETICS (X)
#undef X
      [GT_AMAX] = {[GT_F64] = LAYOUTS (amax, f64),
                   [GT_F32] = LAYOUTS (amax, f32),
                   [GT_CF64] = COMPLEX (f64), [GT_CF32] = COMPLEX (f32)}
    };

  (void) unroll;
  return of[problem->reduction][problem->arithmetic][problem->layout];
}
