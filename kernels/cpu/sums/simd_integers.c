/* Exact sums of integers and of their products, by vectors.

   The sign bit of signed elements is inverted, which adds half the type's range to them, so
   that all elements are unsigned here; the effect on the sums is known and is subtracted at
   the end.  The elements in the even and those in the odd places of a vector become two
   vectors of integers twice as wide, which can hold products.  Sums of products are twice as
   wide again, or, if products have 64 bits, separate sums of their lower and upper halves.
   The lanes are added to wide integers before one can overflow.  Products of 64-bit integers
   are computed one by one.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <string.h>

#include "kernels/catalog.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/sums/vector_products.h"

__extension__ typedef unsigned __int128 wide;

/* The number of vectors before the lanes are added up: for 8-bit integers, a lane of 32 bits
   receives four products from each, less than 2^18.  */
#define BLOCK ((size_t) 1 << 14)
/* The number of elements in a buffer.  */
#define BUFFERED (1792 / sizeof (TYPE))

/* The sums of elements with inverted sign bits.  */
struct totals
{
  wide plain[2];
  uint64_t product[3]; /* modulo 2^192 */
};

/* Adds X + TOP 2^128.  */
INLINE void
add_long (uint64_t sum[3], wide x, uint64_t top)
{
  const wide s = ((wide) sum[1] << 64 | sum[0]) + x;

  sum[2] += top + (s < x);
  sum[0] = (uint64_t) s;
  sum[1] = (uint64_t) (s >> 64);
}

/* Adds X 2^SHIFT, or subtracts it if TAKEN is 1; SHIFT is above 0 and below 128.  */
INLINE void
add_shifted (uint64_t sum[3], wide x, unsigned shift, const int taken)
{
  const wide lower = x << shift;
  const uint64_t top = (uint64_t) (x >> (128 - shift));

  add_long (sum, taken ? -lower : lower, taken ? -top - (lower != 0) : top);
}

/* Subtracts the effect of the inverted sign bits, which have the weight b = 2^SHIFT, of N
   elements: (x + b) (y + b) is x y + b (x + b) + b (y + b) - b^2.  */
static void
undo_turning (struct totals *totals, uint64_t n, unsigned shift)
{
  for (unsigned k = 0; k < 2; k++)
    add_shifted (totals->product, totals->plain[k], shift, 1);
  add_shifted (totals->product, n, 2 * shift, 0);
  for (unsigned k = 0; k < 2; k++)
    totals->plain[k] -= (wide) n << shift;
}

static void
keep (struct gt_integer_sums *sums, const struct totals *totals,
      const enum gt_reduction reduction)
{
  memset (sums, 0, sizeof *sums);
  for (unsigned k = 0; k < (reduction == GT_COMOMENTS ? 2 : 1); k++)
    {
      sums->plain[k][0] = (uint64_t) totals->plain[k];
      sums->plain[k][1] = (uint64_t) (totals->plain[k] >> 64);
    }
  if (reduction != GT_TOTAL)
    memcpy (sums->product, totals->product, sizeof sums->product);
}

#define ENTRY(stem, reduction)                                               \
  static void NAMED (stem) (const struct gt_task *task,                      \
                            union gt_value *value)                           \
  { NAMED (compute) (task, reduction, &value->integers); }

#define GT_TEMPLATE "kernels/cpu/sums/simd_integers_kernels.inc"
#include "kernels/cpu/isa/each_arithmetic.h"

gt_cpu_function *
GT_FOR_ISA (gt_cpu_simd_integers) (const struct gt_problem *problem, unsigned unroll)
{
  static gt_cpu_function *const of[GT_N_REDUCTIONS][GT_N_ARITHMETICS] = {
#define X(id, name, ctype, real)                \
    [GT_TOTAL][GT_##id] = total_##name,         \
    [GT_MOMENTS][GT_##id] = moments_##name,     \
    [GT_COMOMENTS][GT_##id] = comoments_##name,
    GT_INTEGER_ARITHMETICS (X)
#undef X
  };

  (void) unroll;
  return of[problem->reduction][problem->arithmetic];
}
