/* Sequential addressing, where each thread first adds the elements of several
   blocks: their loads do not wait for each other.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/ladder/ladder.cuh"

namespace gt
{

template <class T, class Place, int FOLD>
__device__ __forceinline__ void sum_unroll_blocks (struct gt_kernel_args args)
{
  T *s = Place::template fill<FOLD> (args);

  add_halves (s, 0);
  if (threadIdx.x == 0)
    leave_sum (s[0], args);
}

} /* namespace gt */

#define ENTRY(name, type, u)                                                     \
  extern "C" __global__ void __launch_bounds__ (1024)                            \
  sum_unroll_blocks_##name##_u##u (struct gt_kernel_args args)                           \
  {                                                                              \
    gt::sum_unroll_blocks<type, gt::shared_place<type>, u> (args);                       \
  }                                                                              \
  extern "C" __global__ void __launch_bounds__ (1024)                            \
  sum_unroll_blocks_in_place_##name##_u##u (struct gt_kernel_args args)                  \
  {                                                                              \
    gt::sum_unroll_blocks<type, gt::copy_place<type>, u> (args);                         \
  }
#define ENTRIES(name, type) ENTRY (name, type, 2) ENTRY (name, type, 4) ENTRY (name, type, 8)

GT_LADDER_TYPES (ENTRIES)
