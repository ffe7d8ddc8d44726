/* Rows, columns and segments: for each type of element what is gathered, by each kernel.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/lines_settle.cuh"

/* So many blocks an SM shall hold.  */
#define ENTRY(name, blocks, ...)                                        \
  extern "C" __global__ void __launch_bounds__ (GT_LINES_BLOCK, blocks) \
  lines_##name (struct gt_kernel_args args)                             \
  {                                                                     \
    gt::__VA_ARGS__ (args);                                             \
  }

#define ENTRIES(what, key, Sum, T)                                      \
  ENTRY (threads_##what##_##key, 6, lines_by_threads<gt::Sum<T>, T>)    \
  ENTRY (blocks_##what##_##key, 8, lines_by_blocks<gt::Sum<T>, T>)      \
  ENTRY (columns_##what##_##key, 4, lines_by_columns<gt::Sum<T>, T>)
#define SEVERAL(what, key, Sum, T)                                      \
  ENTRY (several_##what##_##key, 4, several_lines<gt::Sum<T>, T, GT_LINES_AT_ONCE>)

#define ENTRIES_OF_TYPE(key, Quick, T)                                  \
  ENTRIES (sum, key, Quick, T)                                          \
  SEVERAL (sum, key, Quick, T)                                          \
  ENTRIES (moments, key, line_moments, T)                               \
  ENTRIES (extreme, key, line_extreme, T)                               \
  ENTRY (settle_##key, 1, settle_lines<T>)

ENTRIES_OF_TYPE (f64, line_sum, double)
ENTRIES (certain, f64, line_certain_sum, double)
SEVERAL (certain, f64, line_certain_sum, double)
ENTRIES_OF_TYPE (f32, line_sum, float)
ENTRIES (certain, f32, line_certain_sum, float)
SEVERAL (certain, f32, line_certain_sum, float)
ENTRIES_OF_TYPE (u32, line_total, uint32_t)
