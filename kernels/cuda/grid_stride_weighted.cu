/* As grid_stride.cu, sums of terms of weighted elements.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/sums.cuh"

/* Compensations, and loads of two vectors, need more registers than 1024 threads can
   have.  */
#define OF_REALS(id, reduction, type, name)                                      \
  GT_FAST_SUMS (id, reduction, type, name, 1024, 1)                              \
  GT_COMPENSATED_SUMS (id, reduction, type, name, 512)
#define ENTRIES(id, reduction)                                                   \
  OF_REALS (id, reduction, double, f64)                                          \
  OF_REALS (id, reduction, float, f32)

ENTRIES (WSUM, wsum)
ENTRIES (WMOMENTS, wmoments)
ENTRIES (WABSDEV, wabsdev)
ENTRIES (WSKEW, wskew)
ENTRIES (WKURTOSIS, wkurtosis)
