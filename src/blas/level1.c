/* The public functions of BLAS level 1 on host vectors.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <math.h>

#include "kernels/cutoffs.h"
#include "src/base/env.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "src/reduce/exact_sums.h"
#include "src/reduce/dot_products.h"
#include "src/route/reduce.h"

#define LIKELY(condition) __builtin_expect (condition, 1)
#define UNLIKELY(condition) __builtin_expect (condition, 0)

#define NAMED(stem) GT_PASTE (stem, ID)
#define REDUCTION GT_ASUM

/* Returns N in fast mode, otherwise 0.  */
static inline size_t
if_fast (size_t n)
{
  return n & gt_fast_mask ();
}

#define ID F64
#define TYPE double
#define VECTOR gsl_vector
#define LIFT(x) __builtin_fabs (x)
#define EXACT(task, to) gt_exact_double (task, 1, 0, to)
#include "src/reduce/largest_magnitude.inc"
#include "src/reduce/short_dot_products.inc"
#include "src/reduce/vector_sum.inc"
#undef LIFT

#define ID F32
#define TYPE float
#define VECTOR gsl_vector_float
#define LIFT(x) __builtin_fabsf (x)
#define EXACT(task, to) gt_exact_float (task, 0, 0, to)
#include "src/reduce/largest_magnitude.inc"
#include "src/reduce/short_dot_products.inc"
#include "src/reduce/vector_sum.inc"

/* Computes the same as dot_F32, added to ALPHA and rounded to float once.  In fast mode the
   sum itself may be in SINGLE precision.  */
static inline float
dot_float (float alpha, const gsl_vector_float *x, const gsl_vector_float *y,
           const int single)
{
  struct gt_sample sample;

  if (LIKELY (x->size <= if_fast (single ? GT_CUTOFF_SINGLES : GT_CUTOFF_PRODUCTS)))
    return (float) (alpha + dot_short_F32 (x, y));
  sample_F32 (&sample, x, y);
  sample.task.single = single;
  return gt_dot_float (&sample, alpha);
}

/* Returns a sum in single precision; calls the function of a plan directly if that is
   enough.  */
__attribute__ ((noinline)) static float
dot_single (const gsl_vector_float *x, const gsl_vector_float *y)
{
  struct gt_task task
    = gt_task_of_pair (GT_DOT, GT_F32, GT_MODE_FAST, (struct gt_operand) {x->data, x->stride},
                       (struct gt_operand) {y->data, y->stride}, x->size);
  gt_cpu_function *const function
    = if_fast (1) ? gt_quick_find (GT_DOT, GT_F32, task.problem.layout, x->size) : NULL;
  union gt_value value;

  if (UNLIKELY (function == NULL))
    return dot_float (0, x, y, 1);
  task.single = 1;
  function (&task, &value);
  return (float) value.sums.s[0];
}

double
gsltune_blas_dasum (const gsl_vector *x)
{
  return sum_F64 (x->data, x->size, x->stride);
}

float
gsltune_blas_sasum (const gsl_vector_float *x)
{
  return sum_F32 (x->data, x->size, x->stride);
}

CBLAS_INDEX_t
gsltune_blas_idamax (const gsl_vector *x)
{
  return largest_F64 (x->data, x->size, x->stride);
}

CBLAS_INDEX_t
gsltune_blas_isamax (const gsl_vector_float *x)
{
  return largest_F32 (x->data, x->size, x->stride);
}

/* -------------------------------------------------------------- Products */

#define UNEQUAL(x, y) UNLIKELY ((x)->size != (y)->size)

int
gsltune_blas_ddot (const gsl_vector *x, const gsl_vector *y, double *result)
{
  if (UNEQUAL (x, y))
    GSL_ERROR ("invalid length", GSL_EBADLEN);
  *result = dot_F64 (x, y);
  return GSL_SUCCESS;
}

int
gsltune_blas_dsdot (const gsl_vector_float *x, const gsl_vector_float *y,
                    double *result)
{
  if (UNEQUAL (x, y))
    GSL_ERROR ("invalid length", GSL_EBADLEN);
  *result = dot_F32 (x, y);
  return GSL_SUCCESS;
}

int
gsltune_blas_sdot (const gsl_vector_float *x, const gsl_vector_float *y,
                   float *result)
{
  if (UNEQUAL (x, y))
    GSL_ERROR ("invalid length", GSL_EBADLEN);
  *result = LIKELY (x->size <= if_fast (GT_CUTOFF_SINGLES))
              ? (float) dot_short_F32 (x, y) : dot_single (x, y);
  return GSL_SUCCESS;
}

int
gsltune_blas_sdsdot (float alpha, const gsl_vector_float *x,
                     const gsl_vector_float *y, float *result)
{
  if (UNEQUAL (x, y))
    GSL_ERROR ("invalid length", GSL_EBADLEN);
  *result = dot_float (alpha, x, y, 0);
  return GSL_SUCCESS;
}

double
gsltune_blas_dnrm2 (const gsl_vector *x)
{
  struct gt_sample sample;
  double norm;

  if (x->size == 1)
    return fabs (x->data[0]);
  if (norm_short_F64 (x, &norm))
    return norm;
  sample_F64 (&sample, x, x);
  return gt_statistic_of (&sample, gt_norm);
}

float
gsltune_blas_snrm2 (const gsl_vector_float *x)
{
  struct gt_sample sample;
  double norm;

  if (x->size == 1)
    return fabsf (x->data[0]);
  if (norm_short_F32 (x, &norm))
    return (float) norm;
  sample_F32 (&sample, x, x);
  return gt_norm_float (&sample);
}
