/* Exact sums of products, and moments, by windows: how is in exact_window_sums.cuh.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/exact.cuh"
#include "kernels/cuda/exact_sums.cuh"
#include "kernels/cuda/exact_window.cuh"
#include "kernels/cuda/exact_window_sums.cuh"

/* U: of moments.  */
#define ENTRIES(name, type, u)                     \
  GT_WINDOW_SUMS_OF_PAIRS (dot, name, type, 4)     \
  GT_WINDOW_SUMS (sumsq, name, type, 4)            \
  GT_WINDOW_SUMS (moments, name, type, u)          \
  GT_WINDOW_SUMS_OF_PAIRS (comoments, name, type, 2)

ENTRIES (f64, double, 4)
ENTRIES (f32, float, 2)
