/* As unroll_blocks.cu, but when one warp is left its steps are written out, with
   barriers of the warp in place of those of the block.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/ladder/ladder.cuh"

namespace gt
{

template <class T, class Place, int FOLD>
__device__ __forceinline__ void sum_last_warp (struct gt_kernel_args args)
{
  T *s = Place::template fill<FOLD> (args), sum;
  const unsigned t = threadIdx.x;

  add_halves (s, warp);
  if (t >= warp)
    return;
  sum = reduce_last_warp (s, blockDim.x > warp);
  if (t == 0)
    leave_sum (sum, args);
}

} /* namespace gt */

#define ENTRY(name, type, u)                                                     \
  extern "C" __global__ void __launch_bounds__ (1024)                            \
  sum_last_warp_##name##_u##u (struct gt_kernel_args args)                           \
  {                                                                              \
    gt::sum_last_warp<type, gt::shared_place<type>, u> (args);                       \
  }                                                                              \
  extern "C" __global__ void __launch_bounds__ (1024)                            \
  sum_last_warp_in_place_##name##_u##u (struct gt_kernel_args args)                  \
  {                                                                              \
    gt::sum_last_warp<type, gt::copy_place<type>, u> (args);                         \
  }
#define ENTRIES(name, type) ENTRY (name, type, 2) ENTRY (name, type, 4) ENTRY (name, type, 8)

GT_LADDER_TYPES (ENTRIES)
