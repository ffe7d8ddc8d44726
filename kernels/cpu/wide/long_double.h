/* Long doubles by their bits: splits them into significand and exponent.  The format is x87's, IEEE
   754's binary128 or that of doubles.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_LONG_DOUBLE_H
#define GT_KERNELS_CPU_LONG_DOUBLE_H

#include <float.h>

#include "kernels/inline.h"
#include "kernels/superaccumulator.h"

/* GT_LDBL_LOWEST is the exponent of the smallest number, gt_long_bits an integer type for its
   bits, GT_LDBL_WORDS the number of 64-bit words of a significand, and GT_LDBL_STORED the
   number of bits below the exponent; x87's numbers store the first bit, too.  A format of 106
   bits (two doubles, on some PowerPC systems) has no useful correctly rounded sum.  */
#define GT_LDBL_LOWEST (LDBL_MIN_EXP - LDBL_MANT_DIG)
__extension__ typedef unsigned __int128 gt_wide_bits;
#if LDBL_MANT_DIG == 53
typedef uint64_t gt_long_bits;
#define GT_LDBL_WORDS 1
#define GT_LDBL_STORED 52
#elif LDBL_MANT_DIG == 64 && (defined __x86_64__ || defined __i386__)
typedef gt_wide_bits gt_long_bits;
#define GT_LDBL_WORDS 1
#define GT_LDBL_STORED 64
#elif LDBL_MANT_DIG == 113
typedef gt_wide_bits gt_long_bits;
#define GT_LDBL_WORDS 2
#define GT_LDBL_STORED 112
#else
#error "long double must be binary64, binary128 or x87's extended format"
#endif
#define GT_LDBL_FIRST ((gt_long_bits) 1 << (LDBL_MANT_DIG - 1)) /* the first digit */
#define GT_LDBL_HIGHEST (2 * LDBL_MAX_EXP - 1)                  /* the exponent of infinities
                                                                   and NaNs */
#define GT_LDBL_SIGN ((gt_long_bits) (GT_LDBL_HIGHEST + 1) << GT_LDBL_STORED)

/* SIGNIFICAND * 2^(POSITION + GT_LDBL_LOWEST), negative if NEGATIVE is 1.  If it is not
   FINITE, it is infinite if SIGNIFICAND is 0, otherwise NaN.  */
struct gt_long_factor
{
  uint64_t significand[GT_LDBL_WORDS];
  int position, negative, finite;
};

static inline int
gt_long_is_zero (const struct gt_long_factor *x)
{
  return (x->significand[0] | x->significand[GT_LDBL_WORDS - 1]) == 0;
}

/* Splits *X.  If the first digit is stored as 0 although the exponent is not 0, the result is
   NaN, because the processor has no such number.  */
static inline struct gt_long_factor
gt_long_factor_of (const long double *x)
{
  const int has_first = GT_LDBL_STORED == LDBL_MANT_DIG;
  struct gt_long_factor factor;
  gt_long_bits bits = 0, significand;
  int exponent;

  memcpy (&bits, x, sizeof *x);
  exponent = (int) (bits >> GT_LDBL_STORED) & GT_LDBL_HIGHEST;
  significand = bits & (GT_LDBL_FIRST - 1);
  factor.finite = exponent != GT_LDBL_HIGHEST;
  factor.position = exponent - (exponent != 0);
  factor.negative = (bits & GT_LDBL_SIGN) != 0;
  if (has_first && exponent != 0 && !(bits & GT_LDBL_FIRST))
    {
      factor.finite = 0;
      significand = 1;
    }
  else if (factor.finite)
    significand |= has_first ? bits & GT_LDBL_FIRST : exponent ? GT_LDBL_FIRST : 0;
  for (int k = 0; k < GT_LDBL_WORDS; k++)
    factor.significand[k] = (uint64_t) (significand >> 32 * k >> 32 * k);
  return factor;
}

/* Returns the flag of an infinity or a NaN, or 0 for a finite number.  */
static inline uint32_t
gt_long_flag (const struct gt_long_factor *x)
{
  return x->finite ? 0 : gt_super_flag (!gt_long_is_zero (x), x->negative);
}

/* Adds the N words of X, with the negative sign if NEGATIVE is 1, to the words of a
   superaccumulator, beginning at bit POSITION.  */
INLINE void
gt_long_put (int64_t *word, const uint64_t *x, const int n, int position, int negative)
{
  const int64_t sign = -(int64_t) negative;
  const int shift = position & 31;
  int64_t *const to = word + (position >> 5);
  gt_wide_bits carry = 0;

  UNROLL
  for (int i = 0; i < n; i++)
    {
      carry |= (gt_wide_bits) x[i] << shift;
      to[2 * i] += ((int64_t) (uint32_t) carry ^ sign) - sign;
      to[2 * i + 1] += ((int64_t) (uint32_t) (carry >> 32) ^ sign) - sign;
      carry >>= 64;
    }
  to[2 * n] += ((int64_t) carry ^ sign) - sign;
}

#endif
