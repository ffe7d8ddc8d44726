/* Like cluster.cu, for extremes and their indexes.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/cluster.cuh"
#include "kernels/cuda/order.cuh"

#define ENTRIES(reduction, name, accumulator) GT_CLUSTER_ENTRIES (reduction, name, accumulator, 1, 4)

GT_EXTREME_ENTRIES (ENTRIES, max, extreme)
