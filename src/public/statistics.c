/* The public statistics of arrays on the host.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/prototypes.h"
#include "src/public/moments.h"
#include "src/public/terms.h"

#define LIKELY(condition) __builtin_expect (condition, 1)
#define UNLIKELY(condition) __builtin_expect (condition, 0)

/* The most elements that are looked at without a plan.  Where a long
   double is no more than a double they would overflow on the way.  */
#define FEW (LDBL_MAX_EXP > DBL_MAX_EXP ? 16 : 0)

/* The statistics, STATISTIC_NAME: constants, which addresses of functions are not.  */
enum statistic
{
#define STATS_ROW(name, ...) STATISTIC_##name,
#include "src/rows.inc"
};

#define FEW_INLINE __attribute__ ((always_inline)) static inline

/* A statistic of a few elements, not rounded yet, and what its error is relative to,
   or a negative number and the square of that: NaN where the statistic is defined
   otherwise than by exact sums, and 0 where there is no error.  */
struct gt_few
{
  long double value, scale, scale_squared;
};

FEW_INLINE struct gt_few
gt_few_of (long double value)
{
  return (struct gt_few) {value, NAN, NAN};
}

FEW_INLINE struct gt_few
gt_few_certain (long double value)
{
  return (struct gt_few) {value, 0, 0};
}

FEW_INLINE struct gt_few
gt_few_positive (long double value)
{
  return (struct gt_few) {value, value, value};
}

/* The sums are those of squares and of products about the means.  */
FEW_INLINE struct gt_few
gt_few_covariance (const long double sum[3], size_t n)
{
  const long double by = (long double) n - 1;

  if (n == 1)
    return (struct gt_few) {sum[2] / by,
                            isfinite (sum[0] + sum[1]) ? 0 : NAN, NAN};
  return (struct gt_few) {sum[2] / by, -1, sum[0] / by * (sum[1] / by)};
}

/* Whether the mode is exact, and long doubles are computed with as they should be.  A
   weight is compared with 0 as what it is, and where subnormals count as zeros it would
   be passed over.  */
FEW_INLINE int
few_are_exact (const enum statistic what)
{
  return gt_mode_now == GT_MODE_EXACT && gt_fpenv_is_default (GT_LDBL)
         && (what != STATISTIC_wmean || gt_fpenv_is_default (GT_F64));
}

/* The most elements of which exact mode's WHAT is tried so: 0 unless it is the exact
   value, rounded once.  Of more the kernels for short vectors are as quick, and hardly
   ever in doubt.  */
FEW_INLINE size_t
few_of_exact (const enum statistic what)
{
  switch (what)
    {
    case STATISTIC_covariance_m: case STATISTIC_correlation:
      return FEW / 2;
    case STATISTIC_mean: case STATISTIC_tss: case STATISTIC_variance:
    case STATISTIC_sd: case STATISTIC_covariance: case STATISTIC_variance_m:
    case STATISTIC_sd_m: case STATISTIC_variance_with_fixed_mean:
    case STATISTIC_sd_with_fixed_mean:
      return FEW;
    case STATISTIC_tss_m: case STATISTIC_wmean:
      return 2 * FEW;
    default:
      return 0;
    }
}

/* The sign of X less MEAN; 0 where one is no number.  */
FEW_INLINE int
side_of (long double x, double mean)
{
  return isgreater (x, (long double) mean) - isless (x, (long double) mean);
}

/* Whether it is told in *TO without a computation what WHAT is of one element X, or of X
   and a second one, about what is GIVEN: where GSL divides by 0.  x87 takes hundreds of
   cycles for an operation that yields NaN or an infinity.  The weighted mean of one long
   double is rounded to double, and so it is not that element; infinities are left to
   those who compute.  */
FEW_INLINE int
is_told_of_one (const enum statistic what, enum gt_arithmetic arithmetic,
                const long double x[2], const double given[2], double *to)
{
  int sides;

  *to = NAN;
  switch (what)
    {
    case STATISTIC_variance: case STATISTIC_sd: case STATISTIC_covariance:
    case STATISTIC_correlation: case STATISTIC_skew: case STATISTIC_kurtosis:
    case STATISTIC_lag1_autocorrelation:
      return 1;
    case STATISTIC_wvariance: case STATISTIC_wsd:
      return arithmetic != GT_LDBL;
    case STATISTIC_variance_m: case STATISTIC_sd_m:
      if (side_of (x[0], given[0]))
        *to = INFINITY;
      return 1;
    case STATISTIC_covariance_m:
      sides = side_of (x[0], given[0]) * side_of (x[1], given[1]);
      if (sides)
        *to = sides > 0 ? INFINITY : -INFINITY;
      return isfinite (x[0]) && isfinite (x[1]) && isfinite (given[0])
             && isfinite (given[1]);
    default:
      return 0;
    }
}

/* Rounds a statistic of N elements if there is no doubt to which double.  With
   u = LDBL_EPSILON / 2, each of N terms errs by less than 14 u of the scale, which
   bounds their sum too, the sums add n u, and dividing and taking roots 3 u.  Of one
   element about a given mean all is divided by 0.  */
FEW_INLINE int
gt_few_round (struct gt_few few, size_t n, double *to)
{
  long double scale, error;
  double low, high;

  if (few.scale == 0
      || (n == 1 && (few.value != few.value || few.scale > LDBL_MAX)))
    {
      *to = (double) few.value;
      return 1;
    }
  scale = few.scale >= 0 ? few.scale : sqrtl (few.scale_squared);
  error = scale * ((long double) n + 17) * LDBL_EPSILON;
  low = (double) (few.value - error);
  high = (double) (few.value + error);
  *to = low;
  /* Their bytes: subnormals may be equal to 0 now.  */
  return few.value == few.value && low == low && memcmp (&low, &high, sizeof low) == 0;
}

/* The functions of the rows of src/functions.def, in terms of that of
   src/public/statistics.inc.  Extremes are in src/public/extremes.inc.  */
#define SAMPLES_ARRAY data, stride, data, stride, n
#define SAMPLES_ARRAYS data1, stride1, data2, stride2, n
#define STATISTIC(name, prototype)                                          \
  double NAMED (gsltune_stats, _##name) GT_TAKES (prototype)                \
  {                                                                         \
    return NAMED (statistic, ) (STATISTIC_##name, gt_##name,                \
                                NAMED (few_##name, ),                       \
                                NAMED_BY (SAMPLES_, GT_OPERANDS (prototype), ), \
                                GT_GIVEN (prototype));                      \
  }

#define GT_TEMPLATE "src/public/statistics.inc"
#include "src/public/each_type.h"
