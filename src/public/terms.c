/* Statistics whose terms are made of an element and a mean.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/terms.h"

#include <math.h>

#include "src/public/certain.h"
#include "src/public/moments.h"

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

/* What the second of the term's sums is over the first, that of the weights.  What is
   nothing may have underflowed.  */
static double
weighted_mean (struct gt_sample *sample)
{
  union gt_value value;
  double weights, sum;

  sum_terms (sample, gt_term_sums (sample->term), &value);
  weights = gt_sum (sample, &value, 0);
  sum = gt_sum (sample, &value, 1);
  return in_range (weights, sum) ? sum / weights : NAN;
}

/* The mean of powers.  Of what is given they may underflow, which is seen where nothing is
   subtracted.  */
static double
powers (struct gt_sample *sample)
{
  const struct gt_term *term = sample->term;
  const int less = gt_kinds[term->what].less, scaled = gt_term_is_scaled (term);
  union gt_value value;
  double mean;

  if (scaled && !take_reciprocal (sample))
    return NAN;
  if (term->weighted)
    return weighted_mean (sample) - less;
  sum_terms (sample, gt_term_sums (term), &value);
  mean = gt_sum (sample, &value, 0) / (double) sample->task.problem.n;
  return !scaled || !term->given || less || gt_in_range (fabs (mean)) ? mean - less : NAN;
}

/* The weighted sum of squares about the given mean, divided by what its term says.  W^2 / (W^2 -
   Q), W being the sum of the weights and Q that of their squares, makes an unbiased
   variance of their mean.  */
static double
weighted_squares (struct gt_sample *sample)
{
  const enum gt_term_what what = sample->term->what;
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

/* ------------------------------------------------------------- The functions */

/* By sums of the terms, about the mean and the standard deviation where these are not
   given.  */
static double
quickly (struct gt_sample *sample)
{
  static gt_statistic *const of[] = {
    [GT_FORM_MEAN] = weighted_mean, [GT_FORM_SQUARES] = weighted_squares,
    [GT_FORM_POWERS] = powers, [GT_FORM_NEIGHBOURS] = autocorrelation
  };
  const struct gt_term *const term = sample->term;
  const int scaled = gt_term_is_scaled (term);
  double result;

  if (!term->given && term->weighted && term->what != GT_TERM_MEAN)
    {
      sample->term = &gt_term_wmean;
      sample->given[0] = gt_terms (sample);
      if (scaled)
        {
          sample->term = &gt_term_wsd;
          sample->given[1] = gt_terms (sample);
        }
      sample->term = term;
    }
  else if (!term->given && scaled)
    gt_mean_and_sd (sample, &sample->given[0], &sample->given[1]);
  else if (!term->given && !term->weighted)
    sample->given[0] = gt_mean (sample);
  result = of[gt_kinds[term->what].form](sample);
  return term->root ? sqrt (result) : result;
}

/* Of copies whose powers are in range.  */
static int
moderately (struct gt_sample *sample, double *to)
{
  const struct gt_homogeneous kind = gt_term_kind (sample->term);
  struct gt_moderate moderate;
  double of_copies;

  if (!gt_moderate_begin (sample, &kind, &moderate))
    return 0;
  of_copies = quickly (&moderate.sample);
  *to = ldexp (of_copies, moderate.exponent);
  gt_moderate_end (&moderate);
  return isfinite (of_copies);
}

/* Quickly where the mode is not exact.  On the host compensated mode is as quick by the
   same way, but does not go on to whole numbers where a last digit is in doubt.  */
double
gt_terms (struct gt_sample *sample)
{
  double result;

  if (sample->mode == GT_MODE_EXACT || sample->task.problem.n < 2
      || (sample->mode == GT_MODE_COMPENSATED && sample->memory[0] == NULL))
    return gt_certain (sample);
  result = quickly (sample);
  if (isfinite (result) || sample->status)
    return result;
  if (gt_term_settled (sample, &result) || moderately (sample, &result))
    return result;
  result = gt_sample_on_host (sample, gt_term_plain);
  return isfinite (result) ? result : gt_certain (sample);
}
