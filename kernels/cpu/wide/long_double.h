/* Long doubles by their bits: splits them into significand and exponent, and
   rounds words of 32 bits to them.  The format is x87's, IEEE 754's binary128
   or that of doubles.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_LONG_DOUBLE_H
#define GT_KERNELS_CPU_LONG_DOUBLE_H

#include <float.h>

#include "kernels/superaccumulator.h"

/* The exponent of the smallest number, and the words of 64 bits that a significand has.  A
   format of 106 bits (two doubles, on some PowerPC systems) has no correctly rounded sum that
   is worth the name.  */
#define GT_LDBL_LOWEST (LDBL_MIN_EXP - LDBL_MANT_DIG)
#if LDBL_MANT_DIG == 53
#define GT_LDBL_WORDS 1
#elif LDBL_MANT_DIG == 64 && (defined __x86_64__ || defined __i386__)
#define GT_LDBL_WORDS 1
#elif LDBL_MANT_DIG == 113
#define GT_LDBL_WORDS 2
#else
#error "long double must be binary64, binary128 or x87's extended format"
#endif

/* SIGNIFICAND * 2^(POSITION + GT_LDBL_LOWEST), negative if NEGATIVE is 1.  What
   is not finite is a NaN unless SIGNIFICAND is 0.  */
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

/* gt_long_encode does what gt_super_encode does, but in long double: of N
   normalised words, whose bit UNIT is the smallest number.  */
#if LDBL_MANT_DIG == 53

static inline struct gt_long_factor
gt_long_factor_of (const long double *x)
{
  const double value = (double) *x;
  struct gt_long_factor factor;
  uint64_t bits;
  int exponent;

  memcpy (&bits, &value, sizeof bits);
  exponent = (int) (bits >> 52) & 0x7ff;
  factor.finite = exponent != 0x7ff;
  factor.significand[0] = bits & (((uint64_t) 1 << 52) - 1);
  if (factor.finite && exponent != 0)
    factor.significand[0] |= (uint64_t) 1 << 52;
  factor.position = exponent - (exponent != 0);
  factor.negative = (int) (bits >> 63);
  return factor;
}

static inline long double
gt_long_encode (const int64_t *word, int n, uint32_t flags, int unit)
{
  const uint64_t bits
    = gt_super_encode (word, n, flags, unit, 53, GT_SUPER_INFINITY_F64);
  double x;

  memcpy (&x, &bits, sizeof x);
  return x;
}

#elif LDBL_MANT_DIG == 64

#define GT_LDBL_HIGHEST 0x7fff
#define GT_LDBL_FIRST ((uint64_t) 1 << 63) /* digit */

/* The exponent's field and, before it, the sign.  */
static inline unsigned
gt_long_field (const long double *x)
{
  uint16_t field;

  memcpy (&field, (const char *) x + sizeof (uint64_t), sizeof field);
  return field;
}

/* The first bit of the significand is stored.  Where it is 0 though the
   exponent is not, the processor has no such number.  */
static inline struct gt_long_factor
gt_long_factor_of (const long double *x)
{
  struct gt_long_factor factor;
  const unsigned high = gt_long_field (x);
  const int exponent = (int) (high & GT_LDBL_HIGHEST);

  memcpy (factor.significand, x, sizeof factor.significand);
  factor.negative = (int) (high >> 15);
  factor.position = exponent - (exponent != 0);
  factor.finite = exponent != GT_LDBL_HIGHEST;
  if (exponent != 0 && factor.significand[0] < GT_LDBL_FIRST)
    {
      factor.finite = 0;
      factor.significand[0] = 1;
    }
  else if (!factor.finite)
    factor.significand[0] -= GT_LDBL_FIRST;
  return factor;
}

static inline long double
gt_long_assemble (uint64_t significand, int exponent, int negative)
{
  const uint16_t high = (uint16_t) (exponent | negative << 15);
  long double x = 0;

  memcpy (&x, &significand, sizeof significand);
  memcpy ((char *) &x + sizeof significand, &high, sizeof high);
  return x;
}

static inline long double
gt_long_encode (const int64_t *word, int n, uint32_t flags, int unit)
{
  const uint64_t first = GT_LDBL_FIRST;
  const struct gt_super_magnitude m = gt_super_measure (word, n);
  uint64_t significand;
  int at, exponent;

  if (gt_super_is_nan (flags))
    return gt_long_assemble (first | first >> 1, GT_LDBL_HIGHEST, 0);
  if (flags)
    return gt_long_assemble (first, GT_LDBL_HIGHEST,
                             flags == GT_SUPER_MINUS_INFINITY);
  if (m.highest < 0)
    return 0;
  at = m.highest - 63 > unit ? m.highest - 63 : unit;
  significand = gt_super_bits (&m, at > 0 ? at : 0) << (at < 0 ? -at : 0);
  if (at > 0 && gt_super_raises (&m, at, (int) (significand & 1)) && ++significand == 0)
    {
      significand = first;
      at++;
    }
  exponent = at - unit + (significand >= first);
  if (exponent >= GT_LDBL_HIGHEST)
    return gt_long_assemble (first, GT_LDBL_HIGHEST, m.negative);
  return gt_long_assemble (significand, exponent, m.negative);
}

#else

__extension__ typedef unsigned __int128 gt_bits128;

static inline struct gt_long_factor
gt_long_factor_of (const long double *x)
{
  const gt_bits128 hidden = (gt_bits128) 1 << 112;
  struct gt_long_factor factor;
  gt_bits128 bits, significand;
  int exponent;

  memcpy (&bits, x, sizeof bits);
  significand = bits & (hidden - 1);
  exponent = (int) (bits >> 112) & 0x7fff;
  factor.finite = exponent != 0x7fff;
  if (factor.finite && exponent != 0)
    significand |= hidden;
  factor.significand[0] = (uint64_t) significand;
  factor.significand[1] = (uint64_t) (significand >> 64);
  factor.position = exponent - (exponent != 0);
  factor.negative = (int) (bits >> 127);
  return factor;
}

static inline gt_bits128
gt_long_encode_bits (const int64_t *word, int n, uint32_t flags, int unit)
{
  const gt_bits128 hidden = (gt_bits128) 1 << 112, sign = (gt_bits128) 1 << 127;
  const gt_bits128 infinity = sign - hidden;
  const struct gt_super_magnitude m = gt_super_measure (word, n);
  gt_bits128 bits;
  int at;

  if (gt_super_is_nan (flags))
    return infinity | hidden >> 1;
  if (flags)
    return flags == GT_SUPER_PLUS_INFINITY ? infinity : infinity | sign;
  if (m.highest < 0)
    return 0;
  at = m.highest - 112 > unit ? m.highest - 112 : unit;
  bits = gt_super_bits (&m, at > 0 ? at : 0)
         | (gt_bits128) gt_super_bits (&m, at > 0 ? at + 64 : 64) << 64;
  bits <<= at < 0 ? -at : 0;
  bits += (gt_bits128) (at > 0 && gt_super_raises (&m, at, (int) (bits & 1)));
  if (at - unit < 0x7fff)
    bits += (gt_bits128) (at - unit) << 112;
  else
    bits = infinity;
  if (bits > infinity)
    bits = infinity;
  return m.negative ? bits | sign : bits;
}

static inline long double
gt_long_encode (const int64_t *word, int n, uint32_t flags, int unit)
{
  const gt_bits128 bits = gt_long_encode_bits (word, n, flags, unit);
  long double x;

  memcpy (&x, &bits, sizeof x);
  return x;
}

#endif

#endif
