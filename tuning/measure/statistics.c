/* The one statistic of all timings.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/statistics.h"

#include <stdlib.h>

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

double
gt_median (double *values, unsigned n, double *spread)
{
  double median;

  qsort (values, n, sizeof *values, compare_doubles);
  median = n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
  if (spread)
    *spread = median > 0
                ? (values[n - 1 - n / 4] - values[n / 4]) / 2 / median : 0;
  return median;
}
