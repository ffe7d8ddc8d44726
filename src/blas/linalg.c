/* Factorisations by LAPACK behind GSL's prototypes.

   Rows of GSL's matrices are LAPACK's columns.  LAPACK computes in transposed copies, since
   it factorises tall matrices much faster than wide ones, and the operands change only if it
   succeeds.  Otherwise GSL's own function is called: if arguments do not fit, so that it
   reports the error; if a number is NaN, infinite or very large; if memory is short; if
   LAPACK fails; and if rounding decides the result.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/matrix/plain.h"
#include "src/base/fpenv.h"
#include "src/gsltune.h"
#include "src/blas/factors.h"
#include "src/route/reduce.h"

/* LAPACK's functions.  Their last arguments are the lengths of texts.  */
typedef const int *whole;
typedef void dpotrf (const char *uplo, whole n, double *a, whole lda, int *info, size_t);
typedef void dgeqrf (whole m, whole n, double *a, whole lda, double *tau, double *work,
                     whole lwork, int *info);
typedef void dlarft (const char *direct, const char *storev, whole n, whole k, const double *v,
                     whole ldv, const double *tau, double *t, whole ldt, size_t, size_t);
typedef void dgesdd (const char *job, whole m, whole n, double *a, whole lda, double *s,
                     double *u, whole ldu, double *vt, whole ldvt, double *work, whole lwork,
                     int *iwork, int *info, size_t);
typedef void dsyevd (const char *job, const char *uplo, whole n, double *a, whole lda,
                     double *w, double *work, whole lwork, int *iwork, whole liwork, int *info,
                     size_t, size_t);
typedef void zheevd (const char *job, const char *uplo, whole n, double *a, whole lda,
                     double *w, double *work, whole lwork, double *rwork, whole lrwork,
                     int *iwork, whole liwork, int *info, size_t, size_t);
typedef void dgeev (const char *left, const char *right, whole n, double *a, whole lda,
                    double *wr, double *wi, double *vl, whole ldvl, double *vr, whole ldvr,
                    double *work, whole lwork, int *info, size_t, size_t);
#define CALL(name) ((name *) engine->lapack[GT_LAPACK_##name])

/* The most rows of LAPACK's blocks.  */
#define BLOCK 64

/* Doubles after a matrix that OpenBLAS may read; other copies are followed by workspace.  */
#define BEYOND 8

/* LAPACK computes with the default floating-point environment, and raises flags by tests of
   its own.  */
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

/* Returns the status of a successful call of LAPACK.  */
static int
served (void)
{
  gt_reduce_note ("blas");
  return GSL_SUCCESS;
}

/* Returns the STATUS of GSL's function, which therefore is not a tail call.  By its return
   address the preload object recognises that it is called from here, and then serves the
   products that it computes.  */
static int
by_gsl (int status)
{
  __asm__ volatile ("");
  return status;
}

/* Returns the library if arguments FIT and it is the fastest way, or null.  */
static const struct gt_engine *
engine_for (enum gt_factor_id id, size_t rows, size_t columns, int fit)
{
  return fit ? gt_factor_engine (id, rows, columns) : NULL;
}

/* ------------------------------------------------------------------- Numbers */

/* The biased exponent of numbers below 2^401, whose squares' sums do not overflow.  */
#define LARGEST_EXPONENT (0x3ffu + 400)

typedef uint64_t bits_pair __attribute__ ((vector_size (16), aligned (8), may_alias));

/* Returns whether the N numbers at X are all finite and below 2^401.  For any other number the
   sum of its bits and REST sets the sign bit.  */
static int
are_tame (const double *x, size_t n)
{
  const uint64_t rest = (uint64_t) (0x7ffu - LARGEST_EXPONENT) << 52;
  const uint64_t magnitude = UINT64_MAX >> 1;
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

/* Copies N rows of a lower triangle, whose elements have EACH doubles, to contiguous memory.
   Returns whether they are all finite and below 2^401.  */
static int
copied (double *to, const double *from, size_t row, size_t n, size_t each)
{
  int all = 1;

  for (size_t i = 0; i < n && all; i++)
    {
      all = are_tame (from + i * row, (i + 1) * each);
      memcpy (to + i * n * each, from + i * row, (i + 1) * each * sizeof *to);
    }
  return all;
}

static void
store (gsl_vector *v, const double *from)
{
  for (size_t i = 0; i < v->size; i++)
    v->data[i * v->stride] = from[i];
}

static size_t
smaller (size_t a, size_t b)
{
  return a < b ? a : b;
}

/* ---------------------------------------------------------------- Transposing */

/* Transposes squares of this many numbers, which are whole cache lines.  */
#define SQUARE 8

/* Stores the transpose of a matrix of ROWS and COLUMNS in other memory.  */
static void
transpose (double *to, size_t to_row, const double *from, size_t from_row, size_t rows,
           size_t columns)
{
  for (size_t i = 0; i < rows; i += SQUARE)
    for (size_t j = 0; j < columns; j += SQUARE)
      gt_plain (0)->turn (from + i * from_row + j, from_row, smaller (SQUARE, rows - i),
                          smaller (SQUARE, columns - j), to + j * to_row + i, to_row);
}

/* Stores the transpose of one strict triangle in the other triangle of TO, the upper one if
   UP.  Both matrices may be the same.  */
static void
cross (double *to, size_t to_row, const double *from, size_t from_row, size_t n, int up)
{
  for (size_t i = 0; i < n; i += SQUARE)
    {
      const size_t rows = smaller (SQUARE, n - i);

      if (up)
        transpose (to + i, to_row, from + i * from_row, from_row, rows, i);
      else
        transpose (to + i * to_row, to_row, from + i, from_row, i, rows);
      for (size_t k = i; k < i + rows; k++)
        for (size_t l = i; l < k; l++)
          if (up)
            to[l * to_row + k] = from[k * from_row + l];
          else
            to[k * to_row + l] = from[l * from_row + k];
    }
}

/* ------------------------------------------------------------------- Cholesky */

/* Returns whether all pivots of the factor L are so large relative to the diagonal of A that
   rounding does not decide whether they are positive; GSL's might not be.  */
static int
is_definite (const gsl_matrix *a, const double *l)
{
  const size_t n = a->size1;
  const double least = 16 * DBL_EPSILON * (double) n;
  int all = 1;

  for (size_t i = 0; i < n; i++)
    all &= l[i * (n + 1)] * l[i * (n + 1)] > least * a->data[i * (a->tda + 1)];
  return all;
}

/* LAPACK's lower triangle is the upper one here, for which OpenBLAS is faster.  GSL's decomp1
   leaves the matrix in the upper triangle, decomp stores the transposed factor there.  */
static int
has_cholesky (enum gt_factor_id id, gsl_matrix *a)
{
  const size_t n = a->size1;
  const struct gt_engine *const engine = engine_for (id, n, a->size2, n == a->size2);
  const int order = (int) n, keeps = id == GT_FACTOR_linalg_cholesky_decomp1;
  double *const l = engine ? malloc ((n * n + BEYOND) * sizeof *l) : NULL;
  struct scene scene;
  int info = l == NULL;

  for (size_t i = 0; i < n && info == 0; i++)
    {
      info = !are_tame (a->data + i * a->tda, i + 1);
      l[i * (n + 1)] = a->data[i * (a->tda + 1)];
    }
  if (info == 0)
    {
      cross (l, n, a->data, a->tda, n, 1);
      enter (&scene);
      CALL (dpotrf) ("L", &order, l, &order, &info, 1);
      leave (&scene);
      info |= !is_definite (a, l);
    }
  if (info == 0)
    {
      if (keeps)
        cross (a->data, a->tda, a->data, a->tda, n, 1);
      cross (a->data, a->tda, l, n, n, 0);
      for (size_t i = 0; i < n; i++)
        memcpy (a->data + i * (a->tda + 1), l + i * (n + 1), (keeps ? 1 : n - i) * sizeof *l);
    }
  free (l);
  return info == 0;
}

int
gsltune_linalg_cholesky_decomp (gsl_matrix *a)
{
  return has_cholesky (GT_FACTOR_linalg_cholesky_decomp, a)
           ? served () : by_gsl (gsl_linalg_cholesky_decomp (a));
}

int
gsltune_linalg_cholesky_decomp1 (gsl_matrix *a)
{
  return has_cholesky (GT_FACTOR_linalg_cholesky_decomp1, a)
           ? served () : by_gsl (gsl_linalg_cholesky_decomp1 (a));
}

/* ------------------------------------------------------------------------- QR */

/* Factorises A.  Stores the factors of the reflections in TAU or, if TAU is null, their
   triangular factor in T.  */
static int
has_qr (enum gt_factor_id id, gsl_matrix *a, gsl_vector *tau, gsl_matrix *t)
{
  const size_t m = a->size1, n = a->size2, few = smaller (m, n);
  const struct gt_engine *const engine
    = engine_for (id, m, n, tau ? tau->size == few : m >= n && t->size1 == n && t->size2 == n);
  const size_t wanted = n * (t && n > BLOCK ? n : BLOCK);
  double *const copy = engine ? malloc ((m * n + few + wanted) * sizeof *copy) : NULL;
  double *const factors = copy + m * n, *const work = factors + few;
  const int rows = (int) m, columns = (int) n, lwork = (int) (BLOCK * n);
  struct scene scene;
  int info = 1;

  if (copy)
    transpose (copy, m, a->data, a->tda, m, n);
  if (copy && are_tame (copy, m * n))
    {
      enter (&scene);
      CALL (dgeqrf) (&rows, &columns, copy, &rows, factors, work, &lwork, &info);
      if (t && info == 0)
        CALL (dlarft) ("F", "C", &rows, &columns, copy, &rows, factors, work, &columns, 1, 1);
      leave (&scene);
    }
  if (info == 0)
    {
      transpose (a->data, a->tda, copy, m, n, m);
      if (tau)
        store (tau, factors);
      for (size_t i = 0; t && i < n; i++)
        for (size_t j = i; j < n; j++)
          t->data[i * t->tda + j] = work[j * n + i];
    }
  free (copy);
  return info == 0;
}

int
gsltune_linalg_QR_decomp (gsl_matrix *a, gsl_vector *tau)
{
  return has_qr (GT_FACTOR_linalg_QR_decomp, a, tau, NULL)
           ? served () : by_gsl (gsl_linalg_QR_decomp (a, tau));
}

int
gsltune_linalg_QR_decomp_r (gsl_matrix *a, gsl_matrix *t)
{
  return has_qr (GT_FACTOR_linalg_QR_decomp_r, a, NULL, t)
           ? served () : by_gsl (gsl_linalg_QR_decomp_r (a, t));
}

/* ------------------------------------------------------------ Singular values */

/* Singular values that are smaller than the largest one times this may differ from GSL's in
   more than their last digits, so that a program may find another rank.  */
#define LEAST_SINGULAR 0x1p-32

static int
has_values (enum gt_factor_id id, gsl_matrix *a, gsl_matrix *v, gsl_vector *s,
            const gsl_vector *unused)
{
  const size_t m = a->size1, n = a->size2;
  const struct gt_engine *const engine
    = engine_for (id, m, n, m >= n && v->size1 == n && v->size2 == n && s->size == n
                              && unused->size == n);
  const size_t wanted = n * (7 + 4 * n) + m + BLOCK * (m + n);
  double *const copy
    = engine ? malloc (((2 * m + n + 1) * n + wanted) * sizeof *copy + 8 * n * sizeof (int))
             : NULL;
  double *const u = copy + m * n, *const vt = u + m * n, *const values = vt + n * n;
  double *const work = values + n;
  const int rows = (int) m, columns = (int) n, lwork = (int) wanted;
  struct scene scene;
  int info = 1;

  if (copy)
    transpose (copy, m, a->data, a->tda, m, n);
  if (copy && are_tame (copy, m * n))
    {
      enter (&scene);
      CALL (dgesdd) ("S", &rows, &columns, copy, &rows, values, u, &rows, vt, &columns, work,
                     &lwork, (int *) (void *) (work + wanted), &info, 1);
      leave (&scene);
      info |= !(values[n - 1] > LEAST_SINGULAR * values[0]);
    }
  if (info == 0)
    {
      transpose (a->data, a->tda, u, m, n, m);
      for (size_t i = 0; i < n; i++)
        memcpy (v->data + i * v->tda, vt + i * n, n * sizeof *vt);
      store (s, values);
    }
  free (copy);
  return info == 0;
}

int
gsltune_linalg_SV_decomp (gsl_matrix *a, gsl_matrix *v, gsl_vector *s, gsl_vector *work)
{
  return has_values (GT_FACTOR_linalg_SV_decomp, a, v, s, work)
           ? served () : by_gsl (gsl_linalg_SV_decomp (a, v, s, work));
}

int
gsltune_linalg_SV_decomp_mod (gsl_matrix *a, gsl_matrix *x, gsl_matrix *v, gsl_vector *s,
                              gsl_vector *work)
{
  return x->size1 == a->size2 && x->size2 == a->size2
             && has_values (GT_FACTOR_linalg_SV_decomp_mod, a, v, s, work)
           ? served () : by_gsl (gsl_linalg_SV_decomp_mod (a, x, v, s, work));
}

/* ---------------------------------------------------------------- Eigenvalues
   A's elements are not changed, while GSL's functions overwrite them.  */

static int
are_finite (const double *x, size_t n)
{
  double zero = 0;

  for (size_t i = 0; i < n; i++)
    zero += x[i] * 0;
  return zero == 0;
}

/* A matrix whose elements have EACH doubles.  */
struct plane
{
  double *data;
  size_t rows, columns, row, each; /* ROW counts doubles */
};

static struct plane
of_real (const gsl_matrix *m)
{
  return (struct plane) {m->data, m->size1, m->size2, m->tda, 1};
}

static struct plane
of_complex (const gsl_matrix_complex *m)
{
  return (struct plane) {m->data, m->size1, m->size2, 2 * m->tda, 2};
}

/* Stores LAPACK's eigenvectors as columns, since they are rows for GSL; those of complex
   matrices are of the conjugate matrix.  */
static void
store_vectors (const struct plane *to, const double *from)
{
  const size_t n = to->rows;

  if (to->each == 1)
    transpose (to->data, to->row, from, n, n, n);
  for (size_t i = 0; to->each == 2 && i < n; i++)
    for (size_t j = 0; j < n; j++)
      {
        to->data[i * to->row + 2 * j] = from[2 * (j * n + i)];
        to->data[i * to->row + 2 * j + 1] = -from[2 * (j * n + i) + 1];
      }
}

/* Stores the eigenvalues of A, whose lower triangle LAPACK reads as the upper one, and the
   eigenvectors in V if that is not null.  ROOM is the size of GSL's workspace.  */
static int
has_eigenvalues (enum gt_factor_id id, struct plane a, gsl_vector *eval, size_t room,
                 const struct plane *v)
{
  const size_t n = a.rows, area = n * n * a.each;
  const struct gt_engine *const engine
    = engine_for (id, n, n, a.columns == n && eval->size == n && room == n
                              && (v == NULL || (v->rows == n && v->columns == n)));
  const size_t wanted = (1 + 2 * n) * n + (8 + BLOCK) * n + 1, wanted_real = (2 * n + 5) * n + 1;
  double *const copy
    = engine ? malloc ((area + n + a.each * wanted + wanted_real) * sizeof *copy
                       + (5 * n + 3) * sizeof (int)) : NULL;
  double *const values = copy + area, *const work = values + n;
  double *const rwork = work + a.each * wanted;
  int *const iwork = (int *) (void *) (rwork + wanted_real);
  const int order = (int) n, lwork = (int) wanted, lrwork = (int) wanted_real;
  const int liwork = 5 * order + 3;
  const char *const job = v ? "V" : "N";
  struct scene scene;
  int info = 1;

  if (copy && copied (copy, a.data, a.row, n, a.each))
    {
      enter (&scene);
      if (a.each == 1)
        CALL (dsyevd) (job, "U", &order, copy, &order, values, work, &lwork, iwork, &liwork,
                       &info, 1, 1);
      else
        CALL (zheevd) (job, "U", &order, copy, &order, values, work, &lwork, rwork, &lrwork,
                       iwork, &liwork, &info, 1, 1);
      leave (&scene);
      info |= !are_finite (values, n);
    }
  if (info == 0)
    store (eval, values);
  if (info == 0 && v)
    store_vectors (v, copy);
  free (copy);
  return info == 0;
}

int
gsltune_eigen_symm (gsl_matrix *a, gsl_vector *eval, gsl_eigen_symm_workspace *w)
{
  return has_eigenvalues (GT_FACTOR_eigen_symm, of_real (a), eval, w->size, NULL)
           ? served () : by_gsl (gsl_eigen_symm (a, eval, w));
}

int
gsltune_eigen_symmv (gsl_matrix *a, gsl_vector *eval, gsl_matrix *evec,
                     gsl_eigen_symmv_workspace *w)
{
  const struct plane v = of_real (evec);

  return has_eigenvalues (GT_FACTOR_eigen_symmv, of_real (a), eval, w->size, &v)
           ? served () : by_gsl (gsl_eigen_symmv (a, eval, evec, w));
}

int
gsltune_eigen_herm (gsl_matrix_complex *a, gsl_vector *eval, gsl_eigen_herm_workspace *w)
{
  return has_eigenvalues (GT_FACTOR_eigen_herm, of_complex (a), eval, w->size, NULL)
           ? served () : by_gsl (gsl_eigen_herm (a, eval, w));
}

int
gsltune_eigen_hermv (gsl_matrix_complex *a, gsl_vector *eval, gsl_matrix_complex *evec,
                     gsl_eigen_hermv_workspace *w)
{
  const struct plane v = of_complex (evec);

  return has_eigenvalues (GT_FACTOR_eigen_hermv, of_complex (a), eval, w->size, &v)
           ? served () : by_gsl (gsl_eigen_hermv (a, eval, evec, w));
}

/* Stores eigenvector J of LAPACK's, or the pair J and J + 1.  */
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

/* Stores the values that GSL's function writes to the diagonal: an eigenvalue, or a block of
   two rows for a pair.  */
static void
store_value (gsl_matrix *a, size_t j, double re, double im)
{
  a->data[j * (a->tda + 1)] = re;
  if (im > 0)
    {
      a->data[j * (a->tda + 1) + 1] = im;
      a->data[(j + 1) * a->tda + j] = -im;
    }
}

/* EVEC may be null.  W must have the parameters with which it was allocated.  */
static int
has_all_eigenvalues (enum gt_factor_id id, gsl_matrix *a, gsl_vector_complex *eval,
                     gsl_matrix_complex *evec, gsl_eigen_nonsymm_workspace *w)
{
  const size_t n = a->size1, area = n * n, wanted = (4 + 4 * BLOCK) * n;
  const struct gt_engine *const engine
    = engine_for (id, n, n, a->size2 == n && eval->size == n && w->size == n && w->Z == NULL
                              && !w->do_balance
                              && (evec ? evec->size1 == n && evec->size2 == n
                                       : !w->francis_workspace_p->compute_t));
  double *const copy = engine ? malloc ((2 * area + 2 * n + wanted) * sizeof *copy) : NULL;
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
      info |= !are_finite (re, 2 * n);
    }
  for (size_t j = 0; j < n && info == 0; j++)
    {
      eval->data[2 * j * eval->stride] = re[j];
      eval->data[2 * j * eval->stride + 1] = im[j];
      if (evec == NULL)
        store_value (a, j, re[j], im[j]);
      else if (im[j] >= 0)
        store_vector (evec, vectors, j, im[j] > 0);
    }
  if (info == 0)
    w->n_evals = n;
  free (copy);
  return info == 0;
}

int
gsltune_eigen_nonsymm (gsl_matrix *a, gsl_vector_complex *eval, gsl_eigen_nonsymm_workspace *w)
{
  return has_all_eigenvalues (GT_FACTOR_eigen_nonsymm, a, eval, NULL, w)
           ? served () : by_gsl (gsl_eigen_nonsymm (a, eval, w));
}

int
gsltune_eigen_nonsymmv (gsl_matrix *a, gsl_vector_complex *eval, gsl_matrix_complex *evec,
                        gsl_eigen_nonsymmv_workspace *w)
{
  return w->Z == NULL
             && has_all_eigenvalues (GT_FACTOR_eigen_nonsymmv, a, eval, evec,
                                     w->nonsymm_workspace_p)
           ? served () : by_gsl (gsl_eigen_nonsymmv (a, eval, evec, w));
}
