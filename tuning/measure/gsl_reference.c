/* GSL's own functions, to compare with.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/gsl_reference.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_statistics.h>
#include <gsl/gsl_vector.h>

#include <string.h>

#include "src/base/names.h"
#include "tuning/measure/batches.h"
#include "tuning/measure/target.h"

#define GT_TEMPLATE "tuning/measure/gsl_reference_of.inc"
#include "src/public/each_type.h"

static gsl_vector
double_of (const struct gt_operand *operand, size_t n)
{
  return (gsl_vector) {n, operand->stride, (double *) operand->data, NULL, 0};
}

static gsl_vector_float
float_of (const struct gt_operand *operand, size_t n)
{
  return (gsl_vector_float) {n, operand->stride, (float *) operand->data, NULL,
                             0};
}

static void
asum_double (const struct gt_task *task, union gt_value *value)
{
  gsl_vector v = double_of (&task->x, task->problem.n);

  value->f64[0] = gsl_blas_dasum (&v);
}

static void
asum_float (const struct gt_task *task, union gt_value *value)
{
  gsl_vector_float v = float_of (&task->x, task->problem.n);

  value->f32[0] = gsl_blas_sasum (&v);
}

static void
amax_double (const struct gt_task *task, union gt_value *value)
{
  gsl_vector v = double_of (&task->x, task->problem.n);

  value->where.index[0] = gsl_blas_idamax (&v);
}

static void
amax_float (const struct gt_task *task, union gt_value *value)
{
  gsl_vector_float v = float_of (&task->x, task->problem.n);

  value->where.index[0] = gsl_blas_isamax (&v);
}

static void
dot_double (const struct gt_task *task, union gt_value *value)
{
  gsl_vector x = double_of (&task->x, task->problem.n);
  gsl_vector y = double_of (&task->y, task->problem.n);

  gsl_blas_ddot (&x, &y, &value->f64[0]);
}

static void
dot_float (const struct gt_task *task, union gt_value *value)
{
  gsl_vector_float x = float_of (&task->x, task->problem.n);
  gsl_vector_float y = float_of (&task->y, task->problem.n);

  gsl_blas_sdot (&x, &y, &value->f32[0]);
}

static void
nrm2_double (const struct gt_task *task, union gt_value *value)
{
  gsl_vector v = double_of (&task->x, task->problem.n);

  value->f64[0] = gsl_blas_dnrm2 (&v);
}

static void
nrm2_float (const struct gt_task *task, union gt_value *value)
{
  gsl_vector_float v = float_of (&task->x, task->problem.n);

  value->f32[0] = gsl_blas_snrm2 (&v);
}

struct function
{
  void (*call) (const struct gt_task *task, union gt_value *value);
  const char *name;
};

#define VECTOR_FUNCTION(infix, what) \
  {what##infix##_of, "gsl_vector" #infix "_" #what}
#define STATS_FUNCTION(infix, what) \
  {what##infix##_of, "gsl_stats" #infix "_" #what}

static const struct function functions[GT_N_REDUCTIONS][GT_N_ELEMENT_TYPES] = {
#define X(id, name, infix, ctype, arithmetic)                               \
  [GT_SUM][GT_TYPE_##id] = VECTOR_FUNCTION (infix, sum),                    \
  [GT_MAX][GT_TYPE_##id] = VECTOR_FUNCTION (infix, max),                    \
  [GT_MIN][GT_TYPE_##id] = VECTOR_FUNCTION (infix, min),                    \
  [GT_MINMAX][GT_TYPE_##id] = VECTOR_FUNCTION (infix, minmax),              \
  [GT_TOTAL][GT_TYPE_##id] = STATS_FUNCTION (infix, mean),                  \
  [GT_MOMENTS][GT_TYPE_##id] = STATS_FUNCTION (infix, variance),            \
  [GT_COMOMENTS][GT_TYPE_##id] = STATS_FUNCTION (infix, covariance),        \
  [GT_CORRELATION][GT_TYPE_##id] = STATS_FUNCTION (infix, correlation),     \
  [GT_LAG1][GT_TYPE_##id] = STATS_FUNCTION (infix, lag1_autocorrelation_m), \
  [GT_ABSDEV][GT_TYPE_##id] = STATS_FUNCTION (infix, absdev_m),             \
  [GT_SKEW][GT_TYPE_##id] = STATS_FUNCTION (infix, skew_m_sd),              \
  [GT_KURTOSIS][GT_TYPE_##id] = STATS_FUNCTION (infix, kurtosis_m_sd),
  GT_ELEMENT_TYPES (X)
#undef X
#define X(id, name, infix, ctype, arithmetic)                               \
  [GT_WSUM][GT_TYPE_##id] = STATS_FUNCTION (infix, wmean),                  \
  [GT_WMOMENTS][GT_TYPE_##id] = STATS_FUNCTION (infix, wvariance_m),        \
  [GT_WABSDEV][GT_TYPE_##id] = STATS_FUNCTION (infix, wabsdev_m),           \
  [GT_WSKEW][GT_TYPE_##id] = STATS_FUNCTION (infix, wskew_m_sd),            \
  [GT_WKURTOSIS][GT_TYPE_##id] = STATS_FUNCTION (infix, wkurtosis_m_sd),
  GT_SHORT_REAL_TYPES (X)
  X (LONG_DOUBLE, "long_double", _long_double, long double, LDBL)
#undef X
  [GT_ASUM] = {[GT_TYPE_DOUBLE] = {asum_double, "gsl_blas_dasum"},
               [GT_TYPE_FLOAT] = {asum_float, "gsl_blas_sasum"}},
  [GT_AMAX] = {[GT_TYPE_DOUBLE] = {amax_double, "gsl_blas_idamax"},
               [GT_TYPE_FLOAT] = {amax_float, "gsl_blas_isamax"}},
  [GT_DOT] = {[GT_TYPE_DOUBLE] = {dot_double, "gsl_blas_ddot"},
              [GT_TYPE_FLOAT] = {dot_float, "gsl_blas_sdot"}},
  [GT_SUMSQ] = {[GT_TYPE_DOUBLE] = {nrm2_double, "gsl_blas_dnrm2"},
                [GT_TYPE_FLOAT] = {nrm2_float, "gsl_blas_snrm2"}},
};

/* That of the first element type which REDUCTION computes in ARITHMETIC; null for
   char with the sign that the platform's has not.  */
static const struct function *
find (enum gt_reduction reduction, enum gt_arithmetic arithmetic)
{
  for (int type = 0; type < GT_N_ELEMENT_TYPES; type++)
    if (gt_arithmetic_for (reduction, gt_types[type].arithmetic) == arithmetic)
      return &functions[reduction][type];
  return NULL;
}

const char *
gt_gsl_name (enum gt_reduction reduction, enum gt_arithmetic arithmetic)
{
  const struct function *function = find (reduction, arithmetic);

  return function ? function->name : "GSL";
}

void
gt_gsl_compute (const struct gt_problem *problem, const void *data,
                union gt_value *value)
{
  const struct gt_task task = gt_problem_task (problem, data);

  find (problem->reduction, problem->arithmetic)->call (&task, value);
}

struct runs
{
  const struct function *function;
  struct gt_task task;
};

static void
compute_often (void *closure, unsigned count)
{
  const struct runs *r = closure;
  union gt_value value;

  for (unsigned k = 0; k < count; k++)
    r->function->call (&r->task, &value);
}

double
gt_time_gsl (const struct gt_problem *problem, const void *data,
             double at_least)
{
  struct runs runs = {find (problem->reduction, problem->arithmetic),
                      gt_problem_task (problem, data)};

  return runs.function ? gt_time_batches (compute_often, &runs, at_least) : 0;
}
