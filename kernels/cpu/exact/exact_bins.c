/* Exact sums of any numbers: a bin for each sign and exponent.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <string.h>

#include "kernels/cpu/exact/exact.h"
#include "kernels/inline.h"

/* There is a bin, a 64-bit integer, for each sign and exponent, and a number's
   significand is added to its bin: the large superaccumulator of R. M. Neal
   ("Fast Exact Summation Using Small and Large Superaccumulators", 2015), with
   these differences.

   * Neal adds the whole word and counts how many numbers a bin may still take.
     Here the hidden bit is put in, and the processor's carry tells when the bin
     has passed 2^64: at most once in 2^11 additions of a double, and then 2^64
     units go to the superaccumulator.  A bin never loses anything, however
     often it is used.
   * Zeros and subnormal numbers have no hidden bit.  They get one all the same,
     since telling them apart takes longer than the addition; how many there
     were, by sign, is counted beforehand, a vector at a time, and taken off.
   * Neighbours go to two sets of bins.  Where most numbers have the same
     exponent an addition would otherwise wait for the one before it to go
     through memory.

   A caller who comes with a long vector block by block finds the next one in the
   cache, since each addition asks for what lies as far ahead as a block is long.

   An infinity or NaN spoils nothing but the bins of its exponent; when these
   are not zero at the end of a call, the numbers are looked through.

   At the end bins are gathered in groups of 16 exponents.  Their lower halves,
   of four bins to an exponent, add up to less than 2^34 (2^16 - 1) < 2^50 units
   of the first bin, and so do their upper halves, in units of 2^32: both fit a
   signed word, and so does their sum where two groups later they meet.  */

#define GROUP 16 /* exponents flushed together */
#define MOST_GROUPS (GT_BINS_f64 / 2 / GROUP)

struct layout
{
  int fraction; /* bits of the fraction */
  int unit;     /* 2 to this power is the unit of bins 0 and 1 */
  unsigned exponents;
};

static const struct layout layout_f64 = {52, -1074, 1 << 11};
static const struct layout layout_f32 = {23, -149, 1 << 8};

/* SUM[H] has passed 2^64: that goes to ACC.  In a bin of infinities and NaN it
   leaves a trace.  */
static void __attribute__ ((noinline, cold))
carry (const struct layout *layout, uint64_t *sum, unsigned h,
       struct gt_superaccumulator *acc)
{
  const unsigned exponent = h & (layout->exponents - 1);
  const int unit = layout->unit + (int) exponent - (exponent != 0);

  if (exponent == layout->exponents - 1)
    sum[h] |= 1;
  else
    gt_super_add_scaled (acc, h < layout->exponents ? 1 : -1, unit + 64);
}

/* Adds up the bins of both sets A and B and of both signs in groups of
   exponents, lower and upper halves of bins by themselves.  */
static void
gather (const uint64_t *a, const uint64_t *b, unsigned exponents,
        int64_t *lower, int64_t *upper)
{
  const uint64_t *c = a + exponents, *d = b + exponents;
  const uint64_t low = UINT32_MAX;

  for (unsigned g = 0; g < exponents / GROUP; g++)
    {
      uint64_t l = 0, u = 0;

#pragma omp simd reduction(+ : l, u)
      for (uint64_t e = 0; e < GROUP; e++)
        {
          const size_t h = g * GROUP + e;

          l += ((a[h] & low) + (b[h] & low) - (c[h] & low) - (d[h] & low)) << e;
          u += ((a[h] >> 32) + (b[h] >> 32) - (c[h] >> 32) - (d[h] >> 32)) << e;
        }
      lower[g] = (int64_t) l;
      upper[g] = (int64_t) u;
    }
}

/* The unit of exponent 0 is that of exponent 1, where its bins are moved.
   Group 0, which then is without its first bin, has an even sum in units of
   half the smallest number.  The upper half of a group is in units of the lower
   half of the next but one; the topmost exponent has no bins.  */
static void
flush (uint64_t *a, uint64_t *b, const struct layout *layout,
       struct gt_superaccumulator *acc)
{
  const unsigned exponents = layout->exponents, groups = exponents / GROUP;
  int64_t lower[MOST_GROUPS + 2], upper[MOST_GROUPS];

  for (unsigned h = 0; h <= exponents; h += exponents)
    {
      const uint64_t lowest[2] = {a[h], b[h]};

      a[h] = b[h] = 0;
      for (int k = 0; k < 2; k++)
        if (__builtin_add_overflow (a[h + 1], lowest[k], &a[h + 1]))
          carry (layout, a, h + 1, acc);
    }
  gather (a, b, exponents, lower, upper);
  lower[groups] = lower[groups + 1] = 0;
  for (unsigned g = 0; g < groups; g++)
    lower[g + 32 / GROUP] += upper[g];
  for (unsigned g = 0; g < groups + 32 / GROUP; g++)
    if (lower[g] != 0)
      gt_super_add_scaled (acc, lower[g] >> (g == 0),
                           layout->unit - (g != 0) + (int) (g * GROUP));
}

#define NAMED(stem) GT_PASTE (stem, NAME)

#define NAME f64
#define TYPE double
#define WORD uint64_t
#define FRACTION 52
#define ADD_ONE gt_super_add
#include "kernels/cpu/exact/exact_bins.inc"

#define NAME f32
#define TYPE float
#define WORD uint32_t
#define FRACTION 23
#define ADD_ONE gt_super_add_float
#include "kernels/cpu/exact/exact_bins.inc"
