/* Neighbouring pairs, the distance doubling: in step s the threads whose number
   is a multiple of 2s add their neighbour s further on.  In every warp some
   threads work and others wait, to the last step.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/ladder/ladder.cuh"

namespace gt
{

template <class T, class Place>
__device__ __forceinline__ void sum_neighbored (struct gt_kernel_args args)
{
  T *s = Place::template fill<1> (args);
  const unsigned t = threadIdx.x;

  for (unsigned step = 1; step < blockDim.x; step *= 2)
    {
      if (t % (2 * step) == 0)
        s[t] += s[t + step];
      __syncthreads ();
    }
  if (t == 0)
    leave_sum (s[0], args);
}

} /* namespace gt */

#define ENTRIES(name, type)                                                      \
  extern "C" __global__ void __launch_bounds__ (1024)                            \
  sum_neighbored_##name (struct gt_kernel_args args)                             \
  {                                                                              \
    gt::sum_neighbored<type, gt::shared_place<type>> (args);                     \
  }                                                                              \
  extern "C" __global__ void __launch_bounds__ (1024)                            \
  sum_neighbored_in_place_##name (struct gt_kernel_args args)                    \
  {                                                                              \
    gt::sum_neighbored<type, gt::copy_place<type>> (args);                       \
  }

GT_LADDER_TYPES (ENTRIES)
