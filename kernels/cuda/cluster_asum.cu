/* As cluster.cu, sums of magnitudes.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/accumulate.cuh"
#include "kernels/cuda/cluster.cuh"
#include "kernels/cuda/cluster_finish.cuh"

#define ENTRIES(name, accumulator, full) GT_CLUSTER_ENTRIES (asum, name, accumulator, full, 4)

GT_MAGNITUDE_ENTRIES (ENTRIES)
