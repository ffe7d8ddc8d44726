/* Shared by the tests of accumulators: sums checked bit for bit against an
   exact sum by GNU MPFR, at once and in pieces; numbers that are hard to add.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TESTS_ACCUMULATOR_CASES_H
#define GT_TESTS_ACCUMULATOR_CASES_H

#include <gsl/gsl_errno.h>

#include "tests/unit.h"

#include "src/gsltune.h"
#include "tests/accumulator_oracle.h"
#include "tests/exact.h"

#define VIEW(infix, data, n, stride) \
  ((gsl_vector##infix) {n, stride, data, NULL, 0})

#define MOST 48   /* numbers of a random case */

/* Bytes of a long double that have a meaning.  */
#define LDBL_BYTES (LDBL_MANT_DIG == 64 ? 10 : sizeof (long double))

static struct oracle narrow, wide;
static uint64_t seed;

/* At least 0, less than N.  */
static inline unsigned
below (unsigned n)
{
  return (unsigned) (random_word (&seed) % n);
}

FIXTURE (set_up)
{
  oracle_init (&narrow, ORACLE_NARROW);
  oracle_init (&wide, ORACLE_WIDE);
  return 0;
}

FIXTURE (tear_down)
{
  oracle_clear (&narrow);
  oracle_clear (&wide);
  mpfr_free_cache ();
  return 0;
}

/* ------------------------------------------------- Comparing with the oracle */

static inline double
from_bits (uint64_t bits)
{
  double x;

  memcpy (&x, &bits, sizeof x);
  return x;
}

static inline double
make_double (int negative, unsigned exponent, uint64_t fraction)
{
  return from_bits ((uint64_t) negative << 63 | (uint64_t) exponent << 52
                    | (fraction & (((uint64_t) 1 << 52) - 1)));
}

static inline void
check_double (const char *what, double is, double expected)
{
  if (memcmp (&is, &expected, sizeof is) != 0)
    fail_msg ("%s: %a instead of %a (seed %ju)", what, is, expected,
              (uintmax_t) seed);
}

static inline void
check_float (const char *what, float is, float expected)
{
  if (memcmp (&is, &expected, sizeof is) != 0)
    fail_msg ("%s, as float: %a instead of %a (seed %ju)", what, is, expected,
              (uintmax_t) seed);
}

static inline void
check_long_double (const char *what, long double is, long double expected)
{
  if (memcmp (&is, &expected, LDBL_BYTES) != 0)
    fail_msg ("%s, as long double: %La instead of %La (seed %ju)", what, is,
              expected, (uintmax_t) seed);
}

/* ------------------------------------------------------------ Random cases */

static inline void
fill_exponents (double *x, size_t n, unsigned first, unsigned count)
{
  for (size_t i = 0; i < n; i++)
    x[i] = make_double (below (2), first + below (count), random_word (&seed));
}

static inline void
any_numbers (double *x, size_t n)
{
  fill_exponents (x, n, 0, 2047);
}

static inline void
near_one_another (double *x, size_t n)
{
  unsigned range = 1 + below (120);

  fill_exponents (x, n, below (2047 - range), range);
}

static inline void
subnormal (double *x, size_t n)
{
  fill_exponents (x, n, 0, 1 + below (4));
}

static inline void
near_overflow (double *x, size_t n)
{
  fill_exponents (x, n, 2043, 4);
}

/* Near the largest, the smallest and the subnormal floats.  */
static inline void
float_range (double *x, size_t n)
{
  static const unsigned first[] = {1023 + 120, 1023 - 130, 1023 - 155};

  fill_exponents (x, n, first[below (3)], 12);
}

static inline void
shuffle (double *x, size_t n)
{
  for (size_t i = n; i > 1; i--)
    {
      size_t k = below ((unsigned) i);
      double other = x[k];
      x[k] = x[i - 1];
      x[i - 1] = other;
    }
}

static inline void
cancelling (double *x, size_t n)
{
  size_t half = n / 2;

  any_numbers (x, n);
  for (size_t i = 0; i < half; i++)
    x[half + i] = -x[i];
  if (n % 2 && below (2))
    x[n - 1] = make_double (below (2), below (200), random_word (&seed));
  shuffle (x, n);
}

static inline void
huge_and_tiny (double *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    x[i] = i % 2 ? make_double (below (2), below (60), random_word (&seed))
                 : make_double (i / 2 % 2, 1900 + below (140),
                                random_word (&seed));
}

static inline void
one_huge (double *x, size_t n)
{
  unsigned tiny = below (1900);

  fill_exponents (x, n, tiny, 1 + below (3));
  if (n)
    x[below ((unsigned) n)]
      = make_double (below (2), tiny + 30 + below (100), random_word (&seed));
}

/* A number, half of its last place, and next to nothing, or nothing.  */
static inline void
near_tie (double *x, size_t n)
{
  unsigned exponent = 54 + below (1992);

  memset (x, 0, n * sizeof *x);
  if (n < 3)
    return;
  x[0] = make_double (below (2), exponent, random_word (&seed));
  x[1] = make_double (below (2), exponent - 53, 0);
  if (below (3))
    x[2] = make_double (below (2), below (exponent - 53), 1);
  shuffle (x, n);
}

static const struct
{
  const char *name;
  void (*fill) (double *x, size_t n);
} kinds[] = {
  {"any numbers", any_numbers},     {"near one another", near_one_another},
  {"subnormal", subnormal},         {"near overflow", near_overflow},
  {"float's range", float_range},   {"cancelling", cancelling},
  {"huge and tiny", huge_and_tiny}, {"one huge among tiny", one_huge},
  {"near a tie", near_tie},
};

#endif
