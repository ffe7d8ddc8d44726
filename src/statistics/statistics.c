/* The public statistics of arrays on the host.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>

#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/prototypes.h"
#include "src/statistics/short_samples.h"
#include "src/statistics/statistic.h"

#define LIKELY(condition) __builtin_expect (condition, 1)

/* Returns the sign of X - MEAN, or 0 if either is NaN.  */
INLINE int
side_of (long double x, long double mean)
{
  return isgreater (x, mean) - isless (x, mean);
}

/* Decides a statistic of one element X, or of X and a second one, about the GIVEN means,
   without computing it: GSL divides by zero in these cases, and x87 takes hundreds of cycles
   for an operation that yields NaN or an infinity.  Stores the statistic in *TO and returns 1,
   or returns 0 if it must be computed, as for infinite elements.  */
INLINE int
is_told_of_one (const struct gt_term *term, const long double x[2], const double given[2],
                double *to)
{
  int sides;

  *to = NAN;
  if (gt_kinds[term->what].power == 1 || term->what == GT_TERM_TSS
      || term->what == GT_TERM_FIXED || term->sums == GT_NONE)
    return 0;
  if (!term->given)
    return !term->weighted || term->what == GT_TERM_VARIANCE;
  /* Compilers compare floats and doubles as such, which may flush subnormal numbers.  */
  if (!gt_fpenv_is_default (GT_LDBL) || !gt_fpenv_is_default (GT_F64))
    return 0;
  if (term->weighted)
    {
      if (isgreater (x[0], 0) && side_of (x[1], given[0]))
        *to = INFINITY;
      return term->what == GT_TERM_VARIANCE && isfinite (x[0]) && isfinite (x[1])
             && isfinite (given[0]);
    }
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

/* Defines the functions of src/functions.def by the function in src/statistics/statistics.inc.
   Extremes are in src/reduce/extremes.inc.  */
#define SAMPLES_ARRAY data, stride, data, stride, n
#define SAMPLES_ARRAYS data1, stride1, data2, stride2, n
#define FUNCTION_OF(name, prototype)                                        \
  double NAMED (gsltune_stats, _##name) GT_TAKES (prototype)                \
  {                                                                         \
    return NAMED (statistic, ) (&gt_term_##name, gt_few_##name,             \
                                NAMED_BY (SAMPLES_, GT_OPERANDS (prototype), ), \
                                GT_GIVEN (prototype));                      \
  }

#define GT_TEMPLATE "src/statistics/statistics.inc"
#include "src/each_type.h"
