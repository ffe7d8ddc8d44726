/* Sequential addressing: the distance halves, and in each step the first threads
   add the upper half to the lower, neighbours to neighbours.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/ladder.cuh"

namespace gt
{

template <class T, class W, class Place>
__device__ __forceinline__ void sum_interleaved (struct gt_kernel_args args)
{
  T *s = Place::template fill<1> (args);

  add_halves (s, 0);
  if (threadIdx.x == 0)
    leave_sum<T, W> (s[0], args);
}

} /* namespace gt */

#define SHARED(name, element, word)                                              \
  extern "C" __global__ void __launch_bounds__ (1024)                            \
  sum_interleaved_##name (struct gt_kernel_args args)                            \
  {                                                                              \
    gt::sum_interleaved<element, word, gt::shared_place<element>> (args);        \
  }
#define IN_PLACE(name, element)                                                  \
  extern "C" __global__ void __launch_bounds__ (1024)                            \
  sum_interleaved_in_place_##name (struct gt_kernel_args args)                   \
  {                                                                              \
    gt::sum_interleaved<element, element, gt::copy_place<element>> (args);       \
  }

SHARED (f64, double, double)
SHARED (f32, float, float)
SHARED (u64, uint64_t, uint64_t)
SHARED (u32, uint32_t, uint32_t)
SHARED (u16, uint16_t, uint32_t)
SHARED (u8, uint8_t, uint32_t)
GT_LADDER_TYPES (IN_PLACE)
