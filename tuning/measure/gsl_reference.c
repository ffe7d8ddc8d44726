/* GSL's own functions, to compare with.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/gsl_reference.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_vector.h>

#include <string.h>

#include "src/base/names.h"
#include "tuning/measure/batches.h"
#include "tuning/measure/target.h"

#define GT_TEMPLATE "tuning/measure/gsl_reference_of.h"
#include "src/public/each_type.h"

static void
asum_double (const void *data, size_t n, size_t stride, union gt_value *value)
{
  gsl_vector v = {n, stride, (double *) data, NULL, 0};

  value->f64[0] = gsl_blas_dasum (&v);
}

static void
asum_float (const void *data, size_t n, size_t stride, union gt_value *value)
{
  gsl_vector_float v = {n, stride, (float *) data, NULL, 0};

  value->f32[0] = gsl_blas_sasum (&v);
}

static void
amax_double (const void *data, size_t n, size_t stride, union gt_value *value)
{
  gsl_vector v = {n, stride, (double *) data, NULL, 0};

  value->where.index[0] = gsl_blas_idamax (&v);
}

static void
amax_float (const void *data, size_t n, size_t stride, union gt_value *value)
{
  gsl_vector_float v = {n, stride, (float *) data, NULL, 0};

  value->where.index[0] = gsl_blas_isamax (&v);
}

struct function
{
  void (*call) (const void *, size_t, size_t, union gt_value *);
  const char *name;
};

#define VECTOR_FUNCTION(infix, what) \
  {what##infix##_of, "gsl_vector" #infix "_" #what}

static const struct function functions[GT_N_REDUCTIONS][GT_N_ELEMENT_TYPES] = {
#define X(id, name, infix, ctype, arithmetic) \
  [GT_SUM][GT_TYPE_##id] = VECTOR_FUNCTION (infix, sum),
  GT_ELEMENT_TYPES (X)
#undef X
#define X(id, name, infix, ctype, arithmetic) \
  [GT_MAX][GT_TYPE_##id] = VECTOR_FUNCTION (infix, max),
  GT_ELEMENT_TYPES (X)
#undef X
#define X(id, name, infix, ctype, arithmetic) \
  [GT_MIN][GT_TYPE_##id] = VECTOR_FUNCTION (infix, min),
  GT_ELEMENT_TYPES (X)
#undef X
#define X(id, name, infix, ctype, arithmetic) \
  [GT_MINMAX][GT_TYPE_##id] = VECTOR_FUNCTION (infix, minmax),
  GT_ELEMENT_TYPES (X)
#undef X
  [GT_ASUM] = {[GT_TYPE_DOUBLE] = {asum_double, "gsl_blas_dasum"},
               [GT_TYPE_FLOAT] = {asum_float, "gsl_blas_sasum"}},
  [GT_AMAX] = {[GT_TYPE_DOUBLE] = {amax_double, "gsl_blas_idamax"},
               [GT_TYPE_FLOAT] = {amax_float, "gsl_blas_isamax"}},
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

static size_t
stride_of (const struct gt_problem *problem)
{
  return problem->layout == GT_CONTIGUOUS ? 1 : GT_TUNED_STRIDE;
}

void
gt_gsl_compute (const struct gt_problem *problem, const void *data,
                union gt_value *value)
{
  find (problem->reduction, problem->arithmetic)
    ->call (data, problem->n, stride_of (problem), value);
}

struct runs
{
  const struct gt_problem *problem;
  const struct function *function;
  const void *data;
};

static void
compute_often (void *closure, unsigned count)
{
  const struct runs *r = closure;
  union gt_value value;

  for (unsigned k = 0; k < count; k++)
    r->function->call (r->data, r->problem->n, stride_of (r->problem), &value);
}

double
gt_time_gsl (const struct gt_problem *problem, const void *data,
             double at_least)
{
  struct runs runs
    = {problem, find (problem->reduction, problem->arithmetic), data};

  return runs.function ? gt_time_batches (compute_often, &runs, at_least) : 0;
}
