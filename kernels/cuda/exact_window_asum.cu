/* Exact sums of magnitudes by windows: how is in exact_window.cuh.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/exact.cuh"
#include "kernels/cuda/exact_window.cuh"

GT_EXACT_WINDOW (asum, f64, double, magnitude, 4)
GT_EXACT_WINDOW (asum, f32, float, magnitude, 4)
