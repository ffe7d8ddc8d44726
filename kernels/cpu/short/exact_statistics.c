/* The statistics of few elements, correctly rounded without whole numbers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/short/exact_powers.h"
#include "kernels/cpu/short/exact_short_sums.h"

/* All is computed in numbers of two doubles, H + L, that are not normalized on the way: what
   L is rounded by is 2^-106 of what H is made of, and H need not wait for L.

   What is left of the elements, less one of them or less what is given, is at most REACH; W
   being the sum of the weights, or the number of elements, a sum of powers p about the mean is
   off by less than ERROR W REACH^p.  What is made of sums adds FINISH of itself.  Ziv's test
   tells whether the last digit is certain.  Where it does not, the value may be 0, or the
   middle between two doubles, exactly.  Elements are whole numbers in some unit, and so is what
   the value is made of: what is less than a unit away from one of these is that (doc/exact.md
   has the proofs).  */

#define ERROR 0x1p-87
#define FINISH 0x1p-84
#define LEAST_REACH 0x1p-100
#define MOST_REACH 0x1p100

/* ------------------------------------------------------- Numbers of two doubles */

INLINE struct two
exactly (double x)
{
  return (struct two) {x, 0};
}

INLINE struct two
times (struct two p, struct two q)
{
  const double h = p.h * q.h, error = product_error_1 (p.h, q.h, h);

  return (struct two) {h, product_and_1 (p.h, q.l, p.l * q.h) + error};
}

/* X less Q Y, Q being about X / Y: there are few digits of that.  */
INLINE double
left_of (double x, double q, double y)
{
#ifdef FUSED_1
  return product_and_1 (-q, y, x);
#else
  const double p = q * y;

  return (x - p) - product_error_1 (q, y, p);
#endif
}

INLINE struct two
over (struct two x, struct two y)
{
  const double q = x.h / y.h, by = 1 / y.h;

  return (struct two) {q, (left_of (x.h, q, y.h) + (x.l - q * y.l)) * by};
}

INLINE struct two
root_of (struct two x)
{
  const double root = sqrt (x.h), by = 0.5 / x.h;

  return (struct two) {root, (left_of (x.h, root, root) + x.l) * (root * by)};
}

/* X over the root of Y, whose quotient is a product with what the root's own rest needs.  */
INLINE struct two
over_root (struct two x, struct two y)
{
  const struct two root = root_of (y);
  const double by = root.h * (1 / y.h), q = x.h * by;

  return (struct two) {q, (left_of (x.h, q, root.h) + (x.l - q * root.l)) * by};
}

/* X - Y, where the second part may be larger than a unit of what is left.  */
INLINE struct two
minus (struct two x, struct two y)
{
  struct two d = {x.h, 0};
  double e;

  TWO_SUM (double, d.h, e, -y.h);
  d.l = e + (x.l - y.l);
  return d;
}

/* X - Y, normalized, unless next to nothing is left of them: then what this misses is so of
   X, too.  */
INLINE struct two
less_two (struct two x, struct two y)
{
  const struct two d = minus (x, y);
  const double h = d.h + d.l;

  return (struct two) {h, d.l - (h - d.h)};
}

/* X times a power of two.  */
INLINE struct two
scaled (struct two x, double by)
{
  return (struct two) {x.h * by, x.l * by};
}

/* ------------------------------------------------------------------- What is known */

struct known
{
  const struct gt_few_sample *s;
  /* Those of the sample, which are constants of each function.  */
  enum gt_term_what what;
  int weighted, given, root;
  struct two sums[N_SUMS];
  struct two weight; /* the sum of the weights, or the number of elements */
  double reach[2];
  /* The statistic's value, what it may be off by, and the sum of powers P that it is made of,
     with an error, and is over DIVISOR, if that is not 0.  */
  struct two value, sum;
  double radius, error;
  int power;
  double divisor;
  int by_weight; /* whether the divisor is the sum of the weights */
};

INLINE int
is_in_reach (double x)
{
  return x >= LEAST_REACH && x <= MOST_REACH;
}

INLINE struct two
element (const struct gt_few_sample *s, const double x[2][GT_FEW_ROOM], size_t i)
{
  return (struct two) {x[0][i], s->wide ? x[1][i] : 0};
}

/* The first element that counts.  */
INLINE size_t
first_of (const struct gt_few_sample *s, int weighted)
{
  size_t i = 0;

  while (weighted && i < s->n && !(s->y[0][i] > 0))
    i++;
  return i;
}

/* X over the sum of the weights, or the number of elements, whose reciprocal does not wait
   for X.  */
INLINE struct two
over_weight (const struct known *k, struct two x)
{
  return k->weighted ? over (x, k->weight) : times (x, over (exactly (1), k->weight));
}

/* How the mean is taken off.  */
enum mean
{
  GIVEN,  /* a number is taken off */
  PASSED, /* an element is, and from sums of powers and products what the mean adds */
  TAKEN   /* it is, in a pass of its own */
};

INLINE enum mean
mean_of (enum gt_term_what what, int given)
{
  return given || what == GT_TERM_MEAN ? GIVEN : what == GT_TERM_ABSDEV ? TAKEN : PASSED;
}

/* Which sums the statistic is made of.  */
INLINE unsigned
sums_of (const struct known *k)
{
  static const unsigned of[GT_N_TERMS] = {
    [GT_TERM_MEAN] = SUM (FIRST),
    [GT_TERM_TSS] = SUM (SQUARES),
    [GT_TERM_FIXED] = SUM (SQUARES),
    [GT_TERM_VARIANCE] = SUM (SQUARES),
    [GT_TERM_ABSDEV] = SUM (MAGNITUDES),
    [GT_TERM_SKEW] = SUM (CUBES),
    [GT_TERM_KURTOSIS] = SUM (FOURTHS),
    [GT_TERM_LAG1] = SUM (SQUARES) | SUM (NEIGHBOURS),
    [GT_TERM_COVARIANCE] = SUM (PAIRS),
    [GT_TERM_CORRELATION] = SUM (PAIRS) | SUM (SQUARES) | SUM (OTHERS)
  };
  const enum mean mean = mean_of (k->what, k->given);
  const int scaled = k->what == GT_TERM_SKEW || k->what == GT_TERM_KURTOSIS;
  unsigned sums = of[k->what];

  if (mean == PASSED)
    sums |= scaled                                ? TO_CUBES
            : k->what >= GT_TERM_COVARIANCE ? SUM (FIRST) | SUM (SECOND)
                                              : SUM (FIRST);
  if (k->weighted && (k->what == GT_TERM_VARIANCE || (scaled && mean == PASSED)))
    sums |= SUM (SQUARED_WEIGHTS);
  if (k->weighted)
    sums |= WEIGHTED
            | (mean == TAKEN                                ? 0
               : k->what == GT_TERM_TSS && mean == GIVEN ? ROUGHLY | SUM (WEIGHTS)
                                                            : SUM (WEIGHTS));
  return sums;
}

/* The sums, and what is left of elements at most.  Returns 0 where none counts.  */
INLINE int
take_sums (struct known *k, struct gt_few_sample *s)
{
  const enum mean mean = mean_of (k->what, k->given);
  struct two by[2] = {{s->about[0], 0}, {s->about[1], 0}};
  const size_t first = mean == GIVEN ? 0 : first_of (s, k->weighted);

  if (first == s->n)
    return 0;
  k->weight = exactly ((double) s->n);
  if (k->what == GT_TERM_MEAN)
    by[0].h = 0;
  if (mean != GIVEN)
    {
      by[0] = element (s, s->x, first);
      by[1] = element (s, s->y, first);
    }
  if (mean == TAKEN)
    {
      if (s->wide)
        take_off (s, 1, by[0], k->weighted, k->sums);
      else
        take_off (s, 0, by[0], k->weighted, k->sums);
      k->weight = k->weighted ? k->sums[OF_WEIGHTS] : k->weight;
      by[0] = over_weight (k, k->sums[OF_FIRST]);
      if (!(fabs (by[0].l) <= DBL_MAX))
        return 0;
    }
  if (s->wide)
    powers (s, 1, 1, by, sums_of (k), k->sums, k->reach);
  else
    powers (s, mean == TAKEN, 0, by, sums_of (k), k->sums, k->reach);
  if (k->weighted)
    k->weight = k->sums[OF_WEIGHTS];
  if (mean == TAKEN)
    k->reach[0] += fabs (by[0].h);
  return 1;
}

/* SUM, of products about numbers, less what these add to it: FIRST and SECOND are the sums of
   the factors.  */
INLINE void
center (struct known *k, unsigned sum, unsigned first, unsigned second)
{
  const struct two mean = over_weight (k, k->sums[second]);

  k->sums[sum] = less_two (k->sums[sum], times (k->sums[first], mean));
}

/* The sums of cubes, P3 - m (3 P2 - 2 m P1), m being the mean and P the sums about a number;
   and of fourth powers, P4 - 4 m P3 + m^2 (6 P2 - 3 m P1).  */
INLINE void
center_powers (struct known *k)
{
  const struct two mean = over_weight (k, k->sums[OF_FIRST]), three = exactly (3);
  const struct two first = times (mean, k->sums[OF_FIRST]);
  const struct two squares = times (three, k->sums[OF_SQUARES]);

  if (k->what == GT_TERM_SKEW)
    k->sums[OF_CUBES]
      = minus (k->sums[OF_CUBES], times (mean, minus (squares, scaled (first, 2))));
  else
    k->sums[OF_FOURTHS]
      = minus (minus (k->sums[OF_FOURTHS], times (mean, scaled (k->sums[OF_CUBES], 4))),
               times (times (mean, mean), minus (times (three, first), scaled (squares, 2))));
}

/* The same of products of neighbours.  A is what was taken off the elements, the first of
   them: so that is 0 now.  */
INLINE void
center_neighbours (struct known *k)
{
  const struct gt_few_sample *s = k->s;
  const struct two mean = over_weight (k, k->sums[OF_FIRST]);
  const struct two a = element (s, s->x, 0), last = element (s, s->x, s->n - 1);
  const struct two left = less_two (k->sums[OF_FIRST], less_two (less_two (last, a), mean));

  k->sums[OF_NEIGHBOURS] = less_two (k->sums[OF_NEIGHBOURS], times (mean, left));
}

/* The sums about the means.  */
INLINE void
center_all (struct known *k)
{
  switch (k->what)
    {
    case GT_TERM_LAG1:
      center_neighbours (k);
      center (k, OF_SQUARES, OF_FIRST, OF_FIRST);
      break;
    case GT_TERM_CORRELATION:
      center (k, OF_SQUARES, OF_FIRST, OF_FIRST);
      center (k, OF_OTHERS, OF_SECOND, OF_SECOND);
      center (k, OF_PAIRS, OF_FIRST, OF_SECOND);
      break;
    case GT_TERM_COVARIANCE:
      center (k, OF_PAIRS, OF_FIRST, OF_SECOND);
      break;
    case GT_TERM_SKEW:
    case GT_TERM_KURTOSIS:
      center_powers (k);
      center (k, OF_SQUARES, OF_FIRST, OF_FIRST);
      break;
    default:
      center (k, OF_SQUARES, OF_FIRST, OF_FIRST);
    }
}

/* ---------------------------------------------------------------- Finishing */

/* The error of the sum of powers P, at most.  */
INLINE double
error_of (const struct known *k, int p)
{
  double error = ERROR * k->weight.h;

  for (; p > 0; p--)
    error *= k->reach[0];
  return error;
}

/* The value is made of sum SUM, of powers P, over DIVISOR.  */
INLINE void
set_sum (struct known *k, unsigned sum, int power, double error, double divisor)
{
  k->sum = k->sums[sum];
  k->power = power;
  k->error = error;
  k->divisor = divisor;
  k->by_weight = 0;
}

/* Divides SUM, of powers P, by the sum of weights where BY_WEIGHT is set, or by DIVISOR.  */
INLINE void
divide (struct known *k, unsigned sum, int power, int by_weight, double divisor)
{
  const double error = error_of (k, power), by = by_weight ? k->weight.h : divisor;

  set_sum (k, sum, power, error, by);
  k->by_weight = by_weight;
  k->value = by_weight  ? over_weight (k, k->sum)
             : by == 1 ? k->sum
                       : times (k->sum, over (exactly (1), exactly (by)));
  k->radius = error / by + FINISH * fabs (k->value.h);
}

/* The root of the value, which is above 0.  */
INLINE int
take_root (struct known *k)
{
  if (!(k->radius <= k->value.h * 0x1p-20))
    return 0;
  k->radius /= k->value.h;
  k->value = root_of (k->value);
  k->radius *= k->value.h;
  k->radius += FINISH * k->value.h;
  k->divisor = 0;
  return 1;
}

/* W^2 - Q, Q being the sum of the weights' squares, over W: one less than the number of
   elements where there are no weights.  As a fraction, whose denominator is OVER, and what it may
   be off by relatively.  */
INLINE struct two
unbiased (const struct known *k, struct two *denominator, double *error)
{
  struct two left;

  if (!k->weighted)
    {
      *denominator = exactly (1);
      *error = 0;
      return exactly ((double) k->s->n - 1);
    }
  *denominator = k->weight;
  left = less_two (times (k->weight, k->weight), k->sums[OF_SQUARED_WEIGHTS]);
  *error = 2 * ERROR * (k->weight.h / left.h) * k->weight.h;
  return left;
}

INLINE int
variance (struct known *k)
{
  struct two denominator, numerator;
  const double error = error_of (k, 2);
  double off;

  if (!k->weighted)
    {
      divide (k, OF_SQUARES, 2, 0, (double) k->s->n - 1);
      return 1;
    }
  numerator = unbiased (k, &denominator, &off);
  if (!(off >= 0 && off <= 0x1p-20))
    return 0;
  k->value = over (times (k->sums[OF_SQUARES], denominator), numerator);
  k->radius = 2 * error * denominator.h / numerator.h + (FINISH + 2 * off) * k->value.h;
  set_sum (k, OF_SQUARES, 2, error, 0);
  return 1;
}

/* The mean of powers 3 or 4, over those of the standard deviation.  This is the root of
   squares, B / A, or given.  */
INLINE int
moment (struct known *k)
{
  const int cubes = k->what == GT_TERM_SKEW, given = k->given;
  const unsigned sum = cubes ? OF_CUBES : OF_FOURTHS;
  const double error = error_of (k, cubes ? 3 : 4);
  struct two a = exactly (1), b = exactly (k->s->about[1]), denominator, root;
  double off = 0, relative = 0, by;

  if (given)
    {
      if (!is_in_reach (fabs (b.h)))
        return 0;
      root = b;
      b = times (b, b);
    }
  else
    {
      a = unbiased (k, &denominator, &off);
      b = times (k->sums[OF_SQUARES], denominator);
      relative = error_of (k, 2) / k->sums[OF_SQUARES].h + off;
      if (!(off >= 0 && relative <= 0x1p-20))
        return 0;
      root = cubes ? root_of (times (a, b)) : b;
    }
  /* Of cubes A^2 / (B root (A B)), of fourth powers A^2 / B^2.  */
  b = times (times (k->weight, b), cubes ? root : b);
  a = times (a, a);
  by = fabs (1 / b.h);
  k->value = over (given ? k->sums[sum] : times (k->sums[sum], a), b);
  k->radius = 2 * error * (a.h * by) + (FINISH + 4 * relative) * fabs (k->value.h);
  set_sum (k, sum, cubes ? 3 : 4, error, 0);
  if (cubes)
    return 1;
  k->value = less_two (k->value, exactly (3));
  k->radius += FINISH * 3;
  return 1;
}

INLINE int
autocorrelation (struct known *k)
{
  const struct two squares = k->sums[OF_SQUARES];
  const double error = error_of (k, 2), by = 1 / squares.h;

  if (!(error <= squares.h * 0x1p-20))
    return 0;
  k->value = over (k->sums[OF_NEIGHBOURS], squares);
  k->radius = 2 * error * by * (1 + fabs (k->value.h)) + FINISH * fabs (k->value.h);
  set_sum (k, OF_NEIGHBOURS, 2, error, 0);
  return 1;
}

INLINE int
joint (struct known *k)
{
  const struct two xx = k->sums[OF_SQUARES], yy = k->sums[OF_OTHERS];
  const double n = (double) k->s->n, x = k->reach[0], y = k->reach[1];
  const double error = ERROR * n * x * y;
  double relative;
  const struct two by = times (xx, yy);

  set_sum (k, OF_PAIRS, 2, error, 0);
  if (k->what == GT_TERM_COVARIANCE)
    {
      k->divisor = n - 1;
      k->value = over (k->sum, exactly (n - 1));
      k->radius = error / (n - 1) + FINISH * fabs (k->value.h);
      return 1;
    }
  relative = ERROR * n * (x * x / xx.h + y * y / yy.h);
  if (!(relative <= 0x1p-20))
    return 0;
  k->value = over_root (k->sum, by);
  k->radius = 2 * error * sqrt (1 / by.h) + (FINISH + relative) * fabs (k->value.h);
  return 1;
}

INLINE int
finish (struct known *k)
{
  switch (k->what)
    {
    case GT_TERM_MEAN:
      divide (k, OF_FIRST, 1, 1, 0);
      return 1;
    case GT_TERM_TSS:
      divide (k, OF_SQUARES, 2, 0, 1);
      return 1;
    case GT_TERM_FIXED:
      divide (k, OF_SQUARES, 2, 1, 0);
      break;
    case GT_TERM_VARIANCE:
      if (!variance (k))
        return 0;
      break;
    case GT_TERM_ABSDEV:
      divide (k, OF_MAGNITUDES, 1, 1, 0);
      return 1;
    case GT_TERM_SKEW:
    case GT_TERM_KURTOSIS:
      return moment (k);
    case GT_TERM_LAG1:
      return autocorrelation (k);
    default: /* GT_TERM_COVARIANCE, GT_TERM_CORRELATION */
      return joint (k);
    }
  return !k->root || take_root (k);
}

/* ------------------------------------------------------------------- Exact values */

/* A unit of which all numbers of X that count are multiples, in both parts where there is a REST,
   and GIVEN.  */
static double
unit_of (const struct gt_few_sample *s, const double x[2][GT_FEW_ROOM], int rest, double given)
{
  const double *const weights = s->weighted ? s->y[0] : NULL;
  double least = 0x1p926;

  if (given != 0)
    least = lower_bits_2 ((vector_2) {0} + least, (vector_2) {given})[0];
  for (int part = 0; part < 1 + rest; part++)
    least = lowest_weighted_bit (x[part], weights, s->n, least);
  return least;
}

/* The same of weights.  Where all are equal these are a unit themselves, in which the value
   is told unless it has the weights' own.  */
static double
unit_of_weights (const struct gt_few_sample *s)
{
  const size_t first = first_of (s, s->weighted);
  int differ = s->what == GT_TERM_TSS;

  if (!s->weighted)
    return 1;
  for (size_t i = first; i < s->n; i++)
    differ |= s->y[0][i] > 0
              && (s->y[0][i] != s->y[0][first] || (s->wide && s->y[1][i] != s->y[1][first]));
  return differ ? unit_of (s, s->y, s->wide, 0) : s->y[0][first];
}

/* Whether the value V, of which GRAIN is a unit, is off the middle of two doubles by less than
   that, so that it is that; *TO is the even one then.  */
static int
is_middle (struct two v, double radius, double times_more, double grain, double whole,
           double *to)
{
  double next, half;
  uint64_t bits, other;

  TWO_SUM (double, v.h, v.l, v.l);
  if (v.h == 0)
    return 0;
  memcpy (&bits, &v.h, sizeof bits);
  other = (v.l > 0) == (v.h > 0) ? bits + 1 : bits - 1;
  memcpy (&next, &other, sizeof next);
  half = (next - v.h) / 2;
  *to = bits & 1 ? next : v.h;
  return (fabs (v.l - half) + radius) * times_more
         < 0.99 * fmin (grain, fabs (half) * whole);
}

/* The value where Ziv's test fails because it is 0 or the middle of two doubles.  Sums of
   powers of what is left of elements about their mean are whole numbers when each factor is
   taken as many times as there are weights.  */
static int __attribute__ ((noinline))
is_exact (const struct known of, double *to)
{
  const struct known *const k = &of;
  const struct gt_few_sample *s = k->s;
  const enum mean mean = mean_of (s->what, s->given);
  const int own = mean != GIVEN, joint = s->what >= GT_TERM_COVARIANCE;
  const double w = unit_of_weights (s);
  const double unit
    = unit_of (s, s->x, s->wide || mean == TAKEN, s->given ? s->about[0] : 0);
  double grain = w * unit, times_more = 1;

  if (k->power > 1)
    grain *= joint ? unit_of (s, s->y, s->wide, s->given ? s->about[1] : 0) : unit;
  if (k->power > 2)
    grain *= unit;
  for (int i = 0; i < k->power && own; i++)
    times_more *= k->weight.h / w;
  *to = 0;
  if (k->power <= 3
      && (fabs (k->sum.h) + fabs (k->sum.l) + k->error) * times_more < 0.99 * grain)
    return 1;
  return k->divisor > 0
         && is_middle (k->value, k->radius, times_more * k->divisor, grain,
                       k->by_weight ? w : 1, to);
}

/* ----------------------------------------------------------------- The smallest samples */

INLINE int
is_number (double x)
{
  return fabs (x) <= DBL_MAX;
}

/* One element about what is given, or the mean of a weighted one.  Returns -1 where that is
   left to others.  */
static int
tell_one (struct gt_few_sample *s, double *to)
{
  const double d = s->x[0][0] - s->about[0];

  if ((s->wide && (s->what != GT_TERM_LAG1 || s->x[1][0] != 0)) || !is_number (s->x[0][0]) || !is_number (d)
      || (s->weighted && !(s->y[0][0] > 0 && is_number (s->y[0][0]))))
    return -1;
  if (s->what == GT_TERM_VARIANCE && s->weighted && s->given)
    *to = d == 0 ? (double) NAN : (double) INFINITY;
  else if (s->what == GT_TERM_LAG1)
    *to = d == 0 ? (double) NAN : 0;
  else if (s->what == GT_TERM_MEAN)
    *to = s->x[0][0] + 0.0; /* of a negative zero */
  else if ((s->what == GT_TERM_ABSDEV || s->what == GT_TERM_TSS || s->what == GT_TERM_FIXED) && !s->given)
    *to = 0;
  else if (s->what == GT_TERM_ABSDEV || (s->what == GT_TERM_FIXED && s->root))
    *to = fabs (d);
  else
    return -1;
  return 1;
}

/* The sign of the second number of X less the first.  */
static int
side_of (const double *x)
{
  return (x[1] > x[0]) - (x[1] < x[0]);
}

/* Two elements about their mean, or two pairs about theirs, if their first parts differ.  */
static int
tell_two (const struct gt_few_sample *s, double *to)
{
  const double x = s->x[0][0], y = s->x[0][1], most = fmax (fabs (x), fabs (y));

  if (s->what == GT_TERM_CORRELATION)
    {
      *to = side_of (s->x[0]) * side_of (s->y[0]);
      return *to != 0 && 0 * x + 0 * y + 0 * s->y[0][0] + 0 * s->y[0][1] == 0 ? 1 : -1;
    }
  if (s->weighted || s->given || x == y || (s->wide && s->what == GT_TERM_ABSDEV) || !(most >= LEAST_REACH && most <= MOST_REACH)
      || !is_number (x) || !is_number (y))
    return -1;
  switch (s->what)
    {
    case GT_TERM_ABSDEV:
      *to = fabs (x - y) / 2;
      return 1;
    case GT_TERM_SKEW:
      *to = 0;
      return 1;
    case GT_TERM_KURTOSIS:
      *to = -2.75;
      return 1;
    case GT_TERM_LAG1:
      *to = -0.5;
      return 1;
    default:
      return -1;
    }
}

/* How many elements count.  */
static size_t
counted_of (const struct gt_few_sample *s)
{
  size_t counted = 0;

  for (size_t i = 0; i < s->n; i++)
    counted += !s->weighted || s->y[0][i] > 0;
  return counted;
}

/* A variance about a given mean, the sum of SQUARES, of which one element alone counts.  */
static int __attribute__ ((noinline))
tell_single (const struct gt_few_sample *s, double squares, double *to)
{
  *to = (double) INFINITY;
  return s->given && is_number (squares) && squares > 0 && counted_of (s) == 1;
}

/* Of elements that are equal, about their mean.  */
static int __attribute__ ((noinline))
tell_equal (const struct gt_few_sample *s, double *to)
{
  const size_t counted = counted_of (s);

  *to = s->what == GT_TERM_TSS || s->what == GT_TERM_FIXED || s->what == GT_TERM_ABSDEV
            || s->what == GT_TERM_COVARIANCE || (s->what == GT_TERM_VARIANCE && counted > 1) ? 0 : (double) NAN;
  return s->what != GT_TERM_COVARIANCE && s->what != GT_TERM_CORRELATION;
}

/* ----------------------------------------------------------------- The functions */

INLINE int
tell (struct gt_few_sample *s, const enum gt_term_what what, const int weighted,
      const int given, const int root, double *to)
{
  struct known k
    = {.s = s, .what = what, .weighted = weighted, .given = given, .root = root};
  const enum mean mean = mean_of (what, given);

  if (!take_sums (&k, s))
    return 0;
  if (k.reach[0] == 0 && mean != GIVEN)
    return is_number (k.weight.h) && is_number (k.sums[OF_FIRST].h) && tell_equal (s, to);
  if (!(k.reach[0] == 0 || is_in_reach (k.reach[0])) || !is_in_reach (k.weight.h)
      || (what >= GT_TERM_COVARIANCE && !(k.reach[1] == 0 || is_in_reach (k.reach[1]))))
    return 0;
  if (mean == PASSED)
    center_all (&k);
  if (!finish (&k))
    return what == GT_TERM_VARIANCE && tell_single (s, k.sums[OF_SQUARES].h, to);
  *to = k.value.h + (k.value.l - k.radius) + 0.0; /* of negative zeros */
  return LIKELY (*to == k.value.h + (k.value.l + k.radius))
         || (is_number (k.value.h) && is_exact (k, to));
}

#define STATISTIC(name, what, weighted, given, root)                  \
  static int __attribute__ ((noinline))                               \
  tell_##name (struct gt_few_sample *s, double *to)                   \
  { return tell (s, GT_TERM_##what, weighted, given != 0, root, to); }
#include "kernels/statistics.def"

int
GT_FOR_ISA (gt_exact_statistic) (struct gt_few_sample *s, double *to)
{
  static gt_few_function *const of[GT_N_TERMS][2][2][2] = {
#define STATISTIC(name, what, weighted, given, root) \
  [GT_TERM_##what][weighted][given != 0][root] = tell_##name,
#include "kernels/statistics.def"
  };
  const int told = s->n == 1 ? tell_one (s, to) : s->n == 2 ? tell_two (s, to) : -1;

  return told >= 0 ? told : of[s->what][s->weighted][s->given != 0][s->root](s, to);
}
