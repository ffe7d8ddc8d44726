/* Exact sums of products, and moments, by windows; exact_window_sums.cuh describes the
   method.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/exact_window_sums.cuh"

/* AHEAD applies to moments.  Those of floats, four of which are in a unit, do not have enough
   registers for it.  */
#define ENTRIES(name, type, ahead)                                        \
  GT_EXACT_WINDOW (dot, name, u4, pairs, type, 4, 1, false)               \
  GT_EXACT_WINDOW (sumsq, name, u4, units, type, 4, 1, true)              \
  GT_EXACT_WINDOW (moments, name, u4, units, type, 4, 1, ahead)           \
  GT_EXACT_WINDOW (comoments, name, u4, pairs, type, 2, 1, false)

ENTRIES (f64, double, true)
ENTRIES (f32, float, false)
