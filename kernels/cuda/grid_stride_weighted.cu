/* As grid_stride.cu, sums of terms of weighted elements.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/grid_stride_sums.cuh"
#include "kernels/cuda/sums.cuh"

/* Compensations, and loads of two vectors, need more registers than 1024 threads can
   have.  */
#define OF_REALS(id, reduction, type, name)                                      \
  GT_SUMS_ENTRY (reduction##_grid_stride_##name, 1024, 1, sums<gt::GT_##id, type, gt::fast_sums>) \
  GT_SUMS_ENTRY (reduction##_grid_stride_compensated_##name, 512, 1,         \
                 sums<gt::GT_##id, type, gt::compensated_sums>)
#define ENTRIES(id, reduction)                                                   \
  OF_REALS (id, reduction, double, f64)                                          \
  OF_REALS (id, reduction, float, f32)

ENTRIES (WSUM, wsum)
ENTRIES (WMOMENTS, wmoments)
ENTRIES (WABSDEV, wabsdev)
ENTRIES (WSKEW, wskew)
ENTRIES (WKURTOSIS, wkurtosis)
