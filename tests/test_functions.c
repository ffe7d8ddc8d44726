/* Tests of the functions that src/functions.def lists (src/public/extremes.c,
   src/public/blas.c): each has GSL's prototype and gives GSL's answer, bit for bit.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_statistics.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit.h"

#include "src/base/env.h"
#include "src/gsltune.h"
#include "src/preload/taken.h"
#include "tests/exact.h"
#include "tests/handler.h"

/* The end of memory that is followed by none.  */
static char *fence_end;

/* A row of functions.def: both functions have one prototype, and give the same if
   `gsltune run --mode gsl' takes them for the same.  Sums of real numbers are rounded
   where GSL's are not, so they are not compared here.  */
#define AGREE(ours, gsl, CALL, id, what)                                      \
  _Static_assert (__builtin_types_compatible_p (__typeof__ (ours),            \
                                                __typeof__ (gsl)), #ours);    \
  if (gt_taken[id].same_bits)                                                 \
    CALL (ours, &o), CALL (gsl, &g), NAMED (compare, ) (#ours, what, &o, &g);
#define NOTHING(...)

/* Statistics have a test of their own, tests/test_stats_truth.c; here it is their prototypes
   and what no elements give.  */
#define OF_STATS_DOUBLE(f, a) (void) 0
#define OF_STATS_DOUBLE_M(f, a) (void) 0
#define OF_STATS_DOUBLE_M_SD(f, a) (void) 0
#define OF_STATS_PAIR(f, a) (void) 0
#define OF_STATS_PAIR_M(f, a) (void) 0
#define OF_STATS_WEIGHTED(f, a) (void) 0
#define OF_STATS_WEIGHTED_M(f, a) (void) 0
#define OF_STATS_WEIGHTED_M_SD(f, a) (void) 0

#define OF_VECTOR_VALUE(f, a) (a)->value[0] = f (v)
#define OF_VECTOR_VALUES(f, a) f (v, &(a)->value[0], &(a)->value[1])
#define OF_VECTOR_INDEX(f, a) (a)->index[0] = f (v)
#define OF_VECTOR_INDEXES(f, a) f (v, &(a)->index[0], &(a)->index[1])
#define OF_STATS_VALUE(f, a) (a)->value[0] = f (v->data, v->stride, v->size)
#define OF_STATS_VALUES(f, a) \
  f (&(a)->value[0], &(a)->value[1], v->data, v->stride, v->size)
#define OF_STATS_INDEX(f, a) (a)->index[0] = f (v->data, v->stride, v->size)
#define OF_STATS_INDEXES(f, a) \
  f (&(a)->index[0], &(a)->index[1], v->data, v->stride, v->size)
#define OF_MATRIX_VALUE(f, a) (a)->value[0] = f (m)
#define OF_MATRIX_VALUES(f, a) f (m, &(a)->value[0], &(a)->value[1])
#define OF_MATRIX_INDEX(f, a) f (m, &(a)->index[0], &(a)->index[1])
#define OF_MATRIX_INDEXES(f, a) \
  f (m, &(a)->index[0], &(a)->index[1], &(a)->index[2], &(a)->index[3])

/* How many values and indexes a result has, and which error no elements are.  */
#define VALUE_VALUES 1
#define VALUES_VALUES 2
#define INDEX_VALUES 0
#define INDEXES_VALUES 0
#define VALUE_INDEXES 0
#define VALUES_INDEXES 0
#define INDEX_INDEXES 1
#define INDEXES_INDEXES 2
#define CODE_ZERO 0
#define CODE_ERROR GSL_EDOM
#define EMPTY(f, CALL, result, places, empty)                               \
  handler_calls = 0;                                                        \
  NAMED (clear, ) (&o);                                                     \
  CALL (f, &o);                                                             \
  NAMED (compare_empty, ) (#f, &o, result##_VALUES,                         \
                           places * result##_INDEXES, CODE_##empty);

/* The same of statistics, which are double and report nothing.  */
#define EMPTY_VALUE EMPTY
#define EMPTY_VALUES EMPTY
#define EMPTY_INDEX EMPTY
#define EMPTY_INDEXES EMPTY
#define EMPTY_DOUBLE(f, CALL, result, places, empty) \
  EMPTY_STATISTIC (f, empty, v->data, 1, 0)
#define EMPTY_DOUBLE_M(f, CALL, result, places, empty) \
  EMPTY_STATISTIC (f, empty, v->data, 1, 0, 1)
#define EMPTY_DOUBLE_M_SD(f, CALL, result, places, empty) \
  EMPTY_STATISTIC (f, empty, v->data, 1, 0, 1, 2)
#define EMPTY_PAIR(f, CALL, result, places, empty) \
  EMPTY_STATISTIC (f, empty, v->data, 1, v->data, 1, 0)
#define EMPTY_PAIR_M(f, CALL, result, places, empty) \
  EMPTY_STATISTIC (f, empty, v->data, 1, v->data, 1, 0, 1, 2)
#define EMPTY_WEIGHTED EMPTY_PAIR
#define EMPTY_WEIGHTED_M(f, CALL, result, places, empty) \
  EMPTY_STATISTIC (f, empty, v->data, 1, v->data, 1, 0, 1)
#define EMPTY_WEIGHTED_M_SD EMPTY_PAIR_M
#define NUMBER_ZERO 0
#define NUMBER_MINUS_3 -3
#define NUMBER_NOT_A_NUMBER NAN
#define NUMBER_ERROR 0
#define EMPTY_STATISTIC(f, empty, ...) \
  compare_number (#f, f (__VA_ARGS__), NUMBER_##empty);

static void
compare_number (const char *name, double ours, double expected)
{
  if (isnan (expected) ? !isnan (ours)
      : ours != expected || signbit (ours) != signbit (expected))
    fail_msg ("%s of no elements is %g instead of %g", name, ours, expected);
}

#define GT_TEMPLATE "tests/functions_of_type.inc"
#include "src/public/each_type.h"

static const size_t strides[] = {1, 2, 3, 17};
static const size_t lengths[]
  = {1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 23, 24, 25, 26, 31, 32, 33, 47, 48, 49,
     63, 64, 65, 100, 255, 256, 1000, 4097, 20011};

/* { rows, columns, from row to row }  */
static const size_t shapes[][3]
  = {{1, 1, 1},     {1, 1, 3},    {1, 7, 9},     {7, 1, 1},    {7, 1, 4},
     {3, 4, 4},     {3, 4, 5},    {5, 5, 8},     {4, 6, 7},    {5, 5, 5},
     {1, 100, 200}, {100, 1, 17}, {2, 100, 100}, {2, 100, 103}, {100, 2, 5},
     {33, 65, 65},  {33, 65, 66}, {300, 70, 75}, {13, 2000, 2048}};

TEST (vectors_as_gsl)
{
  for (size_t k = 0; k < N_OF (lengths); k++)
    for (size_t s = 0; s < N_OF (strides); s++)
      {
#define X(id, type, infix, ctype, arithmetic) \
        vectors##infix (lengths[k], strides[s]);
        GT_ELEMENT_TYPES (X)
#undef X
      }
}

/* Several threads share these.  */
TEST (long_vectors_as_gsl)
{
#define X(id, type, infix, ctype, arithmetic) \
  vectors##infix (((size_t) 5 << 20) / sizeof (ctype), 1);
  GT_ELEMENT_TYPES (X)
#undef X
}

TEST (matrices_as_gsl)
{
  for (size_t k = 0; k < N_OF (shapes); k++)
    {
#define X(id, type, infix, ctype, arithmetic) \
      matrices##infix (shapes[k][0], shapes[k][1], shapes[k][2]);
      GT_ELEMENT_TYPES (X)
#undef X
    }
}

TEST (no_elements)
{
  static const size_t empty_shapes[][2] = {{0, 0}, {0, 3}, {3, 0}};
  gsl_error_handler_t *before = gsl_set_error_handler (note_error);

  for (size_t k = 0; k < N_OF (empty_shapes); k++)
    {
#define X(id, type, infix, ctype, arithmetic)                                 \
      empty##infix (&(gsl_vector##infix) {0, 1 + k, NULL, NULL, 0},           \
                    &(gsl_matrix##infix) {empty_shapes[k][0],                 \
                                          empty_shapes[k][1], 5, NULL, NULL,  \
                                          0});
      GT_ELEMENT_TYPES (X)
#undef X
    }
  gsl_set_error_handler (before);
}

/* GSL's own handler ends the program.  */
TEST (no_elements_with_gsls_handler)
{
  gsl_vector nothing = {0, 1, NULL, NULL, 0};
  pid_t child = fork ();
  int status;

  assert_true (child >= 0);
  if (child == 0)
    {
      close (STDERR_FILENO);
      gsltune_vector_max (&nothing);
      _exit (0);
    }
  assert_int_equal (waitpid (child, &status, 0), child);
  assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGABRT);
}

/* -------------------------------------------------------------- Magnitudes */

/* Both of one prototype; of the sums no bits are compared.  */
#define BLAS_ROW(name, reduction, result, type, ...)                          \
  _Static_assert (__builtin_types_compatible_p (                              \
                    __typeof__ (gsltune_blas_##name),                         \
                    __typeof__ (gsl_blas_##name)), #name);
#define FUNCTION(family, ...) family##_ROW (__VA_ARGS__)
#define VECTOR_ROW NOTHING
#define STATS_ROW NOTHING
#define MATRIX_ROW NOTHING
#define DEVICE_VECTOR_ROW NOTHING
#include "src/functions.def"
#undef FUNCTION

TEST (largest_magnitudes_as_gsl)
{
  for (size_t k = 0; k < N_OF (lengths); k++)
    for (size_t s = 0; s < N_OF (strides); s++)
      for (int sown = 0; sown < N_SOWN; sown++)
        {
          const size_t n = lengths[k], stride = strides[s];
          const size_t span = (n - 1) * stride + 1;
          double *x = (double *) fence_end - span;
          float *y = (float *) (void *) fence_end - span;
          const gsl_vector v = {n, stride, x, NULL, 0};
          const gsl_vector_float w = {n, stride, y, NULL, 0};

          sow (x, span, 1, WIDE, n);
          sow (x, n, stride, (enum sown) sown, n);
          assert_int_equal (gsltune_blas_idamax (&v), gsl_blas_idamax (&v));
          sow_float (y, span, 1, WIDE, n);
          sow_float (y, n, stride, (enum sown) sown, n);
          assert_int_equal (gsltune_blas_isamax (&w), gsl_blas_isamax (&w));
        }
}

/* What is larger than anything lies behind NaN, or nothing does.  */
TEST (edges_of_magnitudes)
{
  double x[100];
  gsl_vector v = {0, 1, x, NULL, 0};
  gsl_vector_float none = {0, 1, NULL, NULL, 0};

  for (size_t i = 0; i < N_OF (x); i++)
    x[i] = NAN;
  assert_int_equal (gsltune_blas_isamax (&none), 0);
  assert_true (gsltune_blas_sasum (&none) == 0);
  for (v.size = 0; v.size <= N_OF (x); v.size++)
    {
      assert_int_equal (gsltune_blas_idamax (&v), 0);
      if (v.size == 0)
        continue;
      x[v.size - 1] = -DBL_MIN / 4;
      assert_int_equal (gsltune_blas_idamax (&v), v.size - 1);
      x[v.size - 1] = NAN;
    }
}

static double
exact_magnitude (const gsl_vector *v, float *rounded)
{
  gsltune_accumulator *acc = gsltune_accumulator_alloc ();
  double sum;

  for (size_t i = 0; i < v->size; i++)
    {
      double a = fabs (v->data[i * v->stride]);

      gsltune_accumulator_add_vector (acc, &(gsl_vector) {1, 1, &a, NULL, 0});
    }
  sum = gsltune_accumulator_round (acc);
  *rounded = gsltune_accumulator_round_float (acc);
  gsltune_accumulator_free (acc);
  return sum;
}

/* Whole numbers: in every mode what GSL adds, and always +0 of none.  */
static void
sums_as_gsl (size_t n, size_t stride)
{
  const size_t span = (n - 1) * stride + 1;
  double *x = (double *) fence_end - span;
  float *y = (float *) (void *) fence_end - span;
  const gsl_vector v = {n, stride, x, NULL, 0};
  const gsl_vector_float w = {n, stride, y, NULL, 0};

  sow (x, span, 1, ALL_NAN, n);
  sow (x, n, stride, TIED, n);
  assert_true (gsltune_blas_dasum (&v) == gsl_blas_dasum (&v));
  x[0] = -INFINITY;
  assert_true (gsltune_blas_dasum (&v) == INFINITY);
  x[(n - 1) * stride] = NAN;
  assert_true (isnan (gsltune_blas_dasum (&v)));
  sow_float (y, span, 1, ALL_NAN, n);
  sow_float (y, n, stride, TIED, n);
  assert_true (gsltune_blas_sasum (&w) == gsl_blas_sasum (&w));
  sow_float (y, n, stride, ZEROS, n);
  assert_true (gsltune_blas_sasum (&w) == 0
               && !signbit (gsltune_blas_sasum (&w)));
}

static void
sums_are_rounded (size_t n, size_t stride)
{
  const size_t span = (n - 1) * stride + 1;
  double *x = (double *) fence_end - span;
  float *y = malloc (span * sizeof *y), single;
  gsl_vector v = {n, stride, x, NULL, 0};
  const gsl_vector_float w = {n, stride, y, NULL, 0};
  uint64_t seed = n;

  assert_non_null (y);
  for (size_t i = 0; i < n; i++)
    x[i * stride] = ldexp ((double) random_within (&seed, 1 << 20) / 3,
                           (int) (seed % 60));
  assert_true (gsltune_blas_dasum (&v) == exact_magnitude (&v, &single));
  for (size_t i = 0; i < n; i++)
    x[i * stride] = y[i * stride] = (float) x[i * stride];
  exact_magnitude (&v, &single);
  assert_true (gsltune_blas_sasum (&w) == single);
  free (y);
}

TEST (sums_of_magnitudes)
{
  for (size_t k = 0; k < N_OF (lengths); k++)
    for (size_t s = 0; s < N_OF (strides); s++)
      {
        for (int mode = 0; mode < GT_N_MODES; mode++)
          {
            gsltune_set_mode ((gsltune_mode) mode);
            sums_as_gsl (lengths[k], strides[s]);
          }
        sums_are_rounded (lengths[k], strides[s]); /* in exact mode */
      }
}

/* ------------------------------------------------------------------------- */

FIXTURE (make_fence)
{
  const size_t bytes = (size_t) 8 << 20, page = (size_t) getpagesize ();
  char *memory = mmap (NULL, bytes + page, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (memory == MAP_FAILED || mprotect (memory + bytes, page, PROT_NONE))
    return -1;
  fence_end = memory + bytes;
  return 0;
}

int
main (void)
{
  /* No profile of the user's decides, and more threads than one compute.  */
  gt_env.profile_dir = "/nonexistent";
  return run_unit_tests (make_fence, NULL);
}
