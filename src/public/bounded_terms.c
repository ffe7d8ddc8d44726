/* Statistics of sums within a bound.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/bounded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/isa/room.h"
#include "src/public/elements.h"
#include "src/public/moments.h"

__extension__ typedef unsigned __int128 bits128;

/* ------------------------------------------------------------------- Means */

/* A mean is too far off if its square is more than this many times what is left.  */
#define FAR 15

static int
spread_of_reals (struct gt_known *k)
{
  const struct gt_ball n = gt_ball_exactly ((double) k->n);
  struct gt_ball about = gt_ball_exactly (gt_shift_for (k, gt_sample_shift (k->sample, 0)));
  struct gt_ball sums[2], square;

  for (int pass = 0; pass < 2; pass++)
    {
      gt_bounded_sums (k, GT_MOMENTS, GT_MODE_COMPENSATED, about, 0, sums);
      if (!gt_in_range (sums[1].h))
        return 0;
      sums[0] = gt_ball_widened (sums[0],
                                 gt_error_for (k, sqrt (n.h * sums[1].h)));
      k->mean = gt_ball_sum (about, gt_ball_quotient (sums[0], n));
      square
        = gt_ball_quotient (gt_ball_product (sums[0], sums[0]), n);
      k->tss = gt_ball_difference (sums[1], square);
      k->spread = k->tss.h > 0 ? sqrt (k->tss.h / n.h) : 0;
      if (square.h <= FAR * k->tss.h)
        return 1;
      about = gt_ball_exactly (gt_shift_for (k, k->mean.h));
    }
  return 0;
}

/* The sum of products P, S and T being the sums of their factors, less what their means
   add to it.  */
static struct gt_ball
about_means (const struct gt_known *k, struct gt_ball p, struct gt_ball s, struct gt_ball t)
{
  return gt_ball_difference (
    p, gt_ball_quotient (gt_ball_product (s, t), gt_ball_exactly ((double) k->n)));
}

static struct gt_ball
ball_of_128 (bits128 x)
{
  const double h = (double) x;
  const bits128 back = (bits128) h;

  return gt_ball_of (h, x < back ? -(double) (back - x) : (double) (x - back),
                     h * 0x1p-104);
}

/* For integers that doubles hold, and whose sums are within 128 bits.  */
static int
spread_from (struct gt_known *k, const struct gt_integer_sums *sums)
{
  const struct gt_ball n = gt_ball_exactly ((double) k->n);
  const int64_t s = (int64_t) sums->plain[0][0];
  const bits128 q = (bits128) sums->product[1] << 64 | sums->product[0];
  const int told
    = sums->plain[0][1] == (uint64_t) (s >> 63) && !sums->product[2] && !(q >> 106);
  struct gt_ball sum;
  bits128 scaled;

  sum = ball_of_128 (s < 0 ? -(bits128) s : (bits128) s);
  if (s < 0)
    sum = gt_ball_negative (sum);
  k->mean = gt_ball_quotient (sum, n);
  if (told && !__builtin_mul_overflow (q, k->n, &scaled))
    k->tss = gt_ball_quotient (ball_of_128 (scaled - (bits128) ((__int128) s * s)), n);
  else
    return 0;
  return k->tss.h > k->tss.radius;
}

GT_APART int
spread_of_integers (struct gt_known *k)
{
  void *heap;
  union gt_value *value = GT_ROOM (heap, sizeof *value);
  int told;

  gt_sample_sums (k->sample, GT_MOMENTS, GT_MODE_EXACT, value);
  told = spread_from (k, &value->integers);
  free (heap);
  return told;
}

/* The mean, if it is not given, and what else is needed to know of all elements.  */
static int
take_spread (struct gt_known *k)
{
  const struct gt_ball given = gt_ball_exactly (k->sample->given[0]);
  const enum gt_arithmetic arithmetic
    = k->sample->task.problem.arithmetic;

  k->weight = gt_ball_exactly ((double) k->n);
  if (k->n >> 53)
    return 0;
  if (arithmetic > GT_LDBL
      && (!k->term->given || gt_element_size (arithmetic) == 8)
      && !spread_of_integers (k))
    return 0;
  if (!k->term->given)
    return arithmetic > GT_LDBL || spread_of_reals (k);
  k->mean = given;
  k->spread = k->term->given == 2 ? fabs (k->sample->given[1]) : 0;
  return 1;
}

/* ------------------------------------------------- Squares and products

   Of reals on a GPU; elsewhere other kernels are quicker (src/public/moments.c).  */

GT_APART int
squares (struct gt_known *k, struct gt_ball *to)
{
  const enum gt_term_what what = k->term->what;
  const struct gt_ball n = gt_ball_exactly ((double) k->n);
  struct gt_ball sums[2];

  if (k->term->given)
    {
      const double about = gt_shift_for (k, k->mean.h);
      const struct gt_ball rest = gt_ball_exactly (k->mean.h - about);

      gt_bounded_sums (k, GT_MOMENTS, GT_MODE_COMPENSATED, gt_ball_exactly (about), 0, sums);
      sums[0] = gt_ball_widened (sums[0], gt_error_for (k, sqrt (n.h * sums[1].h)));
      k->tss = rest.h == 0 ? sums[1]
                           : gt_elements_about (sums[1], sums[0], sums[0], rest, rest, n);
    }
  *to = what == GT_TERM_TSS     ? k->tss
        : what == GT_TERM_FIXED ? gt_ball_quotient (k->tss, n)
                                : gt_ball_quotient (k->tss, gt_ball_exactly (n.h - 1));
  return 1;
}

/* The sums about ABOUT, with their bounds; and whether these are of use.  */
static int
take_joint (struct gt_known *k, const double about[2], struct gt_ball sums[5])
{
  const double n = (double) k->n;

  k->sample->task.shift[1] = about[1];
  gt_bounded_sums (k, GT_CORRELATION, GT_MODE_COMPENSATED, gt_ball_exactly (about[0]), 0,
                   sums);
  if (!gt_in_range (sums[3].h) || !gt_in_range (sums[4].h))
    return 0;
  for (int i = 0; i < 2; i++)
    sums[i] = gt_ball_widened (sums[i], gt_error_for (k, sqrt (n) * sqrt (sums[3 + i].h)));
  sums[2] = gt_ball_widened (sums[2],
                             gt_error_for (k, sqrt (sums[3].h) * sqrt (sums[4].h)));
  return 1;
}

GT_APART int
joint (struct gt_known *k, struct gt_ball *to)
{
  const struct gt_ball n = gt_ball_exactly ((double) k->n);
  const int given = k->term->given;
  struct gt_ball sums[5], square[2];
  double about[2];

  for (int i = 0; i < 2; i++)
    about[i] = gt_shift_for (k, given ? k->sample->given[i] : gt_sample_shift (k->sample, i));
  for (int pass = 0; pass < 2 && take_joint (k, about, sums); pass++)
    {
      int near = 1;

      for (int i = 0; i < 2 && !given; i++)
        {
          square[i] = about_means (k, sums[3 + i], sums[i], sums[i]);
          near &= sums[3 + i].h <= (FAR + 1) * square[i].h;
          about[i] = gt_shift_for (k, about[i] + gt_ball_quotient (sums[i], n).h);
        }
      if (!near)
        continue;
      *to = given ? gt_elements_about (sums[2], sums[0], sums[1],
                                       gt_ball_exactly (k->sample->given[0] - about[0]),
                                       gt_ball_exactly (k->sample->given[1] - about[1]), n)
                  : about_means (k, sums[2], sums[0], sums[1]);
      *to = gt_ball_quotient (
        *to, k->term->what == GT_TERM_CORRELATION
               ? gt_ball_product (gt_ball_root (square[0]), gt_ball_root (square[1]))
               : gt_ball_exactly (n.h - 1));
      return 1;
    }
  return 0;
}

/* ------------------------------------------------------------------- Terms

   What a mean that is off by e changes in a sum of weighted powers of the differences from
   it is bounded by what it changes in each: |(|d| + e)^p - |d|^p| <= p e (|d| + e)^(p - 1),
   of which the sums are bounded by those of the squares and fourth powers (Cauchy and
   Schwarz).  */

/* Of the sum of W |d|, when that of W d^2 is SQUARES.  */
static double
spread_by (const struct gt_known *k, double squares)
{
  const double w = gt_ball_most (k->weight), e = gt_mean_error (k), reach = gt_mean_reach (k);

  return 2 * e * sqrt (2 * w * (squares + w * reach * reach));
}

/* Whether SUM, the first of several that weights have, may be that of the weights.  */
static int
take_weight (struct gt_known *k, struct gt_ball sum)
{
  if (!k->term->weighted)
    return 1;
  k->weight = sum;
  return sum.h >= 0x1p-440 && sum.h <= 0x1p490;
}

GT_APART int
distance (struct gt_known *k, struct gt_ball *to)
{
  struct gt_ball sums[2];

  gt_bounded_sums (k, gt_term_sums (k->term), GT_MODE_COMPENSATED, k->mean, 0, sums);
  if (!take_weight (k, sums[0]))
    return 0;
  sums[0] = sums[k->term->weighted];
  *to = gt_ball_quotient (
    gt_ball_widened (sums[0], gt_ball_most (k->weight) * gt_mean_error (k)), k->weight);
  return gt_in_range (sums[0].h);
}

/* A power of two near 1 / SD.  */
static double
scale_for (double sd)
{
  int exponent;

  frexp (sd, &exponent);
  return ldexp (1, -exponent);
}

/* The third or the fourth moment, where VARIANCE is given.  The squares of the differences
   add up to at most the root of the number of elements times that of the sum of the fourth
   powers.  */
GT_APART int
moment (struct gt_known *k, struct gt_ball variance, struct gt_ball *to)
{
  const struct gt_kind *kind = &gt_kinds[k->term->what];
  const int third = kind->power == 3, weighted = k->term->weighted;
  const double r = scale_for (sqrt (variance.h));
  struct gt_ball sums[2], fourth[2];
  double w, e, reach, root, squares, cubes;

  if (!gt_in_range (r) || !gt_in_range (variance.h))
    return 0;
  variance = gt_ball_scaled (gt_ball_scaled (variance, r), r);
  gt_bounded_sums (k, gt_kinds[GT_TERM_KURTOSIS].sums[weighted],
                   third ? GT_MODE_FAST : GT_MODE_COMPENSATED, k->mean, r, fourth);
  if (!take_weight (k, fourth[0]))
    return 0;
  w = gt_ball_most (k->weight);
  fourth[0] = fourth[weighted];
  if (!gt_in_range (fourth[0].h) || !gt_in_range (fourth[0].h / w))
    return 0;
  reach = gt_mean_reach (k) * r;
  /* Fast sums are about the shift: what the rest adds to a norm is that of all of it.  */
  root = sqrt (fourth[0].h) + reach * sqrt (w) * (2 * sqrt (sqrt (fourth[0].h / w)) + reach);
  squares = 1.01 * sqrt (w) * root;
  cubes = 1.01 * sqrt (squares) * root;
  if (third)
    {
      gt_bounded_sums (k, gt_term_sums (k->term), GT_MODE_COMPENSATED, k->mean, r, sums);
      if (!take_weight (k, sums[0]))
        return 0;
      e = gt_mean_error (k) * r;
      *to = gt_ball_widened (sums[weighted],
                             gt_error_for (k, cubes) + 6 * e * (squares + w * reach * reach));
      variance = gt_ball_product (variance, gt_ball_root (variance));
    }
  else
    {
      e = gt_mean_error (k) * r;
      *to = gt_ball_widened (fourth[0], 16 * e * (cubes + w * reach * reach * reach));
      variance = gt_ball_product (variance, variance);
    }
  *to = gt_ball_quotient (*to, gt_ball_product (k->weight, variance));
  if (kind->less)
    *to = gt_ball_difference (*to, gt_ball_exactly (kind->less));
  return 1;
}

/* The same of a given standard deviation, whose sign counts.  */
static int
given_moment (struct gt_known *k, struct gt_ball *to)
{
  const double sd = k->sample->given[1];
  const struct gt_ball square
    = gt_ball_product (gt_ball_exactly (sd), gt_ball_exactly (sd));

  if (!moment (k, square, to))
    return 0;
  if (gt_kinds[k->term->what].power == 3 && sd < 0)
    *to = gt_ball_negative (*to);
  return 1;
}

static int
moment_of_one (struct gt_known *k, struct gt_ball *to)
{
  return k->term->given
           ? given_moment (k, to)
           : moment (k, gt_ball_quotient (k->tss,
                                          gt_ball_exactly ((double) k->n - 1)),
                     to);
}

GT_APART int
autocorrelation (struct gt_known *k, struct gt_ball *to)
{
  const long double x = gt_sample_first (k->sample, 0);
  const struct gt_ball first = gt_ball_difference (
    gt_ball_of ((double) x, (double) (x - (double) x), 0), k->mean);
  struct gt_sample pairs = gt_sample_neighbours (k->sample);
  struct gt_known of_pairs = *k;
  struct gt_ball sums[2];
  double changed;

  of_pairs.sample = &pairs;
  gt_bounded_sums (&of_pairs, GT_LAG1, GT_MODE_COMPENSATED, k->mean, 0, sums);
  sums[1] = gt_ball_sum (sums[1], gt_ball_product (first, first));
  if (!gt_in_range (sums[1].h))
    return 0;
  changed = spread_by (&of_pairs, sums[1].h);
  sums[0] = gt_ball_widened (sums[0], changed + gt_error_for (&of_pairs, sums[1].h));
  *to = gt_ball_quotient (sums[0], gt_ball_widened (sums[1], changed));
  return 1;
}

/* ------------------------------------------------------------- With weights */

/* The mean, with an error as that of an operation.  Nobody knows yet how far the elements
   spread; a single one may tell how large they are.  */
static int
take_weighted_mean (struct gt_known *k)
{
  struct gt_ball sums[2];

  if (gt_is_of_floats_on_gpu (k))
    k->spread = fabs (gt_sample_shift (k->sample, 1));
  k->mean = gt_ball_exactly (k->sample->given[0]);
  if (!k->term->given)
    {
      gt_bounded_sums (k, GT_WSUM, GT_MODE_COMPENSATED, gt_ball_exactly (0), 0, sums);
      if (!take_weight (k, sums[0]))
        return 0;
      k->mean = gt_ball_quotient (sums[1], sums[0]);
    }
  return isfinite (k->mean.h) && isfinite (k->mean.l);
}

/* Widens the mean, whose products' magnitudes add up to MAGNITUDES.  */
static int
widen_mean (struct gt_known *k, double magnitudes)
{
  if (!k->term->given)
    k->mean = gt_ball_widened (k->mean,
                               gt_error_for (k, 2 * magnitudes) / k->weight.h);
  return k->term->given || gt_in_range (magnitudes);
}

/* Whether zero is so far from the mean, SQUARE being that of how far the elements are, that a
   sum of products about zero tells too little of it.  Sums of squares and of distances change
   hardly with the mean.  */
static int
is_far (const struct gt_known *k, double square)
{
  const double far = gt_kinds[k->term->what].power > 2 ? FAR : FAR * 0x1p20;

  return !k->term->given && k->mean.h * k->mean.h > far * square;
}

/* The sum of squares about what is known of the mean, which is in range over the weights as
   well: what underflows in a square is multiplied by its weight.  */
static int
take_squares (struct gt_known *k)
{
  struct gt_ball sums[3];

  gt_bounded_sums (k, GT_WMOMENTS, GT_MODE_COMPENSATED, k->mean, 0, sums);
  k->squared = sums[1];
  k->tss = sums[2];
  return take_weight (k, sums[0]) && gt_in_range (sums[1].h) && gt_in_range (sums[2].h)
         && gt_in_range (sums[2].h / sums[0].h);
}

/* Squares T(m) about a mean m that is far from zero, and those about a point beside it, tell
   what m lacks: the sum of w (y - m) is T(m) - T(m + s) + W s^2 over 2 s.  That point is less
   than half of m away, so that s is exact.  The squares become those about the new mean.  */
static int
refine_mean (struct gt_known *k)
{
  const double h = fabs (k->mean.h), last = nextafter (h, INFINITY) - h;
  struct gt_known beside = *k;
  struct gt_ball s, rest;

  k->mean.radius = beside.mean.radius = 0;
  beside.mean.h += fmax (last, 0.5 / scale_for (sqrt (k->tss.h / k->weight.h)));
  if (!take_squares (&beside))
    return 0;
  k->tss = gt_ball_widened (k->tss, spread_by (k, k->tss.h));
  beside.tss = gt_ball_widened (beside.tss, spread_by (&beside, beside.tss.h));
  s = gt_ball_exactly (beside.mean.h - k->mean.h);
  rest = gt_ball_sum (gt_ball_difference (k->tss, beside.tss),
                      gt_ball_product (k->weight, gt_ball_product (s, s)));
  rest = gt_ball_quotient (rest, gt_ball_product (gt_ball_scaled (s, 2), k->weight));
  k->mean = gt_ball_sum (k->mean, rest);
  k->tss = gt_ball_difference (
    k->tss, gt_ball_product (k->weight, gt_ball_product (rest, rest)));
  return 1;
}

/* The mean with its error, where the squares are known: the sum of w |y|, of the products of
   which it is made, is at most the root of that of w times that of w y^2.  */
static int
take_mean (struct gt_known *k)
{
  const double w = k->weight.h, m = k->mean.h;

  return is_far (k, k->tss.h / w)
           ? refine_mean (k)
           : widen_mean (k, sqrt (w) * sqrt (2 * k->tss.h + 2 * w * m * m));
}

/* The mean with its error, or the mean distance.  */
GT_APART int
weighted_distance (struct gt_known *k, struct gt_ball *to)
{
  struct gt_ball sums[2];

  if (!k->term->given)
    {
      gt_bounded_sums (k, GT_WABSDEV, GT_MODE_FAST, gt_ball_exactly (0), 0, sums);
      if (!widen_mean (k, sums[1].h))
        return 0;
    }
  *to = k->mean;
  if (k->term->what == GT_TERM_MEAN)
    return 1;
  return distance (k, to)
         && (!is_far (k, to->h * to->h) || !take_squares (k) || !take_mean (k)
             || distance (k, to));
}

/* The sum of squares over W - Q / W, Q being the sum of the weights' squares: none of these
   underflows.  */
static struct gt_ball
weighted_variance (const struct gt_known *k)
{
  return gt_ball_quotient (
    k->tss, gt_ball_difference (k->weight, gt_ball_quotient (k->squared, k->weight)));
}

GT_APART int
of_weighted_squares (struct gt_known *k, struct gt_ball *to)
{
  *to = weighted_variance (k);
  switch (k->term->what)
    {
    case GT_TERM_TSS:
      *to = k->tss;
      return 1;
    case GT_TERM_FIXED:
      *to = gt_ball_quotient (k->tss, k->weight);
      return 1;
    case GT_TERM_VARIANCE:
      return 1;
    default:
      return to->radius < to->h / 2 && moment (k, *to, to);
    }
}

static int
weighted_moments (struct gt_known *k, struct gt_ball *to)
{
  if (k->term->given == 2)
    return given_moment (k, to);
  if (!take_squares (k) || !take_mean (k))
    return 0;
  k->tss = gt_ball_widened (k->tss, spread_by (k, k->tss.h));
  return of_weighted_squares (k, to);
}

/* ------------------------------------------- By sums of the elements as they are */

#define LEAST_LEFT 0x1p-58 /* of a sum of squares its bound, at most */

static int
take_several (const struct gt_known *k, enum gt_several what, double about,
              struct gt_ball sums[GT_N_SUMS_OF])
{
  return gt_elements_sums (k->sample, what, k->term->weighted, about, k->less, sums);
}

/* SQUARES about the mean, SUM being that of the elements.  */
static struct gt_ball
about_mean (const struct gt_known *k, struct gt_ball squares, struct gt_ball sum)
{
  return gt_elements_about (squares, sum, sum, k->mean, k->mean, k->weight);
}

static void
set_mean (struct gt_known *k, struct gt_ball sum)
{
  k->mean = k->term->given ? gt_ball_exactly (k->sample->given[0])
                           : gt_ball_quotient (sum, k->weight);
}

/* Elements that are the mean's leading part count as what they are less the mean.  Of weights
   the distances above their own mean are half of all.  */
GT_APART int
distance_quickly (struct gt_known *k, struct gt_ball *to)
{
  const double about = k->mean.l > 0 ? nextafter (k->mean.h, INFINITY) : k->mean.h;
  const int half = k->term->weighted && !k->term->given;
  struct gt_ball sums[GT_N_SUMS_OF];

  if (!take_several (k, half                ? GT_SEVERAL_WEIGHTED_ABOVE
                        : k->term->weighted ? GT_SEVERAL_WEIGHTED_SIGNED
                                            : GT_SEVERAL_SIGNED,
                     about, sums))
    return 0;
  if (k->term->weighted && !half)
    k->weight = sums[GT_SUM_OF_Y];
  *to = gt_ball_difference (
    sums[GT_SUM_OF_XY],
    gt_ball_product (sums[half ? GT_SUM_OF_Y : GT_SUM_OF_SIGNS], k->mean));
  if (half)
    *to = gt_ball_scaled (*to, 2);
  *to = gt_ball_quotient (gt_ball_widened (*to, 2 * gt_ball_most (k->weight) * k->mean.radius),
                          k->weight);
  return 1;
}

/* The products of neighbours are of all elements but the last with all but the first.  */
GT_APART int
autocorrelation_quickly (struct gt_known *k, struct gt_ball *to)
{
  const double first = (double) gt_sample_element (k->sample, 0, 0) - k->less[0];
  const double end = (double) gt_sample_element (k->sample, 0, k->n - 1) - k->less[0];
  const struct gt_ball last = gt_ball_exactly (end);
  struct gt_ball sums[GT_N_SUMS_OF], sum, ends, all = k->weight;

  if (!take_several (k, GT_SEVERAL_OF_NEIGHBOURS, 0, sums))
    return 0;
  sum = gt_ball_sum (sums[GT_SUM_OF_X], last);
  set_mean (k, sum);
  k->tss = about_mean (k, gt_ball_sum (sums[GT_SUM_OF_XX], gt_ball_product (last, last)), sum);
  ends = gt_ball_scaled (gt_ball_sum (last, gt_ball_exactly (first)), 0.5);
  k->weight = gt_ball_exactly ((double) k->n - 1);
  *to = gt_ball_quotient (about_mean (k, sums[GT_SUM_OF_XY], gt_ball_difference (sum, ends)),
                          k->tss);
  k->weight = all;
  return k->tss.radius < LEAST_LEFT * k->tss.h;
}

/* Weight, mean and, if that is needed, what is left of the squares.  */
GT_APART int
take_elements (struct gt_known *k, int squares)
{
  const int weighted = k->term->weighted;
  const enum gt_sum_of plain = weighted ? GT_SUM_OF_XY : GT_SUM_OF_X;
  struct gt_ball sums[GT_N_SUMS_OF];

  k->mean = gt_ball_exactly (k->sample->given[0]);
  if (!squares && k->term->given)
    return 1;
  if (!take_several (k, !weighted ? (squares ? GT_SEVERAL_OF_ONE : GT_SEVERAL_PLAIN)
                        : !squares ? GT_SEVERAL_WEIGHTED
                        : gt_elements_are_about (k->term) ? GT_SEVERAL_WEIGHTED_ABOUT_SQUARES
                        : k->term->what == GT_TERM_TSS    ? GT_SEVERAL_WEIGHTED_SQUARES
                                                          : GT_SEVERAL_WEIGHTED_UNBIASED,
                     k->mean.h, sums))
    return 0;
  if (weighted)
    k->weight = sums[GT_SUM_OF_Y];
  set_mean (k, sums[plain]);
  k->squared = sums[GT_SUM_OF_YY];
  k->tss = sums[weighted ? GT_SUM_OF_YXX : GT_SUM_OF_XX];
  if (!gt_elements_are_about (k->term))
    k->tss = about_mean (k, k->tss, sums[plain]);
  return !squares || k->tss.radius < LEAST_LEFT * k->tss.h;
}

static int
quickly (struct gt_known *k, struct gt_ball *to)
{
  const struct gt_kind *kind = &gt_kinds[k->term->what];

  k->weight = gt_ball_exactly ((double) k->n);
  if (kind->form == GT_FORM_NEIGHBOURS)
    return autocorrelation_quickly (k, to);
  if (gt_term_is_scaled (k->term) && gt_elements_moment (k->sample, k->less, to))
    return 1;
  /* Sums of terms are not of elements that are moved.  */
  if (gt_term_is_scaled (k->term) && k->less[0] != 0)
    return 0;
  if (kind->power != 1 && k->term->given < 2)
    return take_elements (k, 1)
           && (k->term->weighted ? of_weighted_squares (k, to) : moment_of_one (k, to));
  if (!take_elements (k, 0))
    return 0;
  *to = k->mean;
  return kind->power != 1 ? given_moment (k, to)
         : k->term->what == GT_TERM_MEAN || distance_quickly (k, to);
}

int
gt_bounded_quickly (struct gt_known *k, int again, struct gt_ball *to)
{
  struct gt_sample *const sample = k->sample, near = *sample;
  int told;

  /* Integers' sums of terms are as quick as two passes over copies.  */
  if (!gt_elements_are_doubles (sample)
      || (sample->task.problem.arithmetic > GT_F32 && gt_kinds[k->term->what].power == 1
          && !k->term->weighted)
      || (k->term->what == GT_TERM_MEAN ? again
                                        : !gt_elements_near_zero (&near, again, k->less)))
    return 0;
  k->sample = &near;
  told = quickly (k, to);
  k->sample = sample;
  return told;
}

/* ------------------------------------------------------------------------- */

int
gt_bounded_term (struct gt_known *k, struct gt_ball *to)
{
  const enum gt_formula_form form = gt_kinds[k->term->what].form;

  if (form == GT_FORM_JOINT)
    return joint (k, to);
  if (k->term->weighted)
    {
      if (!take_weighted_mean (k))
        return 0;
      return gt_kinds[k->term->what].power == 1 ? weighted_distance (k, to)
                                                : weighted_moments (k, to);
    }
  if (!take_spread (k))
    return 0;
  return form == GT_FORM_NEIGHBOURS      ? autocorrelation (k, to)
         : form == GT_FORM_SQUARES       ? squares (k, to)
         : gt_term_is_scaled (k->term)   ? moment_of_one (k, to)
                                         : distance (k, to);
}
