/* Tests of products and statistics at the edges, in every mode: what all but cancels in many
   elements, last blocks, and errors.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/unit.h"

#include "src/base/env.h"
#include "src/gsltune.h"
#include "tests/exact.h"
#include "tests/handler.h"

#define MOST 400000
static double x[MOST];

static gsl_vector
view (double *data, size_t n)
{
  return (gsl_vector) {n, 1, data, NULL, 0};
}

/* Rounding makes no correlation of more than 1 of nearly equal samples.  */
TEST (correlations_up_to_1)
{
  static float f[300], g[300];
  static long double u[300], v[300];
  static double y[300];

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

/* Squares that underflow count, if there are many.  */
TEST (near_a_mean)
{
  static const float zeros[1000];

  for (int mode = 0; mode < GT_N_MODES; mode++)
    {
      gsltune_set_mode ((gsltune_mode) mode);
      assert_true (gsltune_stats_float_tss_m (zeros, 1, 1000, 0x1p-538) == 250 * DBL_TRUE_MIN);
    }
}

/* A last block of a few elements is not read beyond its end.  */
TEST (last_block)
{
  const size_t page = (size_t) sysconf (_SC_PAGESIZE), bytes = (size_t) 1 << 20;
  char *const memory = mmap (NULL, bytes + page, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  double *const end = (double *) (void *) (memory + bytes);

  assert_true (memory != MAP_FAILED && mprotect (end, page, PROT_NONE) == 0);
  for (size_t n = ((size_t) 1 << 16) + 1; n < ((size_t) 1 << 16) + 8; n++)
    {
      double *const last = end - n, fast, exact;

      for (size_t i = 0; i < n; i++)
        last[i] = (double) (i * 7919 % 1000);
      gsltune_set_mode (GSLTUNE_MODE_FAST);
      fast = gsltune_stats_variance (last, 1, n);
      gsltune_set_mode (GSLTUNE_MODE_EXACT);
      exact = gsltune_stats_variance (last, 1, n);
      assert_true (fabs (fast - exact) <= 4 * DBL_EPSILON * exact);
    }
  munmap (memory, bytes + page);
}

/* One element makes up all powers, and rounds what the others add to them.  */
TEST (one_great)
{
  double sample[600], fast, exact;

  for (size_t n = 20; n < N_OF (sample); n++)
    {
      for (size_t i = 0; i < n; i++)
        sample[i] = (i % 2 ? 1 : -1) * (1.05e-8 - 1e-10 * (double) (i % 7));
      sample[n / 3] = 1;
      gsltune_set_mode (GSLTUNE_MODE_EXACT);
      exact = gsltune_stats_kurtosis (sample, 1, n);
      gsltune_set_mode (GSLTUNE_MODE_FAST);
      fast = gsltune_stats_kurtosis (sample, 1, n);
      assert_true (fabs (fast - exact) <= 4 * DBL_EPSILON * exact);
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
      assert_int_equal (gsltune_blas_sdsdot (1, &f2, &f3, &single), GSL_EBADLEN);
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

int
main (void)
{
  gt_env.profile_dir = "/nonexistent";
  return run_unit_tests (NULL, NULL);
}
