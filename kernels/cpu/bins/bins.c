/* Which bin of a histogram a number belongs to.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/bins/bins.h"

#include <math.h>

#include "kernels/cpu/isa/isa.h"

gt_bins_find_function GT_OF_EACH_ISA (, gt_bins_find_by);

int
gt_bins_of (struct gt_bins *bins, const double *range, size_t n)
{
  const double all = range[n] - range[0], width = all / (double) n;
  int even = width > 0, ascending = 1;

  if (n >= GT_BINS_MOST || !isfinite (all))
    return 0;
#pragma omp simd reduction(& : even, ascending)
  for (size_t k = 0; k < n; k++)
    {
      ascending &= range[k] <= range[k + 1];
      even &= fabs (range[k] - (range[0] + (double) (int) k * width)) < width / 4;
    }
  if (!ascending)
    return 0;
  *bins = (struct gt_bins) {range, n, even ? 1 / width : 0};
  return 1;
}

/* Steps after the bin is found change nothing.  */
uint32_t
gt_bins_halve (const double *range, size_t n, double x)
{
  size_t lower = 0, upper = n;

  if (x < range[0] || x >= range[n])
    return (uint32_t) n;
  for (size_t most = n; most > 1; most -= most / 2)
    {
      const size_t middle = (lower + upper) / 2;
      const int is_above = x >= range[middle];

      lower = is_above ? middle : lower;
      upper = is_above ? upper : middle;
    }
  return (uint32_t) lower;
}

void
gt_bins_find (const struct gt_bins *bins, const double *x, size_t count, uint32_t *bin)
{
  static gt_bins_find_function *const of[] = {GT_OF_EACH_ISA (, gt_bins_find_by)};

  of[gt_isa ()](bins, x, count, bin);
}
