/* Like grid_stride.cu, for sums of magnitudes.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/grid_stride.cuh"

#define ENTRIES(name, accumulator, full) GT_GRID_STRIDE (asum, name, accumulator, full, 4)

GT_MAGNITUDE_ENTRIES (ENTRIES)
