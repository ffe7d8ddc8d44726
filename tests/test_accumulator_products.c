/* Tests of products in the accumulators, against GNU MPFR: of every real type, among
   numbers, whole and in pieces (src/public/accumulator.c); and the words that kernels add
   them to (kernels/products.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/wide/products.h"
#include "tests/accumulator_cases.h"
#include "tests/handler.h"

/* Bits from the lowest product of long doubles to the highest of a sum.  */
#define BITS 66000
#define DOUBLE_BITS 4300 /* the same of doubles */

static struct oracle exact, products, words;

FIXTURE (set_up_products)
{
  mpfr_set_emin (-70000);
  mpfr_set_emax (70000);
  oracle_init (&exact, BITS);
  oracle_init (&products, DOUBLE_BITS);
  oracle_init (&words, DOUBLE_BITS);
  return set_up (state);
}

FIXTURE (tear_down_products)
{
  oracle_clear (&exact);
  oracle_clear (&products);
  oracle_clear (&words);
  return tear_down (state);
}

static void
expect (long double x, long double y)
{
  mpfr_t factor;
  int inexact = mpfr_set_ld (exact.term, x, MPFR_RNDN);

  mpfr_init2 (factor, 128);
  inexact |= mpfr_set_ld (factor, y, MPFR_RNDN);
  inexact |= mpfr_mul (exact.term, exact.term, factor, MPFR_RNDN);
  oracle_add_term (&exact, inexact);
  mpfr_clear (factor);
}

/* Of an exponent of RANGE from FIRST on.  */
static long double
some_number (int first, unsigned range)
{
  const long double m = (long double) random_word (&seed)
                        + ldexpl ((long double) random_word (&seed), -64);

  return ldexpl (below (2) ? m : -m, first - 64 + (int) below (range));
}

/* The addends: numbers and products of three types.  */
enum addend
{
  NUMBERS,
  NUMBERS_FLOAT,
  NUMBERS_LONG,
  PRODUCTS,
  PRODUCTS_FLOAT,
  PRODUCTS_LONG,
  N_ADDENDS
};

static int
add_one (gsltune_accumulator *to, enum addend what, long double x, long double y)
{
  double xd = (double) x, yd = (double) y;
  float xf = (float) x, yf = (float) y;

  switch (what)
    {
    case NUMBERS:
      return gsltune_accumulator_add_vector (to, &VIEW (, &xd, 1, 1));
    case NUMBERS_FLOAT:
      return gsltune_accumulator_add_vector_float (to,
                                                   &VIEW (_float, &xf, 1, 1));
    case NUMBERS_LONG:
      return gsltune_accumulator_add_vector_long_double (
        to, &VIEW (_long_double, &x, 1, 1));
    case PRODUCTS:
      return gsltune_accumulator_add_vector_products (to, &VIEW (, &xd, 1, 1),
                                                      &VIEW (, &yd, 1, 1));
    case PRODUCTS_FLOAT:
      return gsltune_accumulator_add_vector_float_products (
        to, &VIEW (_float, &xf, 1, 1), &VIEW (_float, &yf, 1, 1));
    default:
      return gsltune_accumulator_add_vector_long_double_products (
        to, &VIEW (_long_double, &x, 1, 1), &VIEW (_long_double, &y, 1, 1));
    }
}

/* The type's own number, and 1 for numbers' other factor.  */
static void
expect_one (enum addend what, long double x, long double y)
{
  const int type = what % PRODUCTS;

  if (what < PRODUCTS)
    y = 1;
  if (type == NUMBERS)
    expect ((double) x, (double) y);
  else if (type == NUMBERS_FLOAT)
    expect ((float) x, (float) y);
  else
    expect (x, y);
}

/* Exponents that numbers and products have: of float, double and long double,
   near their ends too.  */
static const struct
{
  int first;
  unsigned range;
} exponents[] = {
  {-5, 10},     {-150, 270},  {-149, 20},  {-1080, 2100}, {-1080, 40},
  {1000, 23},   {LDBL_MIN_EXP - LDBL_MANT_DIG, 60},
  {LDBL_MIN_EXP - 60, (unsigned) (2 * LDBL_MAX_EXP)}, {LDBL_MAX_EXP - 30, 30},
};

TEST (mixed)
{
  seed = 1;
  for (int round = 0; round < 20000; round++)
    {
      /* Sets of addends: all of it only now and then, as it is slow.  */
      const unsigned most = below (8) == 0 ? N_ADDENDS : 2;
      const unsigned first = below (N_ADDENDS);

      oracle_reset (&exact);
      gsltune_accumulator_reset (acc);
      for (int i = 0; i < PIECES; i++)
        gsltune_accumulator_reset (pieces[i]);
      for (unsigned n = below (12); n > 0; n--)
        {
          const enum addend what = (first + below (most)) % N_ADDENDS;
          const int type = what % PRODUCTS;
          const unsigned which = below (type == NUMBERS_FLOAT ? 3
                                        : type == NUMBERS ? 6
                                                     : N_OF (exponents));
          const long double x
            = some_number (exponents[which].first, exponents[which].range);
          const long double y
            = some_number (exponents[which].first, exponents[which].range);

          expect_one (what, x, y);
          add_one (acc, what, x, y);
          add_one (pieces[below (PIECES)], what, x, y);
        }
      check_rounded ("mixed", acc, &exact);
      if (round % 4 == 0)
        check_same_form ("mixed", merge_pieces (), acc);
    }
}

/* Vectors with strides: x . y, x . x, and what is left when it is taken
   off.  */
TEST (vectors)
{
  seed = 2;
  for (int round = 0; round < 2000; round++)
    {
      const size_t n = below (10), a = 1 + below (3), b = 1 + below (3);
      double x[30], y[30];

      oracle_reset (&exact);
      gsltune_accumulator_reset (acc);
      for (size_t i = 0; i < 30; i++)
        x[i] = y[i] = NAN;
      for (size_t i = 0; i < n; i++)
        {
          x[i * a] = (double) some_number (-600, 1200);
          y[i * b] = (double) some_number (-600, 1200);
          expect (x[i * a], y[i * b]);
          expect (x[i * a], x[i * a]);
        }
      gsltune_accumulator_add_vector_products (acc, &VIEW (, x, n, a),
                                               &VIEW (, y, n, b));
      gsltune_accumulator_add_vector_products (acc, &VIEW (, x, n, a),
                                               &VIEW (, x, n, a));
      check_rounded ("vectors", acc, &exact);
    }
}

/* Long and short ones, which go different ways.  */
static const size_t lengths[] = {5, 40, 200};

/* Two vectors that begin at one address, with strides of their own, are no
   squares.  */
TEST (two_views_of_one_block)
{
  double x[600];
  float f[600];

  seed = 3;
  for (size_t i = 0; i < N_OF (x); i++)
    {
      x[i] = (double) some_number (-600, 1200);
      f[i] = (float) some_number (-60, 120);
    }
  for (size_t k = 0; k < N_OF (lengths); k++)
    for (size_t a = 1; a <= 3; a++)
      for (size_t b = 1; b <= 3; b++)
        {
          const size_t n = lengths[k];

          oracle_reset (&exact);
          gsltune_accumulator_reset (acc);
          for (size_t i = 0; i < n; i++)
            {
              expect (x[i * a], x[i * b]);
              expect (f[i * a], f[i * b]);
            }
          gsltune_accumulator_add_vector_products (acc, &VIEW (, x, n, a),
                                                   &VIEW (, x, n, b));
          gsltune_accumulator_add_vector_float_products (
            acc, &VIEW (_float, f, n, a), &VIEW (_float, f, n, b));
          check_rounded ("two views", acc, &exact);
        }
}

/* As many of the largest products as there may be, by doubling, and back.  */
TEST (longest_sums)
{
  static const long double most[] = {FLT_MAX, DBL_MAX, LDBL_MAX};
  static const enum addend what[] = {PRODUCTS_FLOAT, PRODUCTS, PRODUCTS_LONG};

  for (size_t i = 0; i < N_OF (most); i++)
    {
      for (int k = 0; k < 2; k++)
        {
          gsltune_accumulator_reset (pieces[k]);
          add_one (pieces[k], what[i], k ? -most[i] : most[i], most[i]);
          for (int twice = 0; twice < 64; twice++)
            gsltune_accumulator_merge (pieces[k], pieces[k]);
          send (pieces[k], pieces[k]);
        }
      check_double ("2^64 products", gsltune_accumulator_round (pieces[0]),
                    i ? INFINITY : ldexp ((double) FLT_MAX * FLT_MAX, 64));
      add_one (pieces[0], PRODUCTS, 0.5, 0x1p-1000);
      gsltune_accumulator_merge (pieces[0], pieces[1]);
      check_double ("2^64 products and back",
                    gsltune_accumulator_round (pieces[0]), 0x1p-1001);
    }
}

TEST (special)
{
  static const long double values[]
    = {0, -0.0L, 1, -2, INFINITY, -INFINITY, NAN};

  for (enum addend what = PRODUCTS; what < N_ADDENDS; what++)
    for (size_t i = 0; i < N_OF (values); i++)
      for (size_t k = 0; k < N_OF (values); k++)
        {
          const double product = (double) (values[i] * values[k]);

          gsltune_accumulator_reset (acc);
          add_one (acc, what, values[i], values[k]);
          check_double ("special", gsltune_accumulator_round (acc),
                        isnan (product) ? (double) NAN : product + 0.0);
          check_float ("special", gsltune_accumulator_round_float (acc),
                       isnan (product) ? NAN : (float) product + 0.0f);
          send (pieces[0], acc);
          check_same_form ("special", pieces[0], acc);
        }
}

TEST (lengths_differ)
{
  gsl_error_handler_t *old = gsl_set_error_handler (note_error);
  const int calls = handler_calls;
  double x[2] = {1, 2};
  float f[2] = {1, 2};
  long double l[2] = {1, 2};

  gsltune_accumulator_reset (acc);
  assert_int_equal (gsltune_accumulator_add_vector_products (
                      acc, &VIEW (, x, 2, 1), &VIEW (, x, 1, 1)),
                    GSL_EBADLEN);
  assert_int_equal (gsltune_accumulator_add_vector_float_products (
                      acc, &VIEW (_float, f, 1, 1), &VIEW (_float, f, 2, 1)),
                    GSL_EBADLEN);
  assert_int_equal (
    gsltune_accumulator_add_vector_long_double_products (
      acc, &VIEW (_long_double, l, 2, 1), &VIEW (_long_double, l, 1, 1)),
    GSL_EBADLEN);
  assert_int_equal (handler_calls, calls + 3);
  assert_int_equal (handler_code, GSL_EBADLEN);
  check_double ("nothing", gsltune_accumulator_round (acc), 0);
  gsl_set_error_handler (old);
}

/* ----------------------------------------------------- The kernels' words */

/* Adds X Y to the products.  */
static void
expect_product (double x, double y)
{
  int inexact = mpfr_set_d (products.term, x, MPFR_RNDN);

  inexact |= mpfr_mul_d (products.term, products.term, y, MPFR_RNDN);
  oracle_add_term (&products, inexact);
}

/* Whether the words are what the oracle has.  */
static void
check_words (const struct gt_product_accumulator *sum)
{
  oracle_reset (&words);
  for (int i = 0; i < GT_PRODUCT_WORDS; i++)
    oracle_add_scaled (&words, sum->word[i], 32 * i + GT_PRODUCT_LOWEST);
  if (mpfr_cmp (words.sum, products.sum) != 0)
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
static const unsigned encoded[][2]
  = {{0, 2047}, {0, 2}, {2045, 2}, {1023, 3}, {450, 100}, {1600, 60}};

TEST (doubles)
{
  seed = 1;
  for (int round = 0; round < 30000; round++)
    {
      const unsigned *a = encoded[below (N_OF (encoded))];
      const unsigned *b = encoded[below (N_OF (encoded))];
      const size_t n = below (12), x_stride = 1 + below (3),
                   y_stride = 1 + below (3);
      struct gt_product_accumulator sum, other;
      double x[MOST], y[MOST];

      oracle_reset (&products);
      gt_product_clear (&sum);
      gt_product_clear (&other);
      for (size_t i = 0; i < MOST; i++)
        x[i] = y[i] = NAN;
      for (size_t i = 0; i < n; i++)
        {
          x[i * x_stride] = any_double (a[0], a[1]);
          y[i * y_stride] = any_double (b[0], b[1]);
          expect_product (x[i * x_stride], y[i * y_stride]);
        }
      gt_product_add_array_f64 (&sum, x, x_stride, y, y_stride, n / 2);
      gt_product_add_array_f64 (&other, x + n / 2 * x_stride, x_stride,
                                y + n / 2 * y_stride, y_stride, n - n / 2);
      if (n && below (3) == 0)
        {
          struct gt_superaccumulator plain;

          gt_super_clear (&plain);
          gt_super_add (&plain, x[0]);
          gt_product_merge_plain (&other, &plain);
          expect_product (x[0], 1);
        }
      if (below (2))
        gt_product_normalise (&sum);
      gt_product_merge (&sum, &other);
      assert_int_equal (sum.flags, 0);
      check_words (&sum);
    }
}

TEST (floats)
{
  seed = 2;
  for (int round = 0; round < 30000; round++)
    {
      struct gt_product_accumulator sum;
      float x[12], y[24];
      const size_t n = below (12);

      oracle_reset (&products);
      gt_product_clear (&sum);
      for (size_t i = 0; i < n; i++)
        {
          x[i] = any_float ();
          y[2 * i] = any_float ();
          expect_product (x[i], y[2 * i]);
        }
      gt_product_add_array_f32 (&sum, x, 1, y, 2, n);
      check_words (&sum);
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
        struct gt_product_accumulator sum;

        oracle_reset (&products);
        expect_product (x[i], x[k]);
        gt_product_clear (&sum);
        gt_product_add_array_f64 (&sum, &x[i], 1, &x[k], 1, 1);
        for (int twice = 0; twice < 64; twice++)
          gt_product_merge (&sum, &sum);
        mpfr_mul_2ui (products.sum, products.sum, 64, MPFR_RNDN);
        check_words (&sum);
        gt_product_normalise (&sum);
        check_words (&sum);
      }
}

static uint32_t
flags_of (double x, double y)
{
  struct gt_product_accumulator sum, floats;

  gt_product_clear (&sum);
  gt_product_add_array_f64 (&sum, &x, 1, &y, 1, 1);
  gt_product_clear (&floats);
  gt_product_put_f32 (&floats, (float) x, (float) y);
  assert_int_equal (sum.flags, floats.flags);
  for (int i = 0; i < GT_PRODUCT_WORDS; i++)
    if (sum.flags)
      assert_int_equal (sum.word[i] | floats.word[i], 0);
  return sum.flags;
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
  static const double x[] = {DBL_MAX, -DBL_MAX, 5e-324}, y[] = {DBL_MAX, DBL_MAX, 5e-324};
  struct gt_product_accumulator sum;

  gt_product_clear (&sum);
  gt_product_add_array_f64 (&sum, x, 1, y, 1, N_OF (x));
  assert_int_equal (sum.flags, 0);
  oracle_reset (&products);
  oracle_add_scaled (&products, 1, -2148);
  check_words (&sum);
}

RUN_TESTS (set_up_products, tear_down_products)
