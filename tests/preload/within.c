/* A plug-in with a part of GSL within, which it shares: one that GSL was linked into, and
   with musl what stands for libgsl, for tests/test_preload.sh.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_statistics.h>

static gsl_error_handler_t *handler;

gsl_error_handler_t *
gsl_set_error_handler (gsl_error_handler_t *new_handler)
{
  gsl_error_handler_t *before = handler;

  handler = new_handler;
  return before;
}

double
gsl_stats_mean (const double data[], const size_t stride, const size_t n)
{
  (void) data;
  (void) stride;
  (void) n;
  return 0.33331298828125;
}

int
gsl_blas_ddot (const gsl_vector *x, const gsl_vector *y, double *result)
{
  *result = 0;
  if (x->size == y->size)
    return GSL_SUCCESS;
  handler ("invalid length", __FILE__, __LINE__, GSL_EBADLEN);
  return GSL_EBADLEN;
}
