/* Sums of products, and norms.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/products.h"

#include <math.h>

#include "kernels/cpu/short/exact_short_sums.h"
#include "kernels/cpu/finish/finish.h"
#include "src/public/moments.h"

/* The sum with its compensation; one that has become infinite or NaN stands.  */
static double
sum_of (const struct gt_sample *sample, const union gt_value *value)
{
  struct gt_fpenv env;
  double sum = value->sums.s[0];

  if (sample->mode == GT_MODE_FAST || !isfinite (sum))
    return sum;
  gt_fpenv_enter (&env, GT_F64);
  sum += value->sums.c[0];
  gt_fpenv_leave (&env);
  return sum;
}

double
gt_dot (struct gt_sample *sample)
{
  union gt_value value;

  if (sample->task.problem.n == 0)
    return 0;
  gt_sample_sums (sample, GT_DOT, sample->mode, &value);
  return sample->mode == GT_MODE_EXACT
           ? gt_finish_dot (&value.exact.product)
           : sum_of (sample, &value);
}

/* A number that is given and the sum, as a float.  */
static double
float_dot (struct gt_sample *sample)
{
  union gt_value value;

  gt_sample_sums (sample, GT_DOT, sample->mode, &value);
  return (float) (sample->given[0] + sum_of (sample, &value));
}

float
gt_dot_float (struct gt_sample *sample, float alpha)
{
  union gt_value value;

  if (sample->task.problem.n == 0)
    return alpha;
  sample->given[0] = alpha;
  if (sample->mode != GT_MODE_EXACT)
    return (float) gt_statistic_of (sample, float_dot);
  gt_sample_sums (sample, GT_DOT, GT_MODE_EXACT, &value);
  return gt_finish_dot_plus_float (&value.exact.product, alpha);
}

/* The exact norm of a short vector, if that is told without an accumulator.  */
static int
short_norm (const struct gt_sample *sample, double *norm)
{
  const struct gt_operand *x = &sample->task.x;
  const size_t n = sample->task.problem.n;

  return sample->memory[0] == NULL && n <= GT_EXACT_SHORT
         && sample->task.problem.arithmetic == GT_F64
         && gt_fpenv_is_default (GT_F64)
         && gt_short ()->norm_f64 (x->data, x->stride, n, norm);
}

double
gt_norm (struct gt_sample *sample)
{
  union gt_value value;
  double sum;

  if (sample->task.problem.n == 0)
    return 0;
  if (sample->mode != GT_MODE_EXACT)
    {
      gt_sample_sums (sample, GT_SUMSQ, sample->mode, &value);
      sum = sum_of (sample, &value);
      if (gt_in_range (sum) || sum != sum
          || sample->task.problem.arithmetic == GT_F32)
        return sqrt (sum);
      if (short_norm (sample, &sum))
        return sum;
    }
  gt_sample_sums (sample, GT_SUMSQ, GT_MODE_EXACT, &value);
  return gt_finish_norm (&value.exact.product);
}

static double
float_norm (struct gt_sample *sample)
{
  return (float) gt_norm (sample);
}

float
gt_norm_float (struct gt_sample *sample)
{
  union gt_value value;

  if (sample->mode != GT_MODE_EXACT)
    return (float) gt_statistic_of (sample, float_norm);
  if (sample->task.problem.n == 0)
    return 0;
  gt_sample_sums (sample, GT_SUMSQ, GT_MODE_EXACT, &value);
  return gt_finish_norm_float (&value.exact.product);
}
