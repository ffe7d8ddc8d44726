/* The baseline: one element a thread, halved again and again in shared memory
   ("interleaved addressing" of the classic ladder: M. Harris, "Optimizing
   Parallel Reduction in CUDA", 2007, reduction #3); each block leaves one
   element, and the host launches again until one is left.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/reduce.cuh"

namespace gt
{

/* Block sizes are powers of two.  */
template <class T, class W>
__device__ __forceinline__ void sum_interleaved (struct gt_kernel_args args)
{
  const T *x = static_cast<const T *> (args.data);
  GT_DYNAMIC_SHARED (T, s);
  const unsigned t = threadIdx.x;
  const uint64_t i = blockIdx.x * static_cast<uint64_t> (blockDim.x) + t;

  s[t] = i < args.n ? x[i * args.stride] : T (0);
  __syncthreads ();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2)
    {
      if (t < half)
        s[t] = static_cast<T> (s[t] + s[t + half]);
      __syncthreads ();
    }
  if (t != 0)
    return;
  if (gridDim.x == 1)
    deliver (fast<T, W> {s[0]}, args);
  else
    static_cast<T *> (args.partials)[blockIdx.x] = s[0];
}

} /* namespace gt */

#define ENTRY(name, element, word)                                               \
  extern "C" __global__ void __launch_bounds__ (1024)                            \
  sum_interleaved_##name (struct gt_kernel_args args)                            \
  {                                                                              \
    gt::sum_interleaved<element, word> (args);                                   \
  }

ENTRY (f64, double, double)
ENTRY (f32, float, float)
ENTRY (u64, uint64_t, uint64_t)
ENTRY (u32, uint32_t, uint32_t)
ENTRY (u16, uint16_t, uint32_t)
ENTRY (u8, uint8_t, uint32_t)
