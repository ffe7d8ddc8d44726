/* Superaccumulators on the CPU: arrays of numbers, and long double.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>

#include "kernels/cpu/superaccumulator.h"

_Static_assert (32 * GT_WIDE_OFFSET == GT_SUPER_LOWEST - GT_WIDE_LOWEST,
                "words of both accumulators must meet");

/* Elements between two notes.  */
#define RUN ((size_t) GT_SUPER_LIMIT / 2)

#define ADD_ARRAY(suffix, ctype)                                            \
  void                                                                      \
  gt_super_add_array_##suffix (struct gt_superaccumulator *acc,             \
                               const ctype *x, size_t n, size_t stride)     \
  {                                                                         \
    for (size_t i = 0, end; i < n; i = end)                                 \
      {                                                                     \
        end = n - i < RUN ? n : i + RUN;                                    \
        for (size_t k = i; k < end; k++)                                    \
          gt_super_put_##suffix (acc, x[k * stride]);                       \
        gt_super_noted (acc, (uint32_t) (end - i));                         \
      }                                                                     \
  }
ADD_ARRAY (f64, double)
ADD_ARRAY (f32, float)

/* ------------------------------------------------------------ Long double

   By its bits, as the other types.  A format of 106 bits (two doubles, on some
   PowerPC systems) has no correctly rounded sum that is worth the name.  */

/* Adds SIGNIFICAND * 2^(LOWEST + POSITION).  */
static inline void
put (struct gt_wide_superaccumulator *acc, uint64_t significand, int negative,
     int position)
{
  const struct gt_super_digits digits
    = gt_super_cut (significand, negative, position);

  for (int k = 0; k < 3; k++)
    acc->word[digits.first + k] += digits.digit[k];
}

/* PUTS: how often put_long_double changes one word.  */
#if LDBL_MANT_DIG == 53
#define PUTS 1
#define UNIT (-1074 - GT_WIDE_LOWEST)

static inline void
put_long_double (struct gt_wide_superaccumulator *acc, const long double *x)
{
  struct gt_super_digits digits;
  const uint32_t flag = gt_super_cut_f64 ((double) *x, &digits);

  acc->flags |= flag;
  if (!flag)
    for (int k = 0; k < 3; k++)
      acc->word[GT_WIDE_OFFSET + digits.first + k] += digits.digit[k];
}

static long double
encode (const struct gt_wide_superaccumulator *acc)
{
  const uint64_t bits = gt_super_encode (acc->word, GT_WIDE_WORDS, acc->flags,
                                         UNIT, 53, GT_SUPER_INFINITY_F64);
  double x;

  memcpy (&x, &bits, sizeof x);
  return x;
}

#elif LDBL_MANT_DIG == 64 && (defined __x86_64__ || defined __i386__)
#define PUTS 1
#define UNIT (-16445 - GT_WIDE_LOWEST)
#define HIGHEST_EXPONENT 0x7fff

/* x87's extended format: the first bit of the significand is stored.  Where it
   is 0 though the exponent is not, the processor knows no number.  */
static inline void
put_long_double (struct gt_wide_superaccumulator *acc, const long double *x)
{
  const uint64_t first = (uint64_t) 1 << 63;
  uint64_t significand;
  uint16_t high;
  int exponent, negative;

  memcpy (&significand, x, sizeof significand);
  memcpy (&high, (const char *) x + sizeof significand, sizeof high);
  exponent = high & HIGHEST_EXPONENT;
  negative = high >> 15;
  if (exponent != 0 && significand < first)
    acc->flags |= GT_SUPER_NAN;
  else if (exponent == HIGHEST_EXPONENT)
    acc->flags |= gt_super_flag (significand != first, negative);
  else
    put (acc, significand, negative, exponent - (exponent != 0) + UNIT);
}

static long double
assemble (uint64_t significand, int exponent, int negative)
{
  const uint16_t high = (uint16_t) (exponent | negative << 15);
  long double x = 0;

  memcpy (&x, &significand, sizeof significand);
  memcpy ((char *) &x + sizeof significand, &high, sizeof high);
  return x;
}

static long double
encode (const struct gt_wide_superaccumulator *acc)
{
  const uint64_t first = (uint64_t) 1 << 63;
  const struct gt_super_magnitude m
    = gt_super_measure (acc->word, GT_WIDE_WORDS);
  uint64_t significand;
  int at, exponent;

  if (gt_super_is_nan (acc->flags))
    return assemble (first | first >> 1, HIGHEST_EXPONENT, 0);
  if (acc->flags)
    return assemble (first, HIGHEST_EXPONENT,
                     acc->flags == GT_SUPER_MINUS_INFINITY);
  if (m.highest < 0)
    return 0;
  at = m.highest - 63 > UNIT ? m.highest - 63 : UNIT;
  significand = gt_super_bits (&m, at);
  if (gt_super_raises (&m, at, (int) (significand & 1)) && ++significand == 0)
    {
      significand = first;
      at++;
    }
  exponent = at - UNIT + (significand >= first);
  if (exponent >= HIGHEST_EXPONENT)
    return assemble (first, HIGHEST_EXPONENT, m.negative);
  return assemble (significand, exponent, m.negative);
}

#elif LDBL_MANT_DIG == 113
#define PUTS 2
#define UNIT (-16494 - GT_WIDE_LOWEST)

typedef unsigned __int128 bits128;

static inline void
put_long_double (struct gt_wide_superaccumulator *acc, const long double *x)
{
  const bits128 hidden = (bits128) 1 << 112;
  bits128 bits, significand;
  int exponent, negative, position;

  memcpy (&bits, x, sizeof bits);
  significand = bits & (hidden - 1);
  exponent = (int) (bits >> 112) & 0x7fff;
  negative = (int) (bits >> 127);
  if (exponent == 0x7fff)
    {
      acc->flags |= gt_super_flag (significand != 0, negative);
      return;
    }
  if (exponent != 0)
    significand |= hidden;
  position = exponent - (exponent != 0) + UNIT;
  put (acc, (uint64_t) significand, negative, position);
  put (acc, (uint64_t) (significand >> 64), negative, position + 64);
}

static bits128
encode_bits (const struct gt_wide_superaccumulator *acc)
{
  const bits128 hidden = (bits128) 1 << 112, sign = (bits128) 1 << 127;
  const bits128 infinity = sign - hidden;
  const struct gt_super_magnitude m
    = gt_super_measure (acc->word, GT_WIDE_WORDS);
  bits128 bits;
  int at;

  if (gt_super_is_nan (acc->flags))
    return infinity | hidden >> 1;
  if (acc->flags)
    return acc->flags == GT_SUPER_PLUS_INFINITY ? infinity : infinity | sign;
  if (m.highest < 0)
    return 0;
  at = m.highest - 112 > UNIT ? m.highest - 112 : UNIT;
  bits = gt_super_bits (&m, at) | (bits128) gt_super_bits (&m, at + 64) << 64;
  bits += (bits128) gt_super_raises (&m, at, (int) (bits & 1));
  if (at - UNIT < 0x7fff)
    bits += (bits128) (at - UNIT) << 112;
  else
    bits = infinity;
  if (bits > infinity)
    bits = infinity;
  return m.negative ? bits | sign : bits;
}

static long double
encode (const struct gt_wide_superaccumulator *acc)
{
  const bits128 bits = encode_bits (acc);
  long double x;

  memcpy (&x, &bits, sizeof x);
  return x;
}

#else
#error "long double must be binary64, binary128 or x87's extended format"
#endif

static void
noted (struct gt_wide_superaccumulator *acc, uint32_t k)
{
  gt_super_note (acc->word, GT_WIDE_WORDS, &acc->count, k);
}

void
gt_wide_add_array (struct gt_wide_superaccumulator *acc, const long double *x,
                   size_t n, size_t stride)
{
  for (size_t i = 0, end; i < n; i = end)
    {
      end = n - i < RUN ? n : i + RUN;
      for (size_t k = i; k < end; k++)
        put_long_double (acc, &x[k * stride]);
      noted (acc, PUTS * (uint32_t) (end - i));
    }
}

void
gt_wide_merge (struct gt_wide_superaccumulator *into,
               const struct gt_wide_superaccumulator *from)
{
  for (int i = 0; i < GT_WIDE_WORDS; i++)
    into->word[i] += from->word[i];
  into->flags |= from->flags;
  noted (into, from->count);
}

void
gt_wide_merge_narrow (struct gt_wide_superaccumulator *into,
                      const struct gt_superaccumulator *from)
{
  for (int i = 0; i < GT_SUPER_WORDS; i++)
    into->word[GT_WIDE_OFFSET + i] += from->word[i];
  into->flags |= from->flags;
  noted (into, from->count);
}

void
gt_wide_normalise (struct gt_wide_superaccumulator *acc)
{
  gt_super_carry (acc->word, GT_WIDE_WORDS);
  acc->count = 1;
}

double
gt_wide_round (struct gt_wide_superaccumulator *acc)
{
  uint64_t bits;
  double x;

  gt_wide_normalise (acc);
  bits = gt_super_encode (acc->word, GT_WIDE_WORDS, acc->flags,
                          -1074 - GT_WIDE_LOWEST, 53, GT_SUPER_INFINITY_F64);
  memcpy (&x, &bits, sizeof x);
  return x;
}

float
gt_wide_round_float (struct gt_wide_superaccumulator *acc)
{
  uint32_t bits;
  float x;

  gt_wide_normalise (acc);
  bits = (uint32_t) gt_super_encode (acc->word, GT_WIDE_WORDS, acc->flags,
                                     -149 - GT_WIDE_LOWEST, 24,
                                     GT_SUPER_INFINITY_F32);
  memcpy (&x, &bits, sizeof x);
  return x;
}

long double
gt_wide_round_long_double (struct gt_wide_superaccumulator *acc)
{
  gt_wide_normalise (acc);
  return encode (acc);
}
