/* Sorts of keys of 1, 2, 4 and 8 bytes, and of indexes with them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/sort.cuh"
#include "kernels/sort_tiles.h"

/* The launches of src/cuda/cuda_sort.c.  */
#define ENTRIES(name, type)                                                                 \
  extern "C" __global__ void __launch_bounds__ (GT_SORT_COUNT_THREADS)                      \
  sort_count_##name (struct gt_kernel_args args)                                            \
  {                                                                                         \
    gt::count_digits<type> (args);                                                          \
  }                                                                                         \
  extern "C" __global__ void __launch_bounds__ (GT_SORT_COUNT_THREADS)                      \
  sort_ties_##name (struct gt_kernel_args args)                                             \
  {                                                                                         \
    gt::find_ties<type> (args);                                                             \
  }                                                                                         \
  extern "C" __global__ void __launch_bounds__ (GT_SORT_THREADS, GT_SORT_BLOCKS)            \
  sort_pass_##name (struct gt_kernel_args args)                                             \
  {                                                                                         \
    gt::sort_pass<type, GT_SORT_THREADS, GT_SORT_ITEMS (sizeof (type)), false> (args);      \
  }                                                                                         \
  extern "C" __global__ void __launch_bounds__ (GT_SORT_THREADS, GT_SORT_INDEX_BLOCKS)      \
  sort_index_##name (struct gt_kernel_args args)                                            \
  {                                                                                         \
    gt::sort_pass<type, GT_SORT_THREADS, GT_SORT_INDEX_ITEMS (sizeof (type)), true> (args); \
  }                                                                                         \
  extern "C" __global__ void __launch_bounds__ (GT_SORT_BLOCK_THREADS)                      \
  sort_block_##name (struct gt_kernel_args args)                                            \
  {                                                                                         \
    gt::sort_block<type, GT_SORT_BLOCK_THREADS, GT_SORT_BLOCK_ITEMS, false> (args);         \
  }                                                                                         \
  extern "C" __global__ void __launch_bounds__ (GT_SORT_BLOCK_THREADS)                      \
  sort_block_index_##name (struct gt_kernel_args args)                                      \
  {                                                                                         \
    gt::sort_block<type, GT_SORT_BLOCK_THREADS, GT_SORT_BLOCK_ITEMS, true> (args);          \
  }

ENTRIES (u64, uint64_t)
ENTRIES (u32, uint32_t)
ENTRIES (u16, uint16_t)
ENTRIES (u8, uint8_t)
