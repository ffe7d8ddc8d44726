/* The promises about each mode's results beside their exact values, and the kinds of
   elements of which that is tried.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TESTS_TRUTH_H
#define GT_TESTS_TRUTH_H

#include <float.h>
#include <limits.h>
#include <mpfr.h>

#include "kernels/types.h"
#include "tests/exact.h"

/* ----------------------------------------------------------------- Promises */

/* How a result is rounded: its digits, and the exponent of the last of its smallest
   number.  */
struct truth_format
{
  int digits, lowest;
};

static const struct truth_format truth_double
  = {DBL_MANT_DIG, DBL_MIN_EXP - DBL_MANT_DIG};

/* The exponent of the last place of X, which may be larger than any number of the
   format.  */
static inline long
truth_place (mpfr_t x, const struct truth_format *format)
{
  const long place = mpfr_zero_p (x) ? LONG_MIN : mpfr_get_exp (x) - format->digits;

  return place < format->lowest ? format->lowest : place;
}

/* How far X is from the exact value, which is ROUNDED, in units of the last place of
   that.  An infinity is the power of two that is next to the largest number.  */
static inline long double
truth_error (long double x, long double rounded, mpfr_t exact,
             const struct truth_format *format)
{
  mpfr_t difference;
  long double error;

  if (x == rounded || (isnan (x) && isnan (rounded)))
    return 0;
  if (isnan (x))
    return INFINITY;
  mpfr_init2 (difference, 200);
  mpfr_set_ld (difference, x, MPFR_RNDN);
  if (isinf (x))
    mpfr_set_ui_2exp (difference, 1, 3 - format->lowest - format->digits, MPFR_RNDN);
  if (x < 0)
    mpfr_setsign (difference, difference, 1, MPFR_RNDN);
  mpfr_sub (difference, difference, exact, MPFR_RNDN);
  mpfr_mul_2si (difference, difference, -truth_place (exact, format), MPFR_RNDN);
  error = fabsl (mpfr_get_ld (difference, MPFR_RNDN));
  mpfr_clear (difference);
  return error;
}

/* How many units of the last place of the exact value are one of its scale, which is how
   large it could be if its terms did not cancel.  */
static inline long double
truth_cancelled (mpfr_t scale, mpfr_t exact, const struct truth_format *format)
{
  return ldexpl (1, (int) (truth_place (scale, format) - truth_place (exact, format)));
}

/* A result that loses half of its digits to terms that cancel is not well conditioned.  */
#define WELL_CONDITIONED 0x1p26L

/* A result that is correctly rounded may be off by half a unit: no error of GSL's counts for
   less, since no sum of rounded numbers can know when GSL's are in luck.  */
#define LEAST_OF_GSL 0.5L

/* Whether a result is off by no more than is promised, for any number of elements.  */
static inline int
truth_is_within (enum gt_mode mode, long double error, long double of_gsl,
                 long double cancelled)
{
  switch (mode)
    {
    case GT_MODE_EXACT:
      return error == 0;
    case GT_MODE_COMPENSATED:
      return error <= fmaxl (4, of_gsl) || cancelled > WELL_CONDITIONED;
    default:
      return error <= 16 * fmaxl (of_gsl, LEAST_OF_GSL * cancelled) + 4 * cancelled;
    }
}

/* ----------------------------------------------------------------- Elements */

/* The ordinary ones first.  */
enum kind
{
  AROUND_ZERO, FEW_VALUES, TWO_VALUES, SYMMETRIC, MANY_SIZES, FAR, N_ORDINARY,
  VERY_FAR = N_ORDINARY, ALL_SIZES, HUGE_ONES, TINY, SUBNORMAL, EQUAL, OUTLIER, TOP,
  CANCELLING, A_UNIT_APART, ALL_DIGITS, OF_ZEROS, LARGEST_ONES, N_KINDS
};

static inline long double
fraction (uint64_t *seed)
{
  return (long double) (random_word (seed) >> 11) * 0x1p-53L;
}

static inline int
below (uint64_t *seed, int limit)
{
  return (int) (random_word (seed) % (uint64_t) limit);
}

/* Of cancelling ones every other takes off what is BEFORE it.  */
static inline long double
element (enum kind kind, size_t i, size_t n, long double before, uint64_t *seed)
{
  const long double a = 2 * fraction (seed) - 1;

  switch (kind)
    {
    case AROUND_ZERO: return (double) a;
    case FAR: return (double) (1e3L + a);
    case VERY_FAR: return (double) (1e15L + below (seed, 4));
    case MANY_SIZES: return ldexpl (a, below (seed, 80) - 40);
    case ALL_SIZES: return ldexpl (a, below (seed, 2090) - 1068);
    case HUGE_ONES: return ldexpl (a, 1000 - below (seed, 20));
    case TINY: return ldexpl (a, -1000 - below (seed, 20));
    case SUBNORMAL: return ldexpl (a, -1030 - below (seed, 40));
    case EQUAL: return 0.1;
    case OUTLIER: return i == n / 3 ? 1e9 : (double) a;
    case FEW_VALUES: return below (seed, 5);
    case TOP: return (double) (DBL_MAX * a);
    case TWO_VALUES: return i % 7 ? 1.15 : -1.15;
    case SYMMETRIC: return (double) (2 * i) - (double) (n - 1);
    case A_UNIT_APART: return 1 + below (seed, 2) * (long double) DBL_EPSILON;
    case ALL_DIGITS: return ldexpl ((long double) random_word (seed), below (seed, 4));
    case OF_ZEROS: return below (seed, 4) ? (below (seed, 2) ? -0.0 : 0.0) : below (seed, 3) - 1;
    case LARGEST_ONES: return i % 2 ? DBL_MAX : DBL_MAX * (1 - DBL_EPSILON * below (seed, 3));
    default: return i % 2 ? (double) (-before * (1 + below (seed, 2) * DBL_EPSILON))
                          : ldexpl (a, below (seed, 256));
    }
}

enum weights
{
  ORDINARY, ONES, DOMINATED, BARELY_DOMINATED, LARGEST, TINIEST, HOLES, OF_MANY_SIZES,
  OF_ALL_SIZES, SINGLE, A_GIANT, N_WEIGHTS
};

static inline long double
weight (enum weights weights, size_t i, size_t n, uint64_t *seed)
{
  const long double a = (double) fraction (seed);

  switch (weights)
    {
    case ORDINARY: return 0.1L + a;
    case ONES: return 1;
    case DOMINATED: return i == n / 2 ? 1 : 1e-15L * (1 + below (seed, 2));
    case BARELY_DOMINATED: return i == n / 2 ? 1 : ldexpl (1 + a, -20 - below (seed, 60));
    case LARGEST: return ldexpl (1 + a, 1022);
    case TINIEST: return ldexpl (1 + a, -1050 - below (seed, 20));
    case HOLES: return below (seed, 3) ? a : -a * below (seed, 2);
    case OF_MANY_SIZES: return ldexpl (a, below (seed, 120) - 60);
    case OF_ALL_SIZES: return ldexpl (a, below (seed, 2090) - 1068);
    case A_GIANT: return i == n / 2 ? 0x1p1000L : 1 + a;
    default: return i == n / 2 ? 3 : 0;
    }
}

/* Means and deviations that are given, of either sign.  */
static inline double
extreme (uint64_t *seed)
{
  static const double of[] = {0, 1, -1, 0.1, -3, 1e15, 0x1p-500, 1e300, -1e-300, DBL_MAX,
                              DBL_TRUE_MIN};

  return of[below (seed, sizeof of / sizeof *of)];
}

static inline unsigned long
whole (enum kind kind, size_t i, uint64_t *seed)
{
  const uint64_t word = random_word (seed);

  switch (kind % 7)
    {
    case 6: return i % 2 ? LONG_MAX - i : (unsigned long) LONG_MAX + 1;
    case 0: return word;
    case 1: return word >> 60;
    case 2: return 100 + word % 3;
    case 3: return (word >> 33) >> (i % 32);
    case 5: return ULONG_MAX - word % 3;
    default: return word >> (8 * kind % 64);
    }
}

/* X's digits as a float of as many, its exponent brought into the range.  */
static inline long double
to_float (long double x)
{
  int exponent;
  const long double digits = frexpl (x, &exponent);

  if (exponent > 128 || exponent < -148)
    exponent = exponent > 0 ? 128 - exponent % 16 : -130 - exponent % 16;
  return (float) (ldexpf ((float) (digits / 1.0001L), exponent));
}

#endif
