/* Numbers of twice the precision with a bound of their error.

   A ball contains all numbers within RADIUS of H + L.  The result of an operation contains the
   exact results for all numbers of its operands, if nothing underflows; after an overflow, or
   a division by a ball that contains zero, the radius is infinite or NaN.

   The sums, products, quotients and roots are those of T. J. Dekker, "A floating-point
   technique for extending the available precision", Numerische Mathematik 18, 1971; their
   errors, some units of 2^-106 (M. Joldes, J.-M. Muller and V. Popescu, "Tight and
   rigorous error bounds for basic building blocks of double-word arithmetic", ACM
   Transactions on Mathematical Software 44, 2017), are taken for 2^-100, so that the
   roundings of the radii, which are less than 2^-50 of them, do not count.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_BALL_H
#define GT_KERNELS_CPU_BALL_H

#include <math.h>
#include <stdint.h>

#include "kernels/cpu/wide/two_sum.h"
#include "kernels/inline.h"

struct gt_ball
{
  double h, l, radius;
};

#define NAMED(stem) gt_ball_##stem
#define NUMBER double
#define SPLITTER 0x8000001p0
#ifdef __FMA__
#define FUSED(p, q, s) __builtin_fma (p, q, s)
#endif
#include "kernels/cpu/wide/two_product.inc"
#undef FUSED
#undef NAMED
#undef NUMBER
#undef SPLITTER

/* The relative errors of operations.  */
#define GT_BALL_UNIT 0x1p-100

static inline struct gt_ball
gt_ball_of (double h, double l, double radius)
{
  const double sum = h + l;

  return (struct gt_ball) {sum, GT_SUM_ERROR (h, l, sum), radius};
}

static inline struct gt_ball
gt_ball_exactly (double x)
{
  return (struct gt_ball) {x, 0, 0};
}

/* The error is three roundings of the smaller parts, each at most 2^-106 of X and Y.  */
static inline struct gt_ball
gt_ball_sum (struct gt_ball x, struct gt_ball y)
{
  const struct gt_ball s = gt_ball_of (x.h, y.h, 0);

  return gt_ball_of (s.h, s.l + (x.l + y.l),
                     x.radius + y.radius
                       + GT_BALL_UNIT / 8 * (fabs (x.h) + fabs (y.h)));
}

static inline struct gt_ball
gt_ball_negative (struct gt_ball x)
{
  return (struct gt_ball) {-x.h, -x.l, x.radius};
}

/* Returns the integer of 128 bits in two's complement whose words are LOW and HIGH.  */
static inline struct gt_ball
gt_ball_of_integer (uint64_t low, uint64_t high)
{
  const int negative = high >> 63;
  struct gt_ball x, y;

  high = negative ? ~high + (low == 0) : high;
  low = negative ? -low : low;
  x = gt_ball_of ((double) (high >> 32) * 0x1p96, (double) (uint32_t) high * 0x1p64, 0);
  y = gt_ball_of ((double) (low >> 32) * 0x1p32, (double) (uint32_t) low, 0);
  return negative ? gt_ball_negative (gt_ball_sum (x, y)) : gt_ball_sum (x, y);
}

static inline struct gt_ball
gt_ball_difference (struct gt_ball x, struct gt_ball y)
{
  return gt_ball_sum (x, gt_ball_negative (y));
}

static inline struct gt_ball
gt_ball_product (struct gt_ball x, struct gt_ball y)
{
  const double p = x.h * y.h;

  return gt_ball_of (p, gt_ball_product_error (x.h, y.h, p)
                          + (x.h * y.l + x.l * y.h),
                     GT_BALL_UNIT * fabs (p) + x.radius * fabs (y.h)
                       + y.radius * fabs (x.h) + 2 * x.radius * y.radius);
}

static inline struct gt_ball
gt_ball_quotient (struct gt_ball x, struct gt_ball y)
{
  const double q = x.h / y.h, p = q * y.h;
  const double rest
    = ((x.h - p) - gt_ball_product_error (q, y.h, p)) + (x.l - q * y.l);
  const double least = fabs (y.h) * 0.999 - y.radius;

  return gt_ball_of (q, rest / y.h,
                     least > 0 ? GT_BALL_UNIT * fabs (q)
                                   + (x.radius + fabs (q) * y.radius) / least
                               : (double) INFINITY);
}

static inline struct gt_ball
gt_ball_root (struct gt_ball x)
{
  const double root = sqrt (x.h), p = root * root;
  const double rest
    = ((x.h - p) - gt_ball_product_error (root, root, p)) + x.l;

  return gt_ball_of (root, rest / (2 * root),
                     x.h > 2 * x.radius ? GT_BALL_UNIT * root + x.radius / root
                                        : (double) INFINITY);
}

static inline struct gt_ball
gt_ball_widened (struct gt_ball x, double by)
{
  x.radius += by;
  return x;
}

/* Stores in *TO the double that all numbers of X round to; returns 0 if there is none
   (A. Ziv's test, "Fast Evaluation of Elementary Mathematical Functions with Correctly
   Rounded Last Bit", ACM Transactions on Mathematical Software 17, 1991).  */
static inline int
gt_ball_round (struct gt_ball x, double *to)
{
  const double error = x.radius * 1.001 + GT_BALL_UNIT * fabs (x.h);

  *to = x.h + (x.l - error);
  return *to == x.h + (x.l + error);
}

/* Does the same for X times 2^BY, which may be subnormal; then it is rounded to a multiple of
   2^-1074.  */
static inline int
gt_ball_round_scaled (struct gt_ball x, int by, double *to)
{
  double h, l, error, whole, scale;
  int exponent, step;

  if (!(fabs (x.h) >= 0x1p-900 && fabs (x.h) <= 0x1p1000))
    return 0;
  if (by == 0)
    return gt_ball_round (x, to);
  frexp (x.h, &exponent);
  if (exponent + by > -1021)
    {
      const int told = gt_ball_round (x, to);

      *to = ldexp (*to, by);
      return told;
    }
  scale = ldexp (1, by + 1074);
  error = (x.radius * 1.001 + GT_BALL_UNIT * fabs (x.h)) * scale;
  h = x.h * scale;
  l = x.l * scale;
  whole = rint (h);
  h -= whole;
  step = (h - 0.5 + (l - error) > 0) - (h + 0.5 + (l - error) < 0);
  *to = copysign ((whole + step) * 0x1p-1074, x.h);
  return fabs (x.h) > x.radius
         && step == (h - 0.5 + (l + error) > 0) - (h + 0.5 + (l + error) < 0);
}

/* Does the same for a float. The ends become doubles first, which enclose X.  */
static inline int
gt_ball_round_to_float (struct gt_ball x, double *to)
{
  const double error = x.radius * 1.001 + 0x1p-51 * fabs (x.h);

  *to = (float) (x.h + (x.l - error));
  return *to == (float) (x.h + (x.l + error));
}

#endif
