/* Like grid_stride.cu, for extremes and their indexes.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/complex.cuh"
#include "kernels/cuda/grid_stride.cuh"
#include "kernels/cuda/order.cuh"

namespace gt
{

/* Finds the extreme of complex numbers, whose magnitude is the sum of both parts'
   magnitudes.  */
template <bool Whole, int U, class T>
__device__ __forceinline__ void accumulate_magnitudes (struct extreme<T> &a, const struct gt_kernel_args &args)
{
  const T *const x = static_cast<const T *> (args.data);
  const uint64_t tile = static_cast<uint64_t> (blockDim.x) * U;
  const uint64_t step = tile * gridDim.x;
  uint64_t i = blockIdx.x * tile + threadIdx.x;

  a.begin (args, i < args.n ? i : none);
  for (; i < args.n && !a.done (); i += step)
    {
      typename complex_of<T>::whole z[U];
#pragma unroll
      for (int k = 0; k < U; k++)
        if (i + k * blockDim.x < args.n)
          z[k] = load_complex<Whole> (x + 2 * (i + k * blockDim.x) * args.stride);
#pragma unroll
      for (int k = 0; k < U; k++)
        if (i + k * blockDim.x < args.n)
          a.add (fabs (z[k].x) + fabs (z[k].y), i + k * blockDim.x);
    }
}

template <class T, int U>
__device__ __forceinline__ void grid_stride_magnitudes (const struct gt_kernel_args &args)
{
  struct extreme<T> a;

  if (lies_whole<T> (args.data))
    accumulate_magnitudes<true, U> (a, args);
  else
    accumulate_magnitudes<false, U> (a, args);
  finish_single_pass (a, args);
}

} /* namespace gt */

/* A state of six registers or more leaves not enough registers for loads in flight at full
   occupancy; half occupancy is enough for these kernels.  */
#define ENTRIES(reduction, name, accumulator) GT_GRID_STRIDE (reduction, name, accumulator, 1, 4)

GT_EXTREME_ENTRIES (ENTRIES, max, extreme)
GT_EXTREME_ENTRIES (ENTRIES, minmax, extremes)

/* Both layouts share one function.  */
#define OF_COMPLEX(entry, type)                                                     \
  extern "C" __global__ void __launch_bounds__ (1024)                              \
  entry (struct gt_kernel_args args) { gt::wait_for_stream (); gt::grid_stride_magnitudes<type, 4> (args); }

OF_COMPLEX (max_grid_stride_cf64_u4, double)
OF_COMPLEX (max_grid_stride_strided_cf64_u4, double)
OF_COMPLEX (max_grid_stride_cf32_u4, float)
OF_COMPLEX (max_grid_stride_strided_cf32_u4, float)
