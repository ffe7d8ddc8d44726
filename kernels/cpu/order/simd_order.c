/* The greatest and the smallest elements and their positions, by several vectors of
   accumulators.

   Accumulators hold only values, which takes one instruction for each vector, and half a one
   for NaN; indexes would double that.  The elements are processed in blocks that fit in the
   first-level cache.  At the end of each block, the accumulators are compared with the best
   value so far, and if one is better, which is soon rare, the block is recorded.  At the very
   end, the recorded block is searched for its first element that equals the best value; no
   earlier block has an equal one.  The result is a copy of this element, so that of +0 and -0,
   which are equal, the first is returned, too.

   Accumulators ignore NaN: x86's maximum returns its second operand if either operand is NaN.
   One comparison detects NaN in two vectors, and a NaN ends the search after its block.

   Elements that are not contiguous, and long doubles, are compared one by one.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <string.h>

#include "kernels/catalog.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/isa/vectors.h"

/* TURN is the number of vectors in a turn, and of accumulators: enough to hide the latency of
   a maximum.  If both extremes are requested, each has half of them; otherwise AVX2 would run
   out of registers.  For the same reason there are only four if a maximum takes a comparison
   and a selection, and with SSE, whose maximum overwrites an operand.  */
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

/* A block ends with about ten instructions, and on average half a block is searched at the
   end.  The sum of both costs has its minimum near this size.  */
#define BLOCK_TURNS (2048 / GT_VECTOR_BYTES / TURN)
/* The number of vectors that are searched at a time.  */
#define SEARCHED 4
/* Fewer elements than this are compared one by one.  */
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
