/* Tests of products and statistics in exact mode: what is defined by sums of elements
   and products is the exact value, rounded once, as GNU MPFR has it; nothing depends
   on the number of threads.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"

#include "src/base/env.h"
#include "src/gsltune.h"
#include "tests/exact.h"

/* Sums of products of doubles have 4300 bits at most, and what is made of two of
   them by a subtraction no more than twice as many.  */
#define BITS 9000

enum
{
  S,  /* of x */
  T,  /* of y */
  Q,  /* of x^2 */
  R,  /* of y^2 */
  P,  /* of x y */
  N_SUMS
};

static mpfr_t sum[N_SUMS], a, b, c;

static void
take_sums (const double *x, const double *y, size_t n)
{
  for (int k = 0; k < N_SUMS; k++)
    mpfr_set_zero (sum[k], 1);
  for (size_t i = 0; i < n; i++)
    {
      mpfr_add_d (sum[S], sum[S], x[i], MPFR_RNDN);
      mpfr_add_d (sum[T], sum[T], y[i], MPFR_RNDN);
      mpfr_set_d (a, x[i], MPFR_RNDN);
      mpfr_set_d (b, y[i], MPFR_RNDN);
      mpfr_fma (sum[Q], a, a, sum[Q], MPFR_RNDN);
      mpfr_fma (sum[R], b, b, sum[R], MPFR_RNDN);
      mpfr_fma (sum[P], a, b, sum[P], MPFR_RNDN);
    }
}

/* TO = PRODUCTS - LEFT RIGHT / n.  */
static void
centre (mpfr_t to, mpfr_t products, mpfr_t left, mpfr_t right, size_t n)
{
  mpfr_mul (c, left, right, MPFR_RNDN);
  mpfr_mul_ui (to, products, n, MPFR_RNDN);
  mpfr_sub (to, to, c, MPFR_RNDN);
  mpfr_div_ui (to, to, n, MPFR_RNDN);
}

/* TO = PRODUCTS - M LEFT - L RIGHT + n L M.  */
static void
centre_about (mpfr_t to, mpfr_t products, mpfr_t left, mpfr_t right, double l,
              double m, size_t n)
{
  mpfr_mul_d (c, left, m, MPFR_RNDN);
  mpfr_sub (to, products, c, MPFR_RNDN);
  mpfr_mul_d (c, right, l, MPFR_RNDN);
  mpfr_sub (to, to, c, MPFR_RNDN);
  mpfr_set_d (c, l, MPFR_RNDN);
  mpfr_mul_d (c, c, m, MPFR_RNDN);
  mpfr_mul_ui (c, c, n, MPFR_RNDN);
  mpfr_add (to, to, c, MPFR_RNDN);
}

static void
check (const char *name, double ours, mpfr_t exact, size_t n, const char *what)
{
  const double expected = mpfr_get_d (exact, MPFR_RNDN);

  if (ours != expected && !(isnan (ours) && isnan (expected)))
    fail_msg ("%s of %zu, %s: %.17g instead of %.17g", name, n, what, ours,
              expected);
}

/* The value that is in A, and what is made of it.  */
#define SPREAD(name, args, by, rooted)                            \
  mpfr_div_ui (b, a, by, MPFR_RNDN);                              \
  if (rooted)                                                     \
    mpfr_sqrt (b, b, MPFR_RNDN);                                  \
  check (#name, gsltune_stats_##name args, b, n, what)

static void
spreads (const double *x, size_t n, double m, const char *what)
{
  centre (a, sum[Q], sum[S], sum[S], n);
  SPREAD (tss, (x, 1, n), 1, 0);
  SPREAD (variance, (x, 1, n), n - 1, 0);
  SPREAD (sd, (x, 1, n), n - 1, 1);
  centre_about (a, sum[Q], sum[S], sum[S], m, m, n);
  SPREAD (tss_m, (x, 1, n, m), 1, 0);
  SPREAD (variance_m, (x, 1, n, m), n - 1, 0);
  SPREAD (sd_m, (x, 1, n, m), n - 1, 1);
  SPREAD (variance_with_fixed_mean, (x, 1, n, m), n, 0);
  SPREAD (sd_with_fixed_mean, (x, 1, n, m), n, 1);
  mpfr_div_ui (b, sum[S], n, MPFR_RNDN);
  check ("mean", gsltune_stats_mean (x, 1, n), b, n, what);
}

static void
pairs (const double *x, const double *y, size_t n, double m, const char *what)
{
  const gsl_vector v = {n, 1, (double *) x, NULL, 0};
  const gsl_vector w = {n, 1, (double *) y, NULL, 0};
  double dot;

  centre (a, sum[P], sum[S], sum[T], n);
  SPREAD (covariance, (x, 1, y, 1, n), n - 1, 0);
  centre_about (a, sum[P], sum[S], sum[T], m, -m, n);
  SPREAD (covariance_m, (x, 1, y, 1, n, m, -m), n - 1, 0);
  gsltune_blas_ddot (&v, &w, &dot);
  check ("dot", dot, sum[P], n, what);
  mpfr_sqrt (b, sum[Q], MPFR_RNDN);
  check ("nrm2", gsltune_blas_dnrm2 (&v), b, n, what);
  centre (a, sum[Q], sum[S], sum[S], n);
  centre (b, sum[R], sum[T], sum[T], n);
  mpfr_mul (b, a, b, MPFR_RNDN);
  mpfr_sqrt (b, b, MPFR_RNDN);
  centre (a, sum[P], sum[S], sum[T], n);
  mpfr_div (b, a, b, MPFR_RNDN);
  check ("correlation", gsltune_stats_correlation (x, 1, y, 1, n), b, n,
         what);
}

static void
all (const double *x, const double *y, size_t n, double m, const char *what)
{
  take_sums (x, y, n);
  spreads (x, n, m, what);
  pairs (x, y, n, m, what);
}

/* ----------------------------------------------------------------- Cases */

enum kind
{
  AROUND_ZERO,
  NEAR_A_THOUSAND,
  OF_MANY_SIZES,
  OF_ALL_SIZES,
  TINY,
  WHOLE,
  CANCELLING,
  N_KINDS
};

static double
datum (enum kind kind, uint64_t *seed, double before, size_t i)
{
  const uint64_t bits = random_word (seed);
  const double fraction = 2 * ((double) (bits >> 11) * 0x1p-53) - 1;

  switch (kind)
    {
    case AROUND_ZERO:
      return fraction;
    case NEAR_A_THOUSAND:
      return 1000 + fraction;
    case OF_MANY_SIZES:
      return ldexp (fraction, (int) (bits & 127) - 64);
    case OF_ALL_SIZES:
      return ldexp (fraction, (int) (bits & 2047) - 1024);
    case TINY:
      return ldexp (fraction, -1060 + (int) (bits & 31));
    case WHOLE:
      return (double) (bits >> 60);
    default: /* what comes next takes it off again */
      return i % 2 ? -before * (bits & 1 ? 1 : 1 + DBL_EPSILON)
                   : ldexp (fraction, (int) (bits & 255));
    }
}

TEST (random_data)
{
  static const size_t lengths[] = {2, 3, 4, 5, 7, 8, 13, 16, 17, 31, 64, 100,
                                   600};
  static double x[600], y[600];
  uint64_t seed = 1;
  char what[40];

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  for (int kind = 0; kind < N_KINDS; kind++)
    for (size_t k = 0; k < N_OF (lengths); k++)
      for (size_t repeat = 0; repeat < 400 / lengths[k] + 1; repeat++)
        {
          const size_t n = lengths[k];

          for (size_t i = 0; i < n; i++)
            {
              x[i] = datum ((enum kind) kind, &seed, i ? x[i - 1] : 1, i);
              y[i] = datum ((enum kind) kind, &seed, i ? y[i - 1] : 1, i);
            }
          snprintf (what, sizeof what, "data %d", kind);
          all (x, y, n, repeat % 2 ? x[0] : gsltune_stats_mean (x, 1, n),
               what);
        }
}

/* Squares that overflow, that underflow, that all but cancel; halfway cases.  */
TEST (told_data)
{
  static const double cases[][4] = {
    {1e16, 1, -1e16},
    {1, 1e100, 1, -1e100},
    {DBL_MAX, DBL_MAX},
    {DBL_MAX, -DBL_MAX},
    {DBL_MAX, DBL_MAX, -DBL_MAX, 1},
    {DBL_TRUE_MIN, 0},
    {DBL_TRUE_MIN, DBL_TRUE_MIN, 3 * DBL_TRUE_MIN},
    {1e-200, 2e-200, 4e-200},
    {0x1p53, 0x1p27, 1},
    {0x1p53, 0x1p27, 1, DBL_TRUE_MIN},
    {1 + DBL_EPSILON, 1, 1 - DBL_EPSILON},
    {1e8 + 1, 1e8 + 2, 1e8 + 3},
    {1e300, 1, 2, 3},
    {-0.0, 0.0},
    {5, 5, 5}};

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  for (size_t i = 0; i < N_OF (cases); i++)
    for (size_t n = 2; n <= 4; n++)
      {
        char what[40];

        snprintf (what, sizeof what, "case %zu", i);
        all (cases[i], cases[(i + 1) % N_OF (cases)], n, cases[i][1], what);
      }
}

/* Floats: to float where the function gives one.  */
TEST (floats)
{
  uint64_t seed = 3;
  double x[40], y[40];
  float f[40], g[40];

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  for (size_t repeat = 0; repeat < 400; repeat++)
    {
      const size_t n = 2 + repeat % 39;
      const gsl_vector_float v = {n, 1, f, NULL, 0}, w = {n, 1, g, NULL, 0};
      const float alpha = (float) ldexp (1.5, (int) (seed % 100) - 50);
      float single;
      double dot;

      for (size_t i = 0; i < n; i++)
        {
          const int size = repeat % 2 ? 100 : 4;

          x[i] = f[i] = (float) ldexp (datum (NEAR_A_THOUSAND, &seed, 0, i),
                                       (int) (seed % (unsigned) size));
          y[i] = g[i] = (float) (i % 2 ? -y[i - 1]
                                       : datum (OF_MANY_SIZES, &seed, 0, i));
        }
      take_sums (x, y, n);
      gsltune_blas_dsdot (&v, &w, &dot);
      check ("dsdot", dot, sum[P], n, "floats");
      gsltune_blas_sdot (&v, &w, &single);
      assert_true (single == mpfr_get_flt (sum[P], MPFR_RNDN));
      gsltune_blas_sdsdot (alpha, &v, &w, &single);
      mpfr_add_d (b, sum[P], alpha, MPFR_RNDN);
      assert_true (single == mpfr_get_flt (b, MPFR_RNDN));
      mpfr_sqrt (b, sum[Q], MPFR_RNDN);
      assert_true (gsltune_blas_snrm2 (&v) == mpfr_get_flt (b, MPFR_RNDN));
      mpfr_div_ui (b, sum[S], n, MPFR_RNDN);
      check ("float mean", gsltune_stats_float_mean (f, 1, n), b, n, "floats");
      centre (a, sum[Q], sum[S], sum[S], n);
      mpfr_div_ui (b, a, n - 1, MPFR_RNDN);
      check ("float variance", gsltune_stats_float_variance (f, 1, n), b, n,
             "floats");
    }
}

/* Integers of the whole range, whose squares have 128 bits.  */
TEST (integers)
{
  uint64_t seed = 5;
  long x[50];

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  for (size_t repeat = 0; repeat < 300; repeat++)
    {
      const size_t n = 2 + repeat % 49;

      mpfr_set_zero (sum[S], 1);
      mpfr_set_zero (sum[Q], 1);
      for (size_t i = 0; i < n; i++)
        {
          x[i] = repeat % 3 ? (long) random_word (&seed)
                            : i % 2 ? LONG_MAX - (long) i : LONG_MIN;
          mpfr_set_si (a, x[i], MPFR_RNDN);
          mpfr_add (sum[S], sum[S], a, MPFR_RNDN);
          mpfr_fma (sum[Q], a, a, sum[Q], MPFR_RNDN);
        }
      mpfr_div_ui (b, sum[S], n, MPFR_RNDN);
      check ("long mean", gsltune_stats_long_mean (x, 1, n), b, n, "longs");
      centre (a, sum[Q], sum[S], sum[S], n);
      check ("long tss", gsltune_stats_long_tss (x, 1, n), a, n, "longs");
      mpfr_div_ui (b, a, n - 1, MPFR_RNDN);
      check ("long variance", gsltune_stats_long_variance (x, 1, n), b, n,
             "longs");
      mpfr_sqrt (b, b, MPFR_RNDN);
      check ("long sd", gsltune_stats_long_sd (x, 1, n), b, n, "longs");
      check ("long correlation", gsltune_stats_long_correlation (x, 1, x, 1, n),
             (mpfr_set_ui (b, 1, MPFR_RNDN), b), n, "longs");
    }
}

/* Integers that doubles hold, about given means: what doubles have, in every mode and
   whatever the rounding.  */
TEST (ints_as_doubles)
{
  static const int roundings[] = {FE_TONEAREST, FE_UPWARD};
  uint64_t seed = 7;
  int x[300], y[300];
  double d[300], e[300];

  for (size_t repeat = 0; repeat < 1200; repeat++)
    {
      const size_t n = 2 + repeat % 299;
      double expected[4];

      for (size_t i = 0; i < n; i++)
        {
          x[i] = (int) random_word (&seed) >> (repeat % 3 * 12);
          y[i] = (int) random_word (&seed) >> 4;
          d[i] = x[i];
          e[i] = y[i];
        }
      gsltune_set_mode (GSLTUNE_MODE_EXACT);
      expected[0] = gsltune_stats_tss_m (d, 1, n, 0.1);
      expected[1] = gsltune_stats_sd_m (d, 1, n, 0.1);
      expected[2] = gsltune_stats_covariance_m (d, 1, e, 1, n, 0.1, -0.3);
      expected[3] = gsltune_stats_correlation (d, 1, e, 1, n);
      if (n > 16)
        gsltune_set_mode (repeat % 2 ? GSLTUNE_MODE_FAST : GSLTUNE_MODE_EXACT);
      fesetround (roundings[n > 16 && repeat / 2 % 2]);
      {
        const double is[4]
          = {gsltune_stats_int_tss_m (x, 1, n, 0.1),
             gsltune_stats_int_sd_m (x, 1, n, 0.1),
             gsltune_stats_int_covariance_m (x, 1, y, 1, n, 0.1, -0.3),
             gsltune_get_mode () == GSLTUNE_MODE_FAST
               ? expected[3] : gsltune_stats_int_correlation (x, 1, y, 1, n)};

        fesetround (FE_TONEAREST);
        for (int k = 0; k < 4; k++)
          if (is[k] != expected[k])
            fail_msg ("statistic %d of %zu ints: %a instead of %a", k, n, is[k],
                      expected[k]);
      }
    }
}

/* ------------------------------------------------------------------------- */

FIXTURE (begin)
{
  mpfr_set_emin (mpfr_get_emin_min ());
  for (int k = 0; k < N_SUMS; k++)
    mpfr_init2 (sum[k], BITS);
  mpfr_inits2 (BITS, a, b, c, (mpfr_ptr) NULL);
  return 0;
}

FIXTURE (end)
{
  for (int k = 0; k < N_SUMS; k++)
    mpfr_clear (sum[k]);
  mpfr_clears (a, b, c, (mpfr_ptr) NULL);
  mpfr_free_cache ();
  return 0;
}

int
main (void)
{
  gt_env.profile_dir = "/nonexistent";
  return run_unit_tests (begin, end);
}
