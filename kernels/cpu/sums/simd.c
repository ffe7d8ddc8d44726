/* Sums by several vectors of accumulators.

   The code spells out the reassociation for which a compiler would need -ffast-math: each of
   several vectors accumulates its own sums, which hides the latency of additions.  The file is
   compiled once for each instruction set, with vectors as wide as its registers, because GCC
   would keep wider vectors in memory.

   For a stride of 2 or 4 and enough elements, whole vectors are loaded and the elements in
   between masked.  For other strides, and for long double, there are scalar accumulators.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/catalog.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/isa/vectors.h"

/* The maximum number of accumulators for any unroll factor.  Eight hide the latency of any
   addition.  Of the x87's eight registers, one holds the element.  */
#define MOST_CHAINS 8u
#define STRIDED_CHAINS(type) (MOST_CHAINS / (sizeof (type) > 8 ? 2u : 1u))

/* Masks for the first and the last bytes of a vector.  */
static const unsigned char mask_bytes[3 * GT_VECTOR_BYTES]
  = {[GT_VECTOR_BYTES ... 2 * GT_VECTOR_BYTES - 1] = 0xff};
#define FIRST_BYTES(bytes) (mask_bytes + 2 * GT_VECTOR_BYTES - (bytes))
#define LAST_BYTES(bytes) (mask_bytes + (bytes))

/* Returns how many of TURNS turns are added before the accumulators are cleared; if IS_SHORT they
   take at most SHORT_CHAIN numbers.  */
INLINE size_t
turns_now (size_t turns, const int is_short)
{
  return is_short && turns > SHORT_CHAIN ? SHORT_CHAIN : turns;
}

/* The entry points: for one unroll factor, and for all.  */
#define ENTRY_NAME_(stem, name, u, isa) stem##_##name##_u##u##_##isa
#define ENTRY_NAME(stem, name, u, isa) ENTRY_NAME_ (stem, name, u, isa)
#define ENTRY(stem, reduction, u)                                                                \
  static void ENTRY_NAME (stem##_contiguous, NAME, u, GT_ISA) (const struct gt_task *task,       \
                                                               union gt_value *sum)              \
  { sum->NAME[0] = NAMED (contiguous) (task->x.data, task->problem.n, u, reduction); } \
  static void ENTRY_NAME (stem##_strided, NAME, u, GT_ISA) (const struct gt_task *task,          \
                                                            union gt_value *sum)                 \
  { sum->NAME[0] = NAMED (strided) (task->x.data, task->problem.n, task->x.stride, u, reduction); }
#define ENTRIES(stem, reduction)  \
  ENTRY (stem, reduction, 2)      \
  ENTRY (stem, reduction, 4)      \
  ENTRY (stem, reduction, 8)

#define GT_SIGNLESS_ONLY 1
#define GT_TEMPLATE "kernels/cpu/sums/simd_kernels.inc"
#include "kernels/cpu/isa/each_arithmetic.h"

#define UNROLLS(stem, name)                      \
  {[1] = ENTRY_NAME (stem, name, 2, GT_ISA),     \
   [2] = ENTRY_NAME (stem, name, 4, GT_ISA),     \
   [3] = ENTRY_NAME (stem, name, 8, GT_ISA)}
#define LAYOUTS(stem, name)                                     \
  {[GT_CONTIGUOUS] = UNROLLS (stem##_contiguous, name),         \
   [GT_STRIDED] = UNROLLS (stem##_strided, name)}

gt_cpu_function *
GT_FOR_ISA (gt_cpu_simd) (const struct gt_problem *problem, unsigned unroll)
{
  static gt_cpu_function *const of[][GT_N_SIGNLESS][GT_N_LAYOUTS][GT_N_UNROLLS] = {
    [GT_SUM] = {
#define X(id, name, ctype, real) [GT_##id] = LAYOUTS (fast, name),
      GT_REAL_ARITHMETICS (X)
      GT_UNSIGNED_ARITHMETICS (X)
#undef X
    },
    [GT_ASUM] = {[GT_F64] = LAYOUTS (asum_fast, f64), [GT_F32] = LAYOUTS (asum_fast, f32)}
  };

  return of[problem->reduction][problem->arithmetic][problem->layout][__builtin_ctz (unroll)];
}
