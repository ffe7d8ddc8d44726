/* Sequential addressing: the distance halves, and in each step the first threads
   add the upper half to the lower, neighbours to neighbours.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/ladder/ladder.cuh"

namespace gt
{

template <class T, class Place>
__device__ __forceinline__ void sum_interleaved (struct gt_kernel_args args)
{
  T *s = Place::template fill<1> (args);

  add_halves (s, 0);
  if (threadIdx.x == 0)
    leave_sum (s[0], args);
}

} /* namespace gt */

#define ENTRIES(name, type)                                                      \
  extern "C" __global__ void __launch_bounds__ (1024)                            \
  sum_interleaved_##name (struct gt_kernel_args args)                            \
  {                                                                              \
    gt::sum_interleaved<type, gt::shared_place<type>> (args);                    \
  }                                                                              \
  extern "C" __global__ void __launch_bounds__ (1024)                            \
  sum_interleaved_in_place_##name (struct gt_kernel_args args)                   \
  {                                                                              \
    gt::sum_interleaved<type, gt::copy_place<type>> (args);                      \
  }

GT_LADDER_TYPES (ENTRIES)
