/* The public sums of host vectors, and the mode.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <string.h>

#include "kernels/cutoffs.h"
#include "kernels/inline.h"
#include "kernels/cpu/short/exact_short_sums.h"
#include "kernels/cpu/wide/long_double.h"
#include "kernels/cpu/wide/two_sum.h"
#include "src/base/env.h"
#include "src/base/fpenv.h"
#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "src/public/statistic.h"
#include "src/route/reduce.h"

/* A branch that is taken costs a cycle, a tenth of the sum of one element;
   longer sums can afford it.  */
#define LIKELY(condition) __builtin_expect (condition, 1)
#define UNLIKELY(condition) __builtin_expect (condition, 0)

#define NAMED(stem) GT_PASTE (stem, ID)
#define REDUCTION GT_SUM
#define LIFT(x) (x)

#if LDBL_MANT_DIG == 64 && defined __x86_64__
__extension__ typedef unsigned __int128 bits128;

/* Long doubles whose exponents differ by no more than this are whole numbers below 2^119 of
   the smallest one's unit: 128 bits hold the sum of GT_CUTOFF_LONG_DOUBLES.  What exponents
   there are some elements suggest, and there is room for larger ones.  */
#define SPREAD 55
#define ROOM 6
#define GUESSES 8
/* The exponents for which no rounded sum leaves the range of normal numbers.  */
#define LEAST_EXPONENT (SPREAD + 64)
#define MOST_EXPONENT (GT_LDBL_HIGHEST - 10)

/* WHOLE times 2^UNIT, where 1 is 2^(16383 + 63), rounded.  */
static long double
round_whole (bits128 whole, unsigned unit)
{
  const int negative = (int) (whole >> 127);
  const bits128 size = negative ? -whole : whole;
  const uint64_t high = (uint64_t) (size >> 64), low = (uint64_t) size;
  uint64_t digits = low, rest;
  unsigned by;

  if (size == 0)
    return 0;
  if (high == 0)
    {
      by = (unsigned) __builtin_clzll (low);
      return gt_long_assemble (low << by, (int) (unit - by), negative);
    }
  by = 64 - (unsigned) __builtin_clzll (high);
  digits = (uint64_t) (size >> by);
  rest = low << (64 - by);
  if (rest > GT_LDBL_FIRST || (rest == GT_LDBL_FIRST && digits & 1))
    by += ++digits == 0;
  return gt_long_assemble (digits | GT_LDBL_FIRST, (int) (unit + by), negative);
}

/* The exact sum of long doubles of like sizes, by whole numbers.  Returns 0 of others.  */
static int __attribute__ ((noinline))
exact_whole_ldbl (const long double *x, size_t n, size_t stride, long double *sum)
{
  /* Which are shifted more quickly by a product.  */
#define POWER(k) (uint64_t) 1 << (k)
#define POWERS(k)                                                                   \
  POWER (k), POWER (k + 1), POWER (k + 2), POWER (k + 3), POWER (k + 4), POWER (k + 5), \
    POWER (k + 6), POWER (k + 7)
  static const uint64_t power[SPREAD + 1] = {
    POWERS (0), POWERS (8), POWERS (16), POWERS (24), POWERS (32), POWERS (40), POWERS (48)
  };
  const size_t step = n / GUESSES + 1;
  unsigned most = 0, least, negative = 0;
  bits128 all = 0;

  for (size_t i = 0; i < n; i += step)
    {
      const unsigned exponent = gt_long_field (x + i * stride) & GT_LDBL_HIGHEST;

      most = exponent > most ? exponent : most;
    }
  most += ROOM;
  if (most < LEAST_EXPONENT || most > MOST_EXPONENT)
    return 0;
  least = most - SPREAD;
  for (size_t i = 0; i < n; i++, x += stride)
    {
      const unsigned field = gt_long_field (x), minus = field >> 15;
      const unsigned exponent = field & GT_LDBL_HIGHEST, by = exponent - least;
      const uint64_t flip = -(uint64_t) minus;
      uint64_t digits, high;
      bits128 shifted;

      memcpy (&digits, x, sizeof digits);
      if (UNLIKELY (!(digits >> 63) || by > SPREAD))
        {
          if (digits | exponent)
            return 0;
          continue;
        }
      /* A negative number is its complement and 1.  */
      shifted = (bits128) digits * power[by];
      high = (uint64_t) (shifted >> 64) ^ flip;
      all += (bits128) high << 64 | ((uint64_t) shifted ^ flip);
      negative += minus;
    }
  *sum = round_whole (all + negative, least);
  return 1;
}
#else
static int
exact_whole_ldbl (const long double *x, size_t n, size_t stride, long double *sum)
{
  (void) x, (void) n, (void) stride, (void) sum;
  return 0;
}
#endif

/* The exact sum of a few long doubles, if whole numbers or a cascade tell it, this as of
   doubles (kernels/cpu/short/exact_short.c).  */
static int
exact_short_ldbl (const long double *x, size_t n, size_t stride, long double *sum)
{
  long double s = x[0], c = 0, m = 0, slack;

  if (n > GT_CUTOFF_LONG_DOUBLES)
    return 0;
  if (exact_whole_ldbl (x, n, stride, sum))
    return 1;
  for (size_t i = 1; i < n; i++)
    {
      long double e = 0;

      GT_TWO_SUM (long double, s, e, x[i * stride]);
      c += e;
      m += fabsl (e);
    }
  slack = m * ((long double) (n + 2) * (LDBL_EPSILON / 2));
  *sum = s + (c - slack);
  if (LIKELY (*sum == s + (c + slack)))
    return 1;
  for (size_t i = 0; i < n; i++)
    if (x[i * stride] != 0 && !(fabsl (x[i * stride]) >= m))
      return 0;
  *sum = s + c;
  return 1;
}

#define ID F64
#define TYPE double
#define EXACT_SHORT gt_exact_short_f64
#include "src/public/vector_sum.inc"

#define ID F32
#define TYPE float
#define EXACT_SHORT gt_exact_short_f32
#include "src/public/vector_sum.inc"

#define ID LDBL
#define TYPE long double
#define EXACT_SHORT exact_short_ldbl
#include "src/public/vector_sum.inc"

#define ID U64
#define TYPE uint64_t
#include "src/public/vector_sum.inc"

#define ID U32
#define TYPE uint32_t
#include "src/public/vector_sum.inc"

#define ID U16
#define TYPE uint16_t
#include "src/public/vector_sum.inc"

#define ID U8
#define TYPE uint8_t
#include "src/public/vector_sum.inc"

/* Signed integers are added as unsigned ones, which wrap.  */
#define FUNCTION(function, vector, ctype, id)                               \
  ctype function (const vector *v)                                          \
  { return (ctype) sum_##id ((const void *) v->data, v->size, v->stride); }

FUNCTION (gsltune_vector_sum, gsl_vector, double, F64)
FUNCTION (gsltune_vector_float_sum, gsl_vector_float, float, F32)
FUNCTION (gsltune_vector_long_double_sum, gsl_vector_long_double, long double,
          LDBL)
FUNCTION (gsltune_vector_int_sum, gsl_vector_int, int, U32)
FUNCTION (gsltune_vector_uint_sum, gsl_vector_uint, unsigned int, U32)
FUNCTION (gsltune_vector_long_sum, gsl_vector_long, long, U64)
FUNCTION (gsltune_vector_ulong_sum, gsl_vector_ulong, unsigned long, U64)
FUNCTION (gsltune_vector_short_sum, gsl_vector_short, short, U16)
FUNCTION (gsltune_vector_ushort_sum, gsl_vector_ushort, unsigned short, U16)
FUNCTION (gsltune_vector_char_sum, gsl_vector_char, char, U8)
FUNCTION (gsltune_vector_uchar_sum, gsl_vector_uchar, unsigned char, U8)

int
gsltune_set_mode (gsltune_mode mode)
{
  if ((int) mode < 0 || (int) mode >= GT_N_MODES)
    GSL_ERROR ("this is no mode of gsltune", GSL_EINVAL);
  gt_set_mode ((enum gt_mode) mode);
  return GSL_SUCCESS;
}

int
gsltune_set_thread_mode (gsltune_mode mode)
{
  if ((int) mode < -1 || (int) mode >= GT_N_MODES)
    GSL_ERROR ("this is no mode of gsltune", GSL_EINVAL);
  gt_thread_modes = (int) mode < 0 ? &gt_process_modes : &gt_modes_of[mode];
  return GSL_SUCCESS;
}

gsltune_mode
gsltune_get_thread_mode (void)
{
  const struct gt_modes *const own = gt_thread_modes;

  return own == &gt_process_modes ? GSLTUNE_MODE_PROCESS : (gsltune_mode) own->mode;
}

gsltune_mode
gsltune_get_mode (void)
{
  return (gsltune_mode) gt_mode_now ();
}

const char *
gsltune_version (void)
{
  return PACKAGE_VERSION;
}
