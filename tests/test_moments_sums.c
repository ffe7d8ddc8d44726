/* Tests of moments of first powers (src/public/power_sums*.c): sums of elements, magnitudes and
   products, put together from pieces, are the exact ones (tests/oracle.h), rounded once to each
   type.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include <fenv.h>

#include "src/base/names.h"
#include "src/gsltune.h"
#include "tests/drawn.h"
#include "tests/handler.h"
#include "tests/oracle.h"

enum { MOST = 300, STRIDE = 3, PIECES = 3 };

enum sum { SUM, MAGNITUDES, PRODUCTS, SQUARES, N_SUMS };
static const char *const names[N_SUMS] = {"sum", "asum", "dot", "nrm2"};

static struct oracle oracle;
static mpfr_t exact;

static gsltune_moments *
new_moments (enum sum sum, int wide)
{
  gsltune_moments *const m = gsltune_moments_alloc (
    sum >= PRODUCTS ? GSLTUNE_MOMENTS_PAIRS : GSLTUNE_MOMENTS_PLAIN, 1, wide);

  assert_non_null (m);
  return m;
}

static void
check (const char *what, long double is, enum gt_element_type as)
{
  const long double expected = oracle_rounded (exact, &oracle_formats[as]);

  if (!(isnan (expected) ? isnan (is) : is == expected && signbit (is) == signbit (expected)))
    fail_msg ("%s of %zu numbers, as %s: %La instead of %La", what, oracle.n, gt_types[as].name,
              is, expected);
}

/* Checks all that M rounds to against what the oracle has been loaded with.  */
static void
check_rounded (const gsltune_moments *m, enum sum sum)
{
  oracle_value (exact, &oracle, names[sum], 0);
  if (mpfr_zero_p (exact))
    mpfr_set_zero (exact, 1);
  check (names[sum], sum == SQUARES ? gsltune_moments_norm (m) : gsltune_moments_sum (m),
         GT_TYPE_DOUBLE);
  check (names[sum],
         (long double) (sum == SQUARES ? gsltune_moments_norm_float (m)
                                       : gsltune_moments_sum_float (m)), GT_TYPE_FLOAT);
  if (sum != SQUARES)
    check (names[sum], gsltune_moments_sum_long_double (m), GT_TYPE_LONG_DOUBLE);
}

/* Merges the pieces, some as portable forms, into the first one.  */
static void
merge (gsltune_moments *const pieces[PIECES])
{
  const size_t size = gsltune_moments_size (pieces[0]);
  void *const form = malloc (size);

  assert_non_null (form);
  for (int i = PIECES - 1; i > 0; i--)
    if (i % 2)
      assert_int_equal (gsltune_moments_merge (pieces[i - 1], pieces[i]), 0);
    else
      {
        assert_int_equal (gsltune_moments_save (pieces[i], form, size), 0);
        assert_int_equal (gsltune_moments_merge_saved (pieces[i - 1], form, size), 0);
      }
  free (form);
}

#define GT_TEMPLATE "tests/moments_sums_of.inc"
#include "src/public/each_type.h"

TEST (all_types)
{
  static const size_t lengths[] = {0, 1, 2, 7, 31, 64, 130, MOST};
  uint64_t seed = 11;

  for (size_t i = 0; i < N_OF (lengths); i++)
    for (int kind = 0; kind < N_KINDS; kind++)
      {
#define X(id, name, infix, ...) sums##infix (lengths[i], (enum kind) kind, &seed);
        GT_ELEMENT_TYPES (X)
#undef X
      }
}

/* Half a unit above and below numbers of every exponent, and as little beside it as there is.  */
TEST (ties)
{
  for (int e = -1073; e <= 1024 - 53; e++)
    for (int which = 0; which < 18; which++)
      {
        const double first = 0x1p52 + which % 3, half = which / 3 % 2 ? 1 : -1;
        const double x[]
          = {ldexp (first, e), ldexp (half, e - 1), ldexp (which / 6 - 1, which % 2 ? -1074 : e - 2)};
        gsltune_moments *const m = new_moments (SUM, which & 1);

        oracle_load (&oracle, GT_TYPE_DOUBLE, x, 1, NULL, 1, 3, (const double[]) {0, 0});
        gsltune_moments_add (m, x, 1, 3);
        check_rounded (m, SUM);
        gsltune_moments_free (m);
      }
}

/* Sums do not depend on the rounding mode, nor change it or raise anything.  */
TEST (environments)
{
  const double x[] = {1, 0x1p-60, -0x1p-1074}, sum = 1;
  gsltune_moments *const m = new_moments (SUM, 0);

  fesetround (FE_UPWARD);
  feclearexcept (FE_ALL_EXCEPT);
  gsltune_moments_add (m, x, 1, 3);
  assert_true (gsltune_moments_sum (m) == sum);
  assert_int_equal (fetestexcept (FE_ALL_EXCEPT), 0);
  assert_int_equal (fegetround (), FE_UPWARD);
  fesetround (FE_TONEAREST);
  gsltune_moments_free (m);
}

/* 2^62 elements, by merging with itself, and carries in every word.  */
TEST (many_elements)
{
  const double x[] = {DBL_MAX, -0x1p-1074, 0x1.fffffffffffffp0, 0x1.fffffffffffffp500};

  for (size_t i = 0; i < N_OF (x); i++)
    {
      gsltune_moments *const m = new_moments (SUM, 0);
      gsltune_moments *const negative = new_moments (SUM, 0);

      gsltune_moments_add (m, &x[i], 1, 1);
      gsltune_moments_add (negative, &(double) {-x[i]}, 1, 1);
      for (int k = 0; k < 62; k++)
        {
          gsltune_moments_merge (m, m);
          gsltune_moments_merge (negative, negative);
          assert_true (gsltune_moments_sum (m) == ldexp (x[i], k + 1));
        }
      gsltune_moments_merge (m, negative);
      assert_true (gsltune_moments_sum (m) == 0 && !signbit (gsltune_moments_sum (m)));
      gsltune_moments_free (negative);
      gsltune_moments_free (m);
    }
}

static void
invalid (double x)
{
  assert_true (isnan (x));
  assert_int_equal (handler_calls, 1);
  assert_int_equal (handler_code, GSL_EINVAL);
  handler_calls = 0;
}

TEST (wrong_use)
{
  gsltune_moments *const m = new_moments (SUM, 0), *const pairs = new_moments (PRODUCTS, 0);
  gsltune_moments *const two = gsltune_moments_alloc (GSLTUNE_MOMENTS_PAIRS, 2, 0);
  gsltune_moments *const weighted = gsltune_moments_alloc (GSLTUNE_MOMENTS_WEIGHTED, 1, 0);
  const double x[] = {3, 4};

  invalid (gsltune_moments_norm (m));
  invalid (gsltune_moments_sum (two));
  invalid (gsltune_moments_sum (weighted));
  invalid (gsltune_moments_covariance (pairs));
  invalid (gsltune_moments_mean (pairs));
  invalid (gsltune_moments_add_magnitudes (pairs, x, 1, 2) == GSL_EINVAL ? NAN : 0);
  invalid (gsltune_moments_add (pairs, x, 1, 2) == GSL_EINVAL ? NAN : 0);
  gsltune_moments_add_pairs (pairs, x, 1, x, 1, 2);
  assert_true (gsltune_moments_norm (pairs) == 5);
  assert_int_equal (gsltune_moments_n (pairs), 2);
  gsltune_moments_add_pairs (pairs, x, 1, (const double[]) {-9, -9}, 1, 2);
  assert_true (isnan (gsltune_moments_norm (pairs)) && gsltune_moments_sum (pairs) == -38);
  gsltune_moments_free (weighted);
  gsltune_moments_free (two);
  gsltune_moments_free (pairs);
  gsltune_moments_free (m);
}

FIXTURE (begin)
{
  mpfr_init2 (exact, ORACLE_BITS);
  oracle_begin (&oracle);
  gsl_set_error_handler (note_error);
  return 0;
}

FIXTURE (end)
{
  mpfr_clear (exact);
  oracle_end (&oracle);
  mpfr_free_cache ();
  return 0;
}

RUN_TESTS (begin, end)
