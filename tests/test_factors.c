/* Tests of src/blas/linalg.c: factorisations by LAPACK have GSL's prototypes and results,
   at random shapes and distances of rows; where LAPACK fails, or is not asked, memory has
   GSL's bits and errors are GSL's.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include <gsl/gsl_blas.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>

#include "src/gsltune.h"
#include "src/blas/factors.h"
#include "src/blas/ways.h"
#include "src/prototypes.h"

/* Both functions have one prototype.  */
#define FACTOR_ROW(symbol, ...) SAME_PROTOTYPE (symbol)
#define SAME_PROTOTYPE(symbol)                                                \
  _Static_assert (__builtin_types_compatible_p (                              \
                    __typeof__ (gsltune_##symbol), __typeof__ (gsl_##symbol)), #symbol);
#include "src/preload/rows.inc"

enum
{
  MOST = 90,       /* rows and columns */
  WIDER = 3,       /* elements between rows */
  ROOM = 2 * MOST * (MOST + WIDER)
};

/* The matrices and vectors of a call, all in one piece of memory.  */
struct operands
{
  double a[ROOM], v[ROOM], x[ROOM], s[4 * MOST], work[4 * MOST];
};
static struct operands ours, gsls, given;
static size_t rows, columns, wider, stride;

static gsl_matrix
matrix (double *at, size_t m, size_t n)
{
  return (gsl_matrix) {m, n, n + wider, at, NULL, 0};
}

static gsl_matrix_complex
complex_matrix (double *at, size_t n)
{
  return (gsl_matrix_complex) {n, n, n + wider, at, NULL, 0};
}

static gsl_vector
vector (double *at, size_t n)
{
  return (gsl_vector) {n, stride, at, NULL, 0};
}

/* ------------------------------------------------------------------- Calls */

static int errors, last_error;

static void
count_error (const char *reason, const char *file, int line, int code)
{
  (void) reason;
  (void) file;
  (void) line;
  errors++;
  last_error = code;
}

/* The functions of one name: their number as enum gt_factor_id has it.  */
static const enum gt_factor_id first_sv = GT_FACTOR_linalg_SV_decomp;
static const enum gt_factor_id first_eigen = GT_FACTOR_eigen_symm;

#define EITHER(name, ...) (is_ours ? gsltune_##name (__VA_ARGS__) : gsl_##name (__VA_ARGS__))
#define WITH_WORKSPACE(name, ...)                                  \
  {                                                                \
    gsl_eigen_##name##_workspace *w = gsl_eigen_##name##_alloc (n); \
    status = EITHER (eigen_##name, __VA_ARGS__, w);                \
    gsl_eigen_##name##_free (w);                                   \
  }                                                                \
  break;

/* Returns the status of ours or GSL's.  */
static int
call (enum gt_factor_id id, int is_ours, struct operands *o)
{
  const size_t n = columns;
  gsl_matrix a = matrix (o->a, rows, n), v = matrix (o->v, n, n), x = matrix (o->x, n, n);
  gsl_matrix_complex za = complex_matrix (o->a, n), zv = complex_matrix (o->v, n);
  gsl_vector s = vector (o->s, n), work = vector (o->work, n);
  gsl_vector tau = vector (o->s, rows < n ? rows : n);
  gsl_vector_complex values = {n, stride, o->s, NULL, 0};
  int status = 0;

  switch (id)
    {
    case GT_FACTOR_linalg_cholesky_decomp:
      return EITHER (linalg_cholesky_decomp, &a);
    case GT_FACTOR_linalg_cholesky_decomp1:
      return EITHER (linalg_cholesky_decomp1, &a);
    case GT_FACTOR_linalg_QR_decomp:
      return EITHER (linalg_QR_decomp, &a, &tau);
    case GT_FACTOR_linalg_QR_decomp_r:
      return EITHER (linalg_QR_decomp_r, &a, &v);
    case GT_FACTOR_linalg_SV_decomp:
      return EITHER (linalg_SV_decomp, &a, &v, &s, &work);
    case GT_FACTOR_linalg_SV_decomp_mod:
      return EITHER (linalg_SV_decomp_mod, &a, &x, &v, &s, &work);
    case GT_FACTOR_eigen_symm:
      WITH_WORKSPACE (symm, &a, &s)
    case GT_FACTOR_eigen_symmv:
      WITH_WORKSPACE (symmv, &a, &s, &v)
    case GT_FACTOR_eigen_herm:
      WITH_WORKSPACE (herm, &za, &s)
    case GT_FACTOR_eigen_hermv:
      WITH_WORKSPACE (hermv, &za, &s, &zv)
    case GT_FACTOR_eigen_nonsymm:
      WITH_WORKSPACE (nonsymm, &a, &values)
    default:
      WITH_WORKSPACE (nonsymmv, &a, &values, &zv)
    }
  return status;
}

/* Calls both with what is given.  */
static void
call_both (enum gt_factor_id id)
{
  int status;

  ours = gsls = given;
  errors = last_error = 0;
  status = call (id, 0, &gsls);
  assert_int_equal (errors, status != 0);
  assert_int_equal (call (id, 1, &ours), status);
  assert_int_equal (errors, 2 * (status != 0));
  assert_int_equal (last_error, status);
}

/* Calls both, and checks that memory has GSL's bits: results, and what GSL does not define
   where that is the same before.  */
static void
assert_gsls_bits (enum gt_factor_id id)
{
  call_both (id);
  assert_memory_equal (ours.a, gsls.a, sizeof ours.a);
  if (id >= first_sv)
    assert_memory_equal (ours.s, gsls.s, sizeof ours.s);
  if (id == GT_FACTOR_linalg_QR_decomp)
    assert_memory_equal (ours.s, gsls.s, sizeof ours.s);
  assert_memory_equal (ours.v, gsls.v, sizeof ours.v);
}

/* ------------------------------------------------------------------- Numbers */

static uint64_t drawn = 1;

static double
draw (void)
{
  drawn = drawn * 6364136223846793005u + 1442695040888963407u;
  return (double) (int64_t) drawn * 0x1p-63;
}

static size_t
below (size_t n)
{
  return (size_t) ((draw () + 1) / 2 * (double) n) % n;
}

static int
is_square (enum gt_factor_id id)
{
  return id < GT_FACTOR_linalg_QR_decomp || id >= first_eigen;
}

static int
is_complex (enum gt_factor_id id)
{
  return id == GT_FACTOR_eigen_herm || id == GT_FACTOR_eigen_hermv;
}

/* Gives a matrix for ID of random shape; a positive definite or symmetric one in its lower
   triangle alone: what lies above may be anything.  */
static void
give (enum gt_factor_id id)
{
  const size_t each = is_complex (id) ? 2 : 1;

  columns = 1 + below (MOST);
  rows = is_square (id) ? columns : 1 + below (MOST);
  if (rows < columns && !is_square (id) && id != GT_FACTOR_linalg_QR_decomp)
    {
      const size_t n = rows;

      rows = columns;
      columns = n;
    }
  wider = below (2) * WIDER;
  stride = 1 + below (2);
  for (size_t i = 0; i < ROOM; i++)
    given.a[i] = given.v[i] = given.x[i] = draw ();
  for (size_t i = 0; i < N_OF (given.s); i++)
    given.s[i] = given.work[i] = 7;
  for (size_t i = 0; is_square (id) && i < rows; i++)
    {
      given.a[each * i * (columns + wider + 1)]
        += id < GT_FACTOR_linalg_QR_decomp ? (double) rows : 0;
      for (size_t j = i + 1; id < GT_FACTOR_eigen_nonsymm && j < columns; j++)
        given.a[each * (i * (columns + wider) + j)] = NAN;
    }
}

static void
assert_near (double a, double b, double allowed)
{
  if (!(fabs (a - b) <= allowed))
    fail_msg ("%.17g is not %.17g within %g: %zu x %zu, wider %zu, stride %zu", a, b, allowed,
              rows, columns, wider, stride);
}

/* --------------------------------------------------------------------- LAPACK */

/* The library is forced on all calls.  */
static const struct gt_forced library = {GT_OWN_ENGINE + 1, 1}, own = {GT_OWN_ENGINE, 1};

static int
has_lapack (void)
{
  const struct gt_engines *const engines = gt_engines ();

  return engines->n > GT_OWN_ENGINE + 1
         && engines->engine[GT_OWN_ENGINE + 1].lapack[GT_LAPACK_dgeev];
}

#define EPSILON (200 * DBL_EPSILON)

static void
compare_factors (enum gt_factor_id id)
{
  const double allowed = EPSILON * (double) (rows + columns);
  const size_t few = rows < columns ? rows : columns;

  for (size_t i = 0; i < ROOM; i++)
    if (!(isnan (ours.a[i]) && isnan (gsls.a[i])))
      assert_near (ours.a[i], gsls.a[i], allowed * sqrt ((double) rows));
  for (size_t i = 0; id == GT_FACTOR_linalg_QR_decomp && i < few; i++)
    assert_near (ours.s[i * stride], gsls.s[i * stride], allowed);
  for (size_t i = 0; id == GT_FACTOR_linalg_QR_decomp_r && i < columns; i++)
    for (size_t j = i; j < columns; j++)
      assert_near (ours.v[i * (columns + wider) + j], gsls.v[i * (columns + wider) + j],
                   100 * allowed);
}

/* U S V' is the matrix, and U'U one.  */
static void
check_vectors (void)
{
  const double allowed = EPSILON * (double) (rows + columns);
  const size_t tda = columns + wider;

  for (size_t j = 0; j < columns; j++)
    assert_near (ours.s[j * stride], gsls.s[j * stride], allowed);
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < columns; j++)
      {
        double sum = 0, product = 0;

        for (size_t k = 0; k < columns; k++)
          sum += ours.a[i * tda + k] * ours.s[k * stride] * ours.v[j * tda + k];
        assert_near (sum, given.a[i * tda + j], allowed);
        for (size_t k = 0; i < columns && k < rows; k++)
          product += ours.a[k * tda + i] * ours.a[k * tda + j];
        if (i < columns)
          assert_near (product, i == j, allowed);
      }
}

/* Each of GSL's values is among ours.  */
static void
compare_values (enum gt_factor_id id)
{
  const int is_pair = id >= GT_FACTOR_eigen_nonsymm;
  const size_t each = is_pair ? 2 : 1;

  for (size_t i = 0; i < columns; i++)
    {
      double nearest = INFINITY;

      for (size_t j = 0; j < columns; j++)
        {
          const double *const x = gsls.s + each * i * stride, *const y = ours.s + each * j * stride;

          nearest = fmin (nearest, fabs (x[0] - y[0]) + (is_pair ? fabs (x[1] - y[1]) : 0));
        }
      assert_near (nearest, 0, is_pair ? 1e-9 : EPSILON * (double) columns);
    }
}

static double _Complex
element (enum gt_factor_id id, size_t i, size_t j)
{
  const size_t tda = columns + wider;

  if (id == GT_FACTOR_eigen_nonsymmv)
    return given.a[i * tda + j];
  if (i < j)
    return __builtin_conj (element (id, j, i));
  if (id == GT_FACTOR_eigen_symmv)
    return given.a[i * tda + j];
  return given.a[2 * (i * tda + j)]
         + (i == j ? 0 : given.a[2 * (i * tda + j) + 1] * (double _Complex) 1.0i);
}

/* A v is lambda v, and v has length 1.  */
static void
check_eigenvectors (enum gt_factor_id id)
{
  const size_t each = id == GT_FACTOR_eigen_symmv ? 1 : 2, tda = columns + wider;

  for (size_t k = 0; k < columns; k++)
    {
      const double *const v = ours.v + each * k;
      const double re = ours.s[(id == GT_FACTOR_eigen_nonsymmv ? 2 : 1) * k * stride];
      const double im = id == GT_FACTOR_eigen_nonsymmv ? ours.s[2 * k * stride + 1] : 0;
      double length = 0;

      for (size_t i = 0; i < columns; i++)
        {
          const double *const at = v + each * i * tda;
          double _Complex sum = -(re + im * 1.0i) * (at[0] + (each == 2 ? at[1] : 0) * 1.0i);

          for (size_t j = 0; j < columns; j++)
            sum += element (id, i, j)
                   * (v[each * j * tda] + (each == 2 ? v[each * j * tda + 1] : 0) * 1.0i);
          assert_near (__real__ sum, 0, 1e-11);
          assert_near (__imag__ sum, 0, 1e-11);
          length += at[0] * at[0] + (each == 2 ? at[1] * at[1] : 0);
        }
      assert_near (length, 1, 1e-12);
    }
}

TEST (results_are_gsls_but_for_rounding)
{
  if (!has_lapack ())
    SKIP ("there is no LAPACK");
  gsltune_set_mode (GSLTUNE_MODE_AUTO);
  gt_force (&gt_factors, &library);
  for (int id = 0; id < GT_N_FACTORS; id++)
    for (int k = 0; k < 60; k++)
      {
        give ((enum gt_factor_id) id);
        call_both ((enum gt_factor_id) id);
        if (id < (int) first_sv)
          compare_factors ((enum gt_factor_id) id);
        else if (id < (int) first_eigen)
          check_vectors ();
        else
          compare_values ((enum gt_factor_id) id);
        if (id == GT_FACTOR_eigen_symmv || id == GT_FACTOR_eigen_hermv
            || id == GT_FACTOR_eigen_nonsymmv)
          check_eigenvectors ((enum gt_factor_id) id);
        for (size_t i = columns; i < columns + wider; i++)
          assert_true (is_complex ((enum gt_factor_id) id) || ours.a[i] == given.a[i]);
      }
  gt_force (&gt_factors, NULL);
}

/* Makes the matrix one that GSL is to decide about: not positive definite, or hardly so; of
   lower rank; graded; with numbers that are not finite, or very large.  */
static void
spoil (enum gt_factor_id id, int how)
{
  const size_t tda = (is_complex (id) ? 2 : 1) * (columns + wider), last = columns - 1;
  static const double special[] = {NAN, INFINITY, -INFINITY, 0x1p500};

  if (how < (int) N_OF (special))
    given.a[(rows - 1) * tda] = special[how];
  else if (id < GT_FACTOR_linalg_QR_decomp)
    for (size_t j = 0; j <= last; j++) /* the last row and column are the first's */
      given.a[last * tda + j] = how == 5 && j == last ? -1 : given.a[j * tda];
  else
    for (size_t i = 0; i < rows; i++)
      given.a[i * tda + last] = how == 5 ? 0x1p-40 * draw () : given.a[i * tda];
}

TEST (doubtful_matrices_are_gsls)
{
  if (!has_lapack ())
    SKIP ("there is no LAPACK");
  gsl_set_error_handler (count_error);
  gt_force (&gt_factors, &library);
  for (int id = 0; id < GT_N_FACTORS; id++)
    for (int how = 0; how < (id < 2 || (id >= 4 && id < 6) ? 6 : 4); how++)
      for (int k = 0; k < 5; k++)
        {
          do
            give ((enum gt_factor_id) id);
          while (columns < 8 || columns > 40);
          spoil ((enum gt_factor_id) id, how);
          /* GSL's QR steps of such numbers need not end.  */
          if (id < GT_FACTOR_linalg_SV_decomp || how >= 4)
            assert_gsls_bits ((enum gt_factor_id) id);
        }
  gt_force (&gt_factors, NULL);
}

TEST (errors_are_gsls)
{
  gsl_set_error_handler (count_error);
  gt_force (&gt_factors, &library);
  for (int id = 0; id < GT_N_FACTORS; id++)
    if (id != GT_FACTOR_linalg_QR_decomp)
      {
        give ((enum gt_factor_id) id);
        rows = 20;
        columns = 30;
        wider = 0;
        if (!is_complex ((enum gt_factor_id) id))
          assert_gsls_bits ((enum gt_factor_id) id);
        assert_true (errors || is_complex ((enum gt_factor_id) id));
      }
  gt_force (&gt_factors, NULL);
}

TEST (exact_mode_is_gsls)
{
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  gt_force (&gt_factors, &library);
  for (int id = 0; id < GT_N_FACTORS; id++)
    {
      give ((enum gt_factor_id) id);
      assert_gsls_bits ((enum gt_factor_id) id);
    }
  gsltune_set_mode (GSLTUNE_MODE_AUTO);
  gt_force (&gt_factors, &own);
  for (int id = 0; id < GT_N_FACTORS; id++)
    {
      give ((enum gt_factor_id) id);
      assert_gsls_bits ((enum gt_factor_id) id);
    }
  gt_force (&gt_factors, NULL);
}

/* A workspace whose parameters were changed has GSL's function called.  */
TEST (parameters_are_gsls)
{
  gsl_eigen_nonsymm_workspace *w;
  gsl_matrix a;
  gsl_vector_complex values;

  gt_force (&gt_factors, &library);
  for (int k = 0; k < 3; k++)
    {
      give (GT_FACTOR_eigen_nonsymm);
      ours = gsls = given;
      values = (gsl_vector_complex) {columns, stride, ours.s, NULL, 0};
      a = matrix (ours.a, columns, columns);
      w = gsl_eigen_nonsymm_alloc (columns);
      gsl_eigen_nonsymm_params (k == 1, k == 2, w);
      assert_int_equal (gsltune_eigen_nonsymm (&a, &values, w), 0);
      assert_int_equal (w->n_evals, columns);
      values.data = gsls.s;
      a.data = gsls.a;
      assert_int_equal (gsl_eigen_nonsymm (&a, &values, w), 0);
      gsl_eigen_nonsymm_free (w);
      if (k)
        assert_memory_equal (ours.a, gsls.a, sizeof ours.a);
    }
  gt_force (&gt_factors, NULL);
}

/* ------------------------------------------------------------ A LAPACK that fails */

static int failing_info, calls;

static void
spoil_numbers (double *a, int n, int *info)
{
  calls++;
  for (int i = 0; i < n; i++)
    a[i] = NAN;
  *info = failing_info;
}

static void
fake_dpotrf (const char *uplo, const int *n, double *a, const int *lda, int *info, size_t length)
{
  assert_int_equal (*uplo, 'L');
  assert_int_equal (length, 1);
  spoil_numbers (a + *lda - *lda, *n, info);
}

static void
fake_dgeqrf (const int *m, const int *n, double *a, const int *lda, double *tau, double *work,
             const int *lwork, int *info)
{
  assert_true (*lwork >= *n && *lda >= *m && work && tau);
  spoil_numbers (a, *m, info);
}

static void
fake_dgesdd (const char *job, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *vt, const int *ldvt, double *work,
             const int *lwork, int *iwork, int *info, size_t length)
{
  assert_true (*job == 'S' && length == 1 && *m >= *n && *lda >= *m && *ldu >= *m && *ldvt >= *n);
  assert_true (*lwork >= *n * (7 + 4 * *n) && work && iwork);
  spoil_numbers (a, *m, info);
  spoil_numbers (u, *m, info);
  spoil_numbers (vt, *n, info);
  spoil_numbers (s, *n, info);
}

static void
fake_dsyevd (const char *job, const char *uplo, const int *n, double *a, const int *lda,
             double *w, double *work, const int *lwork, int *iwork, const int *liwork, int *info,
             size_t first, size_t second)
{
  assert_true ((*job == 'N' || *job == 'V') && *uplo == 'U' && first == 1 && second == 1);
  assert_true (*lda >= *n && *lwork >= 1 + 6 * *n + 2 * *n * *n && *liwork >= 3 + 5 * *n && work);
  iwork[*liwork - 1] = 1;
  spoil_numbers (a, *n, info);
  spoil_numbers (w, *n, info);
}

static void
fake_zheevd (const char *job, const char *uplo, const int *n, double *a, const int *lda,
             double *w, double *work, const int *lwork, double *rwork, const int *lrwork,
             int *iwork, const int *liwork, int *info, size_t first, size_t second)
{
  assert_true (*lrwork >= 1 + 5 * *n + 2 * *n * *n);
  rwork[*lrwork - 1] = work[2 * *lwork - 1] = 0;
  fake_dsyevd (job, uplo, n, a, lda, w, work, lwork, iwork, liwork, info, first, second);
}

static void
fake_dgeev (const char *left, const char *right, const int *n, double *a, const int *lda,
            double *wr, double *wi, double *vl, const int *ldvl, double *vr, const int *ldvr,
            double *work, const int *lwork, int *info, size_t first, size_t second)
{
  assert_true (*left == 'N' && (*right == 'N' || *right == 'V') && first == 1 && second == 1);
  assert_true (*ldvl >= 1 && *ldvr >= *n && *lda >= *n && vl && vr && wi);
  work[*lwork - 1] = 0;
  spoil_numbers (a, *n, info);
  spoil_numbers (wr, *n, info);
}

/* Takes the place of the first library, or is one if there is none.  INFO is not 0, or
   results are NaN, which the functions without values cannot have if nothing fails.  */
TEST (a_lapack_that_fails_changes_nothing)
{
  struct gt_engines *const engines = (struct gt_engines *) (uintptr_t) gt_engines ();
  struct gt_engines before = *engines;
  void **const lapack = engines->engine[GT_OWN_ENGINE + 1].lapack;

  lapack[GT_LAPACK_dpotrf] = (void *) fake_dpotrf;
  lapack[GT_LAPACK_dgeqrf] = lapack[GT_LAPACK_dlarft] = (void *) fake_dgeqrf;
  lapack[GT_LAPACK_dgesdd] = (void *) fake_dgesdd;
  lapack[GT_LAPACK_dsyevd] = (void *) fake_dsyevd;
  lapack[GT_LAPACK_zheevd] = (void *) fake_zheevd;
  lapack[GT_LAPACK_dgeev] = (void *) fake_dgeev;
  engines->n += engines->n == GT_OWN_ENGINE + 1;
  gt_force (&gt_factors, &library);
  for (failing_info = 0; failing_info < 2; failing_info++)
    for (int id = 0; id < GT_N_FACTORS; id++)
      if (failing_info || id < GT_FACTOR_linalg_QR_decomp || id >= (int) first_sv)
        for (int k = 0; k < 5; k++)
          {
            do
              give ((enum gt_factor_id) id);
            while (columns < 3 || rows < 3);
            calls = 0;
            assert_gsls_bits ((enum gt_factor_id) id);
            assert_true (calls > 0);
          }
  gt_force (&gt_factors, NULL);
  *engines = before;
}

/* Sizes are estimated, and in a process that computes little no library is opened.  */
TEST (small_matrices_are_gsls)
{
  gt_blas_prepare ();
  for (int id = 0; id < GT_N_FACTORS; id++)
    {
      assert_null (gt_factor_engine ((enum gt_factor_id) id, 8, 8));
      assert_null (gt_factor_engine ((enum gt_factor_id) id, (size_t) 1 << 25, 100));
      assert_null (gt_factor_engine ((enum gt_factor_id) id, 100000, 2));
      assert_null (gt_factor_engine ((enum gt_factor_id) id, 20000, 20000));
      if (has_lapack ())
        assert_non_null (gt_factor_engine ((enum gt_factor_id) id, 64, 64));
    }
}

RUN_TESTS (NULL, NULL)
