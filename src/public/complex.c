/* The public reductions of complex vectors, on the host and on GPUs: what GSL's BLAS has
   of level 1.

   The norm and the sum of the magnitudes are those of all parts, so that contiguous
   vectors are real ones of twice the length, and others are two of them, the real and the
   imaginary parts.  Fast products have kernels of their own.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

#include "kernels/cpu/finish/finish.h"
#include "kernels/cpu/isa/room.h"
#include "kernels/cpu/sums/combine.h"
#include "kernels/cutoffs.h"
#include "src/base/env.h"
#include "src/base/fpenv.h"
#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "src/public/exact_sums.h"
#include "src/public/statistic.h"
#include "src/public/sample.h"
#include "src/route/reduce.h"

/* Part 0 or 1 of x and of y, as real vectors; or all parts of x, if it is contiguous and
   they are asked for.  */
struct real_sample
{
  struct gt_sample sample;
  struct gsltune_device_memory memory[2];
};

enum { REAL_PART, IMAGINARY_PART, ALL_PARTS };

static void
take_part (const struct gt_sample *z, int which, int part, struct real_sample *r)
{
  const enum gt_arithmetic arithmetic
    = gt_part_arithmetic (z->task.problem.arithmetic);
  const struct gt_operand from = which ? z->task.y : z->task.x;
  struct gt_operand *to = which ? &r->sample.task.y : &r->sample.task.x;
  const size_t at = part == IMAGINARY_PART ? gt_element_size (arithmetic) : 0;

  to->data = (const char *) from.data + at;
  to->stride = part == ALL_PARTS ? 1 : 2 * from.stride;
  r->sample.task.problem.arithmetic = arithmetic;
  r->sample.task.problem.n = part == ALL_PARTS ? 2 * z->task.problem.n : z->task.problem.n;
  if (z->memory[0] == NULL)
    return;
  r->memory[which] = *z->memory[which];
  r->memory[which].data = (void *) to->data;
  r->memory[which].stride = to->stride;
  r->memory[which].n = r->sample.task.problem.n;
  r->sample.memory[which] = &r->memory[which];
}

/* REDUCTION of such parts in MODE, unfinished; its problem.  */
static struct gt_problem
sums_of_parts (struct gt_sample *z, int of_x, int of_y, enum gt_reduction reduction,
               enum gt_mode mode, union gt_value *value)
{
  struct real_sample r;

  r.sample = *z;
  take_part (z, 0, of_x, &r);
  take_part (z, 1, of_y, &r);
  gt_sample_sums (&r.sample, reduction, mode, value);
  z->status = r.sample.status;
  z->why = r.sample.why;
  return r.sample.task.problem;
}

/* REDUCTION of all parts of x.  */
static struct gt_problem
sums_of_all (struct gt_sample *z, enum gt_reduction reduction, enum gt_mode mode,
             union gt_value *value)
{
  struct gt_problem problem;
  union gt_value other;

  if (z->task.x.stride == 1)
    return sums_of_parts (z, ALL_PARTS, ALL_PARTS, reduction, mode, value);
  sums_of_parts (z, REAL_PART, REAL_PART, reduction, mode, value);
  problem = sums_of_parts (z, IMAGINARY_PART, IMAGINARY_PART, reduction, mode, &other);
  gt_value_merge (&problem, value, &other);
  return problem;
}

/* Sum K with its compensation; one that has become infinite or NaN stands.  */
static double
sum_of (const union gt_value *value, int k)
{
  const double sum = value->sums.s[k];

  return isfinite (sum) ? sum + value->sums.c[k] : sum;
}

/* The sum of all squares, which is in VALUE unfinished; where nothing is rounded yet it
   means nothing.  */
static double
sum_of_squares (struct gt_sample *z, enum gt_mode mode, union gt_value *value)
{
  struct gt_fpenv env;
  double sum;

  gt_fpenv_enter (&env, GT_F64);
  sums_of_all (z, GT_SUMSQ, mode, value);
  sum = mode == GT_MODE_EXACT ? 0 : sum_of (value, 0);
  gt_fpenv_leave_with (&env, &sum);
  return sum;
}

/* The sum of all magnitudes, finished.  */
static void
sum_magnitudes (struct gt_sample *z, union gt_value *value)
{
  struct gt_problem problem;
  struct gt_fpenv env;

  gt_fpenv_enter (&env, GT_F64);
  problem = sums_of_all (z, GT_ASUM, z->mode, value);
  gt_reduce_finish (&problem, value);
  gt_fpenv_leave (&env);
}

/* Computes the exact product by four products of parts.  */
static void
multiply_parts (struct gt_sample *z, struct gt_product_accumulator product[2])
{
  union gt_value one;

  for (int k = 0; k < 2; k++)
    gt_product_clear (&product[k]);
  for (int a = REAL_PART; a <= IMAGINARY_PART; a++)
    for (int b = REAL_PART; b <= IMAGINARY_PART; b++)
      {
        const double sign = (a ? z->task.scale : 1) * (a && b ? -1 : 1);

        sums_of_parts (z, a, b, GT_DOT, GT_MODE_EXACT, &one);
        if (sign < 0)
          gt_product_negate (&one.exact.product);
        gt_product_merge (&product[a != b], &one.exact.product);
      }
}

#define GT_TEMPLATE "src/public/complex.inc"
#define GT_COMPLEX_TOO
#include "src/public/each_type.h"

int
gsltune_blas_zdotu (const gsl_vector_complex *x, const gsl_vector_complex *y,
                    gsl_complex *result)
{
  return dot_complex (x, y, 1, result);
}

int
gsltune_blas_cdotu (const gsl_vector_complex_float *x,
                    const gsl_vector_complex_float *y, gsl_complex_float *result)
{
  return dot_complex_float (x, y, 1, result);
}

int
gsltune_blas_zdotc (const gsl_vector_complex *x, const gsl_vector_complex *y,
                    gsl_complex *result)
{
  return dot_complex (x, y, -1, result);
}

int
gsltune_blas_cdotc (const gsl_vector_complex_float *x,
                    const gsl_vector_complex_float *y, gsl_complex_float *result)
{
  return dot_complex_float (x, y, -1, result);
}

double
gsltune_blas_dznrm2 (const gsl_vector_complex *x)
{
  return nrm2_complex (x);
}

float
gsltune_blas_scnrm2 (const gsl_vector_complex_float *x)
{
  return nrm2_complex_float (x);
}

double
gsltune_blas_dzasum (const gsl_vector_complex *x)
{
  return asum_complex (x);
}

float
gsltune_blas_scasum (const gsl_vector_complex_float *x)
{
  return asum_complex_float (x);
}

CBLAS_INDEX_t
gsltune_blas_izamax (const gsl_vector_complex *x)
{
  return largest_complex (x);
}

CBLAS_INDEX_t
gsltune_blas_icamax (const gsl_vector_complex_float *x)
{
  return largest_complex_float (x);
}
