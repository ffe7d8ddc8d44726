/* What gsltune bench times.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/command/bench_functions.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_vector.h>

#include "src/gsltune.h"

/* Where results go, one or two of any type.  */
static union gt_value result;

#define GT_TEMPLATE "tuning/command/bench_functions_of.h"
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

/* ---------------------------------------------------------------- Tables */

#define ON_HOST(infix, what) gsl##infix##_##what, ours##infix##_##what
#define EVERYWHERE(infix, what) {ON_HOST (infix, what), device##infix##_##what}

static const struct gt_bench_functions
  functions[GT_N_ELEMENT_TYPES][GT_N_REDUCTIONS] = {
#define X(id, name, infix, ctype, arithmetic)                                \
  [GT_TYPE_##id] = {[GT_SUM] = EVERYWHERE (infix, sum),                      \
                    [GT_MAX] = EVERYWHERE (infix, max),                      \
                    [GT_MIN] = EVERYWHERE (infix, min),                      \
                    [GT_MINMAX] = EVERYWHERE (infix, minmax)},
  GT_INTEGER_TYPES (X)
#undef X
#define X(id, name, infix, ctype, arithmetic)                                \
  [GT_TYPE_##id] = {[GT_SUM] = EVERYWHERE (infix, sum),                      \
                    [GT_ASUM] = EVERYWHERE (infix, asum),                    \
                    [GT_MAX] = EVERYWHERE (infix, max),                      \
                    [GT_MIN] = EVERYWHERE (infix, min),                      \
                    [GT_MINMAX] = EVERYWHERE (infix, minmax),                \
                    [GT_AMAX] = EVERYWHERE (infix, amax)},
  GT_SHORT_REAL_TYPES (X)
#undef X
  [GT_TYPE_LONG_DOUBLE] = {[GT_SUM] = {ON_HOST (_long_double, sum), NULL},
                           [GT_MAX] = {ON_HOST (_long_double, max), NULL},
                           [GT_MIN] = {ON_HOST (_long_double, min), NULL},
                           [GT_MINMAX] = {ON_HOST (_long_double, minmax), NULL}}
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
