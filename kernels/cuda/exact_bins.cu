/* Exact sums by bins; exact_bins.cuh describes the method.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/exact_bins.cuh"

#define ENTRIES(name, type)                                                      \
  GT_EXACT_BINS (sum, name, type, plain, 1)                                      \
  GT_EXACT_BINS (sum, name, type, plain, 2)                                      \
  GT_EXACT_BINS (sum, name, type, plain, 4)                                      \
  GT_EXACT_BINS (sum, name, type, plain, 8)

ENTRIES (f64, double)
ENTRIES (f32, float)
