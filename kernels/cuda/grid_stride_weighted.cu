/* As grid_stride.cu, sums of terms of weighted elements.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/grid_stride_sums.cuh"
#include "kernels/cuda/sums.cuh"

/* Compensations, and loads of two vectors, need more registers than 1024 threads can
   have.  */
#define OF_REALS(reduction, type, name)                                      \
  GT_SUMS_ENTRY (reduction##_grid_stride_##name, 1024, 1, sums<gt::reduction, type, gt::fast_sums>) \
  GT_SUMS_ENTRY (reduction##_grid_stride_compensated_##name, 512, 1,         \
                 sums<gt::reduction, type, gt::compensated_sums>)
#define ENTRIES(reduction)                                                   \
  OF_REALS (reduction, double, f64)                                          \
  OF_REALS (reduction, float, f32)

ENTRIES (wsum)
ENTRIES (wmoments)
ENTRIES (wabsdev)
ENTRIES (wskew)
ENTRIES (wkurtosis)
