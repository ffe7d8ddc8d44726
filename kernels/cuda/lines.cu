/* Rows, columns and segments: for each type of element what is gathered, by each kernel.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/lines_settle.cuh"

/* An SM shall hold so many blocks.  */
#define ENTRY(name, threads, blocks, ...)                        \
  extern "C" __global__ void __launch_bounds__ (threads, blocks) \
  lines_##name (struct gt_kernel_args args)                      \
  {                                                              \
    gt::__VA_ARGS__ (args);                                      \
  }

#define ENTRIES(what, key, blocks, Sum, T)                                               \
  ENTRY (tiles_##what##_##key, GT_LINES_TILES_BLOCK, 6, lines_by_tiles<gt::Sum<T>, T>)   \
  ENTRY (teams_##what##_##key, GT_LINES_BLOCK, blocks, lines_by_teams<gt::Sum<T>, T>)    \
  ENTRY (columns_##what##_##key, GT_LINES_BLOCK, 4, lines_by_columns<gt::Sum<T>, T>)
#define PRODUCTS(what, key, Sum, T)                                                                         \
  ENTRY (tiles_##what##_##key, GT_LINES_TILES_BLOCK, 6, lines_by_tiles<gt::line_product<gt::Sum<T>, T>, T>) \
  ENTRY (teams_##what##_##key, GT_LINES_BLOCK, 4, products_by_teams<gt::Sum<T>, T>)                         \
  ENTRY (columns_##what##_##key, GT_LINES_BLOCK, 4, lines_by_columns<gt::line_product<gt::Sum<T>, T>, T>)
#define ENTRIES_OF_REALS(key, T)                  \
  ENTRIES (sum, key, 4, line_sum, T)              \
  ENTRIES (certain, key, 4, line_certain_sum, T)  \
  ENTRIES (spread, key, 4, line_spread, T)        \
  ENTRIES (moments, key, 3, line_moments, T)      \
  ENTRIES (extreme, key, 3, line_extreme, T)      \
  PRODUCTS (product, key, quick_sum, T)           \
  PRODUCTS (certain_product, key, certain_sum, T) \
  ENTRY (settle_##key, GT_LINES_BLOCK, 1, settle_lines<T>) \
  ENTRY (settle_products_##key, GT_LINES_BLOCK, 1, settle_products<T>)

ENTRIES_OF_REALS (f64, double)
ENTRIES_OF_REALS (f32, float)
ENTRIES (sum, u32, 4, line_total, uint32_t)
ENTRIES (moments, u32, 4, line_squares, uint32_t)
ENTRIES (extreme, u32, 4, line_extreme, uint32_t)
ENTRY (settle_u32, GT_LINES_BLOCK, 1, settle_lines<uint32_t>)
