/* As grid_stride.cu, extremes and their indexes.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/grid_stride.cuh"
#include "kernels/cuda/order.cuh"

/* A state of six registers, or twice as many, leaves no room for loads in flight
   at full occupancy; half of that is enough for these.  */
#define ENTRIES(reduction, name, accumulator) GT_GRID_STRIDE (reduction, name, accumulator, 1, 4)

GT_EXTREME_ENTRIES (ENTRIES, max, extreme)
GT_EXTREME_ENTRIES (ENTRIES, minmax, extremes)
