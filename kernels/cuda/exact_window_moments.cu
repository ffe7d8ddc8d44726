/* Exact sums of products, and moments, by windows: how is in exact_window_sums.cuh.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/exact_window_sums.cuh"

/* AHEAD: of moments.  Those of floats, of which a unit has four, have no registers
   for that.  */
#define ENTRIES(name, type, ahead)                                        \
  GT_EXACT_WINDOW (dot, name, u4, pairs, type, 4, 1, false)               \
  GT_EXACT_WINDOW (sumsq, name, u4, units, type, 4, 1, true)              \
  GT_EXACT_WINDOW (moments, name, u4, units, type, 4, 1, ahead)           \
  GT_EXACT_WINDOW (comoments, name, u4, pairs, type, 2, 1, false)

ENTRIES (f64, double, true)
ENTRIES (f32, float, false)
