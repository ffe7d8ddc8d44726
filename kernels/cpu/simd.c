/* Vector accumulators side by side.

   The reassociation that a compiler would need -ffast-math for is written
   out: several vectors each carry their own sums, which hides the latency of an
   addition.  The text is compiled once for each instruction set, with vectors
   as wide as its registers: a wider GCC vector would be kept in memory.

   A stride of 2 or 4 is summed from whole vectors where they are long enough, the
   elements between masked; with other strides, and for long double, scalar
   accumulators do the same, and for compensation small vectors of gathered
   elements.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/catalog.h"
#include "kernels/cpu/combine.h"
#include "kernels/cpu/isa.h"

#define INLINE static inline __attribute__ ((always_inline))
#if defined __clang__
#define UNROLL _Pragma ("clang loop unroll(full)")
#else
#define UNROLL _Pragma ("GCC unroll 16")
#endif

/* How many accumulators there are at most, whatever the unroll factor.  Eight hide
   the latency of any addition.  A compensated step has seven operations, so that
   four chains keep the adders busy, and two registers a chain and four for what
   lies between are all that SSE and AVX2 have; eight gain a little elsewhere.  Of
   the x87's eight registers one is for the element.  */
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

/* Clang would make of several multiples of a stride one sum after another, each
   waiting for the one before, unless it cannot see what they are.  */
#define HIDE(offset) __asm__ ("" : "+r"(offset))

INLINE unsigned
least (unsigned a, unsigned b)
{
  return a < b ? a : b;
}

/* Adds X to the accumulator S, whose compensation is C; or another
   accumulator, with its own.  Scalars and vectors.  */
#define ADD(type, s, c, x, mode)              \
  do                                          \
    if ((mode) == GT_MODE_COMPENSATED)        \
      GT_TWO_SUM (type, s, c, x);             \
    else                                      \
      (s) = (type) ((s) + (x));               \
  while (0)
#define MERGE(type, s, c, other_s, other_c, mode) \
  do                                              \
    {                                             \
      ADD (type, s, c, other_s, mode);            \
      if ((mode) == GT_MODE_COMPENSATED)          \
        (c) = (type) ((c) + (other_c));           \
    }                                             \
  while (0)

/* From so many vectors on the loop begins at an aligned one: a load that
   crosses a line of the cache costs two.  */
#define ALIGNED_FROM 16

/* The bits of a vector, and of the parts of 16 bytes in which its lanes are
   added up.  */
typedef uint64_t words __attribute__ ((vector_size (GT_VECTOR_BYTES)));
typedef uint64_t unaligned_words
  __attribute__ ((vector_size (GT_VECTOR_BYTES), aligned (1), may_alias));
#define PART_BYTES 16
#define PARTS (GT_VECTOR_BYTES / PART_BYTES)
typedef uint64_t part_words __attribute__ ((vector_size (PART_BYTES)));

#define PART_OF(v, k) \
  ((part_words) {((words) (v))[2 * (k)], ((words) (v))[2 * (k) + 1]})
#define SECOND_WORD(v) \
  ((part_words) {((part_words) (v))[1], ((part_words) (v))[1]})
/* Moves the lanes that follow after BITS to the first lane.  */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NEXT_BITS(v, bits) ((part_words) (v) >> (bits))
#else
#define NEXT_BITS(v, bits) ((part_words) (v) << (bits))
#endif

/* Masks for the first or the last bytes of a vector.  */
static const unsigned char mask_bytes[3 * GT_VECTOR_BYTES]
  = {[GT_VECTOR_BYTES ... 2 * GT_VECTOR_BYTES - 1] = 0xff};
#define FIRST_BYTES(bytes) (mask_bytes + 2 * GT_VECTOR_BYTES - (bytes))
#define LAST_BYTES(bytes) (mask_bytes + (bytes))

/* Ones for the elements of SIZE bytes that lie STRIDE apart, from the first of a
   vector on; STRIDE is a power of two.  */
INLINE words
sieve (const unsigned size, const unsigned stride)
{
  const unsigned period = least (size * stride, 8);
  uint64_t word = UINT64_MAX >> (64 - 8 * size);
  words mask = {0};

  if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
    word <<= 8 * (period - size);
  word *= UINT64_MAX / (UINT64_MAX >> (64 - 8 * period));
  UNROLL
  for (unsigned k = 0; k < GT_VECTOR_BYTES / 8; k++)
    mask[k] = 8 * k % (size * stride) == 0 ? word : 0;
  return mask;
}

/* The entry points: for one unroll factor, and for all of a mode.  */
#define ENTRY_NAME_(stem, name, u, isa) stem##_##name##_u##u##_##isa
#define ENTRY_NAME(stem, name, u, isa) ENTRY_NAME_ (stem, name, u, isa)
#define CONTIGUOUS_ENTRY(stem, mode, u)                                       \
  static void ENTRY_NAME (stem##_contiguous, NAME, u, GT_ISA) (               \
    const struct gt_task *task, union gt_value *sum)                          \
  { NAMED (contiguous) (task->x.data, task->problem.n, u, mode, sum->NAME); }
#define STRIDED_ENTRY(stem, mode, u)                                          \
  static void ENTRY_NAME (stem##_strided, NAME, u, GT_ISA) (                  \
    const struct gt_task *task, union gt_value *sum)                          \
  { NAMED (strided) (task->x.data, task->problem.n, task->x.stride, u, mode,  \
                     sum->NAME); }
#define ENTRY(stem, mode, u) \
  CONTIGUOUS_ENTRY (stem, mode, u) STRIDED_ENTRY (stem, mode, u)
#define ENTRIES(stem, mode) \
  ENTRY (stem, mode, 2) ENTRY (stem, mode, 4) ENTRY (stem, mode, 8)

#define GT_TEMPLATE "kernels/cpu/simd_kernels.h"
#include "kernels/cpu/each_arithmetic.h"

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
  static gt_cpu_function *const of[GT_N_SIGNLESS][GT_N_MODES][GT_N_LAYOUTS]
                                  [GT_N_UNROLLS] = {
#define X(id, name, ctype, real)                                      \
    [GT_##id] = {[GT_MODE_FAST] = LAYOUTS (fast, name),               \
                 [GT_MODE_COMPENSATED] = LAYOUTS (compensated, name)},
    GT_REAL_ARITHMETICS (X)
#undef X
#define X(id, name, ctype, real)                                      \
    [GT_##id] = {[GT_MODE_FAST] = LAYOUTS (fast, name)},
    GT_UNSIGNED_ARITHMETICS (X)
#undef X
  };

  return of[problem->arithmetic][problem->mode][problem->layout]
           [__builtin_ctz (unroll)];
}
