/* Statistics whose terms are made of an element and a mean.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/terms.h"

#include <math.h>
#include <string.h>

#include "kernels/cpu/combine.h"
#include "kernels/cpu/wide.h"
#include "src/public/moments.h"
#include "src/public/plain.h"
#include "src/public/short_terms.h"

/* The sums of REDUCTION's terms about the sample's given mean; FIRST is one more term
   of the second.  */
static void
sum_terms_and (struct gt_sample *sample, enum gt_reduction reduction,
               double first, union gt_value *value)
{
  sample->task.shift[0] = sample->given[0];
  if (sample->mode == GT_MODE_EXACT
      && gt_short_terms (sample, reduction, first, value->sums.s))
    {
      memset (value->sums.c, 0, sizeof value->sums.c);
      sample->task.problem.mode = GT_MODE_FAST;
      return;
    }
  if (sample->mode == GT_MODE_EXACT
      && sample->task.problem.arithmetic == GT_LDBL)
    {
      sample->task.problem.reduction = reduction;
      sample->task.problem.mode = GT_MODE_COMPENSATED;
      gt_wide_terms (&sample->task, value->long_sums.s);
      memset (value->long_sums.c, 0, sizeof value->long_sums.c);
    }
  else
    gt_sample_sums (sample, reduction, sample->mode, value);
  if (first == 0)
    return;
  if (sample->task.problem.mode == GT_MODE_EXACT)
    {
      gt_super_put_f64 (&value->exact.plain[1], first);
      gt_super_noted (&value->exact.plain[1], 1);
    }
  else if (sample->task.problem.arithmetic == GT_LDBL)
    value->long_sums.s[1] += first;
  else
    value->sums.s[1] += first;
}

static void
sum_terms (struct gt_sample *sample, enum gt_reduction reduction,
           union gt_value *value)
{
  sum_terms_and (sample, reduction, 0, value);
}

/* Sum K of the terms that VALUE holds, rounded if it is exact.  */
static double
term_sum (const struct gt_sample *sample, const union gt_value *value,
          unsigned k)
{
  return sample->task.problem.mode == GT_MODE_EXACT
           ? gt_value_sum (&sample->task.problem, value, k)
           : gt_sum (sample, value, k);
}

/* Makes the reciprocal of the given standard deviation the scale.  Returns whether
   multiplying by it is as good as dividing.  */
static int
take_reciprocal (struct gt_sample *sample)
{
  const double sd = sample->given[1];

  if (!isnormal (sd))
    return 0;
  sample->task.scale = 1 / sd;
  return isnormal (sample->task.scale);
}

/* RESULT if it is a number, else what PLAIN makes of the sample.  */
static double
or_plain (struct gt_sample *sample, double result, gt_statistic *plain)
{
  return isfinite (result) || sample->status
           ? result : gt_sample_on_host (sample, plain);
}

/* --------------------------------------------------------------- One sample */

double
gt_absdev_m (struct gt_sample *sample)
{
  const double n = (double) sample->task.problem.n;
  union gt_value value;

  if (n == 0)
    return NAN;
  sum_terms (sample, GT_ABSDEV, &value);
  return or_plain (sample, term_sum (sample, &value, 0) / n,
                   gt_plain_absdev_m);
}

double
gt_absdev (struct gt_sample *sample)
{
  sample->given[0] = gt_mean (sample);
  return gt_absdev_m (sample);
}

/* The mean of the third or fourth powers.  */
static double
power_mean (struct gt_sample *sample, enum gt_reduction reduction,
            gt_statistic *plain, double less)
{
  const double n = (double) sample->task.problem.n;
  union gt_value value;

  if (!take_reciprocal (sample))
    return gt_sample_on_host (sample, plain);
  sum_terms (sample, reduction, &value);
  return or_plain (sample, term_sum (sample, &value, 0) / n - less, plain);
}

double
gt_skew_m_sd (struct gt_sample *sample)
{
  return sample->task.problem.n
           ? power_mean (sample, GT_SKEW, gt_plain_skew_m_sd, 0) : 0;
}

double
gt_kurtosis_m_sd (struct gt_sample *sample)
{
  return sample->task.problem.n
           ? power_mean (sample, GT_KURTOSIS, gt_plain_kurtosis_m_sd, 3) : -3;
}

double
gt_skew (struct gt_sample *sample)
{
  if (sample->task.problem.n < 2)
    return sample->task.problem.n ? NAN : 0;
  gt_mean_and_sd (sample, &sample->given[0], &sample->given[1]);
  return gt_skew_m_sd (sample);
}

double
gt_kurtosis (struct gt_sample *sample)
{
  if (sample->task.problem.n < 2)
    return sample->task.problem.n ? NAN : -3;
  gt_mean_and_sd (sample, &sample->given[0], &sample->given[1]);
  return gt_kurtosis_m_sd (sample);
}

/* The sample of each element and the one after it.  */
static struct gt_sample
neighbours (const struct gt_sample *sample)
{
  const struct gt_operand x = sample->task.x;
  const size_t step
    = x.stride * gt_element_size (sample->task.problem.arithmetic);
  struct gt_sample pairs = *sample;

  pairs.task.y = (struct gt_operand) {(const char *) x.data + step, x.stride};
  pairs.memory[1] = sample->memory[0];
  pairs.task.problem.n--;
  return pairs;
}

double
gt_lag1_autocorrelation_m (struct gt_sample *sample)
{
  struct gt_sample pairs;
  union gt_value value;
  double first, squares;

  if (sample->task.problem.n == 0)
    return NAN;
  if (sample->task.problem.n == 1)
    return gt_sample_on_host (sample, gt_plain_lag1_autocorrelation_m);
  first = (double) gt_sample_first (sample, 0) - sample->given[0];
  pairs = neighbours (sample);
  sum_terms_and (&pairs, GT_LAG1, first * first, &value);
  squares = term_sum (&pairs, &value, 1);
  if (pairs.status)
    {
      sample->status = pairs.status;
      sample->why = pairs.why;
    }
  return or_plain (sample,
                   gt_in_range (squares)
                     ? term_sum (&pairs, &value, 0) / squares : NAN,
                   gt_plain_lag1_autocorrelation_m);
}

double
gt_lag1_autocorrelation (struct gt_sample *sample)
{
  sample->given[0] = gt_mean (sample);
  return gt_lag1_autocorrelation_m (sample);
}

/* ------------------------------------------------------------- With weights */

/* The second of the sums that REDUCTION makes by the first, that of the weights:
   NOTHING where no weight is positive.  */
static double
weighted_mean (struct gt_sample *sample, enum gt_reduction reduction,
               gt_statistic *plain)
{
  union gt_value value;
  double weights;

  if (sample->task.problem.n == 0)
    return 0;
  sum_terms (sample, reduction, &value);
  weights = term_sum (sample, &value, 0);
  return weights == 0 ? 0
                      : or_plain (sample,
                                  term_sum (sample, &value, 1) / weights,
                                  plain);
}

double
gt_wmean (struct gt_sample *sample)
{
  return weighted_mean (sample, GT_WSUM, gt_plain_wmean);
}

double
gt_wabsdev_m (struct gt_sample *sample)
{
  return weighted_mean (sample, GT_WABSDEV, gt_plain_wabsdev_m);
}

double
gt_wabsdev (struct gt_sample *sample)
{
  sample->given[0] = gt_wmean (sample);
  return gt_wabsdev_m (sample);
}

double
gt_wskew_m_sd (struct gt_sample *sample)
{
  return take_reciprocal (sample)
           ? weighted_mean (sample, GT_WSKEW, gt_plain_wskew_m_sd)
           : gt_sample_on_host (sample, gt_plain_wskew_m_sd);
}

double
gt_wkurtosis_m_sd (struct gt_sample *sample)
{
  return take_reciprocal (sample)
           ? weighted_mean (sample, GT_WKURTOSIS, gt_plain_wkurtosis_m_sd) - 3
           : gt_sample_on_host (sample, gt_plain_wkurtosis_m_sd);
}

/* W^2 / (W^2 - Q), W being the sum of the weights and Q that of their squares.  Of a
   single weight both are rounded alike, and what is left is nothing.  */
static double
factor (const struct gt_sample *sample, const union gt_value *value)
{
  if (sample->task.problem.arithmetic == GT_LDBL)
    {
      const long double w = gt_sum_long (sample, value, 0);

      return (double) (w * w / (w * w - gt_sum_long (sample, value, 1)));
    }
  else
    {
      const double w = term_sum (sample, value, 0), square = w * w;

      return gt_in_range (square)
               ? square / (square - term_sum (sample, value, 1)) : NAN;
    }
}

/* The weighted sum of squares about the given mean, and, unless it is null, what
   makes an unbiased variance of their mean.  */
static double
weighted_squares (struct gt_sample *sample, double *weights, double *unbias)
{
  union gt_value value;

  sum_terms (sample, GT_WMOMENTS, &value);
  *weights = term_sum (sample, &value, 0);
  if (unbias)
    *unbias = factor (sample, &value);
  return term_sum (sample, &value, 2);
}

double
gt_wtss_m (struct gt_sample *sample)
{
  double weights;

  return sample->task.problem.n == 0
           ? 0 : or_plain (sample, weighted_squares (sample, &weights, NULL),
                           gt_plain_wtss_m);
}

double
gt_wvariance_with_fixed_mean (struct gt_sample *sample)
{
  double weights, squares;

  if (sample->task.problem.n == 0)
    return 0;
  squares = weighted_squares (sample, &weights, NULL);
  return weights == 0 ? 0
                      : or_plain (sample, squares / weights,
                                  gt_plain_wvariance_with_fixed_mean);
}

double
gt_wvariance_m (struct gt_sample *sample)
{
  double weights, squares, unbias;

  if (sample->task.problem.n == 0)
    return NAN;
  squares = weighted_squares (sample, &weights, &unbias);
  return or_plain (sample, unbias * (squares / weights),
                   gt_plain_wvariance_m);
}

double
gt_wsd_m (struct gt_sample *sample)
{
  return sqrt (gt_wvariance_m (sample));
}

double
gt_wsd_with_fixed_mean (struct gt_sample *sample)
{
  return sqrt (gt_wvariance_with_fixed_mean (sample));
}

double
gt_wtss (struct gt_sample *sample)
{
  sample->given[0] = gt_wmean (sample);
  return gt_wtss_m (sample);
}

double
gt_wvariance (struct gt_sample *sample)
{
  sample->given[0] = gt_wmean (sample);
  return gt_wvariance_m (sample);
}

double
gt_wsd (struct gt_sample *sample)
{
  return sqrt (gt_wvariance (sample));
}

double
gt_wskew (struct gt_sample *sample)
{
  if (sample->task.problem.n == 0)
    return 0;
  sample->given[1] = gt_wsd (sample);
  return gt_wskew_m_sd (sample);
}

double
gt_wkurtosis (struct gt_sample *sample)
{
  if (sample->task.problem.n == 0)
    return -3;
  sample->given[1] = gt_wsd (sample);
  return gt_wkurtosis_m_sd (sample);
}
