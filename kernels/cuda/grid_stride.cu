/* Single-pass sums: each block strides over the data; the last one adds the blocks' sums.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/grid_stride.cuh"

#define ENTRIES(name, accumulator, full)                                         \
  GT_GRID_STRIDE (sum, name, accumulator, full, 1)                               \
  GT_GRID_STRIDE (sum, name, accumulator, full, 2)                               \
  GT_GRID_STRIDE (sum, name, accumulator, full, 4)                               \
  GT_GRID_STRIDE (sum, name, accumulator, full, 8)                               \
  GT_GRID_STRIDE (sum, name, accumulator, full, 16)

GT_SINGLE_PASS_ENTRIES (ENTRIES)
