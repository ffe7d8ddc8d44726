/* Single pass: each block strides over the data, the last one adds the blocks'
   sums.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/accumulate.cuh"

#define ENTRY(name, accumulator, full, u)                                        \
  extern "C" __global__ void __launch_bounds__ (GT_THREADS (u), GT_BLOCKS (u, full))\
  sum_grid_stride_##name##_u##u (struct gt_kernel_args args)                     \
  {                                                                              \
    gt::accumulator a;                                                           \
    gt::accumulate_contiguous<gt::accumulator, u> (a, args);                     \
    gt::finish_single_pass (a, args);                                            \
  }                                                                              \
  extern "C" __global__ void __launch_bounds__ (GT_THREADS (u), GT_BLOCKS (u, full))\
  sum_grid_stride_strided_##name##_u##u (struct gt_kernel_args args)             \
  {                                                                              \
    gt::accumulator a;                                                           \
    gt::accumulate_strided<gt::accumulator, u> (a, args);                        \
    gt::finish_single_pass (a, args);                                            \
  }

#define ENTRIES(name, accumulator, full)                                         \
  ENTRY (name, accumulator, full, 1)                                             \
  ENTRY (name, accumulator, full, 2)                                             \
  ENTRY (name, accumulator, full, 4)                                             \
  ENTRY (name, accumulator, full, 8)                                             \
  ENTRY (name, accumulator, full, 16)

GT_SINGLE_PASS_ENTRIES (ENTRIES)
