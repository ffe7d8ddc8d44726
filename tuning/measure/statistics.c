/* The one statistic of all timings.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/statistics.h"

#include <math.h>
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

/* The sign test: of N draws K or fewer lie below the median with the probability
   of as many heads in N throws of a coin.  */
void
gt_median_bounds (const double *sorted, unsigned n, double *low, double *high)
{
  double exactly = ldexp (1, -(int) n), at_most = exactly;
  unsigned k = 0; /* the bound is the K-th from its end */

  while (k < n && at_most <= 0.05)
    {
      k++;
      exactly *= (double) (n - k + 1) / k;
      at_most += exactly;
    }
  *low = k ? sorted[k - 1] : 0;
  *high = k ? sorted[n - k] : INFINITY;
}
