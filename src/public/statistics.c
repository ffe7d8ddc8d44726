/* The public statistics of arrays on the host.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels/cpu/wide/long_double.h"
#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/prototypes.h"
#include "src/public/few.h"
#include "src/public/statistic.h"

#define LIKELY(condition) __builtin_expect (condition, 1)

/* Whether the mode is not fast, and long doubles are computed with as they should be.  */
INLINE int
few_are_exact (void)
{
  return !gt_fast_mask () && gt_fpenv_is_default (GT_LDBL);
}

/* The most elements of which exact mode's TERM is tried in long double: 0 where it is not known
   how far that is off, as the other way is as quick, or would take too long after this one.  */
INLINE size_t
few_of_exact (const struct gt_term *term)
{
  const enum gt_formula_form form = gt_kinds[term->what].form;

  return !term->weighted && term->sums != GT_NONE
             && (form == GT_FORM_MEAN || form == GT_FORM_SQUARES
                 || (form == GT_FORM_POWERS && term->given))
           ? FEW (GT_CUTOFF_FEW_EXACT) : 0;
}

/* Less than NEAR, by ORed bits, where a long double is within 2^512 and 2^-512: then no power
   of it over- or underflows, as none of a double does.  Zero is not.  */
#define NEAR 0x400u
INLINE unsigned
farness_of (const void *x)
{
#if LDBL_MANT_DIG == 64
  return (gt_long_field (x) - (LDBL_MAX_EXP - 1 - NEAR / 2)) & GT_LDBL_HIGHEST;
#else
  return (unsigned) gt_long_factor_of (x).position - (LDBL_MAX_EXP - 1 - NEAR / 2);
#endif
}

/* The sign of X less MEAN; 0 where one is no number.  */
INLINE int
side_of (long double x, double mean)
{
  return isgreater (x, (long double) mean) - isless (x, (long double) mean);
}

/* Whether it is told in *TO without a computation what TERM is of one element X, or of X
   and a second one, about what is GIVEN: where GSL divides by 0.  x87 takes hundreds of
   cycles for an operation that yields NaN or an infinity.  The weighted mean of one long
   double is rounded to double, and so it is not that element; infinities are left to
   those who compute.  */
INLINE int
is_told_of_one (const struct gt_term *term, enum gt_arithmetic arithmetic,
                const long double x[2], const double given[2], double *to)
{
  int sides;

  *to = NAN;
  if (gt_kinds[term->what].power == 1 || term->what == GT_TERM_TSS
      || term->what == GT_TERM_FIXED || term->sums == GT_NONE)
    return 0;
  if (term->weighted)
    return term->what == GT_TERM_VARIANCE && !term->given && arithmetic != GT_LDBL;
  if (!term->given)
    return 1;
  if (!gt_fpenv_is_default (GT_LDBL))
    return 0;
  sides = side_of (x[0], given[0]);
  if (term->what == GT_TERM_VARIANCE)
    {
      if (sides)
        *to = INFINITY;
      return 1;
    }
  if (term->what != GT_TERM_COVARIANCE)
    return 0;
  sides *= side_of (x[1], given[1]);
  if (sides)
    *to = sides > 0 ? INFINITY : -INFINITY;
  return isfinite (x[0]) && isfinite (x[1]) && isfinite (given[0])
         && isfinite (given[1]);
}

/* Whether double serves TERM of a few elements of so many bytes, one after the other: doubles
   hold powers of narrow ones, and means of doubles' magnitudes are GSL's own.  */
INLINE int
is_in_double (const struct gt_term *term, size_t bytes, int is_double)
{
  return bytes <= 4
         || (is_double && term->what == GT_TERM_ABSDEV && term->given && !term->weighted);
}

/* The most elements of which fast mode's TERM is computed one after the other.  Sums of integers
   are exact beyond, and slower.  Where nothing is divided on the way GSL is quickest.  */
INLINE size_t
few_of_fast (const struct gt_term *term, size_t bytes, int is_double, int is_integer)
{
  if (term->sums == GT_NONE)
    return 0;
  if (!is_in_double (term, bytes, is_double))
    return FEW (GT_CUTOFF_FEW);
  if (term->given && term->what == GT_TERM_ABSDEV && !term->weighted)
    return FEW (GT_CUTOFF_FEW_MAGNITUDES);
  return !is_integer                                   ? FEW (GT_CUTOFF_FEW)
         : term->given && term->what == GT_TERM_TSS ? FEW (GT_CUTOFF_FEW_SQUARES)
                                                      : FEW (GT_CUTOFF_FEW_INTEGERS);
}

INLINE int
is_within (double x, double least, double most)
{
  return fabs (x) >= least && fabs (x) <= most;
}

/* Whether what is GIVEN keeps sums of powers, as those of narrow elements are, in the range of
   doubles where these serve; those of doubles' magnitudes show what leaves it.  */
INLINE int
is_few_given (const struct gt_term *term, size_t bytes, int is_double, const double given[2])
{
  if (!is_in_double (term, bytes, is_double) || !term->given || is_double)
    return 1;
  return (given[0] == 0 || is_within (given[0], 0x1p-149, 0x1p149))
         && (term->given < 2
             || (gt_term_is_scaled (term) ? is_within (given[1], 0x1p-60, 0x1p60)
                 : given[1] == 0 || is_within (given[1], 0x1p-149, 0x1p149)));
}

/* Rounds a statistic of N elements, as few.inc leaves it, if there is no doubt to which
   double.  Of one element about a given mean all is divided by 0.  */
INLINE int
gt_few_round (long double value, long double scale, long double units, size_t n, double *to)
{
  const long double error = scale * (units * (LDBL_EPSILON / 2));
  double low, high;

  if (scale == 0 || (n == 1 && (value != value || scale > LDBL_MAX)))
    {
      *to = (double) value;
      return 1;
    }
  low = (double) (value - error);
  high = (double) (value + error);
  *to = low;
  /* Their bytes: subnormals may be equal to 0 now.  */
  return value == value && low == low && memcmp (&low, &high, sizeof low) == 0;
}

/* The functions of the rows of src/functions.def, in terms of that of
   src/public/statistics.inc.  Extremes are in src/public/extremes.inc.  */
#define SAMPLES_ARRAY data, stride, data, stride, n
#define SAMPLES_ARRAYS data1, stride1, data2, stride2, n
#define FUNCTION_OF(name, prototype)                                        \
  double NAMED (gsltune_stats, _##name) GT_TAKES (prototype)                \
  {                                                                         \
    return NAMED (statistic, ) (&gt_term_##name,                            \
                                NAMED_BY (SAMPLES_, GT_OPERANDS (prototype), ), \
                                GT_GIVEN (prototype));                      \
  }

#define GT_TEMPLATE "src/public/statistics.inc"
#include "src/public/each_type.h"
