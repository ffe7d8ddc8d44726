/* Bins of about one width: a multiplication and two comparisons, without a jump.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/bins/bins.h"
#include "kernels/cpu/isa/isa.h"

gt_bins_guess_function GT_FOR_ISA (gt_bins_guess);

int
GT_FOR_ISA (gt_bins_guess) (const struct gt_bins *bins, const double *x, size_t count,
                            uint32_t *bin)
{
  const double *const range = bins->range;
  const double low = range[0], per = bins->per, last = (double) (bins->n - 1);
  int wrong = 0;

#pragma omp simd
  for (size_t i = 0; i < count; i++)
    {
      const double from_low = (x[i] - low) * per;
      const double above = from_low > 0 ? from_low : 0;

      bin[i] = (uint32_t) (int) (above < last ? above : last);
    }
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
