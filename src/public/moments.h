/* Means, sums of squares and what is made of them.

   Exact mode, and integers in any: sums in fixed point, of which one rounding makes
   the result (kernels/cpu/finish/finish.h).

   Fast mode, of reals: the sums S of x - a and Q of (x - a)^2, whose
   shift a takes off what the elements have in common; the sum of squares about the
   mean is Q - S^2 / n.  That subtraction loses digits where a is far from the mean,
   measured by the spread, so the mean of eight elements, of long vectors on a GPU the
   first one, serves as the shift unless S^2 / n is more than half of Q, on a GPU 15/16, and
   then a second pass does with the mean that the first one found (T. F. Chan, G. H. Golub and
   R. J. LeVeque, "Algorithms for computing the sample variance", The American Statistician
   37, 1983).  An accumulator that adds k numbers errs by k u of their magnitudes at most,
   u = 2^-53; with the rounding of differences and squares the relative error of
   Q - S^2 / n is less than 6 (k + 3) u, on a GPU 48 (k + 3) u, and about the mean less than
   3 (k + 3) u.
   Sums of long doubles are finished with twice the precision of a double, and what is left of
   them is right to its last place or two.

   Where squares leave the range of doubles, copies that are multiplied by a power of two
   serve (src/public/moderate.h), or all goes the exact way, in every mode.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MOMENTS_H
#define GT_MOMENTS_H

#include "kernels/cpu/finish/ball.h"
#include "src/public/kinds.h"
#include "src/public/sample.h"

/* Of the sample's term, without weights: its mean, what is made of squares, and what is of
   two samples.  */
gt_statistic gt_mean, gt_squares, gt_joint;

/* The mean, what it was rounded by, as far as that is known, and the variance, in fast mode, in
   one pass over what needs no second; N at least 2.  NaN of doubles whose squares leave the
   range.  */
void gt_mean_and_variance (struct gt_sample *sample, double *mean, double *rest,
                           double *variance);

/* The mean of N integers, of their sums.  */
struct gt_ball gt_integer_mean (const struct gt_integer_sums *sums, uint64_t n);

/* Whether sums of products that come to X have neither overflowed nor lost digits
   to underflow.  */
static inline int
gt_in_range (double x)
{
  return isgreaterequal (x, 0x1p-900) && islessequal (x, 0x1p1000); /* NaN raises nothing */
}

/* The mean distance of few elements about a given number, where cascades tell it.  */
int gt_short_distance (struct gt_sample *sample, double *to);

/* Whether X is in range and tells in *TO what it rounds to; outside of exact mode that may be off by
   a unit.  */
static inline int
gt_tells (const struct gt_sample *sample, struct gt_ball x, double *to)
{
  return gt_in_range (fabs (x.h))
         && (gt_ball_round (x, to)
             || (sample->mode != GT_MODE_EXACT && x.radius < fabs (x.h) * DBL_EPSILON));
}

/* Whether a sum of products of doubles in MODE has not overflowed on its way, as sums of
   parts and errors of products may where the sum of all is finite, and a compensated one
   has not lost such errors to underflow.  */
static inline int
gt_product_stands (enum gt_mode mode, double sum)
{
  return mode == GT_MODE_FAST ? isfinite (sum) : sum == 0 || gt_in_range (fabs (sum));
}

/* Sum K of a value that is not exact.  */
static inline long double
gt_sum_long (const struct gt_sample *sample, const union gt_value *value,
             unsigned k)
{
  return sample->task.problem.arithmetic == GT_LDBL
           ? value->long_sums.s[k] + value->long_sums.c[k]
           : (long double) (value->sums.s[k] + value->sums.c[k]);
}

/* The same, of twice the precision of a double.  */
static inline struct gt_ball
gt_sum_doubled (const struct gt_sample *sample, const union gt_value *value, unsigned k)
{
  long double h;

  if (sample->task.problem.arithmetic != GT_LDBL)
    return gt_ball_of (value->sums.s[k], value->sums.c[k], 0);
  h = value->long_sums.s[k];
  return gt_ball_of ((double) h, (double) ((h - (double) h) + value->long_sums.c[k]), 0);
}

static inline double
gt_sum (const struct gt_sample *sample, const union gt_value *value,
        unsigned k)
{
  return sample->task.problem.arithmetic == GT_LDBL
           ? (double) gt_sum_long (sample, value, k)
           : value->sums.s[k] + value->sums.c[k];
}

/* Sum PRODUCT less the product of sums S and T over N: of long doubles what cancels there does
   no harm.  */
INLINE double
gt_sum_less (const struct gt_sample *sample, const union gt_value *value, unsigned product,
             unsigned s, unsigned t, double n)
{
  struct gt_ball off;

  if (sample->task.problem.arithmetic != GT_LDBL)
    return gt_sum (sample, value, product)
           - gt_sum (sample, value, s) / n * gt_sum (sample, value, t);
  off = gt_ball_quotient (gt_ball_product (gt_sum_doubled (sample, value, s),
                                           gt_sum_doubled (sample, value, t)),
                          gt_ball_exactly (n));
  off = gt_ball_difference (gt_sum_doubled (sample, value, product), off);
  return off.h + off.l;
}

#endif
