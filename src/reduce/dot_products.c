/* Sums of products, and norms.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/reduce/dot_products.h"

#include <math.h>

#include "kernels/cpu/finish/finish.h"
#include "kernels/cpu/sums/combine.h"
#include "src/reduce/exact_sums.h"

/* Returns the sum of REDUCTION, computed on a GPU, with its error bound.  Sums of floats in
   double are accurate enough without compensation, unless terms cancel.  If compensated, SPAN
   adds four floats at a time (kernels/cuda/grid_stride_moments.cu), with an error of at most
   2^-51 of the magnitudes.  */
static struct gt_ball
take_sum (struct gt_sample *sample, enum gt_reduction reduction)
{
  const int cancels = reduction == GT_SUM;
  const int of_floats = sample->task.problem.arithmetic == GT_F32;
  struct gt_ball sum, sizes;
  union gt_value value;

  gt_sample_sums (sample, reduction == GT_SUMSQ ? GT_SUMSQ : GT_SPAN,
                  of_floats && !cancels ? GT_MODE_FAST : GT_MODE_COMPENSATED, &value);
  sum = gt_sum_in (sample, &value, reduction == GT_ASUM);
  if (!cancels)
    return sum;
  sizes = gt_sum_in (sample, &value, 1);
  return gt_ball_widened (sum, 1.001 * (sizes.radius + 0x1p-51 * sizes.h));
}

/* Computes the exact sum, or the norm if REDUCTION is GT_SUMSQ, of a sample on a GPU.  Returns
   0 if the error bound does not decide the rounding, so that an accumulator is needed.
   Independent of the floating-point environment.  */
static int
told_on_gpu (struct gt_sample *sample, enum gt_reduction reduction, double *to)
{
  const int of_floats = sample->task.problem.arithmetic == GT_F32;
  struct gt_fpenv env;
  struct gt_ball sum;
  int told;

  if (sample->memory[0] == NULL || sample->mode != GT_MODE_EXACT
      || sample->task.problem.arithmetic > GT_F32 || sample->task.problem.n < 2)
    return 0;
  gt_fpenv_enter (&env, GT_F64);
  sum = take_sum (sample, reduction);
  told = gt_in_range (fabs (sum.h));
  if (reduction == GT_SUMSQ)
    sum = gt_ball_root (sum);
  told = told && (of_floats ? gt_ball_round_to_float (sum, to) : gt_ball_round (sum, to));
  sample->status = GSL_SUCCESS; /* after a failure of the GPU, the result is undecided */
  gt_fpenv_leave_with (&env, to);
  return told;
}

int
gt_sum_on_gpu (const struct gsltune_device_memory *memory,
               enum gt_reduction reduction, enum gt_arithmetic arithmetic,
               union gt_value *value)
{
  struct gt_sample sample;
  double sum;

  if (memory->gpu == NULL || arithmetic != GT_F32
      || !(reduction == GT_SUM || reduction == GT_ASUM))
    return 0;
  gt_sample_of_memory (&sample, arithmetic, memory, memory);
  sample.mode = gt_mode_now ();
  if (!told_on_gpu (&sample, reduction, &sum))
    return 0;
  value->f32[0] = (float) sum;
  return 1;
}

/* Returns the exact sum of products, or the norm if REDUCTION is GT_SUMSQ, rounded once.  If
   AS_FLOAT, the result is rounded to float, and the sum includes the given number.  */
static double
exact_value (struct gt_sample *sample, enum gt_reduction reduction, int as_float)
{
  const int root = reduction == GT_SUMSQ, is_on_host = sample->memory[0] == NULL;
  const float alpha = (float) sample->given[0];
  struct gt_finished exact;
  union gt_value value;
  double sum;
  float single;

  sample->task.problem.reduction = reduction;
  if (is_on_host && as_float && gt_exact_float (&sample->task, alpha, root, &single))
    return single;
  if (is_on_host && !as_float && gt_exact_double (&sample->task, 1, root, &sum))
    return sum;
  if (root && told_on_gpu (sample, reduction, &sum))
    return sum;
  gt_sample_sums (sample, reduction, GT_MODE_EXACT, &value);
  if (as_float && !root)
    return gt_finish_dot_plus_float (&value.exact.product, alpha);
  exact = gt_finish_product (&value.exact.product, root);
  return as_float ? (double) exact.f32 : exact.f64;
}

/* Returns whether any of N doubles of X is not finite.  */
static int
is_special (const struct gt_operand *x, size_t n)
{
  const double *element = x->data;

  while (n > 0 && isfinite (*element))
    n--, element += x->stride;
  return n > 0;
}

/* Returns whether SUM, a fast sum, is final: it is finite, or the elements themselves are not.
   Otherwise only partial sums may have overflowed.  */
static int
stands (const struct gt_sample *sample, double sum)
{
  const struct gt_task *task = &sample->task;

  return isfinite (sum) || task->problem.arithmetic == GT_F32
         || (sample->memory[0] == NULL && (is_special (&task->x, task->problem.n)
                                           || is_special (&task->y, task->problem.n)));
}

double
gt_dot (struct gt_sample *sample)
{
  union gt_value value;
  double sum;

  if (sample->task.problem.n == 0)
    return 0;
  if (sample->mode != GT_MODE_EXACT)
    {
      gt_sample_sums (sample, GT_DOT, sample->mode, &value);
      sum = gt_value_sum (&sample->task.problem, &value, 0);
      if (stands (sample, sum))
        return sum;
    }
  return exact_value (sample, GT_DOT, 0);
}

double
gt_norm (struct gt_sample *sample)
{
  const int is_float = sample->task.problem.arithmetic == GT_F32;
  union gt_value value;
  double sum;

  if (sample->task.problem.n == 0)
    return 0;
  if (sample->mode != GT_MODE_EXACT)
    {
      gt_sample_sums (sample, GT_SUMSQ, sample->mode, &value);
      sum = gt_value_sum (&sample->task.problem, &value, 0);
      if (gt_in_range (sum) || is_float)
        return sqrt (sum);
    }
  return exact_value (sample, GT_SUMSQ, is_float);
}

/* Returns STATISTIC of the sample as a float.  Except in fast mode, the rounding to float
   takes place in the kernels' floating-point environment, too.  */
static float
single_of (struct gt_sample *sample, gt_statistic *statistic)
{
  struct gt_fpenv env = {.changed = 0};
  float single;

  if (sample->mode != GT_MODE_FAST)
    gt_fpenv_enter (&env, GT_F64);
  single = (float) statistic (sample);
  gt_fpenv_leave_with (&env, &single);
  return single;
}

/* Returns the sum of products plus the given number.  */
static double
dot_plus (struct gt_sample *sample)
{
  union gt_value value;

  if (sample->mode == GT_MODE_EXACT)
    return exact_value (sample, GT_DOT, 1);
  gt_sample_sums (sample, GT_DOT, sample->mode, &value);
  return sample->given[0] + gt_value_sum (&sample->task.problem, &value, 0);
}

float
gt_dot_float (struct gt_sample *sample, float alpha)
{
  sample->given[0] = alpha;
  return sample->task.problem.n == 0 ? alpha : single_of (sample, dot_plus);
}

float
gt_norm_float (struct gt_sample *sample)
{
  return single_of (sample, gt_norm);
}
