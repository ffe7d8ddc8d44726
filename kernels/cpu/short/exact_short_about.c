/* Spreads and distances about given means and correlations of short vectors, correctly rounded
   without an accumulator.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/short/exact_intervals.h"
#include "kernels/cpu/short/exact_short_sums.h"

/* Each element is taken with its difference from a number near it, in two doubles,
   exactly: so nothing cancels that need not.  A product of two differences is that of
   their leading parts and its error, exactly, and the leading parts times the others'
   rest; what is left out or rounded of that is less than 2^-102 of the product.  Sums
   are cascades (kernels/cpu/short/exact_short.c) in which M has 2^-51 of each product's
   magnitude, more than all that goes to C with it.

   A correlation does not change when a number is taken off each sample: the first
   elements serve.

   doc/exact.md has the proofs.  */

enum
{
  OF_X,
  OF_Y,
  OF_XX,
  OF_YY,
  OF_XY,
  OF_DISTANCES, /* of x */
  N_SUMS
};
#define OF_CORRELATION (1u << OF_X | 1u << OF_Y | 1u << OF_XX | 1u << OF_YY | 1u << OF_XY)

#define FOLDS (LANES == 8 ? 3 : LANES == 4 ? 2 : 1)

/* How the templates load elements, and what they call magnitudes.  */
typedef int64_t words_1;
#define ABSOLUTE_1(v) fabs (v)
#define ABSOLUTE_2(v) MAGNITUDES (2, v)
#define ABSOLUTE_4(v) MAGNITUDES (4, v)
#define ABSOLUTE_8(v) MAGNITUDES (8, v)
/* V, or -V where BY is negative.  */
#define TURNED_1(v, by) ((by) < 0 ? -(v) : (v))
#define TURNED_2(v, by) ((vector_2) ((words_2) (v) ^ ((words_2) (by) & SIGN)))
#define TURNED_4(v, by) ((vector_4) ((words_4) (v) ^ ((words_4) (by) & SIGN)))
#define TURNED_8(v, by) ((vector_8) ((words_8) (v) ^ ((words_8) (by) & SIGN)))
#define LOAD_1(v, i, form) element (v, i, form)
#define LOAD_2(v, i, form) load_2 ((v)->data, i, (v)->stride, form)
#define LOAD_4(v, i, form) load_4 ((v)->data, i, (v)->stride, form)
#define LOAD_8(v, i, form) load_8 ((v)->data, i, (v)->stride, form)

INLINE double
element (const struct gt_operand *v, size_t i, const int form)
{
  i *= v->stride;
  return form & F32 ? (double) ((const float *) v->data)[i]
                    : ((const double *) v->data)[i];
}

#define WIDTH 1
#include "kernels/cpu/short/exact_cascade_about.inc"
#define WIDTH LANES
#include "kernels/cpu/short/exact_cascade_about.inc"

#define WIDEST(stem) GT_PASTE (stem, LANES)
typedef struct WIDEST (difference) difference;

/* V without its first COUNT lanes.  */
INLINE difference
lanes_from (size_t count, difference v)
{
  return (difference) {LANES_FROM (LANES, count, v.high),
                       LANES_FROM (LANES, count, v.low)};
}

/* Of N >= LANES pairs.  The last vectors may begin with elements of the ones
   before.  Returns whether every product's error is what it should.  */
INLINE int
add_all (struct short_sum *sum, const struct gt_task *task, double a, double b,
         const unsigned which, const int form)
{
  const size_t n = task->problem.n;
  struct WIDEST (sums) sums = {{{{0}, {0}, {0}}}, {0}};
  size_t i = 0;

  for (; n - i >= LANES; i += LANES)
    WIDEST (add_sums) (&sums, WIDEST (load_less) (&task->x, i, a, form),
                       WIDEST (load_less) (&task->y, i, b, form), which);
  if (i < n)
    {
      const size_t at = n - LANES;

      WIDEST (add_sums) (
        &sums, lanes_from (i - at, WIDEST (load_less) (&task->x, at, a, form)),
        lanes_from (i - at, WIDEST (load_less) (&task->y, at, b, form)), which);
    }
  UNROLL
  for (unsigned k = 0; k < N_SUMS; k++)
    if (which >> k & 1)
      sum[k] = with_slack (WIDEST (folded) (sums.of[k]),
                           n / LANES + 4 + 2 * FOLDS);
  return FOLD (LANES, words, |, sums.small) == 0;
}

/* Of fewer.  */
INLINE int
add_few (struct short_sum *sum, const struct gt_task *task, double a, double b,
         const unsigned which, const int form)
{
  struct sums_1 sums = {{{0, 0, 0}}, 0};

  for (size_t i = 0; i < task->problem.n; i++)
    add_sums_1 (&sums, load_less_1 (&task->x, i, a, form),
                load_less_1 (&task->y, i, b, form), which);
  UNROLL
  for (unsigned k = 0; k < N_SUMS; k++)
    if (which >> k & 1)
      sum[k] = with_slack (sums.of[k], task->problem.n + 4);
  return sums.small == 0;
}

INLINE int
sum_as (struct short_sum *sum, const struct gt_task *task, double a, double b,
        const unsigned which, const int form)
{
  return task->problem.n < LANES ? add_few (sum, task, a, b, which, form)
                                 : add_all (sum, task, a, b, which, form);
}

/* The sums that WHICH asks for, about A and B.  */
INLINE int
sum_about (struct short_sum *sum, const struct gt_task *task, double a,
           double b, const unsigned which)
{
  const int strided = task->x.stride != 1 || task->y.stride != 1;

  if (task->problem.arithmetic == GT_F64)
    return strided ? sum_as (sum, task, a, b, which, F64 | STRIDED)
                   : sum_as (sum, task, a, b, which, F64);
  return strided ? sum_as (sum, task, a, b, which, F32 | STRIDED)
                 : sum_as (sum, task, a, b, which, F32);
}

/* V / BY or its root.  A sum that is zero has no product that is not.  */
INLINE int
finish (struct interval v, double by, int root_of_it, double *to)
{
  if (v.h == 0 && v.s == 0)
    {
      *to = 0;
      return 1;
    }
  if (!is_safe (v.h))
    return 0;
  if (by != 1)
    v = quotient (v, by);
  if (root_of_it)
    {
      if (!has_root (v))
        return 0;
      v = root (v);
    }
  return settle_as_f64 (v, to);
}

/* Whether factors of X and Y that are not finite have decided the sum of products of
   differences that came to S; *TO is the sum of the products of X and Y then.  */
static int
decide_operands (double s, const struct gt_task *task, const struct gt_operand *x,
                 const struct gt_operand *y, double *to)
{
  const int form = task->problem.arithmetic == GT_F32 ? F32 : F64;

  return decide_special (s, x->data, x->stride, y->data, y->stride,
                         task->problem.n, form, to);
}

/* The same of what is about given means: covariances of what is not finite are NaN, and
   so is all about a NaN.  */
static int
decide_about (double s, const struct gt_task *task, const int squares, double *to)
{
  const double a = task->shift[0], b = squares ? a : task->shift[1];

  if (fabs (a) <= DBL_MAX && fabs (b) <= DBL_MAX)
    {
      if (!decide_operands (s, task, &task->x, squares ? &task->x : &task->y,
                            to))
        return 0;
    }
  else if (squares && a == a)
    return 0;
  if (!squares || a != a)
    *to = (double) NAN;
  return 1;
}

int
GT_FOR_ISA (gt_exact_short_about) (const struct gt_task *task, double by,
                                   int root_of_it, double *to)
{
  const int squares = task->problem.reduction == GT_MOMENTS;
  const int distances = task->problem.reduction == GT_ABSDEV;
  const unsigned k = squares ? OF_XX : distances ? OF_DISTANCES : OF_XY;
  const double a = task->shift[0];
  struct short_sum sum[N_SUMS];
  const int fine = squares     ? sum_about (sum, task, a, 0, 1u << OF_XX)
                   : distances ? sum_about (sum, task, a, 0, 1u << OF_DISTANCES)
                               : sum_about (sum, task, a, task->shift[1], 1u << OF_XY);

  return (fine && finish (interval_of (&sum[k]), by, root_of_it, to))
         || (!distances && decide_about (sum[k].a.s, task, squares, to));
}

/* ---------------------------------------------------------- Correlation */

/* Where squares are between these, what is made of them is where intervals hold.  */
#define LEAST_SQUARE 0x1p-450
#define MOST_SQUARE 0x1p450

/* V W, above zero.  */
INLINE struct interval
product (struct interval v, struct interval w)
{
  const double p = v.h * w.h, error = product_error_1 (v.h, w.h, p);

  return (struct interval) {
    p, (v.h * w.l + v.l * w.h) + error,
    2 * (v.h * w.s + (w.h + w.s) * v.s) + p * 0x1p-100
  };
}

/* V / W, W above zero.  */
INLINE struct interval
ratio (struct interval v, struct interval w)
{
  const double q = v.h / w.h;
  const double p = q * w.h, error = product_error_1 (q, w.h, p);
  const double rest = (v.h - p) - error;

  return (struct interval) {
    q, ((rest + v.l) - q * w.l) / w.h,
    2 * (v.s + fabs (q) * w.s) / w.h + fabs (q) * 0x1p-98
  };
}

INLINE int
is_square (struct interval v)
{
  return v.h >= LEAST_SQUARE && v.h <= MOST_SQUARE;
}

/* Of what are n times the sums of products about the means.  */
INLINE int
settle_correlation (struct interval xx, struct interval yy, struct interval xy, double *to)
{
  if (!is_square (xx) || !is_square (yy) || !is_safe (xy.h))
    return 0;
  xx = product (xx, yy);
  if (!has_root (xx))
    return 0;
  xy = ratio (xy, root (xx));
  return is_safe (xy.h) && settle_as_f64 (xy, to);
}

/* By sums of the elements as they are, where these tell.  */
static int
correlation_of_many (const struct gt_task *task, double *to)
{
  const double n = (double) task->problem.n;
  struct gt_ball sum[GT_N_SUMS_OF];
  struct interval of[GT_N_SUMS_OF];

  if (task->problem.arithmetic != GT_F64 || task->x.stride != 1 || task->y.stride != 1
      || !GT_FOR_ISA (gt_exact_several) (GT_SEVERAL_OF_TWO, task->x.data, task->y.data,
                                         task->problem.n, 0, sum))
    return 0;
  for (unsigned k = GT_SUM_OF_X; k <= GT_SUM_OF_XY; k++)
    of[k] = (struct interval) {sum[k].h, sum[k].l, sum[k].radius};
  return settle_correlation (
    numerator (of[GT_SUM_OF_XX], of[GT_SUM_OF_X], of[GT_SUM_OF_X], n),
    numerator (of[GT_SUM_OF_YY], of[GT_SUM_OF_Y], of[GT_SUM_OF_Y], n),
    numerator (of[GT_SUM_OF_XY], of[GT_SUM_OF_X], of[GT_SUM_OF_Y], n), to);
}

int
GT_FOR_ISA (gt_exact_short_correlation) (const struct gt_task *task, double *to)
{
  const int form = task->problem.arithmetic == GT_F32 ? F32 : F64;
  const double n = (double) task->problem.n;
  struct short_sum sum[N_SUMS];
  struct interval of[N_SUMS];
  int fine;

  if (correlation_of_many (task, to))
    return 1;
  fine = sum_about (sum, task, element (&task->x, 0, form), element (&task->y, 0, form),
                    OF_CORRELATION);

  if (decide_operands (sum[OF_XX].a.s, task, &task->x, &task->x, to)
      || decide_operands (sum[OF_YY].a.s, task, &task->y, &task->y, to))
    {
      *to = (double) NAN;
      return 1;
    }
  if (!fine)
    return 0;
  for (unsigned k = 0; k < N_SUMS; k++)
    of[k] = interval_of (&sum[k]);
  if ((of[OF_XX].h == 0 && of[OF_XX].s == 0)
      || (of[OF_YY].h == 0 && of[OF_YY].s == 0)) /* all are equal */
    {
      *to = (double) NAN;
      return 1;
    }
  return settle_correlation (numerator (of[OF_XX], of[OF_X], of[OF_X], n),
                             numerator (of[OF_YY], of[OF_Y], of[OF_Y], n),
                             numerator (of[OF_XY], of[OF_X], of[OF_Y], n), to);
}
