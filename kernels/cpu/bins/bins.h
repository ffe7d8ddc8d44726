/* Which bin of a histogram a number belongs to, as GSL decides it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_BINS_H
#define GT_KERNELS_CPU_BINS_H

#include <stddef.h>
#include <stdint.h>

/* N bins: bin K has the numbers from RANGE[K] to below RANGE[K + 1].  Where ranges ascend and are
   of about one width, (x - RANGE[0]) * PER is near the number of x's bin.  PER is 0 where they
   ascend otherwise, and negative where they may not ascend.  */
struct gt_bins
{
  const double *range;
  size_t n;
  double per;
};

/* There are fewer bins than this, or they cannot be numbered.  */
#define GT_BINS_MOST ((size_t) 1 << 31)

/* Numbers that are looked at together.  */
#define GT_BINS_BLOCK 256

/* Makes *BINS of GSL's ranges; 0 if these do not ascend, are too many, or are not finite
   altogether: which bin GSL finds then depends on how it was compiled.  */
int gt_bins_of (struct gt_bins *bins, const double *range, size_t n);

/* Finds the bins of the COUNT elements of X, at most a block, as GSL finds them in finite ranges;
   N stands for none.  NaN belongs to the first bin, as in GSL's search by halves.  */
void gt_bins_find (const struct gt_bins *bins, const double *x, size_t count,
                   uint32_t *bin);

/* The bin of X by the steps of GSL's search, without a jump.  */
uint32_t gt_bins_halve (const double *range, size_t n, double x);

/* The bin of X alone, by GSL's guess first.  */
static inline uint32_t
gt_bins_find_one (const double *range, size_t n, double x)
{
  const double low = range[0], high = range[n];

  if (x >= low && x < high)
    {
      const int64_t k = (int64_t) ((x - low) / (high - low) * (double) (int64_t) n);

      if (x >= range[k] && x < range[k + 1])
        return (uint32_t) k;
    }
  return gt_bins_halve (range, n, x);
}

/* Those of many for one instruction set.  */
typedef void gt_bins_find_function (const struct gt_bins *bins, const double *x,
                                    size_t count, uint32_t *bin);

#endif
