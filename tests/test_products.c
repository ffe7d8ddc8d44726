/* Tests of the product accumulator (kernels/products.h): exact sums of products
   of numbers of any size, against GNU MPFR.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>

#include "tests/unit.h"

#include "kernels/cpu/wide/products.h"
#include "tests/accumulator_oracle.h"
#include "tests/exact.h"

/* Bits from the lowest of any product to the highest of a sum of 2^64.  */
#define BITS 4300
#define MOST 40

static struct oracle oracle, sum;
static uint64_t seed;

static unsigned
below (unsigned n)
{
  return (unsigned) (random_word (&seed) % n);
}

FIXTURE (set_up)
{
  mpfr_set_emin (-5000);
  oracle_init (&oracle, BITS);
  oracle_init (&sum, BITS);
  return 0;
}

FIXTURE (tear_down)
{
  oracle_clear (&oracle);
  oracle_clear (&sum);
  mpfr_free_cache ();
  return 0;
}

/* Adds X Y to the oracle.  */
static void
expect (double x, double y)
{
  int inexact = mpfr_set_d (oracle.term, x, MPFR_RNDN);

  inexact |= mpfr_mul_d (oracle.term, oracle.term, y, MPFR_RNDN);
  oracle_add_term (&oracle, inexact);
}

/* Whether the words are what the oracle has.  */
static void
check_words (const struct gt_product_accumulator *acc)
{
  oracle_reset (&sum);
  for (int i = 0; i < GT_PRODUCT_WORDS; i++)
    oracle_add_scaled (&sum, acc->word[i], 32 * i + GT_PRODUCT_LOWEST);
  if (mpfr_cmp (sum.sum, oracle.sum) != 0)
    fail_msg ("not the sum of the products (seed %ju)", (uintmax_t) seed);
}

static double
any_double (unsigned first, unsigned range)
{
  uint64_t bits = random_word (&seed);
  double x;

  bits = (bits & ~((uint64_t) 0x7ff << 52))
         | (uint64_t) (first + below (range)) << 52;
  if (below (9) == 0)
    bits |= ((uint64_t) 1 << 52) - 1;
  memcpy (&x, &bits, sizeof x);
  return below (20) ? x : 0 * x;
}

static float
any_float (void)
{
  uint32_t bits = (uint32_t) random_word (&seed);
  float x;

  if ((bits >> 23 & 0xff) == 0xff || below (4) == 0)
    bits &= ~(0xffu << 23);
  memcpy (&x, &bits, sizeof x);
  return x;
}

/* First exponents and how many, as encoded.  */
static const unsigned exponents[][2]
  = {{0, 2047}, {0, 2}, {2045, 2}, {1023, 3}, {450, 100}, {1600, 60}};

TEST (doubles)
{
  seed = 1;
  for (int round = 0; round < 30000; round++)
    {
      const unsigned *a = exponents[below (N_OF (exponents))];
      const unsigned *b = exponents[below (N_OF (exponents))];
      const size_t n = below (12), x_stride = 1 + below (3),
                   y_stride = 1 + below (3);
      struct gt_product_accumulator acc, other;
      double x[MOST], y[MOST];

      oracle_reset (&oracle);
      gt_product_clear (&acc);
      gt_product_clear (&other);
      for (size_t i = 0; i < MOST; i++)
        x[i] = y[i] = NAN;
      for (size_t i = 0; i < n; i++)
        {
          x[i * x_stride] = any_double (a[0], a[1]);
          y[i * y_stride] = any_double (b[0], b[1]);
          expect (x[i * x_stride], y[i * y_stride]);
        }
      gt_product_add_array_f64 (&acc, x, x_stride, y, y_stride, n / 2);
      gt_product_add_array_f64 (&other, x + n / 2 * x_stride, x_stride,
                                y + n / 2 * y_stride, y_stride, n - n / 2);
      if (n && below (3) == 0)
        {
          gt_product_add_plain (&other, x[0]);
          expect (x[0], 1);
        }
      if (below (2))
        gt_product_normalise (&acc);
      gt_product_merge (&acc, &other);
      assert_int_equal (acc.flags, 0);
      check_words (&acc);
    }
}

TEST (floats)
{
  seed = 2;
  for (int round = 0; round < 30000; round++)
    {
      struct gt_product_accumulator acc;
      float x[12], y[24];
      const size_t n = below (12);

      oracle_reset (&oracle);
      gt_product_clear (&acc);
      for (size_t i = 0; i < n; i++)
        {
          x[i] = any_float ();
          y[2 * i] = any_float ();
          expect (x[i], y[2 * i]);
        }
      gt_product_add_array_f32 (&acc, x, 1, y, 2, n);
      check_words (&acc);
    }
}

/* As many of the largest and of the smallest products as change the words most,
   by doubling.  */
TEST (full_words)
{
  static const double x[]
    = {DBL_MAX, -DBL_MAX, 0x1.fffffffffffffp-1022, -0x0.fffffffffffffp-1022};

  for (size_t i = 0; i < N_OF (x); i++)
    for (size_t k = 0; k < N_OF (x); k++)
      {
        struct gt_product_accumulator acc;

        oracle_reset (&oracle);
        expect (x[i], x[k]);
        gt_product_clear (&acc);
        gt_product_add (&acc, x[i], x[k]);
        for (int twice = 0; twice < 64; twice++)
          gt_product_merge (&acc, &acc);
        mpfr_mul_2ui (oracle.sum, oracle.sum, 64, MPFR_RNDN);
        check_words (&acc);
        gt_product_normalise (&acc);
        check_words (&acc);
      }
}

static uint32_t
flags_of (double x, double y)
{
  struct gt_product_accumulator acc, floats;

  gt_product_clear (&acc);
  gt_product_add (&acc, x, y);
  gt_product_clear (&floats);
  gt_product_put_f32 (&floats, (float) x, (float) y);
  assert_int_equal (acc.flags, floats.flags);
  for (int i = 0; i < GT_PRODUCT_WORDS; i++)
    if (acc.flags)
      assert_int_equal (acc.word[i] | floats.word[i], 0);
  return acc.flags;
}

/* The flag is that of IEEE 754's product, unless that overflows.  */
TEST (special_products)
{
  static const double values[]
    = {0, -0.0, 1, -2, 0x1p-140, -0x1p-149, INFINITY, -INFINITY, NAN, 0x1p127};

  for (size_t i = 0; i < N_OF (values); i++)
    for (size_t k = 0; k < N_OF (values); k++)
      {
        const double product = values[i] * values[k];
        const uint32_t expected = isnan (product)   ? GT_SUPER_NAN
                                  : !isinf (product) ? 0
                                  : product > 0     ? GT_SUPER_PLUS_INFINITY
                                                : GT_SUPER_MINUS_INFINITY;

        assert_int_equal (flags_of (values[i], values[k]), expected);
      }
}

TEST (overflow_is_no_infinity)
{
  struct gt_product_accumulator acc;

  gt_product_clear (&acc);
  gt_product_add (&acc, DBL_MAX, DBL_MAX);
  gt_product_add (&acc, -DBL_MAX, DBL_MAX);
  gt_product_add (&acc, 5e-324, 5e-324);
  assert_int_equal (acc.flags, 0);
  oracle_reset (&oracle);
  oracle_add_scaled (&oracle, 1, -2148);
  check_words (&acc);
}

RUN_TESTS (set_up, tear_down)
