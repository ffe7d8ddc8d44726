/* Selections of keys of 1, 2, 4 and 8 bytes, and of distances.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/select.cuh"

/* The launches of src/cuda/cuda_select.c.  */
#define ENTRIES(name, source)                                         \
  extern "C" __global__ void __launch_bounds__ (GT_SELECT_BLOCK_THREADS) \
  select_sample_##name (struct gt_kernel_args args)                   \
  {                                                                   \
    gt::take_sample<source> (args);                                   \
  }                                                                   \
  extern "C" __global__ void __launch_bounds__ (GT_SELECT_THREADS)    \
  select_pass_##name (struct gt_kernel_args args)                     \
  {                                                                   \
    gt::select_pass<source> (args);                                   \
  }                                                                   \
  extern "C" __global__ void __launch_bounds__ (GT_SELECT_BLOCK_THREADS) \
  select_last_##name (struct gt_kernel_args args)                     \
  {                                                                   \
    gt::select_last<source> (args);                                   \
  }

ENTRIES (u64, gt::of_elements<uint64_t>)
ENTRIES (u32, gt::of_elements<uint32_t>)
ENTRIES (u16, gt::of_elements<uint16_t>)
ENTRIES (u8, gt::of_elements<uint8_t>)
ENTRIES (distances, gt::of_distances)
