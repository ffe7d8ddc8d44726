/* What accumulators take: numbers, products, and all that the moments of a sample are
   made of.

   From some length on the sums come from where those of vectors do, with the kernels,
   threads and GPUs that were tuned for them; shorter vectors are added in place.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>

#include <gsl/gsl_errno.h>

#include "kernels/reductions.h"
#include "src/base/names.h"
#include "src/public/accumulator.h"
#include "src/public/device_memory.h"
#include "src/route/reduce.h"

/* The shortest vectors for which a plan pays; half as many where each element gives a
   product.  */
#define PLANNED_FROM 64

/* Adds an exact value of REDUCTION.  */
static void
add_value (gsltune_accumulator *acc, enum gt_reduction reduction,
           const union gt_value *value)
{
  if (gt_reductions[reduction].algebra == GT_ALGEBRA_ADD)
    gt_super_merge (&acc->narrow, &value->super);
  else
    {
      gt_product_merge (&acc->products, &value->exact.product);
      acc->uses |= 1u << GT_ACC_PRODUCTS;
    }
}

static void
add_computed (gsltune_accumulator *acc, enum gt_reduction reduction,
              enum gt_arithmetic arithmetic, struct gt_operand x,
              struct gt_operand y, size_t n)
{
  const struct gt_task task
    = gt_task_of_pair (reduction, arithmetic, GT_MODE_EXACT, x, y, n);
  union gt_value value;

  gt_reduce_host_unfinished (&task, &value);
  add_value (acc, reduction, &value);
}

/* ---------------------------------------------------------------- Numbers */

int
gsltune_accumulator_add_vector (gsltune_accumulator *acc, const gsl_vector *v)
{
  const struct gt_operand x = {v->data, v->stride};

  if (v->size < PLANNED_FROM)
    gt_super_add_array_f64 (&acc->narrow, v->data, v->size, v->stride);
  else
    add_computed (acc, GT_SUM, GT_F64, x, x, v->size);
  return GSL_SUCCESS;
}

int
gsltune_accumulator_add_vector_float (gsltune_accumulator *acc,
                                      const gsl_vector_float *v)
{
  const struct gt_operand x = {v->data, v->stride};

  if (v->size < PLANNED_FROM)
    gt_super_add_array_f32 (&acc->narrow, v->data, v->size, v->stride);
  else
    add_computed (acc, GT_SUM, GT_F32, x, x, v->size);
  return GSL_SUCCESS;
}

int
gsltune_accumulator_add_vector_long_double (gsltune_accumulator *acc,
                                            const gsl_vector_long_double *v)
{
  gt_wide_add_array (&acc->wide, v->data, v->size, v->stride);
  acc->uses |= 1u << GT_ACC_WIDE;
  return GSL_SUCCESS;
}

int
gsltune_accumulator_add_magnitudes (gsltune_accumulator *acc,
                                    const gsl_vector *v)
{
  const struct gt_operand x = {v->data, v->stride};

  if (v->size < PLANNED_FROM)
    for (size_t i = 0; i < v->size; i++)
      gt_super_add (&acc->narrow, fabs (v->data[i * v->stride]));
  else
    add_computed (acc, GT_ASUM, GT_F64, x, x, v->size);
  return GSL_SUCCESS;
}

int
gsltune_accumulator_add_magnitudes_float (gsltune_accumulator *acc,
                                          const gsl_vector_float *v)
{
  const struct gt_operand x = {v->data, v->stride};

  if (v->size < PLANNED_FROM)
    for (size_t i = 0; i < v->size; i++)
      gt_super_add_float (&acc->narrow, fabsf (v->data[i * v->stride]));
  else
    add_computed (acc, GT_ASUM, GT_F32, x, x, v->size);
  return GSL_SUCCESS;
}

/* --------------------------------------------------------------- Products */

/* Squares are read once.  */
static enum gt_reduction
products_of (const void *x, size_t x_stride, const void *y, size_t y_stride)
{
  return x == y && x_stride == y_stride ? GT_SUMSQ : GT_DOT;
}

int
gsltune_accumulator_add_products (gsltune_accumulator *acc,
                                  const gsl_vector *x, const gsl_vector *y)
{
  if (x->size != y->size)
    GSL_ERROR ("vectors must have same length", GSL_EBADLEN);
  acc->uses |= 1u << GT_ACC_PRODUCTS;
  if (x->size < PLANNED_FROM / 2)
    gt_product_add_array_f64 (&acc->products, x->data, x->stride, y->data,
                              y->stride, x->size);
  else
    add_computed (acc, products_of (x->data, x->stride, y->data, y->stride),
                  GT_F64, (struct gt_operand) {x->data, x->stride},
                  (struct gt_operand) {y->data, y->stride}, x->size);
  return GSL_SUCCESS;
}

int
gsltune_accumulator_add_products_float (gsltune_accumulator *acc,
                                        const gsl_vector_float *x,
                                        const gsl_vector_float *y)
{
  if (x->size != y->size)
    GSL_ERROR ("vectors must have same length", GSL_EBADLEN);
  acc->uses |= 1u << GT_ACC_PRODUCTS;
  if (x->size < PLANNED_FROM / 2)
    gt_product_add_array_f32 (&acc->products, x->data, x->stride, y->data,
                              y->stride, x->size);
  else
    add_computed (acc, products_of (x->data, x->stride, y->data, y->stride),
                  GT_F32, (struct gt_operand) {x->data, x->stride},
                  (struct gt_operand) {y->data, y->stride}, x->size);
  return GSL_SUCCESS;
}

int
gsltune_accumulator_add_products_long_double (gsltune_accumulator *acc,
                                              const gsl_vector_long_double *x,
                                              const gsl_vector_long_double *y)
{
  if (x->size != y->size)
    GSL_ERROR ("vectors must have same length", GSL_EBADLEN);
  gt_wide_products_add_array (&acc->wide_products, x->data, x->stride, y->data,
                              y->stride, x->size);
  acc->uses |= 1u << GT_ACC_WIDE_PRODUCTS;
  return GSL_SUCCESS;
}

/* ---------------------------------------------------------------- Moments */

/* Adds a number of N words of 64 bits, in two's complement, the lowest first.  */
static void
add_integer (gsltune_accumulator *acc, const uint64_t *word, int n)
{
  for (int i = 0; i < n; i++)
    {
      const int64_t high = (int64_t) word[i] >> 32;

      gt_super_add_scaled (&acc->narrow, (uint32_t) word[i], 64 * i);
      gt_super_add_scaled (&acc->narrow, i == n - 1 ? high : (uint32_t) high,
                           64 * i + 32);
    }
}

static void
add_integers (gsltune_accumulator *sum, gsltune_accumulator *squares,
              enum gt_arithmetic arithmetic, struct gt_operand x, size_t n)
{
  const enum gt_reduction reduction = squares ? GT_MOMENTS : GT_TOTAL;
  const struct gt_task task
    = gt_task_of (reduction, gt_arithmetic_for (reduction, arithmetic),
                  GT_MODE_FAST, x.data, n, x.stride);
  union gt_value value;

  gt_reduce_host_unfinished (&task, &value);
  add_integer (sum, value.integers.plain[0], 2);
  if (squares)
    add_integer (squares, value.integers.product, 3);
}

static void
add_long_doubles (gsltune_accumulator *sum, gsltune_accumulator *squares,
                  struct gt_operand x, size_t n)
{
  gt_wide_add_array (&sum->wide, x.data, n, x.stride);
  sum->uses |= 1u << GT_ACC_WIDE;
  if (squares == NULL)
    return;
  gt_wide_products_add_array (&squares->wide_products, x.data, x.stride,
                              x.data, x.stride, n);
  squares->uses |= 1u << GT_ACC_WIDE_PRODUCTS;
}

/* A few elements, one after the other.  */
static void
add_few (gsltune_accumulator *sum, gsltune_accumulator *squares,
         enum gt_arithmetic arithmetic, struct gt_operand x, size_t n)
{
  struct gt_product_accumulator *const q = squares ? &squares->products : NULL;

  if (arithmetic == GT_F64)
    gt_super_add_array_f64 (&sum->narrow, x.data, n, x.stride);
  else
    gt_super_add_array_f32 (&sum->narrow, x.data, n, x.stride);
  if (squares == NULL)
    return;
  if (arithmetic == GT_F64)
    gt_product_add_array_f64 (q, x.data, x.stride, x.data, x.stride, n);
  else
    gt_product_add_array_f32 (q, x.data, x.stride, x.data, x.stride, n);
  squares->uses |= 1u << GT_ACC_PRODUCTS;
}

static void
add_reals (gsltune_accumulator *sum, gsltune_accumulator *squares,
           enum gt_arithmetic arithmetic, struct gt_operand x, size_t n)
{
  const struct gt_task task = gt_task_of (
    squares ? GT_MOMENTS : GT_SUM, arithmetic, GT_MODE_EXACT, x.data, n,
    x.stride);
  union gt_value value;

  gt_reduce_host_unfinished (&task, &value);
  gt_super_merge (&sum->narrow,
                  squares ? &value.exact.plain[0] : &value.super);
  if (squares)
    add_value (squares, GT_MOMENTS, &value);
}

static int
add_moments (gsltune_accumulator *sum, gsltune_accumulator *squares,
             enum gt_arithmetic arithmetic, struct gt_operand x, size_t n)
{
  if (sum == squares)
    GSL_ERROR ("a sum and a sum of squares need two accumulators", GSL_EINVAL);
  if (n == 0)
    return GSL_SUCCESS;
  if (arithmetic == GT_LDBL)
    add_long_doubles (sum, squares, x, n);
  else if (arithmetic > GT_LDBL)
    add_integers (sum, squares, arithmetic, x, n);
  else if (n < PLANNED_FROM / 2)
    add_few (sum, squares, arithmetic, x, n);
  else
    add_reals (sum, squares, arithmetic, x, n);
  return GSL_SUCCESS;
}

#define GT_TEMPLATE "src/public/accumulator_moments.inc"
#include "src/public/each_type.h"

/* ------------------------------------------------------- On device vectors */

static int
add_on_device (gsltune_accumulator *acc, enum gt_reduction reduction,
               enum gt_arithmetic arithmetic,
               const struct gsltune_device_memory *x,
               const struct gsltune_device_memory *y)
{
  const struct gsltune_device_memory *const both[2] = {x, y};
  const struct gt_task task
    = gt_task_of_pair (reduction, arithmetic, GT_MODE_EXACT,
                       (struct gt_operand) {x->data, x->stride},
                       (struct gt_operand) {y->data, y->stride}, x->n);
  union gt_value value;
  const char *why;
  int status = GSL_SUCCESS;

  if (x->n != y->n)
    GSL_ERROR ("vectors must have same length", GSL_EBADLEN);
  if (x->n == 0)
    return GSL_SUCCESS;
  status = gt_device_memory_sums (both, &task, &value, &why);
  if (status)
    GSL_ERROR (why, status);
  add_value (acc, reduction, &value);
  return GSL_SUCCESS;
}

int
gsltune_accumulator_add_device_vector (gsltune_accumulator *acc,
                                       const gsltune_device_vector *v)
{
  return add_on_device (acc, GT_SUM, GT_F64, &v->memory, &v->memory);
}

int
gsltune_accumulator_add_device_vector_float (
  gsltune_accumulator *acc, const gsltune_device_vector_float *v)
{
  return add_on_device (acc, GT_SUM, GT_F32, &v->memory, &v->memory);
}

int
gsltune_accumulator_add_device_products (gsltune_accumulator *acc,
                                         const gsltune_device_vector *x,
                                         const gsltune_device_vector *y)
{
  return add_on_device (acc,
                        products_of (x->memory.data, x->memory.stride,
                                     y->memory.data, y->memory.stride),
                        GT_F64, &x->memory, &y->memory);
}

int
gsltune_accumulator_add_device_products_float (
  gsltune_accumulator *acc, const gsltune_device_vector_float *x,
  const gsltune_device_vector_float *y)
{
  return add_on_device (acc,
                        products_of (x->memory.data, x->memory.stride,
                                     y->memory.data, y->memory.stride),
                        GT_F32, &x->memory, &y->memory);
}
