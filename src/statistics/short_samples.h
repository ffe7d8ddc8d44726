/* The statistics of short samples (src/statistics/short_samples.inc).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SHORT_SAMPLES_H
#define GT_SHORT_SAMPLES_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/cutoffs.h"
#include "kernels/inline.h"
#include "src/statistics/terms.h"

/* The elements: x, y, or y with the weights x; elements with positive weights count.  */
enum few_operand { FEW_OF_X, FEW_OF_Y, FEW_WEIGHED };

/* Sums of the elements' differences from a centre, of their powers, and of the magnitudes of
   these, times the weights if there are any; FEW_SCALED multiplies the differences first.  */
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

/* A statistic and the bound of its error, NaN if that is unknown.  TOLD is set if the
   definition divides by zero, as GSL does: the value, though infinite or NaN, is then fast
   mode's result.  */
struct few_result
{
  long double value, error;
  int told;
};

/* Returns a value whose error is at most UNITS times SCALE; a unit is half of long double's
   epsilon.  */
INLINE struct few_result
few_value (long double value, long double scale, long double units)
{
  return (struct few_result) {value, scale * (units * (LDBL_EPSILON / 2)), 0};
}

/* Rounds X to the digits of a double for any exponent, and raises no exception of doubles.
   The mean of equal elements then equals them.  */
INLINE long double
few_shortened (long double x)
{
  const long double large = x * (1 + (long double) (1ull << (LDBL_MANT_DIG - DBL_MANT_DIG)));

  return large - (large - x);
}

/* Returns 1 if a centre is near enough to the mean for the bounds, or NaN.  SQUARE is the
   square of their distance times the sum of the weights, SQUARES the sum of squares about the
   centre.  */
INLINE long double
few_is_near (long double square, long double squares)
{
  return islessequal (square, squares * 0x1p-20L) ? 1 : (long double) NAN;
}

/* Returns the VALUE of a division by zero, whose exact value is computed in another way.  */
INLINE struct few_result
few_divided (long double value)
{
  return (struct few_result) {value, (long double) NAN, 1};
}

/* Returns no value, for elements that differ by less than a double can represent, as long
   doubles and integers may.  */
INLINE struct few_result
few_unknown (void)
{
  return (struct few_result) {(long double) NAN, (long double) NAN, 0};
}

/* Returns a value without an error.  */
INLINE struct few_result
few_told (long double value)
{
  return (struct few_result) {value, 0, 1};
}

/* Copies of elements.  */
#define GT_FEW_WIDE GT_CUTOFF_FEW_SQUARES
union gt_few_copy
{
  double doubles[GT_CUTOFF_FEW_GIVEN_EXACT];
  long double wide[GT_FEW_WIDE];
};

/* A short sample x, or x and y, of doubles or, if WIDE, long doubles; the given mean and
   deviation; and whether the exact value is requested.  */
struct gt_few
{
  const void *x, *y;
  size_t x_stride, y_stride, n;
  double given[2];
  int wide, exact;
};

/* Stores a statistic of N >= 1 elements in *TO.  Returns 0 if it must be computed differently.
   The functions are gt_few_NAME of the rows of kernels/statistics.def.  */
typedef int gt_few_function (const struct gt_few *few, double *to);

#define STATISTIC(name, ...) gt_few_function gt_few_##name;
#include "kernels/statistics.def"

/* gt_few_are_normal is faster than vectors up to the first length; below the second, fast mode
   needs neither.  */
#define GT_FEW_NORMAL 12
#define GT_FEW_UNCHECKED 4

/* Checks whether fast mode computes TERM of doubles in double, as GSL does.  */
INLINE int
gt_few_is_double (const struct gt_term *term)
{
  return term->what == GT_TERM_ABSDEV && term->given && !term->weighted;
}

/* Returns whether N doubles are normal numbers: for any other double, adding 1 to the exponent
   or subtracting 1 changes the sign.  */
INLINE int
gt_few_are_normal (const double *x, size_t stride, size_t n)
{
  typedef double pair __attribute__ ((vector_size (16)));
  typedef uint64_t words __attribute__ ((vector_size (16)));
  const words one = (words) {0} + (UINT64_C (1) << 52), magnitude = (words) {0} + INT64_MAX;
  const double *last = x + (n - 1) * stride;
  words all = {0};

  for (; x <= last; x += stride, last -= stride)
    {
      const words v = (words) (pair) {*x, *last} & magnitude;

      all |= (v + one) | (v - one);
    }
  return (int64_t) (all[0] | all[1]) >= 0;
}

/* Returns whether x, and y if there is one, contain no subnormal numbers, infinities or NaNs,
   which cost x87 hundreds of cycles, and no long doubles whose powers may be out of range.  */
int gt_few_are_ordinary (const struct gt_few *few);

/* Computes TERM by OF without operations on such numbers.  Returns 0 if OF does.  */
int gt_few_unusual (gt_few_function *of, const struct gt_few *few, const struct gt_term *term,
                    double *to);

#endif
