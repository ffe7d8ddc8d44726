/* The statistics of a few elements (src/public/few.inc).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_FEW_H
#define GT_FEW_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/cutoffs.h"
#include "kernels/inline.h"
#include "src/public/kinds.h"

/* The elements: x, y, or y with the weights x, of which those above zero count.  */
enum few_operand { FEW_OF_X, FEW_OF_Y, FEW_WEIGHED };

/* Sums of the elements' differences from a centre, of their powers, and of the magnitudes of these,
   times the weights if there are any; FEW_SCALED multiplies the differences first.  */
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

/* A statistic and the bound of its error, NaN if that is not known.  TOLD is set if fast mode may
   return VALUE although it is not finite, because GSL's function divides by zero, too.  */
struct few_result
{
  long double value, error;
  int told;
};

/* Returns a value that errs by UNITS times SCALE at most, a unit being half of long double's
   epsilon.  */
INLINE struct few_result
few_value (long double value, long double scale, long double units)
{
  return (struct few_result) {value, scale * (units * (LDBL_EPSILON / 2)), 0};
}

/* Rounds X to the digits of a double, whatever its exponent, and raises no exception of doubles.
   The mean of equal elements is then one of them.  */
INLINE long double
few_shortened (long double x)
{
  const long double large = x * (1 + (long double) (1ull << (LDBL_MANT_DIG - DBL_MANT_DIG)));

  return large - (large - x);
}

/* Returns 1 if a centre is near enough to the mean for the bounds, or NaN.  SQUARE is the square of
   their distance times the sum of the weights, SQUARES the sum of squares about the centre.  */
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

/* Returns no value, of elements that differ by less than the digits of a double, as long doubles and
   integers may.  */
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

/* A few elements of x and y, which are doubles or, if they are WIDE, long doubles, and what is
   given; and whether the exact value is asked for.  */
struct gt_few
{
  const void *x, *y;
  size_t x_stride, y_stride, n;
  double given[2];
  int wide, exact;
};

/* Stores a statistic of N >= 1 elements in *TO.  Returns 0 if it must be computed in another way.
   The functions are gt_few_NAME of the rows of kernels/statistics.def.  */
typedef int gt_few_function (const struct gt_few *few, double *to);

#define STATISTIC(name, ...) gt_few_function gt_few_##name;
#include "kernels/statistics.def"

/* The elements up to which gt_few_are_normal is quicker than vectors, and below which fast mode can
   do without either.  */
#define GT_FEW_NORMAL 12
#define GT_FEW_UNCHECKED 4

/* Whether fast mode computes TERM of doubles in double, as GSL does.  */
INLINE int
gt_few_is_double (const struct gt_term *term)
{
  return term->what == GT_TERM_ABSDEV && term->given && !term->weighted;
}

/* Whether N doubles are normal numbers: of others the exponent plus or minus 1 changes the sign.  */
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

/* Whether x, or both, have no subnormal numbers, infinities or NaN, with which x87 takes hundreds of
   cycles, and no long doubles of which a power may leave the range.  */
int gt_few_are_ordinary (const struct gt_few *few);

/* Computes TERM by OF without operations on such numbers.  Returns 0 as OF does.  */
int gt_few_unusual (gt_few_function *of, const struct gt_few *few, const struct gt_term *term,
                    double *to);

#endif
