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

/* One function by three names.  */
struct row
{
  enum gt_taken_id id;
  void *gsl, *ours; /* null: there is no such operation */
  struct gt_bench_function of_device;
};

#define HOST(symbol) \
  GT_TAKEN_##symbol, (void *) gsl_##symbol, (void *) gsltune_##symbol
#define DEVICE(infix, name, result) \
  {device##infix##_##result, (void *) gsltune_device_vector##infix##_##name}
#define NO_DEVICE(infix, name, result) {NULL, NULL}

#define VECTOR(infix, WHERE, name, result) \
  {HOST (vector##infix##_##name), WHERE (infix, name, result)}
#define STATISTIC(infix, WHERE, name, result) \
  {HOST (stats##infix##_##name), WHERE (infix, name, result)}

/* What a reduction of several sums is needed for stands for it.  */
#define OF_ALL(infix, WHERE)                                                 \
  [GT_SUM] = VECTOR (infix, WHERE, sum, VALUE),                              \
  [GT_MAX] = VECTOR (infix, WHERE, max, VALUE),                              \
  [GT_MIN] = VECTOR (infix, WHERE, min, VALUE),                              \
  [GT_MINMAX] = VECTOR (infix, WHERE, minmax, VALUES),                       \
  [GT_TOTAL] = STATISTIC (infix, WHERE, mean, DOUBLE),                       \
  [GT_MOMENTS] = STATISTIC (infix, WHERE, variance, DOUBLE),                 \
  [GT_COMOMENTS] = STATISTIC (infix, WHERE, covariance, PAIR),               \
  [GT_CORRELATION] = STATISTIC (infix, WHERE, correlation, PAIR),            \
  [GT_LAG1] = STATISTIC (infix, WHERE, lag1_autocorrelation, DOUBLE),        \
  [GT_ABSDEV] = STATISTIC (infix, WHERE, absdev, DOUBLE),                    \
  [GT_SKEW] = STATISTIC (infix, WHERE, skew, DOUBLE),                        \
  [GT_KURTOSIS] = STATISTIC (infix, WHERE, kurtosis, DOUBLE)
#define OF_REALS(infix, WHERE)                                               \
  OF_ALL (infix, WHERE),                                                     \
  [GT_WSUM] = STATISTIC (infix, WHERE, wmean, PAIR),                         \
  [GT_WMOMENTS] = STATISTIC (infix, WHERE, wvariance, PAIR),                 \
  [GT_WABSDEV] = STATISTIC (infix, WHERE, wabsdev, PAIR),                    \
  [GT_WSKEW] = STATISTIC (infix, WHERE, wskew, PAIR),                        \
  [GT_WKURTOSIS] = STATISTIC (infix, WHERE, wkurtosis, PAIR)
#define OF_BLAS(infix, letter)                                               \
  [GT_ASUM] = {HOST (blas_##letter##asum), DEVICE (infix, asum, VALUE)},     \
  [GT_AMAX] = {HOST (blas_i##letter##amax), DEVICE (infix, iamax, INDEX)},   \
  [GT_DOT] = {HOST (blas_##letter##dot), DEVICE (infix, dot, PRODUCT)},      \
  [GT_SUMSQ] = {HOST (blas_##letter##nrm2), DEVICE (infix, nrm2, VALUE)}

static const struct row rows[GT_N_ELEMENT_TYPES][GT_N_REDUCTIONS] = {
  [GT_TYPE_DOUBLE] = {OF_REALS (, DEVICE), OF_BLAS (, d)},
  [GT_TYPE_FLOAT] = {OF_REALS (_float, DEVICE), OF_BLAS (_float, s)},
  [GT_TYPE_LONG_DOUBLE] = {OF_REALS (_long_double, NO_DEVICE)},
#define X(id, name, infix, ctype, arithmetic) \
  [GT_TYPE_##id] = {OF_ALL (infix, DEVICE)},
  GT_INTEGER_TYPES (X)
#undef X
};

struct gt_bench_functions
gt_bench_functions (enum gt_reduction operation, enum gt_element_type type)
{
  const struct row *row = &rows[type][operation];

  if (row->gsl == NULL)
    return (struct gt_bench_functions) {{NULL, NULL}, {NULL, NULL}, {NULL, NULL}};
  return (struct gt_bench_functions) {
    {gt_gsl_calls[row->id].call, row->gsl},
    {gt_gsl_calls[row->id].call, row->ours}, row->of_device};
}

/* ------------------------------------------------------------ Device vectors */

static const struct
{
  void *(*make) (void *data, size_t n, size_t stride);
  void (*free) (void *device);
} devices[GT_N_ELEMENT_TYPES] = {
#define X(id, name, infix, ctype, arithmetic) \
  [GT_TYPE_##id] = {device##infix##_make, device##infix##_free},
  GT_GPU_ELEMENT_TYPES (X)
#undef X
};

int
gt_bench_to_device (enum gt_element_type type,
                    const struct gt_gsl_operands *host,
                    struct gt_gsl_operands *device)
{
  *device = (struct gt_gsl_operands) {.n = host->n};
  if (devices[type].make == NULL)
    return -1;
  device->x = devices[type].make (host->x, host->n, host->stride[0]);
  if (device->x && host->y)
    device->y = devices[type].make (host->y, host->n, host->stride[1]);
  if (device->x && (device->y || host->y == NULL))
    return 0;
  gt_bench_free_device (type, device);
  return -1;
}

void
gt_bench_free_device (enum gt_element_type type, struct gt_gsl_operands *device)
{
  if (device->x)
    devices[type].free (device->x);
  if (device->y)
    devices[type].free (device->y);
}
