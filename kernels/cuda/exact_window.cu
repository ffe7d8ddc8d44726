/* Exact sums by windows; exact_window.cuh describes the method.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/exact_window_sums.cuh"

#define ENTRIES(name, type)                                    \
  GT_EXACT_WINDOW (sum, name, u1, units, type, 1, 2, false)    \
  GT_EXACT_WINDOW (sum, name, u2, units, type, 2, 2, false)    \
  GT_EXACT_WINDOW (sum, name, u4, units, type, 4, 2, false)    \
  GT_EXACT_WINDOW (sum, name, u8, units, type, 8, 1, true)

ENTRIES (f64, double)
ENTRIES (f32, float)
