/* Which bin of a histogram a number belongs to: a guess, and what was guessed wrong by
   halves.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/bins/bins.h"

#include <math.h>

#include "kernels/cpu/isa/isa.h"

gt_bins_guess_function GT_OF_EACH_ISA (, gt_bins_guess);

int
gt_bins_of (struct gt_bins *bins, const double *range, size_t n)
{
  const double all = range[n] - range[0], width = all / (double) n;
  int even = width > 0 && isfinite (1 / width);

  if (n >= GT_BINS_MOST || !isfinite (all))
    return 0;
  for (size_t k = 0; k < n; k++)
    {
      if (!(range[k] <= range[k + 1]))
        return 0;
      even &= fabs (range[k] - (range[0] + (double) k * width)) < width / 4;
    }
  *bins = (struct gt_bins) {range, n, even ? 1 / width : 0};
  return 1;
}

static uint32_t
find (const struct gt_bins *bins, double x)
{
  const double *range = bins->range;
  size_t n = bins->n;

  if (x < range[0] || x >= range[n])
    return (uint32_t) n;
  while (n > 1)
    {
      const size_t half = n / 2;

      range = x >= range[half] ? range + half : range;
      n -= half;
    }
  return (uint32_t) (range - bins->range);
}

void
gt_bins_find (const struct gt_bins *bins, const double *x, size_t count, uint32_t *bin)
{
  static gt_bins_guess_function *const of[] = {GT_OF_EACH_ISA (, gt_bins_guess)};

  if (bins->per == 0)
    for (size_t i = 0; i < count; i++)
      bin[i] = find (bins, x[i]);
  else if (of[gt_isa ()](bins, x, count, bin))
    for (size_t i = 0; i < count; i++)
      if (bin[i] == GT_BINS_MOST)
        bin[i] = find (bins, x[i]);
}
