/* Statistics whose terms are made of an element and a mean.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/terms.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "src/public/certain.h"
#include "src/public/moments.h"

/* The functions from here on are fast mode's.  They return NaN where rounded sums cannot
   tell.  */

/* A mean that was rounded is TOO_FAR off if its square is so many times the mean square of
   what is left about it.  FAR is too far where the sum that made the mean had no shift, but
   for sums of squares, which change by the square of what the mean was rounded by.  */
#define TOO_FAR 0x1p32
#define FAR 0x1p10
#define FEW 16

/* A change of a fourth power by four times this is less than a unit.  */
#define NOT_FELT 0x1p-53

/* SQUARES, which are in range, are those of so MANY, or of weights that add up to that.  */
INLINE int
is_far (const struct gt_sample *sample, double squares, double many, double times)
{
  return sample->given[0] * (sample->given[0] * many) > times * squares;
}

/* Of given means those of integers alone are, of which doubles have lost digits.  What
   leaves the range may be.  */
INLINE int
is_too_far (const struct gt_sample *sample, double squares, double many)
{
  const struct gt_term *term = sample->term;
  const enum gt_arithmetic arithmetic = sample->task.problem.arithmetic;

  if (term->given && (arithmetic <= GT_LDBL || gt_element_size (arithmetic) < 8))
    return 0;
  return !gt_in_range (squares)
         || is_far (sample, squares, many,
                    term->weighted && gt_kinds[term->what].power != 2 ? FAR : TOO_FAR);
}

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

/* Makes a power of two near the reciprocal of the given standard deviation the scale, which
   rounds nothing.  Returns whether there is one.  */
static int
take_scale (struct gt_sample *sample)
{
  enum { DIGITS = DBL_MANT_DIG - 1, MOST = 2 * DBL_MAX_EXP - 3 }; /* of exponents' field */
  uint64_t bits;

  memcpy (&bits, &sample->given[1], sizeof bits);
  bits = bits << 1 >> (DIGITS + 1);
  if (bits == 0 || bits >= MOST)
    return 0;
  bits = (MOST - bits) << DIGITS;
  memcpy (&sample->task.scale, &bits, sizeof bits);
  return 1;
}

/* A fast sum that one or two elements make up is off by what those rounded that were added to
   them: powers of such over that of their deviation are left to who can tell them.  Of few
   elements hardly any are added to one.  */
static int
is_of_few (const struct gt_sample *sample, double result)
{
  const double n = (double) sample->task.problem.n;

  return n > FEW && 3 * (gt_kinds[sample->term->what].power == 3 ? result * result : result) > n;
}

/* The mean of the powers over the power of what the scale has left of the deviation.  */
static double
over_deviation (const struct gt_sample *sample, double mean)
{
  const double scale = sample->task.scale, sd = sample->given[1] * scale;
  const double variance = sample->term->given ? sd * sd : sample->variance * scale * scale;

  return mean / (variance * (gt_kinds[sample->term->what].power == 3 ? sd : variance));
}

/* Leaves the squares of what is left in the place of a deviation.  */
static double
autocorrelation (struct gt_sample *sample)
{
  struct gt_sample pairs = gt_sample_neighbours (sample);
  union gt_value value;
  double first, squares;

  first = (double) (gt_sample_first (sample, 0) - sample->given[0]);
  sum_terms (&pairs, GT_LAG1, &value);
  if (pairs.status)
    {
      sample->status = pairs.status;
      sample->why = pairs.why;
    }
  squares = gt_sum (&pairs, &value, 1) + first * first;
  sample->given[1] = squares;
  return in_range (squares, gt_sum (&pairs, &value, 0))
             && !is_too_far (sample, squares, (double) sample->task.problem.n)
           ? gt_sum (&pairs, &value, 0) / squares : NAN;
}

/* Divides the second of the term's sums by the first, which is that of the weights.  A sum of
   zero may have underflowed, and powers may have before large weights.  */
static double
weighted_mean (struct gt_sample *sample)
{
  union gt_value value;
  double weights, sum, mean;

  sum_terms (sample, gt_term_sums (sample->term), &value);
  weights = gt_sum (sample, &value, 0);
  sum = gt_sum (sample, &value, 1);
  mean = sum / weights;
  return in_range (weights, sum) && gt_in_range (fabs (mean))
             && !(sample->term->what == GT_TERM_ABSDEV
                  && is_too_far (sample, mean * mean, 1))
           ? mean : NAN;
}

/* Turns the mean of scaled powers about the rounded mean into that about the mean itself.  The
   cubes are added up for that where they make a difference to fourth powers.  */
static double
about_mean (struct gt_sample *sample, double powers)
{
  const double n = (double) sample->task.problem.n, rest = sample->rest * sample->task.scale;
  const double sd = sample->given[1] * sample->task.scale, squares = sd * sd * ((n - 1) / n);
  const double least = (powers + 3 * squares * squares) * NOT_FELT;
  union gt_value value;

  if (gt_kinds[sample->term->what].power == 3)
    return powers - 3 * rest * squares;
  if (rest * rest * squares * powers < least * least)
    return powers;
  sum_terms (sample, GT_SKEW, &value);
  return powers - 4 * rest * (gt_sum (sample, &value, 0) / n);
}

/* The mean of powers.  Of what is given they may underflow, which is seen where nothing is
   subtracted.  Of magnitudes it leaves its square, for each, in the place of a deviation.  */
static double
powers (struct gt_sample *sample)
{
  const struct gt_term *term = sample->term;
  const int less = gt_kinds[term->what].less, scaled = gt_term_is_scaled (term);
  union gt_value value;
  double mean;

  if (scaled
      && (!take_scale (sample)
          || is_too_far (sample, sample->given[1] * sample->given[1], 1)))
    return NAN;
  if (term->weighted)
    {
      mean = weighted_mean (sample);
      if (scaled)
        mean = over_deviation (sample, mean);
      return mean - less;
    }
  sum_terms (sample, gt_term_sums (term), &value);
  mean = gt_sum (sample, &value, 0) / (double) sample->task.problem.n;
  if (scaled && term->given)
    return less || gt_in_range (fabs (mean)) ? over_deviation (sample, mean) - less : NAN;
  if (scaled)
    {
      mean = over_deviation (sample, about_mean (sample, mean));
      return !is_of_few (sample, mean)         ? mean - less
             : gt_certain_told (sample, &mean) ? mean : NAN;
    }
  sample->given[1] = mean * gt_sum (sample, &value, 0);
  return is_too_far (sample, mean * mean, 1) ? NAN : mean;
}

/* The weighted sum of squares about the given mean, divided by what its term says.  W^2 / (W^2 -
   Q), W being the sum of the weights and Q that of their squares, makes an unbiased
   variance of their mean; where one weight outweighs the others that difference is
   left to those who can tell it.  */
static double
weighted_squares (struct gt_sample *sample)
{
  const enum gt_term_what what = sample->term->what;
  union gt_value value;
  double weights, squares, unbiased;

  sum_terms (sample, GT_WMOMENTS, &value);
  weights = gt_sum (sample, &value, 0);
  squares = gt_sum (sample, &value, 2);
  if (!in_range (weights, squares) || !gt_in_range (squares / weights)
      || is_too_far (sample, squares, weights))
    return NAN;
  if (what == GT_TERM_TSS)
    return squares;
  if (what == GT_TERM_FIXED)
    return squares / weights;
  unbiased = -gt_sum_less (sample, &value, 1, 0, 0, 1);
  return gt_in_range (weights * weights) && unbiased > weights * weights / 2
           ? weights / unbiased * squares : NAN;
}

/* ------------------------------------------------------------- The functions */

/* The mean of elements of which the given one is nearly that.  */
static struct gt_ball
refined_mean (struct gt_sample *sample)
{
  union gt_value value;

  if (sample->task.problem.arithmetic > GT_LDBL)
    {
      gt_sample_sums (sample, GT_TOTAL, GT_MODE_FAST, &value);
      return gt_integer_mean (&value.integers, sample->task.problem.n);
    }
  sum_terms (sample, GT_MOMENTS, &value);
  return gt_ball_sum (gt_ball_exactly (sample->given[0]),
                      gt_ball_quotient (gt_sum_doubled (sample, &value, 0),
                                        gt_ball_exactly ((double) sample->task.problem.n)));
}

/* Turns RESULT, taken about a mean that is far off, into that about the nearest double.
   Between that and the one on the other side of the mean there is no element, so that the
   mean distance is a straight line there.  */
static double
refined (struct gt_sample *sample, gt_statistic *statistic, double result)
{
  const struct gt_ball mean = refined_mean (sample);
  const double beyond = nextafter (mean.h, mean.l > 0 ? INFINITY : -INFINITY);

  if (mean.h != sample->given[0])
    {
      sample->given[0] = mean.h;
      result = statistic (sample);
    }
  if (sample->term->what != GT_TERM_ABSDEV || mean.l == 0)
    return result;
  sample->given[0] = beyond;
  return result + (statistic (sample) - result) * (mean.l / (beyond - mean.h));
}

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
  gt_statistic *const statistic = of[gt_kinds[term->what].form];
  const int scaled = gt_term_is_scaled (term);
  double result;

  if (!term->given && term->weighted && term->what != GT_TERM_MEAN)
    {
      sample->term = &gt_term_wmean;
      sample->given[0] = gt_terms (sample);
      sample->term = term;
    }
  else if (!term->given && scaled)
    {
      gt_mean_and_variance (sample, &sample->given[0], &sample->rest, &sample->variance);
      sample->given[1] = sqrt (sample->variance);
    }
  else if (!term->given && !term->weighted)
    sample->given[0] = gt_mean (sample);
  result = statistic (sample);
  if (!term->given && !term->weighted && !scaled
      && is_far (sample, sample->given[1], (double) sample->task.problem.n, FAR))
    result = refined (sample, statistic, result);
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
  return isfinite (*to);
}

/* Where rounded sums cannot tell.  */
static double
safely (struct gt_sample *sample)
{
  double result;

  if (gt_certain_told (sample, &result))
    return result;
  result = gt_term_plain (sample);
  return isfinite (result) ? result : gt_rational (sample);
}

double
gt_terms (struct gt_sample *sample)
{
  double result;

  if (sample->mode != GT_MODE_FAST || sample->task.problem.n < 2
      || gt_term_is_exact_in_fast (sample->term))
    return gt_certain (sample);
  if (!sample->term->given && sample->term->what != GT_TERM_MEAN
      && gt_sample_fills_caches (sample, 1 + sample->term->weighted)
      && gt_certain_quickly (sample, &result))
    return result;
  result = quickly (sample);
  if (isfinite (result) || sample->status)
    return result;
  if (gt_term_settled (sample, &result) || moderately (sample, &result))
    return result;
  return gt_sample_on_host (sample, safely);
}
