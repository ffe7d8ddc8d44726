/* Sums by several vectors of accumulators.

   The code spells out the reassociation for which a compiler would need -ffast-math: each of
   several vectors accumulates its own sums, which hides the latency of additions.  The file is
   compiled once for each instruction set, with vectors as wide as its registers, because GCC
   would keep wider vectors in memory.

   For a stride of 2 or 4 and enough elements, whole vectors are loaded and the elements in
   between masked.  For other strides, and for long double, there are scalar accumulators, and
   for compensated sums small vectors of gathered elements.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/catalog.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/isa/vectors.h"

/* The maximum number of accumulators for any unroll factor.  Eight hide the latency of any
   addition.  A compensated step has seven operations, so that four chains keep the adders
   busy, and SSE and AVX2 have only enough registers for two per chain and four temporaries;
   with more registers eight chains gain a little.  Of the x87's eight registers, one holds the
   element.  */
#define MOST_CHAINS 8u
#if defined __AVX512F__ || defined __aarch64__
#define COMPENSATED_CHAINS 8u
#else
#define COMPENSATED_CHAINS 4u
#endif
#define CHAINS(mode) \
  ((mode) == GT_MODE_COMPENSATED ? COMPENSATED_CHAINS : MOST_CHAINS)
#define STRIDED_CHAINS(type, mode) \
  (((mode) == GT_MODE_COMPENSATED ? 4u : 8u) / (sizeof (type) > 8 ? 2u : 1u))

/* Masks for the first and the last bytes of a vector.  */
static const unsigned char mask_bytes[3 * GT_VECTOR_BYTES]
  = {[GT_VECTOR_BYTES ... 2 * GT_VECTOR_BYTES - 1] = 0xff};
#define FIRST_BYTES(bytes) (mask_bytes + 2 * GT_VECTOR_BYTES - (bytes))
#define LAST_BYTES(bytes) (mask_bytes + (bytes))

/* The constant arguments that a kernel is compiled for.  */
#define FOR const enum gt_reduction reduction, const enum gt_mode mode
#define FOR_IT reduction, mode

/* Whether an accumulator receives at most SHORT_CHAIN numbers.  */
#define IS_SHORT (REAL && mode == GT_MODE_FAST)

/* Returns how many of TURNS turns are added before the accumulators are cleared.  */
INLINE size_t
turns_now (size_t turns, const int is_short)
{
  return is_short && turns > SHORT_CHAIN ? SHORT_CHAIN : turns;
}

/* The entry points for one unroll factor, and for all of a mode.  */
#define ENTRY_NAME_(stem, name, u, isa) stem##_##name##_u##u##_##isa
#define ENTRY_NAME(stem, name, u, isa) ENTRY_NAME_ (stem, name, u, isa)
#define CONTIGUOUS_ENTRY(stem, reduction, mode, u)                            \
  static void ENTRY_NAME (stem##_contiguous, NAME, u, GT_ISA) (               \
    const struct gt_task *task, union gt_value *sum)                          \
  { NAMED (contiguous) (task->x.data, task->problem.n, u, reduction, mode,    \
                        sum->NAME); }
#define STRIDED_ENTRY(stem, reduction, mode, u)                               \
  static void ENTRY_NAME (stem##_strided, NAME, u, GT_ISA) (                  \
    const struct gt_task *task, union gt_value *sum)                          \
  { NAMED (strided) (task->x.data, task->problem.n, task->x.stride, u,        \
                     reduction, mode, sum->NAME); }
#define ENTRY(stem, reduction, mode, u)        \
  CONTIGUOUS_ENTRY (stem, reduction, mode, u)  \
  STRIDED_ENTRY (stem, reduction, mode, u)
#define ENTRIES(stem, reduction, mode)  \
  ENTRY (stem, reduction, mode, 2)      \
  ENTRY (stem, reduction, mode, 4)      \
  ENTRY (stem, reduction, mode, 8)

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
  static gt_cpu_function *const
    of[][GT_N_SIGNLESS][GT_N_MODES][GT_N_LAYOUTS][GT_N_UNROLLS] = {
      [GT_SUM] = {
#define X(id, name, ctype, real) \
        [GT_##id] = {[GT_MODE_FAST] = LAYOUTS (fast, name), \
                     [GT_MODE_COMPENSATED] = LAYOUTS (compensated, name)},
        GT_REAL_ARITHMETICS (X)
#undef X
#define X(id, name, ctype, real) \
        [GT_##id] = {[GT_MODE_FAST] = LAYOUTS (fast, name)},
        GT_UNSIGNED_ARITHMETICS (X)
#undef X
      },
      [GT_ASUM] = {[GT_F64] = {[GT_MODE_FAST] = LAYOUTS (asum_fast, f64)},
                   [GT_F32] = {[GT_MODE_FAST] = LAYOUTS (asum_fast, f32)}}
    };

  return of[problem->reduction][problem->arithmetic][problem->mode]
           [problem->layout][__builtin_ctz (unroll)];
}
