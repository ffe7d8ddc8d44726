/* What gsltune bench times.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/bench_functions.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_statistics.h>
#include <gsl/gsl_vector.h>

#include "src/gsltune.h"

/* Where results go, one or two of any type.  */
static union gt_value result;

#define GT_TEMPLATE "tuning/measure/bench_functions_of.inc"
#include "src/public/each_type.h"

/* ------------------------------------------------------------------ BLAS */

static void
gsl_asum (const struct gt_bench_vector *v)
{
  gsl_vector view = view_of (v);
  *(volatile double *) &result = gsl_blas_dasum (&view);
}

static void
gsl_float_asum (const struct gt_bench_vector *v)
{
  gsl_vector_float view = view_float_of (v);
  *(volatile float *) &result = gsl_blas_sasum (&view);
}

static void
gsl_amax (const struct gt_bench_vector *v)
{
  gsl_vector view = view_of (v);
  *(volatile size_t *) &result = gsl_blas_idamax (&view);
}

static void
gsl_float_amax (const struct gt_bench_vector *v)
{
  gsl_vector_float view = view_float_of (v);
  *(volatile size_t *) &result = gsl_blas_isamax (&view);
}

static void
ours_asum (const struct gt_bench_vector *v)
{
  gsl_vector view = view_of (v);
  *(volatile double *) &result = gsltune_blas_dasum (&view);
}

static void
ours_float_asum (const struct gt_bench_vector *v)
{
  gsl_vector_float view = view_float_of (v);
  *(volatile float *) &result = gsltune_blas_sasum (&view);
}

static void
ours_amax (const struct gt_bench_vector *v)
{
  gsl_vector view = view_of (v);
  *(volatile size_t *) &result = gsltune_blas_idamax (&view);
}

static void
ours_float_amax (const struct gt_bench_vector *v)
{
  gsl_vector_float view = view_float_of (v);
  *(volatile size_t *) &result = gsltune_blas_isamax (&view);
}

static void
device_asum (const struct gt_bench_vector *v)
{
  *(volatile double *) &result = gsltune_device_vector_asum (v->device);
}

static void
device_float_asum (const struct gt_bench_vector *v)
{
  *(volatile float *) &result = gsltune_device_vector_float_asum (v->device);
}

static void
device_amax (const struct gt_bench_vector *v)
{
  *(volatile size_t *) &result = gsltune_device_vector_iamax (v->device);
}

static void
device_float_amax (const struct gt_bench_vector *v)
{
  *(volatile size_t *) &result = gsltune_device_vector_float_iamax (v->device);
}

static gsl_vector
second_of (const struct gt_bench_vector *v)
{
  return (gsl_vector) {v->n, v->stride, v->second, NULL, 0};
}

static gsl_vector_float
second_float_of (const struct gt_bench_vector *v)
{
  return (gsl_vector_float) {v->n, v->stride, v->second, NULL, 0};
}

static void
gsl_dot (const struct gt_bench_vector *v)
{
  gsl_vector x = view_of (v), y = second_of (v);
  gsl_blas_ddot (&x, &y, (double *) &result);
}

static void
gsl_nrm2 (const struct gt_bench_vector *v)
{
  gsl_vector view = view_of (v);
  *(volatile double *) &result = gsl_blas_dnrm2 (&view);
}

static void
gsl_float_dot (const struct gt_bench_vector *v)
{
  gsl_vector_float x = view_float_of (v), y = second_float_of (v);
  gsl_blas_sdot (&x, &y, (float *) &result);
}

static void
gsl_float_nrm2 (const struct gt_bench_vector *v)
{
  gsl_vector_float view = view_float_of (v);
  *(volatile float *) &result = gsl_blas_snrm2 (&view);
}

static void
ours_dot (const struct gt_bench_vector *v)
{
  gsl_vector x = view_of (v), y = second_of (v);
  gsltune_blas_ddot (&x, &y, (double *) &result);
}

static void
ours_nrm2 (const struct gt_bench_vector *v)
{
  gsl_vector view = view_of (v);
  *(volatile double *) &result = gsltune_blas_dnrm2 (&view);
}

static void
ours_float_dot (const struct gt_bench_vector *v)
{
  gsl_vector_float x = view_float_of (v), y = second_float_of (v);
  gsltune_blas_sdot (&x, &y, (float *) &result);
}

static void
ours_float_nrm2 (const struct gt_bench_vector *v)
{
  gsl_vector_float view = view_float_of (v);
  *(volatile float *) &result = gsltune_blas_snrm2 (&view);
}

static void
device_dot (const struct gt_bench_vector *v)
{
  gsltune_device_vector_dot (v->device, v->device_second,
                             (double *) &result);
}

static void
device_nrm2 (const struct gt_bench_vector *v)
{
  *(volatile double *) &result = gsltune_device_vector_nrm2 (v->device);
}

static void
device_float_dot (const struct gt_bench_vector *v)
{
  gsltune_device_vector_float_dot (v->device, v->device_second,
                                   (float *) &result);
}

static void
device_float_nrm2 (const struct gt_bench_vector *v)
{
  *(volatile float *) &result = gsltune_device_vector_float_nrm2 (v->device);
}

/* ---------------------------------------------------------------- Tables */

#define ON_HOST(infix, what) gsl##infix##_##what, ours##infix##_##what
#define EVERYWHERE(infix, what) {ON_HOST (infix, what), device##infix##_##what}

/* What a reduction of several sums is needed for.  */
#define STATISTICS(infix, WHERE)                                             \
  [GT_TOTAL] = WHERE (infix, mean), [GT_MOMENTS] = WHERE (infix, variance),  \
  [GT_COMOMENTS] = WHERE (infix, covariance),                                \
  [GT_CORRELATION] = WHERE (infix, correlation),                             \
  [GT_LAG1] = WHERE (infix, lag1_autocorrelation),                           \
  [GT_ABSDEV] = WHERE (infix, absdev), [GT_SKEW] = WHERE (infix, skew),      \
  [GT_KURTOSIS] = WHERE (infix, kurtosis)
#define WEIGHTED_STATISTICS(infix, WHERE)                                    \
  [GT_WSUM] = WHERE (infix, wmean), [GT_WMOMENTS] = WHERE (infix, wvariance), \
  [GT_WABSDEV] = WHERE (infix, wabsdev), [GT_WSKEW] = WHERE (infix, wskew),  \
  [GT_WKURTOSIS] = WHERE (infix, wkurtosis)
#define ON_HOST_ALONE(infix, what) {ON_HOST (infix, what), NULL}

static const struct gt_bench_functions
  functions[GT_N_ELEMENT_TYPES][GT_N_REDUCTIONS] = {
#define X(id, name, infix, ctype, arithmetic)                                \
  [GT_TYPE_##id] = {[GT_SUM] = EVERYWHERE (infix, sum),                      \
                    [GT_MAX] = EVERYWHERE (infix, max),                      \
                    [GT_MIN] = EVERYWHERE (infix, min),                      \
                    [GT_MINMAX] = EVERYWHERE (infix, minmax),                \
                    STATISTICS (infix, EVERYWHERE)},
  GT_INTEGER_TYPES (X)
#undef X
#define X(id, name, infix, ctype, arithmetic)                                \
  [GT_TYPE_##id] = {[GT_SUM] = EVERYWHERE (infix, sum),                      \
                    [GT_ASUM] = EVERYWHERE (infix, asum),                    \
                    [GT_MAX] = EVERYWHERE (infix, max),                      \
                    [GT_MIN] = EVERYWHERE (infix, min),                      \
                    [GT_MINMAX] = EVERYWHERE (infix, minmax),                \
                    [GT_AMAX] = EVERYWHERE (infix, amax),                    \
                    [GT_DOT] = EVERYWHERE (infix, dot),                      \
                    [GT_SUMSQ] = EVERYWHERE (infix, nrm2),                   \
                    STATISTICS (infix, EVERYWHERE),                          \
                    WEIGHTED_STATISTICS (infix, EVERYWHERE)},
  GT_SHORT_REAL_TYPES (X)
#undef X
  [GT_TYPE_LONG_DOUBLE] = {[GT_SUM] = {ON_HOST (_long_double, sum), NULL},
                           [GT_MAX] = {ON_HOST (_long_double, max), NULL},
                           [GT_MIN] = {ON_HOST (_long_double, min), NULL},
                           [GT_MINMAX] = {ON_HOST (_long_double, minmax), NULL},
                           STATISTICS (_long_double, ON_HOST_ALONE),
                           WEIGHTED_STATISTICS (_long_double, ON_HOST_ALONE)}
};

static const struct gt_bench_device devices[GT_N_ELEMENT_TYPES] = {
#define X(id, name, infix, ctype, arithmetic) \
  [GT_TYPE_##id] = {device##infix##_make, device##infix##_free},
  GT_GPU_ELEMENT_TYPES (X)
#undef X
};

struct gt_bench_functions
gt_bench_functions (enum gt_reduction operation, enum gt_element_type type)
{
  return functions[type][operation];
}

struct gt_bench_device
gt_bench_device (enum gt_element_type type)
{
  return devices[type];
}
