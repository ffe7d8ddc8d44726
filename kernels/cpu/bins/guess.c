/* Bins of many numbers: a guess and two comparisons for each, without a jump; what was guessed
   wrong is sought by halves.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/bins/bins.h"
#include "kernels/cpu/isa/isa.h"

gt_bins_find_function GT_FOR_ISA (gt_bins_find_by);

static inline uint32_t
bin_at (double place, double last)
{
  const double above = place > 0 ? place : 0;

  return (uint32_t) (int) (above < last ? above : last);
}

/* The bins that PER tells, or GSL guesses, and where one is wrong GT_BINS_MOST.  Returns whether
   one is.  */
static int
guess (const struct gt_bins *bins, const double *x, size_t count, uint32_t *bin)
{
  const double *const range = bins->range;
  const double low = range[0], all = range[bins->n] - low, n = (double) bins->n;
  const double per = bins->per, last = n - 1;
  int wrong = 0;

  if (per > 0)
#pragma omp simd
    for (size_t i = 0; i < count; i++)
      bin[i] = bin_at ((x[i] - low) * per, last);
  else
#pragma omp simd
    for (size_t i = 0; i < count; i++)
      bin[i] = bin_at ((x[i] - low) / all * n, last);
#pragma omp simd reduction(| : wrong)
  for (size_t i = 0; i < count; i++)
    {
      const int k = (int) bin[i];
      const int is_right = (x[i] >= range[k]) & (x[i] < range[k + 1]);

      bin[i] = is_right ? (uint32_t) k : (uint32_t) GT_BINS_MOST;
      wrong |= !is_right;
    }
  return wrong;
}

void
GT_FOR_ISA (gt_bins_find_by) (const struct gt_bins *bins, const double *x, size_t count,
                              uint32_t *bin)
{
  if (bins->per == 0)
    for (size_t i = 0; i < count; i++)
      bin[i] = gt_bins_halve (bins->range, bins->n, x[i]);
  else if (guess (bins, x, count, bin))
    for (size_t i = 0; i < count; i++)
      if (bin[i] == GT_BINS_MOST)
        bin[i] = gt_bins_halve (bins->range, bins->n, x[i]);
}
