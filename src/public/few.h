/* The statistics of a few elements (src/public/few.inc).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_FEW_H
#define GT_FEW_H

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "kernels/inline.h"
#include "kernels/cutoffs.h"
#include "src/public/kinds.h"

/* The elements: x, y, or y with the weights x, of which those above zero count.  */
enum few_operand { FEW_OF_X, FEW_OF_Y, FEW_WEIGHED };

/* Sums of what is left of the elements, and of its powers and their magnitudes, times the weights
   if there are such; and whether it is scaled before.  */
enum few_sum
{
  FEW_WEIGHTS,
  FEW_FIRST,
  FEW_SIZES,
  FEW_SQUARES,
  FEW_CUBES,
  FEW_CUBES_SIZES,
  FEW_FOURTH,
  N_FEW_SUMS,
  FEW_SCALED = N_FEW_SUMS
};
#define FEW_BIT(sum) (1u << FEW_##sum)

/* A statistic, and how far it is off at most; NaN if that is not known.  TOLD is set if VALUE is what
   GSL's function makes of it, though it is not finite, as where that divides by zero.  */
struct few_result
{
  long double value, error;
  int told;
};

/* A value that is off by UNITS times half of long double's epsilon times SCALE.  */
INLINE struct few_result
few_value (long double value, long double scale, long double units)
{
  return (struct few_result) {value, scale * (units * (LDBL_EPSILON / 2)), 0};
}

/* X with a double's digits, but without its least exponent.  Equal elements are their mean then.  */
INLINE long double
few_shortened (long double x)
{
  const long double large = x * (1 + (long double) (1ull << (LDBL_MANT_DIG - DBL_MANT_DIG)));

  return large - (large - x);
}

/* 1 if a mean may be corrected for, SQUARE being that of what it is off by, times the sum of the
   weights, and SQUARES the sum of squares about it; or NaN.  */
INLINE long double
few_is_near (long double square, long double squares)
{
  return islessequal (square, squares * 0x1p-20L) ? 1 : (long double) NAN;
}

INLINE struct few_result
few_divided (long double value)
{
  return (struct few_result) {value, (long double) NAN, 1};
}

/* An exact value.  */
INLINE struct few_result
few_told (long double value)
{
  return (struct few_result) {value, 0, 1};
}

/* A few elements of x and y, and what is given; and whether the exact value is asked for.  */
struct gt_few
{
  const double *x, *y;
  size_t x_stride, y_stride, n;
  double given[2];
  int exact;
};

/* Stores a statistic of N >= 1 elements in *TO.  Returns 0 if it is to be computed in another way.
   The functions are gt_few_NAME of the rows of kernels/statistics.def.  */
typedef int gt_few_function (const struct gt_few *few, double *to);

#define STATISTIC(name, ...) gt_few_function gt_few_##name;
#include "kernels/statistics.def"

#endif
