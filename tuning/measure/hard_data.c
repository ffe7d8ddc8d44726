/* Test data that is hard to sum: numbers that cancel, that overflow, and that are
   no numbers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>

#include "tuning/measure/data.h"

/* Real arithmetics differ in these.  Wide pairs, some of which are subnormal, and
   moderate ones have a least and a largest exponent.  */
static const struct type
{
  int digits, exponent; /* of a number that is huge beside ones */
  long double largest;
  int wide[2], moderate[2];
} types[] = {
  [GT_F64] = {DBL_MANT_DIG, DBL_MANT_DIG + 16, DBL_MAX, {-1074, 1023}, {-100, 100}},
  [GT_F32] = {FLT_MANT_DIG, DBL_MANT_DIG + 16, FLT_MAX, {-149, 127}, {-60, 60}},
  [GT_LDBL]
  = {LDBL_MANT_DIG, LDBL_MANT_DIG + 16, LDBL_MAX, {-1074, 1023}, {-100, 100}},
};

/* Makes V number I of BUFFER, rounded once.  A conversion may change the sign of a NaN.  */
static void
put (enum gt_arithmetic arithmetic, void *buffer, size_t i, long double v)
{
  switch (arithmetic)
    {
#define X(id, name, ctype, real)                              \
    case GT_##id:                                             \
      {                                                       \
        const ctype x = (ctype) v;                            \
                                                              \
        ((ctype *) buffer)[i] = !signbit (x) == !signbit (v)  \
                                  ? x : -x;                   \
        break;                                                \
      }
      GT_REAL_ARITHMETICS (X)
#undef X
    default:
      break;
    }
}

/* ------------------------------------------------------------ Special numbers */

enum number
{
  ZERO,
  MINUS_ZERO,
  INFINITE,
  MINUS_INFINITE,
  QUIET_NAN,
  MINUS_NAN,
  LARGEST,
  MINUS_LARGEST
};

static void
put_number (enum gt_arithmetic arithmetic, void *buffer, size_t i,
            enum number number)
{
  const long double largest = types[arithmetic].largest;
  const long double not_a_number = copysignl (NAN, 1);
  const long double numbers[]
    = {0, -0.0L, INFINITY, -INFINITY, not_a_number, -not_a_number, largest,
       -largest};

  put (arithmetic, buffer, i, numbers[number]);
}

/* Three elements among minus zeros, the sum, and that of the magnitudes.  */
static const struct
{
  enum number element[3], sum, magnitudes;
} specials[GT_N_SPECIALS] = {
  {{MINUS_ZERO, MINUS_ZERO, MINUS_ZERO}, ZERO, ZERO},
  {{INFINITE, LARGEST, LARGEST}, INFINITE, INFINITE},
  {{MINUS_LARGEST, MINUS_INFINITE, LARGEST}, MINUS_INFINITE, INFINITE},
  {{INFINITE, LARGEST, MINUS_INFINITE}, QUIET_NAN, INFINITE},
  {{MINUS_ZERO, MINUS_NAN, INFINITE}, QUIET_NAN, QUIET_NAN},
  {{LARGEST, LARGEST, MINUS_LARGEST}, LARGEST, INFINITE},
  {{MINUS_LARGEST, MINUS_LARGEST, ZERO}, MINUS_INFINITE, INFINITE}
};

/* Where those three stand in their vector.  */
static const size_t places[3] = {GT_SPECIAL_N / 7, GT_SPECIAL_N / 2,
                                 GT_SPECIAL_N - 1};

union gt_value
gt_data_special_sum (enum gt_reduction reduction,
                     enum gt_arithmetic arithmetic, unsigned which)
{
  union gt_value sum = {{0}};

  if (arithmetic <= GT_LDBL)
    put_number (arithmetic, &sum, 0, reduction == GT_ASUM
                                       ? specials[which].magnitudes
                                       : specials[which].sum);
  return sum;
}

union gt_value
gt_data_cancelling_sum (enum gt_arithmetic arithmetic)
{
  union gt_value sum = {{0}};

  put (arithmetic, &sum, 0, GT_CANCELLING_N / 2);
  return sum;
}

/* ------------------------------------------------------------------ Pairs */

/* The second vector of a pair begins behind the first, which begins at X.

   (1 + e) (1 - e) is less than 1 by e e, which is less than a last digit.  */
static void
put_products (enum gt_arithmetic a, void *buffer, size_t x)
{
  const size_t y = x + GT_PAIR_N;
  const long double e = ldexpl (1, -types[a].digits / 2 - 4);

  for (size_t i = 0; i < GT_PAIR_N; i++)
    {
      put (a, buffer, x + i, i % 2 ? -1 : 1 + e);
      put (a, buffer, y + i, i % 2 ? 1 : 1 - e);
    }
}

/* Makes whole numbers, and beside weights that do not count numbers that would
   spoil a sum.  */
static void
put_weights (enum gt_arithmetic a, void *buffer, size_t x)
{
  static const enum number no_weights[]
    = {ZERO, MINUS_ZERO, QUIET_NAN, MINUS_NAN, MINUS_INFINITE, MINUS_LARGEST};
  static const enum number spoilt[]
    = {QUIET_NAN, INFINITE, LARGEST, MINUS_INFINITE, MINUS_NAN};
  const size_t y = x + GT_PAIR_N;
  uint64_t state = 7;

  for (size_t i = 0; i < GT_PAIR_N; i++)
    {
      const uint64_t r = gt_random (&state) >> 8;

      put (a, buffer, x + i, r % 8 + 1);
      put (a, buffer, y + i, (int) (r / 8 % 32) - 16);
      if (r / 256 % 4)
        continue;
      put_number (a, buffer, x + i, no_weights[r % 6]);
      put_number (a, buffer, y + i, spoilt[r / 8 % 5]);
    }
}

/* Of either sign, and of exponents in RANGE.  */
static void
put_spread (enum gt_arithmetic a, void *buffer, size_t x, const int range[2])
{
  uint64_t state = 11;

  for (size_t i = 0; i < 2 * GT_PAIR_N; i++)
    {
      const uint64_t r = gt_random (&state);
      const int exponent
        = (int) (r % (unsigned) (range[1] - range[0] + 1)) + range[0];
      const long double v
        = ldexpl ((long double) (gt_random (&state) >> 11), exponent - 53);

      put (a, buffer, x + (i % 2 ? 0 : GT_PAIR_N) + i / 2, r >> 63 ? -v : v);
    }
}

void
gt_data_hard (enum gt_arithmetic a, void *buffer)
{
  const struct type *type;

  if (a > GT_LDBL)
    return;
  type = &types[a];
  for (size_t i = 0; i < GT_CANCELLING_N; i++)
    {
      const long double huge = ldexpl (i % 4 == 1 ? 1 : -1, type->exponent);

      put (a, buffer, i, i % 2 ? huge : 1);
      put (a, buffer, GT_HARD_ONES_AT + i, 1);
    }
  for (size_t i = 0; i < GT_N_SPECIALS * GT_SPECIAL_N; i++)
    put_number (a, buffer, GT_CANCELLING_N + i, MINUS_ZERO);
  for (size_t i = 0; i < GT_N_SPECIALS; i++)
    for (size_t k = 0; k < 3; k++)
      put_number (a, buffer, GT_CANCELLING_N + i * GT_SPECIAL_N + places[k],
                  specials[i].element[k]);
  put_products (a, buffer, GT_HARD_PAIR_AT (GT_HARD_PRODUCTS));
  put_weights (a, buffer, GT_HARD_PAIR_AT (GT_HARD_WEIGHTS));
  put_spread (a, buffer, GT_HARD_PAIR_AT (GT_HARD_WIDE), type->wide);
  put_spread (a, buffer, GT_HARD_PAIR_AT (GT_HARD_MODERATE), type->moderate);
}
