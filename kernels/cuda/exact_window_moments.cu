/* Exact sums of products, and moments, by windows: how is in exact_window_sums.cuh.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/exact.cuh"
#include "kernels/cuda/exact_sums.cuh"
#include "kernels/cuda/exact_window.cuh"
#include "kernels/cuda/exact_window_sums.cuh"

/* AHEAD: of moments.  Those of floats, of which a unit has four, have no registers
   for that.  */
#define ENTRIES(name, type, ahead)                 \
  GT_WINDOW_SUMS_OF_PAIRS (dot, name, type, 4)     \
  GT_WINDOW_SUMS (sumsq, name, type, true)         \
  GT_WINDOW_SUMS (moments, name, type, ahead)      \
  GT_WINDOW_SUMS_OF_PAIRS (comoments, name, type, 2)

ENTRIES (f64, double, true)
ENTRIES (f32, float, false)
