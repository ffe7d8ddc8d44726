/* Products of matrices with vectors and with matrices.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/matrix_settle.cuh"
#include "kernels/cuda/matrix_residues.cuh"
#include "kernels/cuda/matrix_tiles.cuh"
#include "kernels/cuda/matrix_vectors.cuh"

#define ENTRY(name, block, ...)                               \
  extern "C" __global__ void __launch_bounds__ (block)        \
  matrix_##name (struct gt_kernel_args args)                  \
  {                                                           \
    gt::__VA_ARGS__;                                          \
  }

/* A kernel for fast sums and one for exact sums, for each type.  */
#define SUM_ENTRY(name, arithmetic, T, block, call, given)                                  \
  ENTRY (name##_##arithmetic, block, call<gt::quick_sum<T>, T> (given))                     \
  ENTRY (name##_exact_##arithmetic, block, call<gt::certain_sum<T>, T> (given))
#define ENTRIES(arithmetic, T)                                                              \
  SUM_ENTRY (rows, arithmetic, T, 256, rows_by_threads, args.matrix)                        \
  SUM_ENTRY (long, arithmetic, T, 256, rows_by_blocks, args)                                \
  SUM_ENTRY (columns, arithmetic, T, 256, columns, args)                                    \
  SUM_ENTRY (tiles, arithmetic, T, 256, tiles, args.matrix)                                 \
  ENTRY (settle_exact_##arithmetic, 256, settle<T> (args.matrix))                           \
  ENTRY (measure_exact_##arithmetic, 256, measure<T> (args.matrix))                         \
  ENTRY (cut_exact_##arithmetic, 256, cut_residues<T> (args.matrix))                          \
  ENTRY (gather_exact_##arithmetic, 256, gather_residues<T> (args.matrix))

ENTRIES (f64, double)
ENTRIES (f32, float)
