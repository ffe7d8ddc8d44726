/* Exact sums of magnitudes by windows; exact_window.cuh describes the method.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/exact_window_sums.cuh"

GT_EXACT_WINDOW (asum, f64, u4, units, double, 4, 2, false)
GT_EXACT_WINDOW (asum, f32, u4, units, float, 4, 2, false)
