/* The statistics of a few doubles.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/few.h"

#include <string.h>

#define FEW_NAMED(stem) stem
#define FEW_SAMPLE struct gt_few
#define FEW_X(s, i) ((long double) (s)->x[(i) * (s)->x_stride])
#define FEW_Y(s, i) ((long double) (s)->y[(i) * (s)->y_stride])
#include "src/public/few.inc"

/* Rounds a statistic if there is no doubt to which double.  An error larger than the value leaves
   one, and may be too large for doubles, which would raise an exception.  */
INLINE int
take_exact (struct few_result few, double *to)
{
  double low, high;

  if (isgreater (few.error, fabsl (few.value)))
    return 0;
  low = (double) (few.value - few.error);
  high = (double) (few.value + few.error);
  *to = low;
  /* Their bytes: subnormals may be equal to 0 now.  */
  return few.error == 0 || (low == low && memcmp (&low, &high, sizeof low) == 0);
}

INLINE int
take_fast (struct few_result few, double *to)
{
  *to = (double) few.value;
  return few.told || isfinite (*to);
}

#define STATISTIC(name, ...)                                                  \
  int gt_few_##name (const struct gt_few *s, double *to)                      \
  {                                                                           \
    return gt_term_##name.sums == GT_NONE ? 0                                 \
           : s->exact ? take_exact (few (s, s->n, s->given, &gt_term_##name, 1), to) \
                      : take_fast (few (s, s->n, s->given, &gt_term_##name, 0), to); \
  }
#include "kernels/statistics.def"
