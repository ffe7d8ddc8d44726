/* Like grid_stride.cu, but the sums of a cluster's blocks are added in distributed shared
   memory.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/cluster.cuh"

#define ENTRIES(name, accumulator, full)                                         \
  GT_CLUSTER_ENTRIES (sum, name, accumulator, full, 1)                           \
  GT_CLUSTER_ENTRIES (sum, name, accumulator, full, 2)                           \
  GT_CLUSTER_ENTRIES (sum, name, accumulator, full, 4)                           \
  GT_CLUSTER_ENTRIES (sum, name, accumulator, full, 8)

GT_SINGLE_PASS_ENTRIES (ENTRIES)
