/* The entry points of grid_stride: each block strides over the data; the last one merges the
   blocks' accumulators.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_GRID_STRIDE_CUH
#define GT_KERNELS_CUDA_GRID_STRIDE_CUH

#include "kernels/cuda/accumulate.cuh"

namespace gt
{

template <template <class> class Units, class A, int U>
__device__ __forceinline__ void grid_stride (const struct gt_kernel_args &args)
{
  A a;

  accumulate<Units, U> (a, args);
  finish_single_pass (a, args);
}

} /* namespace gt */

/* The entry points of one accumulator, for both layouts.  */
#define GT_GRID_STRIDE(reduction, name, accumulator, full, u)                    \
  GT_ENTRIES (reduction##_grid_stride, name##_u##u, GT_THREADS (u), GT_BLOCKS (u, full), grid_stride, units, gt::accumulator, u)

#endif
