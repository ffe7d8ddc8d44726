/* The functions of GSL that the preloaded object offers instead: one for each row of
   src/functions.def and each type.  Each calls ours or GSL's own, see
   src/preload/call.h.  GSL's headers are included so that the compiler compares the
   prototypes.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

/* All else of the object is hidden.  */
#pragma GCC visibility push(default)
#include <gsl/gsl_blas.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_statistics.h>
#include <gsl/gsl_vector.h>
#pragma GCC visibility pop

#include "src/preload/call.h"

#define INLINE __attribute__ ((always_inline)) static inline

/* Where the call of the function came from.  */
#define CALLER __builtin_return_address (0)

#define ENTER_VECTOR(call, id, defined, v, caller) \
  gt_enter (call, id, defined, v->size, &v->stride, NULL, caller)

/* Two vectors of different lengths are an error.  */
#define ENTER_PRODUCT(call, id, x, y, caller) \
  gt_enter (call, id, x->size == y->size, x->size, &x->stride, &y->stride,  \
            caller)

/* A matrix is counted as one array.  */
#define ENTER_MATRIX(call, id, m, caller)                                   \
  gt_enter (call, id, m->size1 > 0 && m->size2 > 0, m->size1 * m->size2,    \
            &contiguous, NULL, caller)
static const size_t contiguous = 1;

/* ------------------------------------------------------------------ BLAS */

INLINE double
norm_of (enum gt_taken_id id, const gsl_vector *x, const void *caller)
{
  struct gt_call call;
  const struct gt_turn turn
    = ENTER_VECTOR (&call, id, 1, x, caller);
  double (*const f) (const gsl_vector *) = turn.function;
  const double result = f (x);

  gt_leave (&call, turn.way);
  return result;
}

INLINE float
norm_of_float (enum gt_taken_id id, const gsl_vector_float *x,
               const void *caller)
{
  struct gt_call call;
  const struct gt_turn turn
    = ENTER_VECTOR (&call, id, 1, x, caller);
  float (*const f) (const gsl_vector_float *) = turn.function;
  const float result = f (x);

  gt_leave (&call, turn.way);
  return result;
}

double
gsl_blas_dnrm2 (const gsl_vector *x)
{
  return norm_of (GT_TAKEN_blas_dnrm2, x, CALLER);
}

float
gsl_blas_snrm2 (const gsl_vector_float *x)
{
  return norm_of_float (GT_TAKEN_blas_snrm2, x, CALLER);
}

double
gsl_blas_dasum (const gsl_vector *x)
{
  return norm_of (GT_TAKEN_blas_dasum, x, CALLER);
}

float
gsl_blas_sasum (const gsl_vector_float *x)
{
  return norm_of_float (GT_TAKEN_blas_sasum, x, CALLER);
}

CBLAS_INDEX_t
gsl_blas_idamax (const gsl_vector *x)
{
  struct gt_call call;
  const struct gt_turn turn
    = ENTER_VECTOR (&call, GT_TAKEN_blas_idamax, 1, x, CALLER);
  CBLAS_INDEX_t (*const f) (const gsl_vector *) = turn.function;
  const CBLAS_INDEX_t result = f (x);

  gt_leave (&call, turn.way);
  return result;
}

CBLAS_INDEX_t
gsl_blas_isamax (const gsl_vector_float *x)
{
  struct gt_call call;
  const struct gt_turn turn
    = ENTER_VECTOR (&call, GT_TAKEN_blas_isamax, 1, x, CALLER);
  CBLAS_INDEX_t (*const f) (const gsl_vector_float *) = turn.function;
  const CBLAS_INDEX_t result = f (x);

  gt_leave (&call, turn.way);
  return result;
}

int
gsl_blas_ddot (const gsl_vector *x, const gsl_vector *y, double *to)
{
  struct gt_call call;
  const struct gt_turn turn
    = ENTER_PRODUCT (&call, GT_TAKEN_blas_ddot, x, y, CALLER);
  int (*const f) (const gsl_vector *, const gsl_vector *, double *) = turn.function;
  const int status = f (x, y, to);

  gt_leave (&call, turn.way);
  return status;
}

int
gsl_blas_sdot (const gsl_vector_float *x, const gsl_vector_float *y, float *to)
{
  struct gt_call call;
  const struct gt_turn turn
    = ENTER_PRODUCT (&call, GT_TAKEN_blas_sdot, x, y, CALLER);
  int (*const f) (const gsl_vector_float *, const gsl_vector_float *, float *) = turn.function;
  const int status = f (x, y, to);

  gt_leave (&call, turn.way);
  return status;
}

int
gsl_blas_dsdot (const gsl_vector_float *x, const gsl_vector_float *y,
                double *to)
{
  struct gt_call call;
  const struct gt_turn turn
    = ENTER_PRODUCT (&call, GT_TAKEN_blas_dsdot, x, y, CALLER);
  int (*const f) (const gsl_vector_float *, const gsl_vector_float *, double *) = turn.function;
  const int status = f (x, y, to);

  gt_leave (&call, turn.way);
  return status;
}

int
gsl_blas_sdsdot (float alpha, const gsl_vector_float *x,
                 const gsl_vector_float *y, float *to)
{
  struct gt_call call;
  const struct gt_turn turn
    = ENTER_PRODUCT (&call, GT_TAKEN_blas_sdsdot, x, y, CALLER);
  int (*const f) (float, const gsl_vector_float *, const gsl_vector_float *, float *) = turn.function;
  const int status = f (alpha, x, y, to);

  gt_leave (&call, turn.way);
  return status;
}

/* --------------------------------------- Vectors, statistics and matrices */

/* A row of src/functions.def: the function that its family and its result make, a
   wrapper of one in src/preload/preload_of.inc.  SOME is whether there are elements,
   or none are allowed.  */
#define FUNCTION(family, name, reduction, result, types, empty, ...) \
  OF_##family##_##types (family##_##result, name, SOME_##empty)
#define SOME_ERROR(n) (n) > 0
#define SOME_ZERO(n) 1
#define SOME_MINUS_3(n) 1
#define SOME_NOT_A_NUMBER(n) 1
#define OF_BLAS_DOUBLE(...)
#define OF_BLAS_FLOAT(...)
#define OF_DEVICE_VECTOR_GPU(...)
#define OF_DEVICE_VECTOR_REAL(...)
#define OF_VECTOR_ALL(make, name, some) make (name, some)
#define OF_STATS_ALL(make, name, some) make (name, some)
#define OF_MATRIX_ALL(make, name, some) make (name, some)

#define VECTOR_ID(name) NAMED (GT_TAKEN_vector, _##name)
#define STATS_ID(name) NAMED (GT_TAKEN_stats, _##name)
#define MATRIX_ID(name) NAMED (GT_TAKEN_matrix, _##name)

#define VECTOR_VALUE(name, some)                                             \
  TYPE NAMED (gsl_vector, _##name) (const VECTOR *v)                         \
  { return NAMED (vector, _value) (VECTOR_ID (name), some (v->size), v, CALLER); }
#define VECTOR_VALUES(name, some)                                            \
  void NAMED (gsl_vector, _##name) (const VECTOR *v, TYPE *min, TYPE *max)   \
  { NAMED (vector, _values) (VECTOR_ID (name), v, min, max, CALLER); }
#define VECTOR_INDEX(name, some)                                             \
  size_t NAMED (gsl_vector, _##name) (const VECTOR *v)                       \
  { return NAMED (vector, _index) (VECTOR_ID (name), v, CALLER); }
#define VECTOR_INDEXES(name, some)                                           \
  void NAMED (gsl_vector, _##name) (const VECTOR *v, size_t *min, size_t *max) \
  { NAMED (vector, _indexes) (VECTOR_ID (name), v, min, max, CALLER); }

#define ARRAY const TYPE data[], const size_t stride, const size_t n
#define STATS(name) NAMED (gsl_stats, _##name)
#define STATS_VALUE(name, some)                                              \
  TYPE STATS (name) (ARRAY)                                                  \
  { return NAMED (stats, _value) (STATS_ID (name), data, stride, n, CALLER); }
#define STATS_VALUES(name, some)                                             \
  void STATS (name) (TYPE *min, TYPE *max, ARRAY)                            \
  { NAMED (stats, _values) (STATS_ID (name), min, max, data, stride, n, CALLER); }
#define STATS_INDEX(name, some)                                              \
  size_t STATS (name) (ARRAY)                                                \
  { return NAMED (stats, _index) (STATS_ID (name), data, stride, n, CALLER); }
#define STATS_INDEXES(name, some)                                            \
  void STATS (name) (size_t *min, size_t *max, ARRAY)                        \
  { NAMED (stats, _indexes) (STATS_ID (name), min, max, data, stride, n, CALLER); }
#define STATS_DOUBLE(name, some)                                             \
  double STATS (name) (ARRAY)                                                \
  { return NAMED (one, ) (STATS_ID (name), data, stride, n, CALLER); }
#define STATS_DOUBLE_M(name, some)                                           \
  double STATS (name) (ARRAY, const double mean)                             \
  { return NAMED (one, _m) (STATS_ID (name), data, stride, n, mean, CALLER); }
#define STATS_DOUBLE_M_SD(name, some)                                        \
  double STATS (name) (ARRAY, const double mean, const double sd)            \
  { return NAMED (one, _m_sd) (STATS_ID (name), data, stride, n, mean, sd, CALLER); }

/* Two samples, or weights and a sample.  */
#define ARRAYS \
  const TYPE a[], const size_t s, const TYPE b[], const size_t t, const size_t n
#define STATS_PAIR(name, some)                                               \
  double STATS (name) (ARRAYS)                                               \
  { return NAMED (two, ) (STATS_ID (name), a, s, b, t, n, CALLER); }
#define STATS_PAIR_M(name, some)                                             \
  double STATS (name) (ARRAYS, const double u, const double v)               \
  { return NAMED (two, _m_sd) (STATS_ID (name), a, s, b, t, n, u, v, CALLER); }
#define STATS_WEIGHTED STATS_PAIR
#define STATS_WEIGHTED_M(name, some)                                         \
  double STATS (name) (ARRAYS, const double u)                               \
  { return NAMED (two, _m) (STATS_ID (name), a, s, b, t, n, u, CALLER); }
#define STATS_WEIGHTED_M_SD STATS_PAIR_M

#define MATRIX_VALUE(name, some)                                             \
  TYPE NAMED (gsl_matrix, _##name) (const MATRIX *m)                         \
  { return NAMED (matrix, _value) (MATRIX_ID (name), m, CALLER); }
#define MATRIX_VALUES(name, some)                                            \
  void NAMED (gsl_matrix, _##name) (const MATRIX *m, TYPE *min, TYPE *max)   \
  { NAMED (matrix, _values) (MATRIX_ID (name), m, min, max, CALLER); }
#define MATRIX_INDEX(name, some)                                             \
  void NAMED (gsl_matrix, _##name) (const MATRIX *m, size_t *i, size_t *j)   \
  { NAMED (matrix, _index) (MATRIX_ID (name), m, i, j, CALLER); }
#define MATRIX_INDEXES(name, some)                                           \
  void NAMED (gsl_matrix, _##name) (const MATRIX *m, size_t *i, size_t *j,   \
                                    size_t *k, size_t *l)                    \
  { NAMED (matrix, _indexes) (MATRIX_ID (name), m, i, j, k, l, CALLER); }

#define GT_TEMPLATE "src/preload/preload_of.inc"
#include "src/public/each_type.h"
