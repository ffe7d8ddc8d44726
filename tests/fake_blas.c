/* A BLAS for tests/test_engines.sh that has dgemm and dgemv alone: GSL's, which it
   loads for itself; and of LAPACK dpotrf, and a dgesdd that fails.  Definitions make it one that gsltune should not take:
     LONG_INTEGERS   of integers of 64 bits
     NO_SETTING      whose threads cannot be set
     WRONG           whose dgemv forgets the last row
     NO_PRODUCTS     which has none
     CRASHES         whose dgemm crashes
     HANGS           whose dgemm does not return
     CRASHES_LOADED  which crashes when it is loaded
     CORE            which computes for this processor, unless OPENBLAS_CORETYPE is set
     CORE_CRASHES    and whose dgemm crashes if that is set
   or another one:
     OWN_THREADS     which computes by a thread of its own
     MKL, BLIS       with the functions by which these are set, MKL as the number says:
                     1 as wanted, 2 for integers of 64 bits, 3 for threads alone
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <dlfcn.h>
#include <gsl/gsl_cblas.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef VERSION
#define VERSION "9.8.7"
#endif

#ifdef CRASHES_LOADED
static void __attribute__ ((constructor))
crash (void)
{
  abort ();
}
#endif

#ifdef MKL
int
MKL_Set_Interface_Layer (int layer)
{
  return MKL == 2 ? 1 : layer;
}

int
MKL_Set_Threading_Layer (int layer)
{
  return MKL == 3 ? 0 : layer;
}

void
MKL_Get_Version_String (char *text, int size)
{
  snprintf (text, (size_t) size, "Made up oneMKL Version 2024.2-Product Build 1");
}
#endif

#ifdef BLIS
void
bli_thread_set_num_threads (long n)
{
  if (n != 1)
    abort ();
}

long
bli_info_get_blas_int_type_size (void)
{
  return BLIS;
}

const char *
bli_info_get_version_str (void)
{
  return "0.9.1";
}
#endif

const char *
openblas_get_config (void)
{
#ifdef LONG_INTEGERS
  return "OpenBLAS " VERSION " USE64BITINT MAX_THREADS=4";
#else
  return "OpenBLAS " VERSION " DYNAMIC_ARCH MAX_THREADS=4";
#endif
}

#ifdef CORE
const char *
openblas_get_corename (void)
{
  const char *core = getenv ("OPENBLAS_CORETYPE");

  return core && *core ? core : CORE;
}
#endif

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

#ifdef OWN_THREADS
struct call
{
  __typeof__ (cblas_dgemm) *dgemm;
  enum CBLAS_ORDER order;
  enum CBLAS_TRANSPOSE ta, tb;
  int m, n, k;
  double alpha;
  const double *a;
  int lda;
  const double *b;
  int ldb;
  double beta;
  double *c;
  int ldc;
};

static void *
compute (void *closure)
{
  const struct call *d = closure;

  d->dgemm (d->order, d->ta, d->tb, d->m, d->n, d->k, d->alpha, d->a, d->lda, d->b, d->ldb,
            d->beta, d->c, d->ldc);
  return NULL;
}
#endif

void
cblas_dgemm (enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE ta, enum CBLAS_TRANSPOSE tb, int m,
             int n, int k, double alpha, const double *a, int lda, const double *b, int ldb,
             double beta, double *c, int ldc)
{
  __typeof__ (cblas_dgemm) *dgemm = (__typeof__ (cblas_dgemm) *) of_gsl ("cblas_dgemm");

  tell ("dgemm");
#ifdef CRASHES
  abort ();
#endif
#ifdef CORE_CRASHES
  if (getenv ("OPENBLAS_CORETYPE") && *getenv ("OPENBLAS_CORETYPE"))
    abort ();
#endif
#ifdef HANGS
  for (;;)
    pause ();
#endif
#ifdef OWN_THREADS
  struct call call = {dgemm, order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc};
  pthread_t thread;

  if (pthread_create (&thread, NULL, compute, &call) || pthread_join (thread, NULL))
    abort ();
#else
  dgemm (order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
#endif
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

/* Of the lower triangle, by columns.  */
void dpotrf_ (const char *, const int *, double *, const int *, int *, size_t);
void
dpotrf_ (const char *uplo, const int *n, double *a, const int *lda, int *info, size_t length)
{
  tell ("dpotrf");
  *info = *uplo == 'L' && length == 1 ? 0 : -1;
  for (int j = 0; j < *n && *info == 0; j++)
    {
      double *const column = a + j * *lda;

      if (column[j] <= 0)
        *info = j + 1;
      for (int i = *n - 1; i >= j; i--)
        column[i] /= sqrt (column[j]);
      for (int k = j + 1; k < *n; k++)
        for (int i = k; i < *n; i++)
          a[k * *lda + i] -= column[i] * column[k];
    }
}

/* Leaves garbage.  */
void dgesdd_ (const char *, const int *, const int *, double *, const int *, double *, double *,
              const int *, double *, const int *, double *, const int *, int *, int *, size_t);
void
dgesdd_ (const char *job, const int *m, const int *n, double *a, const int *lda, double *s,
         double *u, const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork,
         int *iwork, int *info, size_t length)
{
  tell ("dgesdd");
  *info = *job == 'S' && length == 1 ? 1 : -1;
  for (int k = 0; k < *n; k++)
    a[k] = s[k] = u[k] = vt[k] = work[k] = iwork[k] = *m + *lda + *ldu + *ldvt + *lwork;
}
#endif
