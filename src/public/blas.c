/* The public functions of BLAS level 1 on host vectors.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/exact.h"
#include "src/base/env.h"
#include "src/base/fpenv.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "src/route/reduce.h"

#define LIKELY(condition) __builtin_expect (condition, 1)
#define UNLIKELY(condition) __builtin_expect (condition, 0)

#define NAMED(stem) GT_PASTE (stem, ID)
#define REDUCTION GT_ASUM

#define ID F64
#define TYPE double
#define LIFT(x) __builtin_fabs (x)
#define EXACT_SHORT gt_exact_short_magnitudes_f64
#include "src/public/largest_magnitude.h"
#include "src/public/vector_sum.h"
#undef LIFT

#define ID F32
#define TYPE float
#define LIFT(x) __builtin_fabsf (x)
#define EXACT_SHORT gt_exact_short_magnitudes_f32
#include "src/public/largest_magnitude.h"
#include "src/public/vector_sum.h"

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
