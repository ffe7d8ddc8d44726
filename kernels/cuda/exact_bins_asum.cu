/* Exact sums of magnitudes by bins; exact_bins.cuh describes the method.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/exact_bins.cuh"

GT_EXACT_BINS (asum, f64, double, magnitude, 4)
GT_EXACT_BINS (asum, f32, float, magnitude, 4)
