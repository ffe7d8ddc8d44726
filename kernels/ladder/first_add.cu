/* Sequential addressing, where each thread adds two elements, a block's size
   apart, while it loads them: half the blocks, and no thread that only loads.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/ladder/ladder.cuh"

namespace gt
{

template <class T>
__device__ __forceinline__ void sum_first_add (struct gt_kernel_args args)
{
  T *s = shared_place<T>::template fill<2> (args);

  add_halves (s, 0);
  if (threadIdx.x == 0)
    leave_sum (s[0], args);
}

} /* namespace gt */

#define ENTRY(name, type)                                                        \
  extern "C" __global__ void __launch_bounds__ (1024)                            \
  sum_first_add_##name##_u2 (struct gt_kernel_args args)                         \
  {                                                                              \
    gt::sum_first_add<type> (args);                                              \
  }

GT_LADDER_TYPES (ENTRY)
