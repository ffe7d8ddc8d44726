/* Power sums, and statistics of them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/powers.cuh"

/* The launches of src/cuda/cuda_powers.c.  */
extern "C" __global__ void __launch_bounds__ (GT_POWERS_THREADS)
powers_plain (struct gt_kernel_args args)
{
  gt::sum_powers<gt::plain_window> (args);
}

extern "C" __global__ void __launch_bounds__ (GT_POWERS_THREADS)
powers_weighted (struct gt_kernel_args args)
{
  gt::sum_powers<gt::weighted_window> (args);
}

extern "C" __global__ void __launch_bounds__ (GT_POWERS_THREADS)
powers_pairs (struct gt_kernel_args args)
{
  gt::sum_powers<gt::pairs_window> (args);
}

extern "C" __global__ void
powers_finish (struct gt_kernel_args args)
{
  gt::finish_powers (args);
}
