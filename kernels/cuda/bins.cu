/* Histograms of doubles.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/bins.cuh"
#include "kernels/sort_tiles.h"

/* The launches of src/cuda/cuda_bins.c.  */
extern "C" __global__ void __launch_bounds__ (GT_BINS_THREADS)
bins_count (struct gt_kernel_args args)
{
  gt::count_bins (args);
}

extern "C" __global__ void __launch_bounds__ (GT_BINS_THREADS)
bins_sum (struct gt_kernel_args args)
{
  gt::sum_bins (args);
}
