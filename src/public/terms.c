/* Statistics whose terms are made of an element and a mean.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/terms.h"

#include <math.h>

#include "src/public/certain.h"
#include "src/public/moments.h"
#include "src/public/plain.h"

/* What follows is fast mode's, and on GPUs compensated mode's: NaN where rounded sums
   cannot tell.  */

/* The sums of REDUCTION's terms about the sample's given mean.  */
static void
sum_terms (struct gt_sample *sample, enum gt_reduction reduction, union gt_value *value)
{
  sample->task.shift[0] = sample->given[0];
  sample->task.shift[1] = 0;
  gt_sample_sums (sample, reduction, sample->mode, value);
}

static double
number_of (const struct gt_sample *sample)
{
  return (double) sample->task.problem.n;
}

/* Whether both sums, of which one may be negative, have lost nothing to underflow.  */
static int
in_range (double positive, double sum)
{
  return gt_in_range (positive) && gt_in_range (fabs (sum));
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

/* --------------------------------------------------------------- One sample */

static double
distance (struct gt_sample *sample)
{
  union gt_value value;

  sum_terms (sample, GT_ABSDEV, &value);
  return gt_sum (sample, &value, 0) / number_of (sample);
}

static double
distance_from_mean (struct gt_sample *sample)
{
  sample->given[0] = gt_mean (sample);
  return distance (sample);
}

/* The mean of the third or fourth powers.  */
static double
power_mean (struct gt_sample *sample, enum gt_reduction reduction)
{
  union gt_value value;

  if (!take_reciprocal (sample))
    return NAN;
  sum_terms (sample, reduction, &value);
  return gt_sum (sample, &value, 0) / number_of (sample);
}

static double
fourth_powers (struct gt_sample *sample)
{
  return power_mean (sample, GT_KURTOSIS) - 3;
}

/* Of what is given cubes may underflow.  */
static double
cubes (struct gt_sample *sample)
{
  const double mean = power_mean (sample, GT_SKEW);

  return gt_in_range (fabs (mean)) ? mean : NAN;
}

static double
skewness (struct gt_sample *sample)
{
  gt_mean_and_sd (sample, &sample->given[0], &sample->given[1]);
  return power_mean (sample, GT_SKEW);
}

static double
kurtosis (struct gt_sample *sample)
{
  gt_mean_and_sd (sample, &sample->given[0], &sample->given[1]);
  return fourth_powers (sample);
}

static double
autocorrelation (struct gt_sample *sample)
{
  struct gt_sample pairs = gt_sample_neighbours (sample);
  union gt_value value;
  double first, squares;

  first = (double) gt_sample_first (sample, 0) - sample->given[0];
  sum_terms (&pairs, GT_LAG1, &value);
  if (pairs.status)
    {
      sample->status = pairs.status;
      sample->why = pairs.why;
    }
  squares = gt_sum (&pairs, &value, 1) + first * first;
  return in_range (squares, gt_sum (&pairs, &value, 0))
           ? gt_sum (&pairs, &value, 0) / squares : NAN;
}

static double
autocorrelation_about_mean (struct gt_sample *sample)
{
  sample->given[0] = gt_mean (sample);
  return autocorrelation (sample);
}

/* ------------------------------------------------------------- With weights */

/* The second of the sums that REDUCTION makes by the first, that of the weights.  What is
   nothing may have underflowed.  */
static double
weighted_mean (struct gt_sample *sample, enum gt_reduction reduction)
{
  union gt_value value;
  double weights, sum;

  sum_terms (sample, reduction, &value);
  weights = gt_sum (sample, &value, 0);
  sum = gt_sum (sample, &value, 1);
  return in_range (weights, sum) ? sum / weights : NAN;
}

static double
mean_by_weights (struct gt_sample *sample)
{
  return weighted_mean (sample, GT_WSUM);
}

static double
weighted_distance (struct gt_sample *sample)
{
  return weighted_mean (sample, GT_WABSDEV);
}

static double
weighted_cubes (struct gt_sample *sample)
{
  return take_reciprocal (sample) ? weighted_mean (sample, GT_WSKEW) : NAN;
}

static double
weighted_fourth_powers (struct gt_sample *sample)
{
  return take_reciprocal (sample) ? weighted_mean (sample, GT_WKURTOSIS) - 3 : NAN;
}

/* The weighted sum of squares about the given mean, divided by what WHAT says.  W^2 / (W^2 -
   Q), W being the sum of the weights and Q that of their squares, makes an unbiased
   variance of their mean.  */
static double
weighted_squares (struct gt_sample *sample, enum gt_term_what what)
{
  const int wide = sample->task.problem.arithmetic == GT_LDBL;
  union gt_value value;
  double weights, squares, by;

  sum_terms (sample, GT_WMOMENTS, &value);
  weights = gt_sum (sample, &value, 0);
  squares = gt_sum (sample, &value, 2);
  if (!in_range (weights, squares))
    return NAN;
  if (what == GT_TERM_TSS)
    return squares;
  if (what == GT_TERM_FIXED)
    return squares / weights;
  if (wide)
    {
      const long double w = gt_sum_long (sample, &value, 0);

      by = (double) (w * w / (w * w - gt_sum_long (sample, &value, 1)));
    }
  else
    by = weights * weights / (weights * weights - gt_sum (sample, &value, 1));
  return gt_in_range (weights * weights) && by > 0 ? by * (squares / weights) : NAN;
}

static double
sum_of_squares (struct gt_sample *sample)
{
  return weighted_squares (sample, GT_TERM_TSS);
}

static double
mean_square (struct gt_sample *sample)
{
  return weighted_squares (sample, GT_TERM_FIXED);
}

static double
variance (struct gt_sample *sample)
{
  return weighted_squares (sample, GT_TERM_VARIANCE);
}

/* ------------------------------------------------------------- The functions */

/* TERM by QUICK, about the mean and the standard deviation where these are not given.  */
static double
quickly (struct gt_sample *sample, const struct gt_term *term, gt_statistic *quick)
{
  double result;

  if (!term->given && term->weighted && term->what != GT_TERM_MEAN)
    sample->given[0] = gt_wmean (sample);
  if (!term->given && term->weighted && term->what >= GT_TERM_SKEW)
    sample->given[1] = gt_wsd (sample);
  result = quick (sample);
  return term->root ? sqrt (result) : result;
}

/* Of copies whose powers are in range.  */
static int
moderately (struct gt_sample *sample, const struct gt_term *term, gt_statistic *quick,
            double *to)
{
  const struct gt_homogeneous kind = gt_term_kind (term);
  struct gt_moderate moderate;
  double of_copies;

  if (!gt_moderate_begin (sample, &kind, &moderate))
    return 0;
  of_copies = quickly (&moderate.sample, term, quick);
  *to = ldexp (of_copies, moderate.exponent);
  gt_moderate_end (&moderate);
  return isfinite (of_copies);
}

/* TERM, by QUICK where the mode is not exact.  On the host compensated mode is as quick by
   the same way, but does not go on to whole numbers where a last digit is in doubt.  */
static double
term_of (struct gt_sample *sample, const struct gt_term *term, gt_statistic *quick)
{
  double result;

  if (sample->mode == GT_MODE_EXACT || sample->task.problem.n < 2
      || (sample->mode == GT_MODE_COMPENSATED && sample->memory[0] == NULL))
    return gt_certain (sample, term);
  result = quickly (sample, term, quick);
  if (isfinite (result) || sample->status)
    return result;
  sample->term = term;
  if (gt_term_settled (sample, &result) || moderately (sample, term, quick, &result))
    return result;
  result = gt_sample_on_host (sample, gt_term_plain);
  return isfinite (result) ? result : gt_certain (sample, term);
}

#define TERM(name, what, weighted, given, root, plain, quick)                         \
  double gt_##name (struct gt_sample *sample)                                         \
  { return term_of (sample, &(const struct gt_term) {GT_TERM_##what, weighted, given, \
                                                     root, gt_plain_##plain}, quick); }

TERM (absdev, ABSDEV, 0, 0, 0, absdev_m, distance_from_mean)
TERM (absdev_m, ABSDEV, 0, 1, 0, absdev_m, distance)
TERM (skew, SKEW, 0, 0, 0, skew_m_sd, skewness)
TERM (skew_m_sd, SKEW, 0, 2, 0, skew_m_sd, cubes)
TERM (kurtosis, KURTOSIS, 0, 0, 0, kurtosis_m_sd, kurtosis)
TERM (kurtosis_m_sd, KURTOSIS, 0, 2, 0, kurtosis_m_sd, fourth_powers)
TERM (lag1_autocorrelation, LAG1, 0, 0, 0, lag1_autocorrelation_m,
      autocorrelation_about_mean)
TERM (lag1_autocorrelation_m, LAG1, 0, 1, 0, lag1_autocorrelation_m, autocorrelation)

TERM (wmean, MEAN, 1, 0, 0, wmean, mean_by_weights)
TERM (wtss, TSS, 1, 0, 0, wtss_m, sum_of_squares)
TERM (wtss_m, TSS, 1, 1, 0, wtss_m, sum_of_squares)
TERM (wvariance, VARIANCE, 1, 0, 0, wvariance_m, variance)
TERM (wvariance_m, VARIANCE, 1, 1, 0, wvariance_m, variance)
TERM (wsd, VARIANCE, 1, 0, 1, wvariance_m, variance)
TERM (wsd_m, VARIANCE, 1, 1, 1, wvariance_m, variance)
TERM (wvariance_with_fixed_mean, FIXED, 1, 1, 0, wvariance_with_fixed_mean, mean_square)
TERM (wsd_with_fixed_mean, FIXED, 1, 1, 1, wvariance_with_fixed_mean, mean_square)
TERM (wabsdev, ABSDEV, 1, 0, 0, wabsdev_m, weighted_distance)
TERM (wabsdev_m, ABSDEV, 1, 1, 0, wabsdev_m, weighted_distance)
TERM (wskew, SKEW, 1, 0, 0, wskew_m_sd, weighted_cubes)
TERM (wskew_m_sd, SKEW, 1, 2, 0, wskew_m_sd, weighted_cubes)
TERM (wkurtosis, KURTOSIS, 1, 0, 0, wkurtosis_m_sd, weighted_fourth_powers)
TERM (wkurtosis_m_sd, KURTOSIS, 1, 2, 0, wkurtosis_m_sd, weighted_fourth_powers)
