/* Elements drawn from a seed.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/drawn.h"

#include <float.h>
#include <limits.h>
#include <math.h>

/* ------------------------------------------------------------------- Elements */

static int
is_real (enum gt_element_type type)
{
  return type <= GT_TYPE_LONG_DOUBLE || type >= GT_N_ELEMENT_TYPES;
}

static int
is_complex (enum gt_element_type type)
{
  return type == GT_TYPE_COMPLEX || type == GT_TYPE_COMPLEX_FLOAT;
}

static int
is_of_floats (enum gt_element_type type)
{
  return type == GT_TYPE_FLOAT || type == GT_TYPE_COMPLEX_FLOAT;
}

/* Part I of elements becomes X, or BITS.  */
static void
put (enum gt_element_type type, void *to, size_t stride, size_t i, long double x, uint64_t bits)
{
  switch (type)
    {
#define X(id, name, infix, ctype, arithmetic)                                   \
    case GT_TYPE_##id:                                                          \
      ((ctype *) to)[i * stride] = is_real (type) ? (ctype) x : (ctype) bits;   \
      break;
      GT_ELEMENT_TYPES (X)
#undef X
    case GT_TYPE_COMPLEX:
      ((double *) to)[i / 2 * stride * 2 + i % 2] = (double) x;
      break;
    case GT_TYPE_COMPLEX_FLOAT:
      ((float *) to)[i / 2 * stride * 2 + i % 2] = (float) x;
      break;
    default:
      abort ();
    }
}

static long double
get (enum gt_element_type type, const void *from, size_t stride, size_t i)
{
  switch (type)
    {
#define X(id, name, infix, ctype, arithmetic)                    \
    case GT_TYPE_##id:                                           \
      return (long double) ((const ctype *) from)[i * stride];
      GT_ELEMENT_TYPES (X)
#undef X
    default:
      abort ();
    }
}

/* X's digits as a float of as many, its exponent brought into the range.  */
static long double
to_float (long double x)
{
  int exponent;
  const long double digits = frexpl (x, &exponent);

  if (!isfinite (x))
    return x;
  if (exponent > 128 || exponent < -148)
    exponent = exponent > 0 ? 128 - exponent % 16 : -130 - exponent % 16;
  return ldexpf ((float) (digits / (exponent == 128 ? 1.0001L : 1)), exponent);
}

/* A number that TYPE holds: of long doubles some have all digits.  */
static long double
held (enum gt_element_type type, long double x)
{
  return is_of_floats (type) ? to_float (x) : type == GT_TYPE_LONG_DOUBLE ? x : (double) x;
}

static int
digits_of (enum gt_element_type type)
{
  return is_of_floats (type)           ? FLT_MANT_DIG
         : type == GT_TYPE_LONG_DOUBLE ? LDBL_MANT_DIG : DBL_MANT_DIG;
}

/* Of two neighbours' sum a digit too many: halfway, or next to it, and with it numbers that
   cancel.  Of few elements one of patterns of which the mean, the squares or the deviations are
   halfway.  */
static long double
halfway (enum gt_element_type type, size_t i, size_t n, uint64_t pattern)
{
  static const double patterns[][4] = {
    {-1, 0x1p53, -1, 0x1p53}, {0, 0x1p27 - 1, 0, 0x1p27 - 1}, {0, 1, 1, 0},
    {0x1p26 + 1, -0x1p26, 0x1p26 + 1, -0x1p26}, {0x1p53 - 1, 0x1p53 - 2, 1, 2}, {3, 1, 1, 3}};
  static const int exponents[]
    = {-1128, -1101, -1075, -1074, -1073, -1022, -565, -564, -538, -537, -511, 0, 458, 484,
       485, 510, 511, 512, 970, 971, 996, 1021, 1022, 1023};
  const int beside = (int) (pattern / 6 % 3) - 1;
  const int exponent = exponents[pattern / 18 % (sizeof exponents / sizeof *exponents)];
  long double x;

  if (n <= 4)
    x = ldexpl (patterns[pattern % 6][i], exponent);
  else if (i < 3)
    x = ldexpl (i == 0   ? ldexpl (1, digits_of (type))
                : i == 1 ? 1 : beside ? beside * 0x1p-60L : 0, exponent / 16);
  else if (i == n - 1 && n % 2 == 0)
    x = 0;
  else
    x = ldexpl ((i % 2 ? 1 : -1) * (long double) (1 + (i / 2 + (i % 2)) * (pattern >> 40) % 1000),
                exponent / 16);
  if (n <= 4 && i == 1 && beside)
    x = nextafter ((double) x, beside * INFINITY);
  return isfinite ((double) x) ? x : DBL_MAX;
}

/* Returns a power of two, or now and then half of it, or a number few units below or above, units
   in the last place or so large that those of squares are.  In some samples none is above, or none
   is below, or signs alternate.  In some, and in long ones, the last is much larger or smaller.  */
static long double
beside_power (enum gt_element_type type, size_t i, size_t n, uint64_t pattern, uint64_t *seed)
{
  static const int exponents[] = {0, 0, 0, 1, 25, -500, 500, -1021, 1023};
  const unsigned other = i == n - 1 ? pattern / 9 % (n > 4096 ? 2 : 8) : 2;
  const int halves = (int[]) {2, 24, 1 << 30}[pattern / 144 % 3];
  const int exponent = (other < 2 ? other ? 1000 : -1000 : exponents[pattern % 9])
                       - (below (seed, halves) == 0);
  const int units = (int) (pattern / 432 % 3) - below (seed, 1 + (int) (pattern / 1296 % 4));
  const int digits = pattern >> 61 & 1 ? digits_of (type) : (digits_of (type) + 1) / 2;
  const int sign = pattern >> 62 == 0 || (pattern >> 63 && i % 2) ? -1 : 1;

  return ldexpl (sign * (1 + ldexpl (units, -digits)), exponent);
}

/* (1 + h)^2 is the sum of these's squares, h being half a unit, and what follows is too small
   to be seen in it; doubles of most lengths are (1 + 3 h)^2, less a little.  */
static double
near_root (size_t i, size_t n, int is_float)
{
  static const double of[][7]
    = {{1, 0x1p-26, 0x1p-26, 0x1p-26, 0x1p-52, 0x1p-52, 0x1.ff8p-54}, {1, 0x1p-26, 0x1p-53, 0x1p-150},
       {1, 0x1p-12, 0x1p-12, 0x1p-24, 0x1p-74}};

  return i < 7 ? of[is_float ? 2 : n % 8 == 0][i] : 0;
}

/* Of cancelling ones every other takes off what is BEFORE it.  */
static long double
real_element (enum gt_element_type type, enum kind kind, size_t i, size_t n, long double before,
              uint64_t pattern, uint64_t *seed)
{
  static const long double special[] = {INFINITY, -INFINITY, NAN};
  const long double a = 2 * fraction (seed) - 1;

  switch (kind)
    {
    case AROUND_ZERO: return (double) a;
    case FAR: return (double) (1e3L + a);
    case STRAYS: return (double) (i % 16 == 5 ? a : 1e3L + a);
    case WHOLE: return below (seed, 1 << (1 + pattern % 24)) - (int) (pattern >> 60);
    case LONG_TAIL: return (double) (1e4L + a * a);
    case ONE_GREAT: return i == n / 3 ? 1 : (double) (1.05e-8L * (below (seed, 2) ? 1 - a / 32 : a / 32 - 1));
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
    case ONE_APART: return i == n / 2 ? 1.3L + ldexpl (1, -(int) (pattern % 110)) : 1.3L;
    case ALL_DIGITS: return ldexpl ((long double) random_word (seed), below (seed, 4));
    case OF_ZEROS: return below (seed, 4) ? (below (seed, 2) ? -0.0 : 0.0) : below (seed, 3) - 1;
    case LARGEST_ONES: return i % 2 ? DBL_MAX : DBL_MAX * (1 - DBL_EPSILON * below (seed, 3));
    case HALFWAY: return halfway (type, i, n, pattern);
    case BESIDE_POWERS: return beside_power (type, i, n, pattern, seed);
    case NEAR_ROOTS: return near_root (i, n, is_of_floats (type));
    case SPECIAL: return i == pattern % n || i == pattern / n % n ? special[pattern % 7 % 3] : a;
    default: return i % 2 ? (double) (-before * (1 + below (seed, 2) * DBL_EPSILON))
                          : ldexpl (a, below (seed, 256));
    }
}

static uint64_t
integer_element (enum kind kind, size_t i, uint64_t *seed)
{
  const uint64_t word = random_word (seed);

  switch (kind % 7)
    {
    case 6: return i % 2 ? LONG_MAX - i : (uint64_t) LONG_MAX + 1;
    case 0: return word;
    case 1: return word >> 60;
    case 2: return 100 + word % 3;
    case 3: return (word >> 33) >> (i % 32);
    case 5: return ULONG_MAX - word % 3;
    default: return word >> (8 * kind % 64);
    }
}

static long double
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

/* -------------------------------------------------------------------- Samples */

size_t
draw_length (size_t most, uint64_t *seed)
{
  const size_t n = (size_t) expl (logl ((long double) most + 1) * fraction (seed));

  return n < most ? n : most;
}

static void
poison (enum gt_element_type type, void *to, size_t stride, size_t parts)
{
  for (size_t i = 0; i < parts * stride; i++)
    put (type, to, 1, i, NAN, 99);
}

void
draw_elements (enum gt_element_type type, void *to, size_t stride, size_t n, enum kind kind,
               uint64_t *seed)
{
  const size_t parts = n << is_complex (type);
  const uint64_t pattern = random_word (seed);
  long double x = 1;

  poison (type, to, stride, parts);
  for (size_t i = 0; i < parts; i++)
    {
      if (is_real (type))
        x = held (type, real_element (type, kind, i, parts, x, pattern, seed));
      put (type, to, stride, i, x, is_real (type) ? 0 : integer_element (kind, i, seed));
    }
}

void
draw_weights (enum gt_element_type type, void *to, size_t stride, size_t n,
              enum weights kind, uint64_t *seed)
{
  if (!is_real (type))
    {
      draw_elements (type, to, stride, n, (enum kind) kind, seed);
      return;
    }
  poison (type, to, stride, n);
  for (size_t i = 0; i < n; i++)
    put (type, to, stride, i, held (type, weight (kind, i, n, seed)), 0);
}

void
draw_followers (enum gt_element_type type, void *to, size_t stride, const void *x, size_t xs,
                size_t n, uint64_t *seed)
{
  static const long double factors[] = {1, -1, 3, 1 / 3.0L, 0, 0x1p-40L};
  const long double factor = factors[below (seed, 6)];
  const int size = below (seed, 60);

  poison (type, to, stride, n);
  for (size_t i = 0; i < n; i++)
    {
      const long double noise = ldexpl (fraction (seed), -size), of = get (type, x, xs, i);
      const long double a = held (type, of * (factor + (size ? noise : 0)));

      put (type, to, stride, i, isinf (a) ? of : a, (uint64_t) (int64_t) (of / 2));
    }
}

/* Means and deviations of either sign.  */
static double
extreme (uint64_t *seed)
{
  static const double of[] = {0, 1, -1, 0.1, -3, 1e15, 0x1p-500, 1e300, -1e-300, DBL_MAX,
                              DBL_TRUE_MIN};

  return of[below (seed, sizeof of / sizeof *of)];
}

void
draw_given (enum gt_element_type type, const void *x, size_t stride, size_t n, double given[2],
            uint64_t *seed)
{
  const int near = n > 0 && !is_complex (type);

  for (int k = 0; k < 2; k++)
    given[k] = extreme (seed);
  if (near && below (seed, 3))
    given[0] = (double) get (type, x, stride, n / 2);
  if (near && below (seed, 3))
    given[1] = (double) (get (type, x, stride, 0) - get (type, x, stride, n - 1));
  if (!isfinite (given[0]))
    given[0] = 0;
  if (!isfinite (given[1]) || given[1] == 0)
    given[1] = 1;
}
