/* Factorisations by LAPACK behind GSL's prototypes.

   Rows of GSL's matrices are LAPACK's columns, so a matrix is to LAPACK the transposed one.  General
   matrices are copied and transposed: LAPACK computes with tall ones much faster than with wide ones.
   GSL's own function is called if arguments do not fit, so that it reports the error; if a number
   is NaN, infinite or so large that GSL's and LAPACK's overflow may differ; if memory is short; and if
   LAPACK fails.  Its operands are then as the caller passed them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/fpenv.h"
#include "src/gsltune.h"
#include "src/matrix/factors.h"
#include "src/route/reduce.h"

/* LAPACK's functions, whose last arguments are the lengths of texts.  */
typedef const int *whole;
typedef void dpotrf (const char *uplo, whole n, double *a, whole lda, int *info, size_t);
typedef void dgeqrf (whole m, whole n, double *a, whole lda, double *tau, double *work,
                     whole lwork, int *info);
typedef void dlarft (const char *direct, const char *storev, whole n, whole k, const double *v,
                     whole ldv, const double *tau, double *t, whole ldt, size_t, size_t);
typedef void dgesdd (const char *job, whole m, whole n, double *a, whole lda, double *s, double *u,
                     whole ldu, double *vt, whole ldvt, double *work, whole lwork, int *iwork,
                     int *info, size_t);
typedef void dsyevd (const char *job, const char *uplo, whole n, double *a, whole lda, double *w,
                     double *work, whole lwork, int *iwork, whole liwork, int *info, size_t,
                     size_t);
typedef void zheevd (const char *job, const char *uplo, whole n, double *a, whole lda, double *w,
                     double *work, whole lwork, double *rwork, whole lrwork, int *iwork,
                     whole liwork, int *info, size_t, size_t);
typedef void dgeev (const char *left, const char *right, whole n, double *a, whole lda, double *wr,
                    double *wi, double *vl, whole ldvl, double *vr, whole ldvr, double *work,
                    whole lwork, int *info, size_t, size_t);
#define CALL(name) ((name *) engine->lapack[GT_LAPACK_##name])

/* LAPACK's blocks have so many rows at most.  */
#define BLOCK 64

/* LAPACK computes with the default floating-point environment, and raises flags by tests of its
   own.  */
struct scene
{
  struct gt_fpenv env;
  int flags;
};

static void
enter (struct scene *scene)
{
  scene->flags = gt_fpenv_flags (GT_F64);
  gt_fpenv_enter (&scene->env, GT_F64);
}

static void
leave (const struct scene *scene)
{
  gt_fpenv_leave (&scene->env);
  gt_fpenv_lower_flags (GT_F64, scene->flags);
}

/* Returns the status of what LAPACK has done.  */
static int
served (void)
{
  gt_reduce_note ("blas");
  return GSL_SUCCESS;
}

/* ------------------------------------------------------------------- Numbers */

/* The biased exponent of numbers below 2^401.  */
#define LARGEST_EXPONENT (0x3ffu + 400)

typedef uint64_t bits_pair __attribute__ ((vector_size (16), aligned (8), may_alias));

/* Checks whether the N numbers at X are all finite, and not so large that squares of a column's
   norm overflow: the sum of a larger one's bits and REST reaches the sign.  */
static int
are_tame (const double *x, size_t n)
{
  const uint64_t magnitude = UINT64_MAX >> 1, rest = (uint64_t) (0x7ffu - LARGEST_EXPONENT) << 52;
  bits_pair first = {0, 0}, second = first;
  uint64_t all = 0, bits;
  size_t i = 0;

  for (; i + 4 <= n; i += 4)
    {
      first |= (*(const bits_pair *) (x + i) & magnitude) + rest;
      second |= (*(const bits_pair *) (x + i + 2) & magnitude) + rest;
    }
  for (; i < n; i++)
    {
      memcpy (&bits, &x[i], sizeof bits);
      all |= (bits & magnitude) + rest;
    }
  first |= second;
  return (all | first[0] | first[1]) >> 63 == 0;
}

/* Copies the triangles of N rows, of which the first has EACH doubles.  Returns whether they are
   tame.  */
static int
copied (double *to, size_t to_row, const double *from, size_t from_row, size_t n, size_t each)
{
  int all = 1;

  for (size_t i = 0; i < n && all; i++)
    {
      all = are_tame (from + i * from_row, (i + 1) * each);
      memcpy (to + i * to_row, from + i * from_row, (i + 1) * each * sizeof *to);
    }
  return all;
}

/* ---------------------------------------------------------------- Transposing */

typedef double pair __attribute__ ((vector_size (16), aligned (8)));

/* Squares with whole lines of the cache.  */
#define SQUARE 8

/* Stores the transposed of a matrix of ROWS and COLUMNS, elsewhere.  */
static void
transpose (double *restrict to, size_t to_row, const double *restrict from, size_t from_row,
           size_t rows, size_t columns)
{
  for (size_t i = 0; i < rows; i += SQUARE)
    for (size_t j = 0; j < columns; j += SQUARE)
      {
        const double *const a = from + i * from_row + j;
        double *const b = to + j * to_row + i;

        if (i + SQUARE <= rows && j + SQUARE <= columns)
          for (size_t k = 0; k < SQUARE; k += 2)
#pragma GCC unroll 4
            for (size_t l = 0; l < SQUARE; l += 2)
              {
                const pair one = *(const pair *) (a + k * from_row + l);
                const pair two = *(const pair *) (a + (k + 1) * from_row + l);

                *(pair *) (b + l * to_row + k) = (pair) {one[0], two[0]};
                *(pair *) (b + (l + 1) * to_row + k) = (pair) {one[1], two[1]};
              }
        else
          for (size_t k = 0; k < SQUARE && i + k < rows; k++)
            for (size_t l = 0; l < SQUARE && j + l < columns; l++)
              b[l * to_row + k] = a[k * from_row + l];
      }
}

static size_t
smaller (size_t a, size_t b)
{
  return a < b ? a : b;
}

/* Copies one strict triangle of M to the other: the lower to the upper one if UP.  */
static void
mirror (gsl_matrix *m, int up)
{
  double square[SQUARE * SQUARE];

  for (size_t i = 0; i < m->size1; i += SQUARE)
    {
      const size_t n = smaller (SQUARE, m->size1 - i);
      double *const left = m->data + i * m->tda, *const above = m->data + i;

      if (up)
        transpose (above, m->tda, left, m->tda, n, i);
      else
        transpose (left, m->tda, above, m->tda, i, n);
      transpose (square, SQUARE, left + i, m->tda, n, n);
      for (size_t k = 0; k < n; k++)
        for (size_t l = up ? k + 1 : 0; l < (up ? n : k); l++)
          left[k * m->tda + i + l] = square[k * SQUARE + l];
    }
}

/* Transposes M in its place.  */
static void
turn (gsl_matrix *m)
{
  double square[SQUARE * SQUARE];

  for (size_t i = 0; i < m->size1; i += SQUARE)
    for (size_t j = 0; j <= i; j += SQUARE)
      {
        const size_t rows = smaller (SQUARE, m->size1 - i), columns = smaller (SQUARE, m->size1 - j);
        double *const lower = m->data + i * m->tda + j, *const upper = m->data + j * m->tda + i;

        transpose (square, SQUARE, lower, m->tda, rows, columns);
        if (i != j)
          transpose (lower, m->tda, upper, m->tda, columns, rows);
        for (size_t k = 0; k < columns; k++)
          memcpy (upper + k * m->tda, square + k * SQUARE, rows * sizeof *upper);
      }
}

static void
store (gsl_vector *v, const double *from)
{
  for (size_t i = 0; i < v->size; i++)
    v->data[i * v->stride] = from[i];
}

/* ------------------------------------------------------------------- Cholesky */

/* Checks whether no pivot of the factor A is so small beside the DIAGONAL of the matrix that rounding
   decides whether it is positive: GSL's may not be.  */
static int
is_definite (const gsl_matrix *a, const double *diagonal)
{
  const double least = 16 * DBL_EPSILON * (double) a->size1;
  int all = 1;

  for (size_t i = 0; i < a->size1; i++)
    {
      const double pivot = a->data[i * (a->tda + 1)];

      all &= pivot * pivot > least * diagonal[i];
    }
  return all;
}

/* Factorises A in its upper triangle.  Returns whether it could; otherwise the lower one is as it
   was.  */
static int
by_dpotrf (const struct gt_engine *engine, gsl_matrix *a)
{
  const int n = (int) a->size1, lda = (int) a->tda;
  double *const diagonal = malloc (a->size1 * sizeof *diagonal);
  struct scene scene;
  int info = 1, all = diagonal != NULL;

  for (size_t i = 0; i < a->size1 && all; i++)
    {
      all = are_tame (a->data + i * a->tda, i + 1);
      diagonal[i] = a->data[i * (a->tda + 1)];
    }
  if (all)
    {
      mirror (a, 1);
      enter (&scene);
      CALL (dpotrf) ("L", &n, a->data, &lda, &info, 1);
      leave (&scene);
      all = info == 0 && is_definite (a, diagonal);
      for (size_t i = 0; i < a->size1 && !all; i++)
        a->data[i * (a->tda + 1)] = diagonal[i];
    }
  free (diagonal);
  return all;
}

static int
has_cholesky (enum gt_factor_id factor, gsl_matrix *a)
{
  const struct gt_engine *const engine
    = a->size1 == a->size2 && a->tda <= INT_MAX ? gt_factor_engine (factor, a->size1, a->size2)
                                                : NULL;

  return engine && by_dpotrf (engine, a);
}

int
gsltune_linalg_cholesky_decomp (gsl_matrix *a)
{
  if (!has_cholesky (GT_FACTOR_linalg_cholesky_decomp, a))
    return gsl_linalg_cholesky_decomp (a);
  mirror (a, 0);
  return served ();
}

/* The upper triangle keeps the matrix.  */
int
gsltune_linalg_cholesky_decomp1 (gsl_matrix *a)
{
  if (!has_cholesky (GT_FACTOR_linalg_cholesky_decomp1, a))
    return gsl_linalg_cholesky_decomp1 (a);
  turn (a);
  return served ();
}

/* ------------------------------------------------------------------------- QR */

/* Factorises A by a copy at ROOM, where it leaves the factors of the reflections first.  If T is not
   null, stores their triangular factor.  Returns whether it could.  */
static int
by_dgeqrf (const struct gt_engine *engine, gsl_matrix *a, double *room, gsl_matrix *t)
{
  const size_t n = a->size2, few = smaller (a->size1, n), numbers = a->size1 * n;
  double *const copy = room + few, *const work = copy + numbers;
  const int rows = (int) a->size1, columns = (int) n, lwork = (int) (BLOCK * n);
  struct scene scene;
  int info = 0;

  transpose (copy, a->size1, a->data, a->tda, a->size1, n);
  if (!are_tame (copy, numbers))
    return 0;
  enter (&scene);
  CALL (dgeqrf) (&rows, &columns, copy, &rows, room, work, &lwork, &info);
  if (t && info == 0)
    CALL (dlarft) ("F", "C", &rows, &columns, copy, &rows, room, work, &columns, 1, 1);
  leave (&scene);
  if (info)
    return 0;
  transpose (a->data, a->tda, copy, a->size1, n, a->size1);
  for (size_t i = 0; t && i < n; i++)
    for (size_t j = i; j < n; j++)
      t->data[i * t->tda + j] = work[j * n + i];
  return 1;
}

static double *
room_for_qr (const gsl_matrix *a, size_t work)
{
  return malloc ((smaller (a->size1, a->size2) + a->size1 * a->size2 + work) * sizeof (double));
}

int
gsltune_linalg_QR_decomp (gsl_matrix *a, gsl_vector *tau)
{
  const struct gt_engine *const engine
    = tau->size == smaller (a->size1, a->size2)
        ? gt_factor_engine (GT_FACTOR_linalg_QR_decomp, a->size1, a->size2) : NULL;
  double *const room = engine ? room_for_qr (a, BLOCK * a->size2) : NULL;
  const int done = room && by_dgeqrf (engine, a, room, NULL);

  if (done)
    store (tau, room);
  free (room);
  return done ? served () : gsl_linalg_QR_decomp (a, tau);
}

int
gsltune_linalg_QR_decomp_r (gsl_matrix *a, gsl_matrix *t)
{
  const size_t n = a->size2;
  const struct gt_engine *const engine
    = a->size1 >= n && t->size1 == n && t->size2 == n
        ? gt_factor_engine (GT_FACTOR_linalg_QR_decomp_r, a->size1, n) : NULL;
  double *const room = engine ? room_for_qr (a, n * (n > BLOCK ? n : BLOCK)) : NULL;
  const int done = room && by_dgeqrf (engine, a, room, t);

  free (room);
  return done ? served () : gsl_linalg_QR_decomp_r (a, t);
}

/* ------------------------------------------------------------ Singular values */

/* Smaller singular values than the largest one times this differ from GSL's in more than their
   last digits, so that a program may find another rank.  */
#define LEAST_SINGULAR 0x1p-32

/* V is written even if this fails, which GSL's function does not read.  */
static int
by_dgesdd (const struct gt_engine *engine, gsl_matrix *a, gsl_matrix *v, gsl_vector *s)
{
  const size_t columns = a->size2, numbers = a->size1 * columns;
  const int m = (int) a->size1, n = (int) columns, ldv = (int) v->tda;
  const size_t wanted = columns * (7 + 4 * columns) + a->size1 + BLOCK * (a->size1 + columns);
  const int lwork = (int) wanted;
  double *const copy
    = malloc ((2 * numbers + columns + wanted) * sizeof *copy + 8 * columns * sizeof (int));
  double *const u = copy + numbers, *const values = u + numbers, *const work = values + columns;
  struct scene scene;
  int info = 1;

  if (copy == NULL)
    return 0;
  transpose (copy, a->size1, a->data, a->tda, a->size1, columns);
  if (are_tame (copy, numbers))
    {
      enter (&scene);
      CALL (dgesdd) ("S", &m, &n, copy, &m, values, u, &m, v->data, &ldv, work, &lwork,
                     (int *) (void *) (work + wanted), &info, 1);
      leave (&scene);
    }
  if (info == 0 && !(values[columns - 1] > LEAST_SINGULAR * values[0]))
    info = 1;
  if (info == 0)
    {
      transpose (a->data, a->tda, u, a->size1, columns, a->size1);
      store (s, values);
    }
  free (copy);
  return info == 0;
}

static int
has_values (enum gt_factor_id factor, gsl_matrix *a, gsl_matrix *v, gsl_vector *s,
            const gsl_vector *work)
{
  const size_t n = a->size2;
  const struct gt_engine *const engine
    = a->size1 >= n && v->size1 == n && v->size2 == n && s->size == n && work->size == n
          && v->tda <= INT_MAX && n * a->size1 <= INT_MAX
        ? gt_factor_engine (factor, a->size1, n) : NULL;

  return engine && by_dgesdd (engine, a, v, s);
}

int
gsltune_linalg_SV_decomp (gsl_matrix *a, gsl_matrix *v, gsl_vector *s, gsl_vector *work)
{
  return has_values (GT_FACTOR_linalg_SV_decomp, a, v, s, work)
           ? served () : gsl_linalg_SV_decomp (a, v, s, work);
}

int
gsltune_linalg_SV_decomp_mod (gsl_matrix *a, gsl_matrix *x, gsl_matrix *v, gsl_vector *s,
                              gsl_vector *work)
{
  return x->size1 == a->size2 && x->size2 == a->size2
             && has_values (GT_FACTOR_linalg_SV_decomp_mod, a, v, s, work)
           ? served () : gsl_linalg_SV_decomp_mod (a, x, v, s, work);
}

/* ---------------------------------------------------------------- Eigenvalues

   A's elements remain as they are, which GSL's functions overwrite.  */

static int
are_finite (const double *x, size_t n)
{
  double zero = 0;

  for (size_t i = 0; i < n; i++)
    zero += x[i] * 0;
  return zero == 0;
}

/* Stores the eigenvalues of a matrix of N rows, which are ROW doubles apart and of which the lower
   triangle is read, and its eigenvectors at VECTORS if that is not null, in rows of EACH doubles
   an element.  */
static int
by_dsyevd (const struct gt_engine *engine, const double *a, size_t row, gsl_vector *eval,
           double *vectors, size_t vectors_row, size_t each)
{
  const size_t n = eval->size, lwork_of = (1 + 2 * n) * n + (8 + BLOCK) * n + 1;
  const size_t real = each == 2 ? 2 * n * n + 5 * n + 1 : 0, whole_of = 5 * n + 3;
  const size_t copied_of = vectors ? 0 : n * n * each;
  double *const values = malloc ((n + copied_of + lwork_of * each + real) * sizeof *values
                                 + whole_of * sizeof (int));
  double *const matrix = vectors ? vectors : values + n;
  double *const work = values + n + copied_of, *const rwork = work + lwork_of * each;
  int *const iwork = (int *) (void *) (rwork + real);
  const char *const job = vectors ? "V" : "N";
  const size_t to = vectors ? vectors_row : n * each;
  const int order = (int) n, lda = (int) (to / each), lwork = (int) lwork_of;
  const int lrwork = (int) real, liwork = (int) whole_of;
  struct scene scene;
  int info = 1;

  if (values && copied (matrix, to, a, row, n, each))
    {
      enter (&scene);
      if (each == 1)
        CALL (dsyevd) (job, "U", &order, matrix, &lda, values, work, &lwork, iwork, &liwork,
                       &info, 1, 1);
      else
        CALL (zheevd) (job, "U", &order, matrix, &lda, values, work, &lwork, rwork, &lrwork,
                       iwork, &liwork, &info, 1, 1);
      leave (&scene);
    }
  if (info == 0 && !are_finite (values, n))
    info = 1;
  if (info == 0)
    store (eval, values);
  free (values);
  return info == 0;
}

int
gsltune_eigen_symm (gsl_matrix *a, gsl_vector *eval, gsl_eigen_symm_workspace *w)
{
  const size_t n = a->size1;
  const struct gt_engine *const engine
    = a->size2 == n && eval->size == n && w->size == n
        ? gt_factor_engine (GT_FACTOR_eigen_symm, n, n) : NULL;

  return engine && by_dsyevd (engine, a->data, a->tda, eval, NULL, 0, 1)
           ? served () : gsl_eigen_symm (a, eval, w);
}

int
gsltune_eigen_symmv (gsl_matrix *a, gsl_vector *eval, gsl_matrix *evec,
                     gsl_eigen_symmv_workspace *w)
{
  const size_t n = a->size1;
  const struct gt_engine *const engine
    = a->size2 == n && eval->size == n && w->size == n && evec->size1 == n && evec->size2 == n
          && evec->tda <= INT_MAX
        ? gt_factor_engine (GT_FACTOR_eigen_symmv, n, n) : NULL;

  if (!engine || !by_dsyevd (engine, a->data, a->tda, eval, evec->data, evec->tda, 1))
    return gsl_eigen_symmv (a, eval, evec, w);
  turn (evec);
  return served ();
}

int
gsltune_eigen_herm (gsl_matrix_complex *a, gsl_vector *eval, gsl_eigen_herm_workspace *w)
{
  const size_t n = a->size1;
  const struct gt_engine *const engine
    = a->size2 == n && eval->size == n && w->size == n
        ? gt_factor_engine (GT_FACTOR_eigen_herm, n, n) : NULL;

  return engine && by_dsyevd (engine, a->data, 2 * a->tda, eval, NULL, 0, 2)
           ? served () : gsl_eigen_herm (a, eval, w);
}

/* LAPACK's matrix is the conjugate of GSL's, and so are its eigenvectors.  */
static void
adjoin (gsl_matrix_complex *m)
{
  for (size_t i = 0; i < m->size1; i++)
    for (size_t j = 0; j <= i; j++)
      {
        double *const lower = m->data + 2 * (i * m->tda + j);
        double *const upper = m->data + 2 * (j * m->tda + i);
        const double re = lower[0], im = lower[1];

        lower[0] = upper[0];
        lower[1] = -upper[1];
        upper[0] = re;
        upper[1] = -im;
      }
}

int
gsltune_eigen_hermv (gsl_matrix_complex *a, gsl_vector *eval, gsl_matrix_complex *evec,
                     gsl_eigen_hermv_workspace *w)
{
  const size_t n = a->size1;
  const struct gt_engine *const engine
    = a->size2 == n && eval->size == n && w->size == n && evec->size1 == n && evec->size2 == n
          && evec->tda <= INT_MAX
        ? gt_factor_engine (GT_FACTOR_eigen_hermv, n, n) : NULL;

  if (!engine || !by_dsyevd (engine, a->data, 2 * a->tda, eval, evec->data, 2 * evec->tda, 2))
    return gsl_eigen_hermv (a, eval, evec, w);
  adjoin (evec);
  return served ();
}

/* Stores eigenvector J of LAPACK's, or of a pair J and J + 1.  */
static void
store_vector (gsl_matrix_complex *evec, const double *vectors, size_t j, int is_pair)
{
  const size_t n = evec->size1;

  for (size_t i = 0; i < n; i++)
    {
      double *const to = evec->data + 2 * (i * evec->tda + j);

      to[0] = vectors[j * n + i];
      to[1] = is_pair ? vectors[(j + 1) * n + i] : 0;
      if (is_pair)
        {
          to[2] = to[0];
          to[3] = -to[1];
        }
    }
}

/* If EVEC is null, stores what GSL's function leaves on A's diagonal: eigenvalues, and blocks of two
   that have a pair of them.  */
static int
by_dgeev (const struct gt_engine *engine, gsl_matrix *a, gsl_vector_complex *eval,
          gsl_matrix_complex *evec)
{
  const size_t n = a->size1, area = n * n, wanted = (4 + 4 * BLOCK) * n;
  double *const copy = malloc ((2 * area + 2 * n + wanted) * sizeof *copy);
  double *const vectors = copy + area, *const re = vectors + area, *const im = re + n;
  double *const work = im + n;
  const int order = (int) n, lwork = (int) wanted, one = 1;
  struct scene scene;
  int info = 1;

  if (copy)
    transpose (copy, n, a->data, a->tda, n, n);
  if (copy && are_tame (copy, area))
    {
      enter (&scene);
      CALL (dgeev) ("N", evec ? "V" : "N", &order, copy, &order, re, im, work, &one, vectors,
                    &order, work, &lwork, &info, 1, 1);
      leave (&scene);
    }
  if (info == 0 && !are_finite (re, 2 * n))
    info = 1;
  for (size_t j = 0; j < n && info == 0; j++)
    {
      eval->data[2 * j * eval->stride] = re[j];
      eval->data[2 * j * eval->stride + 1] = im[j];
      if (evec && im[j] >= 0)
        store_vector (evec, vectors, j, im[j] > 0);
      if (evec == NULL)
        a->data[j * (a->tda + 1)] = re[j];
      if (evec == NULL && im[j] > 0)
        {
          a->data[j * (a->tda + 1) + 1] = im[j];
          a->data[(j + 1) * a->tda + j] = -im[j];
        }
    }
  free (copy);
  return info == 0;
}

/* Checks whether W has the parameters with which it was allocated.  */
static int
is_plain (const gsl_eigen_nonsymm_workspace *w, size_t n)
{
  return w->size == n && w->Z == NULL && !w->do_balance;
}

int
gsltune_eigen_nonsymm (gsl_matrix *a, gsl_vector_complex *eval, gsl_eigen_nonsymm_workspace *w)
{
  const size_t n = a->size1;
  const struct gt_engine *const engine
    = a->size2 == n && eval->size == n && is_plain (w, n) && !w->francis_workspace_p->compute_t
        ? gt_factor_engine (GT_FACTOR_eigen_nonsymm, n, n) : NULL;

  if (!engine || !by_dgeev (engine, a, eval, NULL))
    return gsl_eigen_nonsymm (a, eval, w);
  w->n_evals = n;
  return served ();
}

int
gsltune_eigen_nonsymmv (gsl_matrix *a, gsl_vector_complex *eval, gsl_matrix_complex *evec,
                        gsl_eigen_nonsymmv_workspace *w)
{
  const size_t n = a->size1;
  const struct gt_engine *const engine
    = a->size2 == n && eval->size == n && evec->size1 == n && evec->size2 == n && w->Z == NULL
          && is_plain (w->nonsymm_workspace_p, n)
        ? gt_factor_engine (GT_FACTOR_eigen_nonsymmv, n, n) : NULL;

  if (!engine || !by_dgeev (engine, a, eval, evec))
    return gsl_eigen_nonsymmv (a, eval, evec, w);
  w->nonsymm_workspace_p->n_evals = n;
  return served ();
}
