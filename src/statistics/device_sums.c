/* The sums of a sample on a GPU, with error bounds, from which statistics are computed.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/statistics/statistic.h"

#include <math.h>

#include "kernels/cpu/quick/quick.h"

/* A shift is too far from the mean if the square of their distance is more than this many
   times the variance.  */
#define FAR 15

/* A GPU subtracts a shift from floats exactly, and therefore in fewer operations, if both are
   multiples of the unit of the shift's last place and the quotients are not too large
   (kernels/cuda/sums.cuh).  The last digit of the shift, which determines this unit, is
   this many digits below the first digit of the mean.  */
#define SHIFT_DIGITS 44

/* Returns SUM, one of the last sums, with an error bound for terms whose magnitudes add up to
   MAGNITUDES.  */
static struct gt_ball
widened (const struct gt_sample *sample, struct gt_ball sum, double magnitudes)
{
  return gt_ball_widened (sum, (gt_sample_error (sample, sample->task.problem.mode) + GT_BALL_UNIT)
                                 * (1.001 * magnitudes));
}

/* Computes COUNT sums of REDUCTION about SHIFT, rounded in fast mode, otherwise in twice the
   precision.  */
static void
take (struct gt_sample *sample, enum gt_reduction reduction, const double shift[2], unsigned count,
      struct gt_ball *sums)
{
  union gt_value value;

  sample->task.shift[0] = shift[0];
  sample->task.shift[1] = shift[1];
  gt_sample_sums (sample, reduction,
                  sample->mode == GT_MODE_FAST ? GT_MODE_FAST : GT_MODE_COMPENSATED, &value);
  for (unsigned k = 0; k < count; k++)
    sums[k] = gt_sum_in (sample, &value, k);
}

static double
shift_for (const struct gt_sample *sample, double mean, double spread)
{
  const double scale = fmax (fabs (mean), spread);
  double unit;

  if (sample->task.problem.arithmetic != GT_F32 || mean == 0 || !gt_in_range (scale))
    return mean;
  unit = ldexp (1, ilogb (scale) - SHIFT_DIGITS);
  return (2 * floor (mean / (2 * unit)) + 1) * unit;
}

/* Returns whether the shift is near the mean; otherwise moves the shift to the mean.  SUM and
   SQUARES are about the shift.  */
static int
is_near (const struct gt_sample *sample, struct gt_ball sum, struct gt_ball squares,
         double *shift)
{
  const double n = (double) sample->task.problem.n, mean = sum.h / n;
  const double left = squares.h - sum.h * mean;

  if (sum.h * mean <= FAR * left)
    return 1;
  *shift = shift_for (sample, *shift + mean, left > 0 ? sqrt (left / n) : 0);
  return 0;
}

static int
take_squares (struct gt_sample *sample, double shift[2], struct gt_enclosed *e)
{
  const double n = (double) sample->task.problem.n;
  struct gt_ball sums[2];

  take (sample, GT_MOMENTS, shift, 2, sums);
  e->sums[GT_MOMENT_2] = sums[1];
  e->sums[GT_MOMENT_1] = widened (sample, sums[0], sqrt (n * sums[1].h));
  return gt_in_range (sums[1].h);
}

static int
take_joint (struct gt_sample *sample, double shift[2], struct gt_enclosed *e)
{
  const double n = (double) sample->task.problem.n;
  struct gt_ball sums[5];

  take (sample, GT_CORRELATION, shift, 5, sums);
  if (!gt_in_range (sums[3].h) || !gt_in_range (sums[4].h))
    return 0;
  e->sums[GT_MOMENT_1] = widened (sample, sums[0], sqrt (n) * sqrt (sums[3].h));
  e->sums[GT_MOMENT_Y] = widened (sample, sums[1], sqrt (n) * sqrt (sums[4].h));
  e->sums[GT_MOMENT_PRODUCTS] = widened (sample, sums[2], sqrt (sums[3].h) * sqrt (sums[4].h));
  e->sums[GT_MOMENT_2] = sums[3];
  e->sums[GT_MOMENT_YY] = sums[4];
  return 1;
}

/* Computes sums of squares about the weighted mean, and the sum of the products about it, from
   that about zero.  For a rounded weighted mean, only the products are computed; their bound
   is not valid for cancellation.  */
static int
take_weighted (struct gt_sample *sample, double shift[2], struct gt_enclosed *e)
{
  const double zero[2] = {0, 0};
  struct gt_ball sums[3], products;
  double w, m;

  take (sample, GT_WSUM, zero, 2, sums);
  w = sums[0].h;
  products = sums[1];
  if (!(w >= 0x1p-440 && w <= 0x1p490))
    return 0;
  if (sample->mode == GT_MODE_FAST && e->formula.form == GT_FORM_MEAN)
    {
      e->sums[GT_MOMENT_W] = sums[0];
      e->sums[GT_MOMENT_1] = products;
      return 1;
    }
  m = products.h / w;
  shift[0] = e->formula.form == GT_FORM_MEAN ? 0 : m;
  take (sample, GT_WMOMENTS, shift, 3, sums);
  e->sums[GT_MOMENT_W] = sums[0];
  e->sums[GT_MOMENT_WW] = sums[1];
  e->sums[GT_MOMENT_2] = sums[2];
  products = widened (sample, products, 2 * sqrt (w) * sqrt (2 * sums[2].h + 2 * w * m * m));
  e->sums[GT_MOMENT_1]
    = gt_ball_difference (products, gt_ball_product (sums[0], gt_ball_exactly (shift[0])));
  return gt_in_range (sums[1].h) && gt_in_range (sums[2].h) && gt_in_range (sums[2].h / w);
}

/* Computes the exact sums of REDUCTION of integers.  Returns 0 if the sum of products has more
   digits than a ball.  */
static int
take_exactly (struct gt_sample *sample, enum gt_reduction reduction, struct gt_ball *sum,
              struct gt_ball *products)
{
  const uint64_t *product;
  union gt_value value;

  gt_sample_sums (sample, reduction, GT_MODE_EXACT, &value);
  product = value.integers.product;
  if (sum)
    *sum = gt_ball_of_integer (value.integers.plain[0][0], value.integers.plain[0][1]);
  *products = gt_ball_of_integer (product[0], product[1]);
  return product[2] == (uint64_t) ((int64_t) product[1] >> 63);
}

static int
take_integers (struct gt_sample *sample, struct gt_enclosed *e)
{
  struct gt_sample second = gt_sample_second (sample);
  struct gt_ball *const sums = e->sums;
  int told = take_exactly (sample, GT_MOMENTS, &sums[GT_MOMENT_1], &sums[GT_MOMENT_2]);

  if (e->formula.form != GT_FORM_JOINT)
    return told;
  told &= take_exactly (&second, GT_MOMENTS, &sums[GT_MOMENT_Y], &sums[GT_MOMENT_YY])
          & take_exactly (sample, GT_COMOMENTS, NULL, &sums[GT_MOMENT_PRODUCTS]);
  if (sample->status == GSL_SUCCESS)
    {
      sample->status = second.status;
      sample->why = second.why;
    }
  return told;
}

/* Computes the sums, in a second pass if the first shift is far from the mean.  */
static int
take_reals (struct gt_sample *sample, double shift[2], struct gt_enclosed *e)
{
  const int joint = e->formula.form == GT_FORM_JOINT;

  for (int k = 0; k < 1 + joint; k++)
    shift[k] = shift_for (sample, gt_sample_shift (sample, k), 0);
  for (int pass = 0; pass < 2; pass++)
    {
      int near;

      if (!(joint ? take_joint (sample, shift, e) : take_squares (sample, shift, e)))
        return 0;
      near = is_near (sample, e->sums[GT_MOMENT_1], e->sums[GT_MOMENT_2], &shift[0]);
      if (joint)
        near &= is_near (sample, e->sums[GT_MOMENT_Y], e->sums[GT_MOMENT_YY], &shift[1]);
      if (near)
        return 1;
    }
  return 0;
}

int
gt_device_sums (struct gt_sample *sample, double shift[2], struct gt_enclosed *e)
{
  const enum gt_arithmetic arithmetic = sample->task.problem.arithmetic;

  shift[0] = shift[1] = 0;
  return (gt_is_integer (arithmetic) ? take_integers (sample, e)
          : e->formula.weighted       ? take_weighted (sample, shift, e)
                                      : take_reals (sample, shift, e))
         && sample->status == GSL_SUCCESS;
}
