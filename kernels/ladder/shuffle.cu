/* Each thread first adds the elements of several blocks; the sums of a warp meet
   in registers, by shuffles, and shared memory holds one value a warp.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/ladder/ladder.cuh"

#define ENTRY(name, type, u)                                                     \
  extern "C" __global__ void __launch_bounds__ (1024)                            \
  sum_shuffle_##name##_u##u (struct gt_kernel_args args)                         \
  {                                                                              \
    gt::sum_tile_by_shuffles<type, u> (args);                                    \
  }
#define ENTRIES(name, type) ENTRY (name, type, 2) ENTRY (name, type, 4) ENTRY (name, type, 8)

GT_LADDER_TYPES (ENTRIES)
