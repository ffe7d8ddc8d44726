/* As last_warp.cu, with every step written out: the block size is known to the
   compiler.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/ladder/ladder.cuh"

namespace gt
{

/* The steps from distance HALF down to one warp.  */
template <unsigned HALF, class T>
__device__ __forceinline__ void halve (T *s)
{
  if constexpr (HALF > warp)
    {
      if (threadIdx.x < HALF)
        s[threadIdx.x] += s[threadIdx.x + HALF];
      __syncthreads ();
      halve<HALF / 2> (s);
    }
}

template <class T, class Place, int FOLD, unsigned BLOCK>
__device__ __forceinline__ void sum_complete (struct gt_kernel_args args)
{
  T *s = Place::template fill<FOLD> (args), sum;

  halve<BLOCK / 2> (s);
  if (threadIdx.x >= warp)
    return;
  sum = reduce_last_warp (s, true);
  if (threadIdx.x == 0)
    leave_sum (sum, args);
}

} /* namespace gt */

#define ENTRY(name, type, u, block)                                              \
  extern "C" __global__ void __launch_bounds__ (block)                           \
  sum_complete_##name##_u##u##_b##block (struct gt_kernel_args args)             \
  {                                                                              \
    gt::sum_complete<type, gt::shared_place<type>, u, block> (args);             \
  }                                                                              \
  extern "C" __global__ void __launch_bounds__ (block)                           \
  sum_complete_in_place_##name##_u##u##_b##block (struct gt_kernel_args args)    \
  {                                                                              \
    gt::sum_complete<type, gt::copy_place<type>, u, block> (args);               \
  }
#define BLOCKS(name, type, u)                                                    \
  ENTRY (name, type, u, 64)                                                      \
  ENTRY (name, type, u, 128)                                                     \
  ENTRY (name, type, u, 256)                                                     \
  ENTRY (name, type, u, 512)                                                     \
  ENTRY (name, type, u, 1024)
#define ENTRIES(name, type) BLOCKS (name, type, 2) BLOCKS (name, type, 4) BLOCKS (name, type, 8)

GT_LADDER_TYPES (ENTRIES)
