/* Products of matrices.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/matrix_settle.cuh"
#include "kernels/cuda/matrix_residues.cuh"
#include "kernels/cuda/matrix_tiles.cuh"

#define ENTRY(name, block, ...)                               \
  extern "C" __global__ void __launch_bounds__ (block)        \
  matrix_##name (struct gt_kernel_args args)                  \
  {                                                           \
    gt::__VA_ARGS__;                                          \
  }

#define ENTRIES(key, T)                                              \
  ENTRY (tiles_##key, 256, tiles<gt::quick_sum<T>, T> (args.matrix)) \
  ENTRY (exact_##key, 256, tiles<gt::certain_sum<T>, T> (args.matrix)) \
  ENTRY (settle_##key, 256, settle<T> (args.matrix))                 \
  ENTRY (measure_##key, 256, measure<T> (args.matrix))               \
  ENTRY (cut_##key, 256, cut_residues<T> (args.matrix))              \
  ENTRY (gather_##key, 256, gather_residues<T> (args.matrix))

ENTRIES (f64, double)
ENTRIES (f32, float)
