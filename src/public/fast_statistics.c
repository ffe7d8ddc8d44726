/* Statistics in fast mode, by rounded sums.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cutoffs.h"
#include "src/public/statistic.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A mean is too far off if its square is more than this many times what is left.  On a GPU
   another pass is another launch.  */
#define FAR 1
#define FAR_ON_GPU 15

static enum gt_arithmetic
arithmetic_of (const struct gt_sample *sample)
{
  return sample->task.problem.arithmetic;
}

static int
is_integer (const struct gt_sample *sample)
{
  return arithmetic_of (sample) > GT_LDBL;
}

static inline double
sum_of (const struct gt_sample *sample, const union gt_value *value,
        unsigned k)
{
  return sample->task.problem.arithmetic == GT_LDBL
           ? (double) (value->long_sums.s[k] + value->long_sums.c[k])
           : value->sums.s[k] + value->sums.c[k];
}

/* Sum PRODUCT less the product of sums S and T over N: of long doubles what cancels there does
   no harm.  */
INLINE double
sum_less (const struct gt_sample *sample, const union gt_value *value, unsigned product,
          unsigned s, unsigned t, double n)
{
  struct gt_ball off;

  if (sample->task.problem.arithmetic != GT_LDBL)
    return sum_of (sample, value, product)
           - sum_of (sample, value, s) / n * sum_of (sample, value, t);
  off = gt_ball_quotient (gt_ball_product (gt_sum_doubled (sample, value, s),
                                           gt_sum_doubled (sample, value, t)),
                          gt_ball_exactly (n));
  off = gt_ball_difference (gt_sum_doubled (sample, value, product), off);
  return off.h + off.l;
}

/* ------------------------------------------------------------------- Means */

/* Rounded on the way.  The zero makes -0 of nothing but -0 to +0.  */
static double
fast_mean (struct gt_sample *sample)
{
  const double n = (double) sample->task.problem.n;
  union gt_value value;

  switch (arithmetic_of (sample))
    {
    case GT_F64:
      gt_sample_sums (sample, GT_SUM, GT_MODE_FAST, &value);
      return (value.f64[0] + 0.0) / n;
    case GT_F32:
      gt_sample_sums (sample, GT_TOTAL, GT_MODE_FAST, &value);
      return (value.sums.s[0] + value.sums.c[0] + 0.0) / n;
    default:
      gt_sample_sums (sample, GT_SUM, GT_MODE_FAST, &value);
      return (double) ((value.ldbl[0] + 0.0L) / n);
    }
}

/* ------------------------------------------------- Squares about the mean */

/* Sums of squares about the mean, and the mean, as they come of rounded sums: that is SHIFT and
   what is LEFT of it.  */
struct spread
{
  double tss, shift, left;
};

/* Whether all elements on the host are A.  */
static int
all_are (const struct gt_sample *sample, long double a)
{
  const size_t n = sample->task.problem.n;

  for (size_t i = 0; i < n; i++)
    if (gt_sample_element (sample, 0, i) != a)
      return 0;
  return 1;
}

/* Whether all differences from A are 0 where their squares add up to Q: if that is 0 the
   squares may have underflowed, which those of floats do only if A is nearer to zero than
   floats are.  */
static int
is_nothing (const struct gt_sample *sample, double q, long double a)
{
  return q == 0
         && ((arithmetic_of (sample) == GT_F32 && !(a != 0 && fabsl (a) < 0x1p-160L))
             || (sample->memory[0] == NULL && all_are (sample, a)));
}

/* Takes the square of the mean off the sum SQUARES, S being the sum of the elements.  Returns
   whether enough digits are left.  */
static inline int
take_mean_off (const struct gt_sample *sample, const union gt_value *value,
               unsigned squares, unsigned s, double *left)
{
  const double n = (double) sample->task.problem.n, sum = sum_of (sample, value, s);

  *left = sum_less (sample, value, squares, s, s, n);
  return sum / n * sum <= (sample->memory[0] ? FAR_ON_GPU : FAR) * *left;
}

/* Returns 0 when rounded sums cannot tell.  */
static int
fast_spread (struct gt_sample *sample, struct spread *spread)
{
  const double n = (double) sample->task.problem.n;
  double *const shift = sample->task.shift;

  *shift = gt_sample_shift (sample, 0);
  for (int pass = 0; pass < 2; pass++)
    {
      union gt_value value;
      double s, q;

      gt_sample_sums (sample, GT_MOMENTS, sample->mode, &value);
      s = sum_of (sample, &value, 0);
      q = sum_of (sample, &value, 1);
      *spread = (struct spread) {0, *shift, s / n};
      if (!gt_in_range (q))
        return is_nothing (sample, q, *shift);
      if (take_mean_off (sample, &value, 1, 0, &spread->tss))
        return 1;
      *shift += spread->left;
    }
  return 0;
}

/* Leaves the mean, what it is rounded by, the standard deviation and the variance in SAMPLE.
   Returns 0 if rounded sums cannot tell.  */
static int
take_mean_and_variance (struct gt_sample *sample)
{
  struct spread spread;
  struct gt_ball mean;

  if (is_integer (sample) && !gt_quick_mean_and_variance (sample, &mean, &sample->variance))
    return 0;
  if (!is_integer (sample))
    {
      if (!fast_spread (sample, &spread))
        return 0;
      mean = gt_ball_of (spread.shift, spread.left, 0);
      sample->variance = spread.tss / ((double) sample->task.problem.n - 1);
    }
  sample->given[0] = mean.h;
  sample->rest = mean.l;
  sample->given[1] = sqrt (sample->variance);
  return 1;
}

/* Returns 0 when rounded sums cannot tell.  */
static int
fast_spread_about (struct gt_sample *sample, double mean, double *tss)
{
  union gt_value value;

  sample->task.shift[0] = mean;
  gt_sample_sums (sample, GT_MOMENTS, sample->mode, &value);
  *tss = sum_of (sample, &value, 1);
  return gt_in_range (*tss) || is_nothing (sample, *tss, mean);
}

/* The sum of squares, what it is divided by, and the root of that.  */
static double
squares (struct gt_sample *sample)
{
  const struct gt_term *term = sample->term;
  const double n = (double) sample->task.problem.n;
  struct spread spread;

  if (!(term->given ? fast_spread_about (sample, sample->given[0], &spread.tss)
                    : fast_spread (sample, &spread)))
    return NAN;
  if (term->what != GT_TERM_TSS)
    spread.tss /= term->what == GT_TERM_FIXED ? n : n - 1;
  return term->root ? sqrt (spread.tss) : spread.tss;
}

/* -------------------------------------------------------------- Two samples */

/* The sums of products and of squares about the means of two samples, as they come of
   rounded sums.  */
struct joint_spread
{
  double xy, xx, yy;
};

/* Doubles do not hold integers of 64 bits.  These lose digits of what is left if the square
   of their mean is more than this many times it.  */
#define FAR_INTEGERS 0x1p20

static int
are_rounded_away (const struct gt_sample *sample, const struct joint_spread *joint)
{
  const double n = (double) sample->task.problem.n, *shift = sample->task.shift;

  return is_integer (sample) && gt_element_size (arithmetic_of (sample)) == 8
         && (n * shift[0] * shift[0] > FAR_INTEGERS * joint->xx
             || n * shift[1] * shift[1] > FAR_INTEGERS * joint->yy);
}

/* Returns 0 when rounded sums cannot tell, because digits may have been lost where the
   result is 0.  The sums of squares show whether the shifts are near the means; a covariance of
   unrelated samples does not.  From memory the squares cost nothing.  */
static int
fast_joint_spread (struct gt_sample *sample, struct joint_spread *joint)
{
  const double n = (double) sample->task.problem.n;
  double *const shift = sample->task.shift;

  for (int i = 0; i < 2; i++)
    shift[i] = gt_sample_shift (sample, i);
  for (int pass = 0; pass < 2; pass++)
    {
      union gt_value value;
      int near;

      gt_sample_sums (sample, GT_CORRELATION, sample->mode, &value);
      if (!gt_in_range (sum_of (sample, &value, 3))
          || !gt_in_range (sum_of (sample, &value, 4)))
        return 0;
      near = take_mean_off (sample, &value, 3, 0, &joint->xx);
      near &= take_mean_off (sample, &value, 4, 1, &joint->yy);
      joint->xy = sum_less (sample, &value, 2, 0, 1, n);
      if (near)
        return joint->xy != 0 && !are_rounded_away (sample, joint);
      for (unsigned i = 0; i < 2; i++)
        shift[i] += sum_of (sample, &value, i) / n;
    }
  return 0;
}

/* Returns 0 when rounded sums cannot tell.  */
static int
fast_products_about (struct gt_sample *sample, double *products)
{
  union gt_value value;

  sample->task.shift[0] = sample->given[0];
  sample->task.shift[1] = sample->given[1];
  gt_sample_sums (sample, GT_COMOMENTS, sample->mode, &value);
  *products = sum_of (sample, &value, 2);
  return gt_in_range (fabs (*products))
         || (arithmetic_of (sample) == GT_F32 && isfinite (*products));
}

/* The products of two samples about their means or given numbers.  */
static double
joint_of (struct gt_sample *sample)
{
  const double n = (double) sample->task.problem.n;
  struct joint_spread joint;
  double products;

  if (sample->term->given)
    return fast_products_about (sample, &products) ? products / (n - 1) : NAN;
  if (!fast_joint_spread (sample, &joint))
    return NAN;
  return sample->term->what == GT_TERM_CORRELATION
           ? gt_correlation_of (joint.xy / (sqrt (joint.xx) * sqrt (joint.yy)))
           : joint.xy / (n - 1);
}

/* ------------------------------------------------------------------- Terms */

/* A mean that was rounded is TOO_FAR off if its square is so many times the mean square of
   the differences from it.  FAR_UNSHIFTED is too far if the sum that made the mean had no shift,
   but for sums of squares, which change by the square of the mean's rounding error.  */
#define TOO_FAR 0x1p32
#define FAR_UNSHIFTED 0x1p10
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
                    term->weighted && gt_kinds[term->what].power != 2 ? FAR_UNSHIFTED : TOO_FAR);
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
  squares = sum_of (&pairs, &value, 1) + first * first;
  sample->given[1] = squares;
  return in_range (squares, sum_of (&pairs, &value, 0))
             && !is_too_far (sample, squares, (double) sample->task.problem.n)
           ? sum_of (&pairs, &value, 0) / squares : NAN;
}

/* Divides the second of the term's sums by the first, which is that of the weights.  A sum of
   zero may have underflowed, and powers may have before large weights.  */
static double
weighted_mean (struct gt_sample *sample)
{
  union gt_value value;
  double weights, sum, mean;

  sum_terms (sample, sample->term->sums, &value);
  weights = sum_of (sample, &value, 0);
  sum = sum_of (sample, &value, 1);
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
  return powers - 4 * rest * (sum_of (sample, &value, 0) / n);
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
  sum_terms (sample, term->sums, &value);
  mean = sum_of (sample, &value, 0) / (double) sample->task.problem.n;
  if (scaled && term->given)
    return less || gt_in_range (fabs (mean)) ? over_deviation (sample, mean) - less : NAN;
  if (scaled)
    {
      mean = over_deviation (sample, about_mean (sample, mean));
      return !is_of_few (sample, mean)         ? mean - less
             : NAN;
    }
  sample->given[1] = mean * sum_of (sample, &value, 0);
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
  weights = sum_of (sample, &value, 0);
  squares = sum_of (sample, &value, 2);
  if (!in_range (weights, squares) || !gt_in_range (squares / weights)
      || is_too_far (sample, squares, weights))
    return NAN;
  if (what == GT_TERM_TSS)
    return squares;
  if (what == GT_TERM_FIXED)
    return squares / weights;
  unbiased = -sum_less (sample, &value, 1, 0, 0, 1);
  return gt_in_range (weights * weights) && unbiased > weights * weights / 2
           ? weights / unbiased * squares : NAN;
}

/* The mean of elements of which the given one is nearly that.  */
static struct gt_ball
refined_mean (struct gt_sample *sample)
{
  union gt_value value;

  if (sample->task.problem.arithmetic > GT_LDBL)
    {
      gt_sample_sums (sample, GT_TOTAL, GT_MODE_FAST, &value);
      return gt_ball_quotient (gt_integer_sum (value.integers.plain[0]),
                               gt_ball_exactly ((double) sample->task.problem.n));
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

/* The mean, which terms are about.  */
static double
mean_of (struct gt_sample *sample)
{
  const struct gt_term *const term = sample->term;
  double mean;

  sample->term = term->weighted ? &gt_term_wmean : &gt_term_mean;
  mean = gt_statistic_value (sample);
  sample->term = term;
  return mean;
}

/* By sums of the terms, about the mean and the standard deviation if these are not
   given.  */
static double
terms (struct gt_sample *sample)
{
  static gt_statistic *const of[] = {
    [GT_FORM_MEAN] = weighted_mean, [GT_FORM_SQUARES] = weighted_squares,
    [GT_FORM_POWERS] = powers, [GT_FORM_NEIGHBOURS] = autocorrelation
  };
  const struct gt_term *const term = sample->term;
  gt_statistic *const statistic = of[gt_kinds[term->what].form];
  const int scaled = gt_term_is_scaled (term), own = !term->given && !term->weighted;
  double result;

  if (own && scaled && !take_mean_and_variance (sample))
    return NAN;
  if (!term->given && !(own && scaled) && term->what != GT_TERM_MEAN)
    sample->given[0] = mean_of (sample);
  result = statistic (sample);
  if (own && !scaled
      && is_far (sample, sample->given[1], (double) sample->task.problem.n, FAR_UNSHIFTED))
    result = refined (sample, statistic, result);
  return term->root ? sqrt (result) : result;
}

double
gt_fast_statistic (struct gt_sample *sample)
{
  const struct gt_term *term = sample->term;
  const enum gt_formula_form form = gt_kinds[term->what].form;

  return form == GT_FORM_JOINT                                  ? joint_of (sample)
         : term->weighted || form == GT_FORM_POWERS
               || form == GT_FORM_NEIGHBOURS                    ? terms (sample)
         : form == GT_FORM_MEAN                                 ? fast_mean (sample)
                                                                : squares (sample);
}

/* Whether fast mode computes the exact value, too: of integers, if sums are exact or there are but
   a few, and of what rounded sums cannot tell anyway.  */
static int
is_exact_in_fast (const struct gt_sample *sample)
{
  const struct gt_term *term = sample->term;
  const enum gt_formula_form form = gt_kinds[term->what].form;

  return sample->task.problem.n < 2 || gt_term_is_exact_in_fast (term)
         || (is_integer (sample) && !term->weighted
             && (sample->task.problem.n <= GT_CUTOFF_FEW_INTEGERS || form == GT_FORM_MEAN
                 || form == GT_FORM_SQUARES || term->what == GT_TERM_COVARIANCE));
}

/* Whether sums in twice the precision come first: of what comes from memory they take no longer
   than rounded ones.  */
static int
is_quick (const struct gt_sample *sample)
{
  const struct gt_term *term = sample->term;
  const int two = term->weighted || gt_kinds[term->what].form == GT_FORM_JOINT;

  return (!term->given || gt_kinds[term->what].form == GT_FORM_JOINT)
         && term->what != GT_TERM_MEAN && gt_sample_fills_caches (sample, 1 + two);
}

/* Exactly in the environment that exact mode wants.  */
double
gt_statistic_value (struct gt_sample *sample)
{
  double result;

  if (sample->mode == GT_MODE_EXACT)
    return gt_exact_statistic (sample);
  if (is_exact_in_fast (sample) || is_quick (sample))
    return gt_statistic_alike (sample, gt_exact_statistic);
  result = gt_fast_statistic (sample);
  return isfinite (result) || sample->status
           ? result : gt_statistic_alike (sample, gt_exact_statistic);
}
