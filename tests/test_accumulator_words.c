/* Tests of accumulators of many processes (src/public/accumulator_form.c,
   accumulator_add.c, accumulator_statistics.c): samples that are added in pieces, each
   to accumulators of its own, whose words are added, have the statistics of the whole,
   bit for bit.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>

#include "tests/unit.h"

#include "src/gsltune.h"
#include "tests/exact.h"
#include "tests/handler.h"

#define MOST 3000
#define MOST_PIECES 7

/* The messages that processes would send, several results after each other.  */
static int64_t sent[2 * 2061];

static void
same_bits (const char *what, double ours, double expected)
{
  if (isnan (ours) && isnan (expected))
    return;
  if (memcmp (&ours, &expected, sizeof ours) != 0)
    fail_msg ("%s is %.17g instead of %.17g", what, ours, expected);
}

/* Adds the words of ACC to those at TO.  */
static void
send (const gsltune_accumulator *acc, gsltune_range range, int64_t *to)
{
  int64_t words[2061];
  const size_t n = gsltune_accumulator_words (range);

  assert_int_equal (gsltune_accumulator_get_words (acc, range, words), 0);
  for (size_t i = 0; i < n; i++)
    to[i] += words[i];
}

#define GT_TEMPLATE "tests/accumulator_moments_of.inc"
#include "src/public/each_type.h"

/* Bits of any finite number, or of one near 1; sometimes neither.  */
static double
any_double (uint64_t *seed, int kind)
{
  const uint64_t word = random_word (seed);
  double x;

  memcpy (&x, &word, sizeof x);
  if (kind == 2 && word % 64 == 0)
    return word & 64 ? INFINITY : word & 128 ? -INFINITY : NAN;
  return kind > 0 && isfinite (x) ? x : (double) (int64_t) word * 0x1p-63;
}

TEST (all_types)
{
  static const size_t lengths[]
    = {0, 1, 2, 5, 31, 32, 33, 63, 64, 65, 500, MOST};
  uint64_t seed = 15;

  for (size_t k = 0; k < N_OF (lengths); k++)
    for (int kind = 0; kind < 3; kind++)
      for (unsigned pieces = 1; pieces <= MOST_PIECES; pieces += 2)
        {
#define X(id, type, infix, ctype, arithmetic) \
          moments##infix (&seed, kind, lengths[k], pieces);
          GT_ELEMENT_TYPES (X)
#undef X
        }
}

TEST (norms_and_magnitudes)
{
  gsltune_accumulator *acc = gsltune_accumulator_alloc ();
  static double x[200];
  static float f[200];
  uint64_t seed = 16;

  for (size_t n = 0; n < 200; n += 1 + n / 8)
    for (int kind = 0; kind < 3; kind++)
      {
        const gsl_vector v = {n, 1, x, NULL, 0};
        const gsl_vector_float w = {n, 1, f, NULL, 0};

        for (size_t i = 0; i < n; i++)
          {
            x[i] = any_double (&seed, kind);
            f[i] = (float) x[i];
          }
        gsltune_accumulator_reset (acc);
        gsltune_accumulator_add_vector_products (acc, &v, &v);
        same_bits ("dnrm2", gsltune_accumulator_norm (acc),
                   gsltune_blas_dnrm2 (&v));
        gsltune_accumulator_reset (acc);
        gsltune_accumulator_add_vector_float_products (acc, &w, &w);
        same_bits ("snrm2", (double) gsltune_accumulator_norm_float (acc),
                   (double) gsltune_blas_snrm2 (&w));
        gsltune_accumulator_reset (acc);
        gsltune_accumulator_add_vector_magnitudes (acc, &v);
        same_bits ("dasum", gsltune_accumulator_round (acc),
                   gsltune_blas_dasum (&v));
        gsltune_accumulator_reset (acc);
        gsltune_accumulator_add_vector_float_magnitudes (acc, &w);
        same_bits ("sasum", (double) gsltune_accumulator_round_float (acc),
                   (double) gsltune_blas_sasum (&w));
      }
  gsltune_accumulator_free (acc);
}

/* As many as there may be: their words do not overflow.  */
TEST (most_processes)
{
  gsltune_accumulator *acc = gsltune_accumulator_alloc ();
  int64_t words[137];
  double x = -0x1.fffffffffffffp1000, sum;

  gsltune_accumulator_add_vector (acc, &(gsl_vector) {1, 1, &x, NULL, 0});
  assert_int_equal (
    gsltune_accumulator_get_words (acc, GSLTUNE_RANGE_PRODUCTS, words), 0);
  for (int i = 0; i < 137; i++)
    words[i] *= (int64_t) 1 << 30;
  assert_int_equal (
    gsltune_accumulator_set_words (acc, GSLTUNE_RANGE_PRODUCTS, words), 0);
  sum = gsltune_accumulator_round (acc);
  assert_true (sum == -INFINITY);
  x = -x;
  for (int i = 0; i < 3; i++)
    {
      gsltune_accumulator *negative = gsltune_accumulator_alloc ();

      gsltune_accumulator_add_vector (negative,
                                      &(gsl_vector) {1, 1, &x, NULL, 0});
      for (int k = 0; k < 30; k++)
        gsltune_accumulator_merge (negative, negative);
      gsltune_accumulator_merge (acc, negative);
      gsltune_accumulator_free (negative);
      same_bits ("the sum", gsltune_accumulator_round (acc),
                 i == 0 ? 0 : i == 1 ? INFINITY : INFINITY);
    }
  gsltune_accumulator_free (acc);
}

/* With VALUE at word AT, and zeros elsewhere, they are refused.  */
static void
no_sum (gsltune_accumulator *acc, gsltune_range range, int64_t *words, int at,
        int64_t value)
{
  words[at] = value;
  assert_int_equal (gsltune_accumulator_set_words (acc, range, words),
                    GSL_EINVAL);
  words[at] = 0;
}

/* Numbers outside of a range, and words that are none.  */
TEST (wrong_use)
{
  gsl_error_handler_t *before = gsl_set_error_handler (note_error);
  gsltune_accumulator *acc = gsltune_accumulator_alloc ();
  gsltune_accumulator *other = gsltune_accumulator_alloc ();
  int64_t words[2061] = {0};
  double x[2] = {1, 2};
  long double l = 3;
  gsl_vector v = {2, 1, x, NULL, 0};
  gsl_vector_long_double w = {1, 1, &l, NULL, 0};

  handler_calls = 0;
  assert_int_equal (gsltune_accumulator_words (GSLTUNE_RANGE_SUMS), 71);
  assert_int_equal (gsltune_accumulator_words (GSLTUNE_RANGE_PRODUCTS), 137);
  assert_int_equal (gsltune_accumulator_words (GSLTUNE_RANGE_LONG_DOUBLE),
                    2061);
  assert_int_equal (gsltune_accumulator_words ((gsltune_range) 3), 0);
  assert_int_equal (
    gsltune_accumulator_get_words (acc, (gsltune_range) 3, words), GSL_EINVAL);
  assert_int_equal (
    gsltune_accumulator_set_words (acc, (gsltune_range) -1, words),
    GSL_EINVAL);
  gsltune_accumulator_add_vector_products (acc, &v, &v);
  assert_int_equal (
    gsltune_accumulator_get_words (acc, GSLTUNE_RANGE_SUMS, words),
    GSL_EINVAL);
  assert_true (isnan (gsltune_accumulator_mean (acc, 2)));
  assert_true (isnan (gsltune_accumulator_variance (acc, acc, 2)));
  gsltune_accumulator_add_vector_long_double (other, &w);
  assert_int_equal (
    gsltune_accumulator_get_words (other, GSLTUNE_RANGE_PRODUCTS, words),
    GSL_EINVAL);
  assert_true (isnan (gsltune_accumulator_norm_float (other)));
  assert_int_equal (gsltune_accumulator_add_vector_moments (acc, acc, &v),
                    GSL_EINVAL);
  words[70] = -1;
  assert_int_equal (
    gsltune_accumulator_set_words (acc, GSLTUNE_RANGE_SUMS, words),
    GSL_EINVAL);
  assert_int_equal (handler_calls, 10);
  words[70] = 0;
  no_sum (acc, GSLTUNE_RANGE_SUMS, words, 3, INT64_MAX);
  no_sum (acc, GSLTUNE_RANGE_SUMS, words, 67, (int64_t) 1 << 18);
  no_sum (acc, GSLTUNE_RANGE_PRODUCTS, words, 0, INT64_MIN);
  no_sum (acc, GSLTUNE_RANGE_PRODUCTS, words, 132, ((int64_t) 1 << 62) + 1);
  no_sum (acc, GSLTUNE_RANGE_PRODUCTS, words, 133, -((int64_t) 1 << 18) - 1);
  no_sum (acc, GSLTUNE_RANGE_LONG_DOUBLE, words, 0, 1);
  no_sum (acc, GSLTUNE_RANGE_LONG_DOUBLE, words, 2056, (int64_t) 1 << 51);
  assert_int_equal (handler_calls, 17);
  assert_int_equal (handler_code, GSL_EINVAL);
  same_bits ("what was there", gsltune_accumulator_round (acc), 5);
  gsl_set_error_handler (before);
  gsltune_accumulator_free (acc);
  gsltune_accumulator_free (other);
}

/* The numbers that an accumulator has taken are its range; the means of long doubles which no
   sum of doubles holds survive the way.  */
TEST (ranges)
{
  static const long double numbers[] = {0x1p-1100L, 0x1p-16445L, 0x1p16000L, 1};
  gsltune_accumulator *acc = gsltune_accumulator_alloc ();
  int64_t words[2061];
  double x = 3;
  gsl_vector v = {1, 1, &x, NULL, 0};

  assert_int_equal (gsltune_accumulator_range (acc), GSLTUNE_RANGE_SUMS);
  gsltune_accumulator_add_vector (acc, &v);
  assert_int_equal (gsltune_accumulator_range (acc), GSLTUNE_RANGE_SUMS);
  gsltune_accumulator_add_vector_products (acc, &v, &v);
  assert_int_equal (gsltune_accumulator_range (acc), GSLTUNE_RANGE_PRODUCTS);
  for (size_t i = 0; i < N_OF (numbers); i++)
    {
      long double number = numbers[i];
      gsl_vector_long_double w = {1, 1, &number, NULL, 0};
      double mean;

      gsltune_accumulator_reset (acc);
      gsltune_accumulator_add_vector_long_double (acc, &w);
      assert_int_equal (gsltune_accumulator_range (acc),
                        GSLTUNE_RANGE_LONG_DOUBLE);
      mean = gsltune_accumulator_mean (acc, 1);
      assert_int_equal (
        gsltune_accumulator_get_words (acc, GSLTUNE_RANGE_LONG_DOUBLE, words),
        0);
      assert_int_equal (
        gsltune_accumulator_set_words (acc, GSLTUNE_RANGE_LONG_DOUBLE, words),
        0);
      assert_true (gsltune_accumulator_round_long_double (acc) == number);
      same_bits ("the mean", gsltune_accumulator_mean (acc, 1), mean);
    }
  gsltune_accumulator_free (acc);
}

/* The words of a sum that is not finite do not tell where that was met.  */
TEST (not_finite)
{
  static const double special[] = {(double) INFINITY, -(double) INFINITY, (double) NAN};
  static double x[2000];
  const gsl_vector all = {2000, 1, x, NULL, 0};
  gsltune_accumulator *acc = gsltune_accumulator_alloc ();

  assert_non_null (acc);
  for (unsigned k = 0; k < 3; k++)
    for (size_t at = 0; at < 2000; at += 1999)
      {
        int64_t words[71];

        for (size_t i = 0; i < 2000; i++)
          x[i] = 1 + (double) i;
        x[at] = special[k];
        gsltune_accumulator_reset (acc);
        gsltune_accumulator_add_vector (acc, &all);
        assert_int_equal (
          gsltune_accumulator_get_words (acc, GSLTUNE_RANGE_SUMS, words), 0);
        for (unsigned i = 0; i < 68; i++)
          assert_int_equal (words[i], 0);
        assert_int_equal (words[68], k == 2);
        assert_int_equal (words[69], k == 0);
        assert_int_equal (words[70], k == 1);
      }
  gsltune_accumulator_free (acc);
}

int
main (void)
{
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  return run_unit_tests (NULL, NULL);
}
