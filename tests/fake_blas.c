/* A BLAS for tests/test_engines.sh that has dgemm, dgemv and dtrsm alone: GSL's, which it
   loads for itself.  Definitions make it one that gsltune should not take:
     LONG_INTEGERS   of integers of 64 bits
     NO_SETTING      whose threads cannot be set
     WRONG           whose dgemv forgets the last row
     NO_PRODUCTS     which has none
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <dlfcn.h>
#include <gsl/gsl_cblas.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef VERSION
#define VERSION "9.8.7"
#endif

const char *
openblas_get_config (void)
{
#ifdef LONG_INTEGERS
  return "OpenBLAS " VERSION " USE64BITINT MAX_THREADS=4";
#else
  return "OpenBLAS " VERSION " MAX_THREADS=4";
#endif
}

#ifndef NO_SETTING
void
openblas_set_num_threads (int n)
{
  if (getenv ("FAKE_BLAS_TELLS"))
    fprintf (stderr, "fake: threads %d\n", n);
}
#endif

#ifndef NO_PRODUCTS
static void *
of_gsl (const char *name)
{
  void *library = dlopen ("libgslcblas.so.0", RTLD_LAZY | RTLD_LOCAL);
  void *function = library ? dlsym (library, name) : NULL;

  if (function == NULL)
    abort ();
  return function;
}

static void
tell (const char *name)
{
  if (getenv ("FAKE_BLAS_TELLS"))
    fprintf (stderr, "fake: %s\n", name);
}

void
cblas_dgemm (enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE ta, enum CBLAS_TRANSPOSE tb, int m,
             int n, int k, double alpha, const double *a, int lda, const double *b, int ldb,
             double beta, double *c, int ldc)
{
  __typeof__ (cblas_dgemm) *dgemm = (__typeof__ (cblas_dgemm) *) of_gsl ("cblas_dgemm");

  tell ("dgemm");
  dgemm (order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

void
cblas_dgemv (enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE trans, int m, int n, double alpha,
             const double *a, int lda, const double *x, int incx, double beta, double *y,
             int incy)
{
  __typeof__ (cblas_dgemv) *dgemv = (__typeof__ (cblas_dgemv) *) of_gsl ("cblas_dgemv");

  tell ("dgemv");
#ifdef WRONG
  m -= m > 1 && trans == CblasNoTrans;
  n -= n > 1 && trans != CblasNoTrans;
#endif
  dgemv (order, trans, m, n, alpha, a, lda, x, incx, beta, y, incy);
}
#endif
