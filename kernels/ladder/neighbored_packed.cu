/* Neighbouring pairs as in neighbored.cu, but thread t takes the pair that begins
   at 2st: the working threads are the first ones, and whole warps retire.  In
   shared memory the distance between the threads' elements, a power of two,
   sends them to the same banks.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/ladder/ladder.cuh"

namespace gt
{

template <class T, class Place>
__device__ __forceinline__ void sum_neighbored_packed (struct gt_kernel_args args)
{
  T *s = Place::template fill<1> (args);
  const unsigned t = threadIdx.x;

  for (unsigned step = 1; step < blockDim.x; step *= 2)
    {
      const unsigned i = 2 * step * t;

      if (i < blockDim.x)
        s[i] += s[i + step];
      __syncthreads ();
    }
  if (t == 0)
    leave_sum (s[0], args);
}

} /* namespace gt */

#define ENTRIES(name, type)                                                      \
  extern "C" __global__ void __launch_bounds__ (1024)                            \
  sum_neighbored_packed_##name (struct gt_kernel_args args)                      \
  {                                                                              \
    gt::sum_neighbored_packed<type, gt::shared_place<type>> (args);              \
  }                                                                              \
  extern "C" __global__ void __launch_bounds__ (1024)                            \
  sum_neighbored_packed_in_place_##name (struct gt_kernel_args args)             \
  {                                                                              \
    gt::sum_neighbored_packed<type, gt::copy_place<type>> (args);                \
  }

GT_LADDER_TYPES (ENTRIES)
