/* A module that handles the errors of its GSL itself, as a wheel of Python does.  With PART its
   GSL is tests/preload/within.c, for tests/test_preload.sh.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_sort_vector.h>
#include <gsl/gsl_statistics.h>

static int handled;

static void
handle (const char *reason, const char *file, int line, int code)
{
  (void) reason;
  (void) file;
  (void) line;
  handled += code == GSL_EBADLEN;
}

#ifndef PART
static double numbers[64 * 64];

static void
fail_elsewhere (void)
{
  gsl_vector_view v = gsl_vector_view_array (numbers, 40);
  gsl_matrix_view a = gsl_matrix_view_array (numbers, 64, 64);
  gsl_matrix_view b = gsl_matrix_view_array (numbers, 63, 64);
  size_t places[30];
  gsl_permutation p = {30, places};

  gsl_sort_vector_index (&p, &v.vector); /* ours may report it */
  gsl_blas_dgemm (CblasNoTrans, CblasNoTrans, 1, &a.matrix, &b.matrix, 0, &a.matrix);
  gsl_linalg_cholesky_svx (&a.matrix, &v.vector); /* GSL itself reports it */
}
#endif

/* Returns how many errors were handled here.  */
int
module_errors (void)
{
  double x[3] = {1, 2, 3}, product = 0;
  const gsl_vector a = {3, 1, x, NULL, 0}, b = {2, 1, x, NULL, 0};
  gsl_error_handler_t *const before = gsl_set_error_handler (handle);

  handled = 0;
  gsl_blas_ddot (&a, &b, &product);
#ifndef PART
  fail_elsewhere ();
#endif
  gsl_set_error_handler (before);
  return handled;
}

/* Returns the mean of 1 and 2 by GSL.  */
double
module_mean (void)
{
  const double x[2] = {1, 2};

  return gsl_stats_mean (x, 1, 2);
}
