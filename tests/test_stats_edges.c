/* Tests of products and statistics at the edges, in every mode: special values,
   errors, what overflows, underflows or cancels, the caller's floating-point
   environment, and the number of threads.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_statistics.h>

#include "tests/unit.h"

#include "src/base/env.h"
#include "src/gsltune.h"
#include "tests/exact.h"
#include "tests/handler.h"

/* Few elements have a way of their own, many the kernels', and of still more several
   threads compute.  */
static const size_t lengths[] = {2, 3, 5, 16, 17, 50, 1000, 30000};
#define MOST 400000
static double x[MOST], y[MOST];

static gsl_vector
view (double *data, size_t n)
{
  return (gsl_vector) {n, 1, data, NULL, 0};
}

static void
fill (size_t n, double value)
{
  for (size_t i = 0; i < n; i++)
    x[i] = value;
}

/* Of -0 alone the mean is 0, as GSL's is.  */
TEST (means_of_zeros)
{
  fill (MOST, -0.0);
  for (int mode = 0; mode < GT_N_MODES; mode++)
    for (size_t k = 0; k < N_OF (lengths); k++)
      for (size_t stride = 1; stride < 3; stride++)
        {
          gsltune_set_mode ((gsltune_mode) mode);
          assert_false (signbit (gsl_stats_mean (x, stride, lengths[k])));
          assert_false (signbit (gsltune_stats_mean (x, stride, lengths[k])));
        }
}

/* Quotients that GSL divides by 0: infinite unless there is nothing to divide.  */
TEST (one_element)
{
  static const double elements[] = {0, 1, -2.5, 0x1p-1074, 0x1p1023};
  const double w = 2;

  for (int mode = 0; mode < GT_N_MODES; mode++)
    for (size_t k = 0; k < N_OF (elements); k++)
      {
        const double a = elements[k], b = a == 0 ? 1 : 0, no_number = NAN;
        const float f = (float) k;
        const int i = (int) k;

        gsltune_set_mode ((gsltune_mode) mode);
        assert_true (gsltune_stats_variance_m (&a, 1, 1, b) == INFINITY);
        assert_true (gsltune_stats_sd_m (&a, 1, 1, b) == INFINITY);
        assert_true (isnan (gsltune_stats_variance_m (&a, 1, 1, a)));
        assert_true (isnan (gsltune_stats_sd_m (&a, 1, 1, a)));
        assert_true (isnan (gsltune_stats_sd_m (&a, 1, 1, NAN)));
        assert_true (isnan (gsltune_stats_sd_m (&no_number, 1, 1, b)));
        assert_true (gsltune_stats_float_variance_m (&f, 1, 1, -1) == INFINITY);
        assert_true (isnan (gsltune_stats_float_variance_m (&f, 1, 1, f)));
        assert_true (gsltune_stats_int_sd_m (&i, 1, 1, 0.5) == INFINITY);
        assert_true (isnan (gsltune_stats_int_sd_m (&i, 1, 1, i)));
        assert_true (gsltune_stats_covariance_m (&a, 1, &w, 1, 1, b, 3)
                     == (a > b ? -INFINITY : INFINITY));
        assert_true (isnan (gsltune_stats_covariance_m (&a, 1, &w, 1, 1, b, 2)));
        assert_true (isnan (gsltune_stats_wvariance (&w, 1, &a, 1, 1)));
        assert_true (isnan (gsltune_stats_wsd (&w, 1, &a, 1, 1)));
      }
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
}

TEST (special_values)
{
  for (int mode = 0; mode < GT_N_MODES; mode++)
    for (size_t k = 0; k < N_OF (lengths); k++)
      {
        const size_t n = lengths[k];
        gsl_vector v = view (x, n);
        double dot;

        gsltune_set_mode ((gsltune_mode) mode);
        fill (n, 1);
        x[n - 1] = INFINITY;
        assert_true (gsltune_stats_mean (x, 1, n) == INFINITY);
        assert_true (isnan (gsltune_stats_variance (x, 1, n)));
        assert_true (isnan (gsltune_stats_skew (x, 1, n)));
        assert_true (isnan (gsltune_stats_covariance (x, 1, x, 1, n)));
        assert_true (isnan (gsltune_stats_correlation (x, 1, x, 1, n)));
        assert_true (isnan (gsltune_stats_lag1_autocorrelation (x, 1, n)));
        assert_true (gsltune_stats_tss_m (x, 1, n, 0) == INFINITY);
        assert_true (gsltune_blas_dnrm2 (&v) == INFINITY);
        x[0] = -INFINITY;
        assert_true (isnan (gsltune_stats_mean (x, 1, n)));
        assert_true (gsltune_blas_dnrm2 (&v) == INFINITY);
        gsltune_blas_ddot (&v, &v, &dot);
        assert_true (dot == INFINITY);
        y[0] = 0;
        gsltune_blas_ddot (&v, &(gsl_vector) {n, 0, y, NULL, 0}, &dot);
        assert_true (isnan (dot));
        x[0] = NAN;
        assert_true (isnan (gsltune_stats_mean (x, 1, n)));
        assert_true (isnan (gsltune_stats_tss (x, 1, n)));
        assert_true (isnan (gsltune_stats_tss_m (x, 1, n, 0)));
        assert_true (isnan (gsltune_stats_absdev (x, 1, n)));
        assert_true (isnan (gsltune_stats_kurtosis (x, 1, n)));
        assert_true (isnan (gsltune_stats_wmean (y, 0, x, 1, 1))
                     || y[0] == 0);
        assert_true (isnan (gsltune_blas_dnrm2 (&v)));
      }
}

/* A result far from overflow must not overflow, nor underflow, on the way.  */
TEST (range)
{
  for (int mode = 0; mode < GT_N_MODES; mode++)
    for (size_t k = 0; k < N_OF (lengths); k++)
      {
        const size_t n = lengths[k];
        const double root = sqrt ((double) n);
        gsl_vector v = view (x, n);

        gsltune_set_mode ((gsltune_mode) mode);
        fill (n, DBL_MAX);
        assert_true (gsltune_stats_mean (x, 1, n) == DBL_MAX);
        assert_true (gsltune_stats_tss (x, 1, n) == 0);
        assert_true (gsltune_blas_dnrm2 (&v) == INFINITY);
        fill (n, -0.0);
        assert_true (gsltune_stats_mean (x, 1, n) == 0
                     && !signbit (gsltune_stats_mean (x, 1, n)));
        for (int sign = -1; sign <= 1; sign += 2)
          {
            const double size = sign < 0 ? 0x1p-600 : 0x1p600, big = 3 * size;
            double sd;

            fill (n, size);
            x[n / 2] = big;
            assert_true (fabs (gsltune_blas_dnrm2 (&v) / size
                               - sqrt ((double) n + 8))
                         < 1e-13 * root);
            sd = gsltune_stats_sd (x, 1, n);
            assert_true (fabs (sd / size - 2 / root) < 1e-13 * sd / size);
            assert_true (fabs (gsltune_stats_sd_m (x, 1, n, size) / size
                               - 2 / sqrt ((double) n - 1))
                         < 1e-12);
            assert_true (fabs (gsltune_stats_absdev (x, 1, n) / size
                               - 4 * (double) (n - 1) / (double) n / (double) n)
                         < 1e-12);
            assert_true (gsltune_stats_correlation (x, 1, x, 1, n) > 1 - 1e-12);
            assert_true (gsltune_stats_correlation (x, 1, x, 1, n) < 1 + 1e-12);
            assert_true (isfinite (gsltune_stats_skew (x, 1, n)));
            if (n > 2)
              assert_true (fabs (gsltune_stats_lag1_autocorrelation (x, 1, n))
                           <= 1);
          }
      }
}

/* The error of fast mode is within what src/gsltune.h states, wherever the mean lies
   and whatever the first element is.  */
TEST (cancellation)
{
  static const double offsets[] = {0, 1, 1e4, 1e8, 1e12, 1e15, -1e15};
  static const double firsts[] = {0, 1, 1e6, 1e15};

  for (size_t o = 0; o < N_OF (offsets); o++)
    for (size_t f = 0; f < N_OF (firsts); f++)
      for (size_t k = 0; k < N_OF (lengths); k++)
        {
          const size_t n = lengths[k];
          const double bound
            = 48 * ((double) n + 3) * (DBL_EPSILON / 2);
          uint64_t seed = n;
          double exact, fast, sd;

          for (size_t i = 0; i < n; i++)
            {
              x[i] = offsets[o] + (double) (random_word (&seed) >> 60);
              y[i] = offsets[o] + x[i] + (double) (random_word (&seed) >> 61);
            }
          x[0] = offsets[o] + firsts[f];
          gsltune_set_mode (GSLTUNE_MODE_EXACT);
          exact = gsltune_stats_variance (x, 1, n);
          for (int mode = 0; mode < GT_N_MODES; mode++)
            {
              gsltune_set_mode ((gsltune_mode) mode);
              fast = gsltune_stats_variance (x, 1, n);
              sd = gsltune_stats_sd (x, 1, n);
              if (!(fabs (fast - exact) <= bound * exact)
                  || !(fabs (sd * sd - exact) <= 2 * bound * exact))
                fail_msg ("variance of %zu near %g, the first %g further: %.17g"
                          " instead of %.17g", n, offsets[o], firsts[f], fast,
                          exact);
            }
          gsltune_set_mode (GSLTUNE_MODE_EXACT);
          exact = gsltune_stats_correlation (x, 1, y, 1, n);
          gsltune_set_mode (GSLTUNE_MODE_FAST);
          fast = gsltune_stats_correlation (x, 1, y, 1, n);
          if (!(isnan (exact) && isnan (fast))
              && !(fabs (fast - exact) <= 2 * bound))
            fail_msg ("correlation of %zu near %g, the first %g further: %.17g"
                      " instead of %.17g", n, offsets[o], firsts[f], fast,
                      exact);
        }
}

/* Rounding makes no correlation of more than 1 of nearly equal samples.  */
TEST (correlations_up_to_1)
{
  static float f[300], g[300];
  static long double u[300], v[300];

  for (int mode = 0; mode < GT_N_MODES; mode++)
    for (uint64_t seed = 1; seed < 3000; seed++)
      {
        uint64_t some = seed;
        const size_t n = 2 + seed % 298;
        const double sign = seed & 1 ? 1 : -1;

        for (size_t i = 0; i < n; i++)
          {
            x[i] = (double) (random_word (&some) >> 11) * 0x1p-53;
            y[i] = sign * x[i] * (seed & 2 ? 1 : 3) + (double) (random_word (&some) >> 62) * 0x1p-53;
            u[i] = x[i];
            v[i] = y[i];
            f[i] = (float) x[i];
            g[i] = (float) y[i];
          }
        gsltune_set_mode ((gsltune_mode) mode);
        assert_true (fabs (gsltune_stats_correlation (x, 1, y, 1, n)) <= 1);
        assert_true (fabs (gsltune_stats_float_correlation (f, 1, g, 1, n)) <= 1);
        assert_true (fabs (gsltune_stats_long_double_correlation (u, 1, v, 1, n)) <= 1);
      }
}

/* Of many elements far from the first one a single pass about that loses as many digits
   as there are in their number; a second one about the mean loses none.  */
TEST (far_from_the_first)
{
  static const size_t many[] = {10000, 100000, MOST};

  for (size_t k = 0; k < N_OF (many); k++)
    {
      uint64_t seed = k;
      double exact, fast;

      for (size_t i = 0; i < many[k]; i++)
        x[i] = (double) (random_word (&seed) >> 11) * 0x1p-53;
      x[0] = 1e8;
      gsltune_set_mode (GSLTUNE_MODE_EXACT);
      exact = gsltune_stats_variance (x, 1, many[k]);
      gsltune_set_mode (GSLTUNE_MODE_FAST);
      fast = gsltune_stats_variance (x, 1, many[k]);
      if (!(fabs (fast - exact) <= 1e-13 * exact))
        fail_msg ("variance of %zu, the first far from the others: %.17g instead of"
                  " %.17g", many[k], fast, exact);
    }
}

TEST (errors)
{
  float f[3] = {1, 2, 3}, single = 7;
  const gsl_vector three = view (x, 3), two = view (x, 2), none = view (x, 0);
  const gsl_vector_float f3 = {3, 1, f, NULL, 0}, f2 = {2, 1, f, NULL, 0};
  const gsl_vector_float f0 = {0, 1, f, NULL, 0};
  gsl_error_handler_t *before = gsl_set_error_handler (note_error);
  double dot = 7;

  for (int mode = 0; mode < GT_N_MODES; mode++)
    {
      gsltune_set_mode ((gsltune_mode) mode);
      handler_calls = handler_code = 0;
      assert_int_equal (gsltune_blas_ddot (&three, &two, &dot), GSL_EBADLEN);
      assert_int_equal (gsltune_blas_dsdot (&f3, &f2, &dot), GSL_EBADLEN);
      assert_int_equal (gsltune_blas_sdot (&f2, &f3, &single), GSL_EBADLEN);
      assert_int_equal (gsltune_blas_sdsdot (1, &f2, &f3, &single),
                        GSL_EBADLEN);
      assert_true (dot == 7 && single == 7);
      assert_int_equal (handler_calls, 4);
      assert_int_equal (handler_code, GSL_EBADLEN);
      assert_int_equal (gsltune_blas_sdsdot (7, &f0, &f0, &single), 0);
      assert_int_equal (gsltune_blas_ddot (&none, &none, &dot), 0);
      assert_true (single == 7 && dot == 0);
      dot = 7;
      assert_true (gsltune_blas_dnrm2 (&none) == 0);
      assert_int_equal (handler_calls, 4);
    }
  gsl_set_error_handler (before);
}

/* GSL multiplies weights that are not positive by nothing: it passes them over.  */
TEST (weights)
{
  for (int mode = 0; mode < GT_N_MODES; mode++)
    for (size_t k = 0; k < N_OF (lengths); k++)
      {
        const size_t n = lengths[k];

        gsltune_set_mode ((gsltune_mode) mode);
        for (size_t i = 0; i < n; i++)
          {
            x[i] = i % 2 ? -1 : i % 4 ? 0 : NAN;
            y[i] = NAN;
          }
        assert_true (gsltune_stats_wmean (x, 1, y, 1, n) == 0);
        assert_true (gsltune_stats_wtss (x, 1, y, 1, n) == 0);
        assert_true (gsltune_stats_wabsdev_m (x, 1, y, 1, n, 1) == 0);
        assert_true (isnan (gsltune_stats_wvariance (x, 1, y, 1, n)));
        assert_true (gsltune_stats_wkurtosis_m_sd (x, 1, y, 1, n, 1, 1) == -3);
        x[n / 2] = 3;
        y[n / 2] = 5;
        assert_true (gsltune_stats_wmean (x, 1, y, 1, n) == 5);
        assert_true (gsltune_stats_wtss_m (x, 1, y, 1, n, 4) == 3);
        assert_true (isnan (gsltune_stats_wsd (x, 1, y, 1, n)));
        assert_true (gsltune_stats_wsd_with_fixed_mean (x, 1, y, 1, n, 7) == 2);
        assert_true (gsltune_stats_wskew_m_sd (x, 1, y, 1, n, 4, 0.5) == 8);
      }
}

/* Weights that are too small for doubles count.  */
TEST (tiny_weights)
{
  static const long double w[] = {LDBL_MIN, 0, 3 * LDBL_MIN}, one[] = {1, 0, 3};
  static const long double data[] = {1, 7, 2};

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  assert_true (gsltune_stats_long_double_wvariance (w, 1, data, 1, 3)
               == gsltune_stats_long_double_wvariance (one, 1, data, 1, 3));
  assert_true (gsltune_stats_long_double_wkurtosis (w, 1, data, 1, 3)
               == gsltune_stats_long_double_wkurtosis (one, 1, data, 1, 3));
}

/* Of two elements, 0 and 1, with whatever weights the unbiased variance is 1/2.  */
TEST (outweighed)
{
  static const double y2[] = {0, 1, 0};
  static const float f2[] = {0, 1, 0};

  for (int mode = 0; mode < GT_N_MODES; mode++)
    for (double w = 1; w > 0x1p-140; w /= 3)
      {
        const double weights[] = {1, w, -1};
        const float weights_f[] = {1, (float) w, -1};

        gsltune_set_mode ((gsltune_mode) mode);
        for (size_t n = 2; n < 4; n++)
          {
            assert_true (fabs (gsltune_stats_wvariance (weights, 1, y2, 1, n) - 0.5)
                         < 12 * DBL_EPSILON);
            assert_true (fabs (gsltune_stats_float_wvariance (weights_f, 1, f2, 1, n) - 0.5)
                         < 12 * DBL_EPSILON);
          }
      }
}

/* One weight counts: a variance is divided by 0, as GSL's is, which is infinite unless there is
   nothing to divide.  */
TEST (one_weight)
{
  for (int mode = 0; mode < GT_N_MODES; mode++)
    for (size_t n = 1; n < 6; n++)
      for (size_t at = 0; at < n; at++)
        {
          double w[5], d[5];
          float w_f[5], f[5];

          gsltune_set_mode ((gsltune_mode) mode);
          for (size_t i = 0; i < n; i++)
            {
              w[i] = w_f[i] = i == at ? 0.25f : -(float) (i % 2);
              d[i] = f[i] = (float) i + 1;
            }
          for (int same = 0; same < 2; same++)
            {
              const double mean = same ? d[at] : 0.5;
              const double is[]
                = {gsltune_stats_wvariance_m (w, 1, d, 1, n, mean),
                   gsltune_stats_wsd_m (w, 1, d, 1, n, mean),
                   gsltune_stats_float_wvariance_m (w_f, 1, f, 1, n, mean),
                   gsltune_stats_float_wsd_m (w_f, 1, f, 1, n, mean)};

              for (size_t k = 0; k < N_OF (is); k++)
                assert_true (same ? isnan (is[k]) : is[k] == INFINITY);
              assert_true (isnan (gsl_stats_wsd_m (w, 1, d, 1, n, mean)) == same);
            }
          assert_true (isnan (gsltune_stats_float_wvariance (w_f, 1, f, 1, n)));
          assert_true (isnan (gsltune_stats_wkurtosis (w, 1, d, 1, n)));
          assert_true (isnan (gsltune_stats_float_wskew (w_f, 1, f, 1, n)));
          assert_true (isnan (gsltune_stats_float_wkurtosis (w_f, 1, f, 1, n)));
        }
}

/* The same of many elements that are equal; where two weights count nothing is divided by 0.  */
TEST (weights_of_equals)
{
  for (int mode = 0; mode < GT_N_MODES; mode++)
    for (size_t counted = 1; counted < 3; counted++)
      {
        double w[100] = {0}, d[100];

        gsltune_set_mode ((gsltune_mode) mode);
        w[7] = 0.25;
        w[90] = counted == 2;
        for (size_t i = 0; i < 100; i++)
          d[i] = 0.1;
        const double is[] = {gsltune_stats_wvariance (w, 1, d, 1, 100),
                             gsltune_stats_wvariance_m (w, 1, d, 1, 100, 0.1),
                             gsltune_stats_wsd_m (w, 1, d, 1, 100, 0.1)};

        for (size_t k = 0; k < N_OF (is); k++)
          assert_true (counted == 1 ? isnan (is[k]) : is[k] == 0);
        assert_true (gsltune_stats_wkurtosis_m_sd (w, 1, d, 1, 100, 0.1, 2) == -3);
        assert_true (gsltune_stats_wabsdev_m (w, 1, d, 1, 100, 0.1) == 0);
      }
}

/* A given mean may be far beyond the range of floats, and its powers beyond that of
   doubles.  */
TEST (given_beyond_floats)
{
  static const float zeros[] = {0, 0}, ones[] = {1, 1};
  static const double far[] = {0, 0};
  static const int none[] = {0, 0};
  static const double means[]
    = {0x1p-1000, 0x1p-600, -0x1p-200, 0x1p-60, 0x1p200, -0x1p800, 0x1p1023};

  for (int mode = 0; mode < GT_N_MODES; mode++)
    for (size_t k = 0; k < N_OF (means); k++)
      {
        const double mean = means[k], size = fabs (mean);

        gsltune_set_mode ((gsltune_mode) mode);
        for (size_t n = 1; n < 3; n++)
          {
            assert_true (gsltune_stats_float_sd_with_fixed_mean (zeros, 1, n, mean) == size);
            assert_true (gsltune_stats_float_wsd_with_fixed_mean (ones, 1, zeros, 1, n, mean)
                         == size);
            assert_true (gsltune_stats_float_absdev_m (zeros, 1, n, mean) == size);
            assert_true (gsltune_stats_int_absdev_m (none, 1, n, mean) == size);
            assert_true (gsltune_stats_absdev_m (far, 1, n, mean) == size);
            assert_true (gsltune_stats_float_skew_m_sd (zeros, 1, n, mean, -mean) == 1);
            assert_true (gsltune_stats_float_wkurtosis_m_sd (ones, 1, zeros, 1, n, mean, mean)
                         == -2);
            assert_true (gsltune_stats_float_lag1_autocorrelation_m (zeros, 1, n, mean)
                         == (double) (n - 1) / (double) n);
          }
      }
}

/* Standard deviations that have no reciprocal of full precision.  */
TEST (no_reciprocal)
{
  static const double sds[] = {0x1p-1030, 0x1p1023, -0x1p1023, DBL_TRUE_MIN};

  for (int mode = 0; mode < GT_N_MODES; mode++)
    for (size_t k = 0; k < N_OF (lengths); k++)
      for (size_t i = 0; i < N_OF (sds); i++)
        {
          const size_t n = lengths[k];

          gsltune_set_mode ((gsltune_mode) mode);
          fill (n, 0);
          assert_true (gsltune_stats_skew_m_sd (x, 1, n, sds[i], sds[i]) == -1);
          assert_true (gsltune_stats_kurtosis_m_sd (x, 1, n, sds[i], sds[i])
                       == -2);
        }
}

/* -------------------------------------------- Environment and threads */

static void
make_data (size_t n)
{
  uint64_t seed = 9;

  for (size_t i = 0; i < n; i++)
    {
      x[i] = ldexp ((double) (random_word (&seed) >> 20), -20 - (int) (i % 60));
      y[i] = x[i] / 3 + (double) (random_word (&seed) >> 60);
    }
}

/* The bits of all statistics of N elements.  */
static uint64_t
bits_of (size_t n)
{
  uint64_t hash = 0;
  const gsl_vector v = view (x, n), w = view (y, n);
  double result[12];

  result[0] = gsltune_stats_mean (x, 1, n);
  result[1] = gsltune_stats_variance (x, 1, n);
  result[2] = gsltune_stats_absdev (x, 1, n);
  result[3] = gsltune_stats_skew (x, 1, n);
  result[4] = gsltune_stats_kurtosis (x, 1, n);
  result[5] = gsltune_stats_lag1_autocorrelation (x, 1, n);
  result[6] = gsltune_stats_covariance (x, 1, y, 1, n);
  result[7] = gsltune_stats_correlation (x, 1, y, 1, n);
  result[8] = gsltune_stats_wsd (x, 1, y, 1, n);
  result[9] = gsltune_stats_wskew (x, 1, y, 1, n);
  result[10] = gsltune_blas_dnrm2 (&v);
  gsltune_blas_ddot (&v, &w, &result[11]);
  for (size_t i = 0; i < N_OF (result); i++)
    {
      uint64_t bits;

      memcpy (&bits, &result[i], sizeof bits);
      hash = hash * 0x9e3779b97f4a7c15 + bits;
    }
  return hash;
}

TEST (callers_environment)
{
  static const int roundings[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  for (size_t k = 0; k < N_OF (lengths); k++)
    {
      uint64_t bits;

      make_data (lengths[k]);
      bits = bits_of (lengths[k]);
      for (size_t r = 0; r < N_OF (roundings); r++)
        {
          uint64_t others;

          fesetround (roundings[r]);
          others = bits_of (lengths[k]);
          assert_int_equal (fegetround (), roundings[r]);
          fesetround (FE_TONEAREST);
          assert_true (others == bits);
        }
    }
}

static const char *self;

/* In programs of their own, which plan for so many threads.  */
TEST (threads)
{
  unsigned long long bits, first = 0;

  for (int count = 1; count <= 4; count++)
    {
      char command[2000];
      FILE *pipe;

      snprintf (command, sizeof command, "GSLTUNE_THREADS=%d '%s' bits", count,
                self);
      pipe = popen (command, "r");
      assert_non_null (pipe);
      assert_int_equal (fscanf (pipe, "%llx", &bits), 1);
      assert_int_equal (pclose (pipe), 0);
      first = count == 1 ? bits : first;
      assert_true (bits == first);
    }
}

int
main (int argc, char **argv)
{
  gt_env.profile_dir = "/nonexistent";
  self = argv[0];
  if (argc > 1)
    {
      gsltune_set_mode (GSLTUNE_MODE_EXACT);
      make_data (MOST);
      printf ("%llx\n", (unsigned long long) bits_of (MOST));
      return 0;
    }
  return run_unit_tests (NULL, NULL);
}
