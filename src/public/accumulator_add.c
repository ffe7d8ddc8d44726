/* The addends of accumulators: numbers, products, and all that the moments of a sample are
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

static void
add_magnitudes_one_by_one (gsltune_accumulator *acc,
                           enum gt_arithmetic arithmetic, struct gt_operand x,
                           size_t n)
{
  const double *d = x.data;
  const float *f = x.data;

  for (size_t i = 0; i < n; i++)
    if (arithmetic == GT_F64)
      gt_super_add (&acc->narrow, fabs (d[i * x.stride]));
    else /* a subnormal may not become a double where those are flushed */
      gt_super_add_float (&acc->narrow, fabsf (f[i * x.stride]));
}

/* Adds numbers, or their magnitudes: REDUCTION is GT_SUM or GT_ASUM.  */
static int
add_numbers (gsltune_accumulator *acc, enum gt_reduction reduction,
             enum gt_arithmetic arithmetic, struct gt_operand x, size_t n)
{
  if (arithmetic == GT_LDBL)
    {
      gt_wide_add_array (&acc->wide, x.data, n, x.stride);
      acc->uses |= 1u << GT_ACC_WIDE;
    }
  else if (n >= PLANNED_FROM)
    add_computed (acc, reduction, arithmetic, x, x, n);
  else if (reduction == GT_ASUM)
    add_magnitudes_one_by_one (acc, arithmetic, x, n);
  else if (arithmetic == GT_F64)
    gt_super_add_array_f64 (&acc->narrow, x.data, n, x.stride);
  else
    gt_super_add_array_f32 (&acc->narrow, x.data, n, x.stride);
  return GSL_SUCCESS;
}

/* Squares are read once.  */
static enum gt_reduction
products_of (struct gt_operand x, struct gt_operand y)
{
  return x.data == y.data && x.stride == y.stride ? GT_SUMSQ : GT_DOT;
}

/* Adds products of N elements at X and as many, N_Y, at Y.  */
static int
add_products (gsltune_accumulator *acc, enum gt_arithmetic arithmetic,
              struct gt_operand x, size_t n, struct gt_operand y, size_t n_y)
{
  if (n != n_y)
    GSL_ERROR ("vectors must have same length", GSL_EBADLEN);
  acc->uses
    |= 1u << (arithmetic == GT_LDBL ? GT_ACC_WIDE_PRODUCTS : GT_ACC_PRODUCTS);
  if (arithmetic == GT_LDBL)
    gt_wide_products_add_array (&acc->wide_products, x.data, x.stride, y.data,
                                y.stride, n);
  else if (n >= PLANNED_FROM / 2)
    add_computed (acc, products_of (x, y), arithmetic, x, y, n);
  else if (arithmetic == GT_F64)
    gt_product_add_array_f64 (&acc->products, x.data, x.stride, y.data,
                              y.stride, n);
  else
    gt_product_add_array_f32 (&acc->products, x.data, x.stride, y.data,
                              y.stride, n);
  return GSL_SUCCESS;
}

/* The elements of a vector.  */
#define OPERAND(v) ((struct gt_operand) {(v)->data, (v)->stride})

int
gsltune_accumulator_add_vector (gsltune_accumulator *acc, const gsl_vector *v)
{
  return add_numbers (acc, GT_SUM, GT_F64, OPERAND (v), v->size);
}

int
gsltune_accumulator_add_vector_float (gsltune_accumulator *acc,
                                      const gsl_vector_float *v)
{
  return add_numbers (acc, GT_SUM, GT_F32, OPERAND (v), v->size);
}

int
gsltune_accumulator_add_vector_long_double (gsltune_accumulator *acc,
                                            const gsl_vector_long_double *v)
{
  return add_numbers (acc, GT_SUM, GT_LDBL, OPERAND (v), v->size);
}

int
gsltune_accumulator_add_vector_magnitudes (gsltune_accumulator *acc,
                                           const gsl_vector *v)
{
  return add_numbers (acc, GT_ASUM, GT_F64, OPERAND (v), v->size);
}

int
gsltune_accumulator_add_vector_float_magnitudes (gsltune_accumulator *acc,
                                                 const gsl_vector_float *v)
{
  return add_numbers (acc, GT_ASUM, GT_F32, OPERAND (v), v->size);
}

int
gsltune_accumulator_add_vector_products (gsltune_accumulator *acc,
                                         const gsl_vector *x, const gsl_vector *y)
{
  return add_products (acc, GT_F64, OPERAND (x), x->size, OPERAND (y), y->size);
}

int
gsltune_accumulator_add_vector_float_products (gsltune_accumulator *acc,
                                               const gsl_vector_float *x,
                                               const gsl_vector_float *y)
{
  return add_products (acc, GT_F32, OPERAND (x), x->size, OPERAND (y), y->size);
}

int
gsltune_accumulator_add_vector_long_double_products (gsltune_accumulator *acc,
                                                     const gsl_vector_long_double *x,
                                                     const gsl_vector_long_double *y)
{
  return add_products (acc, GT_LDBL, OPERAND (x), x->size, OPERAND (y),
                       y->size);
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
  if (arithmetic > GT_LDBL)
    add_integers (sum, squares, arithmetic, x, n);
  else if (arithmetic == GT_LDBL || n < PLANNED_FROM / 2)
    {
      add_numbers (sum, GT_SUM, arithmetic, x, n);
      if (squares)
        add_products (squares, arithmetic, x, n, x, n);
    }
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
                       OPERAND (x), OPERAND (y), x->n);
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
gsltune_accumulator_add_device_vector_products (gsltune_accumulator *acc,
                                                const gsltune_device_vector *x,
                                                const gsltune_device_vector *y)
{
  return add_on_device (acc,
                        products_of (OPERAND (&x->memory), OPERAND (&y->memory)),
                        GT_F64, &x->memory, &y->memory);
}

int
gsltune_accumulator_add_device_vector_float_products (
  gsltune_accumulator *acc, const gsltune_device_vector_float *x,
  const gsltune_device_vector_float *y)
{
  return add_on_device (acc,
                        products_of (OPERAND (&x->memory), OPERAND (&y->memory)),
                        GT_F32, &x->memory, &y->memory);
}
