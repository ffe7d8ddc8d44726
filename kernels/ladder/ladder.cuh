/* Common code of the kernels of the reduction ladder: how a block loads its elements and where
   it stores their sum.  The ladder: M. Harris, "Optimizing Parallel Reduction in CUDA",
   NVIDIA, 2007; J. Cheng, M. Grossman, T. McKercher, "Professional CUDA C Programming", 2014,
   chapters 3 and 5.

   A block's tile has FOLD elements for each thread, blockDim.x apart.  The data may end within
   the last tile; elements beyond the end count as zero, so that the following steps need not
   know the length.  Block sizes are powers of two.

   A rung reads four arguments: data, n, stride and partials.  The last is its scratch memory:
   each block stores its sum there, as one element, and other scratch memory follows these
   sums.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_LADDER_CUH
#define GT_KERNELS_LADDER_CUH

#include "kernels/cuda/reduce.cuh"

namespace gt
{

/* Returns the memory after the sums of the grid's blocks; tuning/measure/rung_plan.c allocates
   it.  */
template <class T>
__device__ __forceinline__ void *behind_sums (const struct gt_kernel_args &args)
{
  return static_cast<char *> (args.partials) + (gridDim.x * sizeof (T) + 255) / 256 * 256;
}

/* Loads the thread's elements of the block's tile, all of them before the first is used.  */
template <class T, int FOLD>
__device__ __forceinline__ void load_tile (T (&r)[FOLD], const struct gt_kernel_args &args)
{
  const T *x = static_cast<const T *> (args.data);
  const uint64_t tile = static_cast<uint64_t> (blockDim.x) * FOLD;
  const uint64_t i = blockIdx.x * tile + threadIdx.x;

  if ((blockIdx.x + 1) * tile <= args.n)
    {
#pragma unroll
      for (int k = 0; k < FOLD; k++)
        r[k] = x[(i + k * blockDim.x) * args.stride];
    }
  else
    {
#pragma unroll
      for (int k = 0; k < FOLD; k++)
        r[k] = i + k * blockDim.x < args.n ? x[(i + k * blockDim.x) * args.stride] : T (0);
    }
}

/* Returns the sum of the thread's elements of the block's tile.  */
template <class T, int FOLD>
__device__ __forceinline__ T fold_tile (const struct gt_kernel_args &args)
{
  T r[FOLD], sum;

  load_tile<T, FOLD> (r, args);
  sum = r[0];
#pragma unroll
  for (int k = 1; k < FOLD; k++)
    sum = static_cast<T> (sum + r[k]);
  return sum;
}

/* Memory that holds one element for each thread, which the block reduces: its shared memory,
   or its tile of the copy in global memory.  FILL stores the sum of each thread's elements
   there and ends with a barrier.  */
template <class T>
struct shared_place
{
  template <int FOLD>
  static __device__ __forceinline__ T *fill (const struct gt_kernel_args &args)
  {
    GT_DYNAMIC_SHARED (T, s);

    s[threadIdx.x] = fold_tile<T, FOLD> (args);
    __syncthreads ();
    return s;
  }
};

template <class T>
struct copy_place
{
  template <int FOLD>
  static __device__ __forceinline__ T *fill (const struct gt_kernel_args &args)
  {
    T *g = static_cast<T *> (behind_sums<T> (args)) + blockIdx.x * (static_cast<uint64_t> (blockDim.x) * FOLD);
    const unsigned t = threadIdx.x;
    T r[FOLD];

    load_tile<T, FOLD> (r, args);
#pragma unroll
    for (int k = 0; k < FOLD; k++)
      g[t + k * blockDim.x] = r[k];
    __syncthreads ();
    if (FOLD > 1)
      {
        T sum = g[t];
#pragma unroll
        for (int k = 1; k < FOLD; k++)
          sum = static_cast<T> (sum + g[t + k * blockDim.x]);
        g[t] = sum;
        __syncthreads ();
      }
    return g;
  }
};

/* Adds the upper half of the block's values to the lower half, repeatedly, until a half is no
   longer than LEFT.  Ends with a barrier of the block.  */
template <class T>
__device__ __forceinline__ void add_halves (T *s, unsigned left)
{
  const unsigned t = threadIdx.x;

  for (unsigned half = blockDim.x / 2; half > left; half /= 2)
    {
      if (t < half)
        s[t] = static_cast<T> (s[t] + s[t + half]);
      __syncthreads ();
    }
}

/* Returns the sum of s[0] to s[31], or to s[63] in a larger block, to lane 0 of the first
   warp; only this warp calls it.  The lanes of a warp need not run in step (Volta and later),
   so each value is read before any is replaced, with a warp barrier in between.  */
template <class T>
__device__ __forceinline__ T reduce_last_warp (T *s, bool larger)
{
  const unsigned t = threadIdx.x;
  T v = s[t];

  if (larger)
    v = static_cast<T> (v + s[t + warp]);
#pragma unroll
  for (unsigned half = warp / 2; half > 0; half /= 2)
    {
      __syncwarp ();
      s[t] = v;
      __syncwarp ();
      v = static_cast<T> (v + s[(t + half) % warp]);
    }
  return v;
}

/* Stores the sum of the block; called by one thread.  Adding it to +0, as GSL does, avoids a
   sum of -0.  */
template <class T>
__device__ __forceinline__ void leave_sum (T sum, const struct gt_kernel_args &args)
{
  static_cast<T *> (args.partials)[blockIdx.x] = T (0) + sum;
}

/* Stores the result of reduce_last_warp.  */
template <class T>
__device__ __forceinline__ void leave_last_warp (T *s, bool larger, const struct gt_kernel_args &args)
{
  if (threadIdx.x < warp)
    {
      const T sum = reduce_last_warp (s, larger);

      if (threadIdx.x == 0)
        leave_sum (sum, args);
    }
}

/* Does the whole work of a block by warp shuffles.  */
template <class T, int FOLD>
__device__ __forceinline__ void sum_tile_by_shuffles (const struct gt_kernel_args &args)
{
  fast<T> a {fold_tile<T, FOLD> (args)};

  reduce_block (a);
  if (threadIdx.x == 0)
    leave_sum (a.s, args);
}

} /* namespace gt */

/* Launches KERNEL, which has an argument of type struct gt_kernel_args, after this grid has
   ended and its stores are visible; the host sees one launch.  The file needs a device link
   (nvcc -rdc=true).  */
#ifdef GT_SOFTGPU
#define GT_TAIL_LAUNCH(kernel, grid, block, args) softgpu::tail_launch (kernel, grid, block, args)
#else
#define GT_TAIL_LAUNCH(kernel, grid, block, args) kernel<<<grid, block, 0, cudaStreamTailLaunch>>> (args)
#endif

/* The head of a kernel; the body follows.  */
#define GT_RUNG_ENTRY(name, block)                                               \
  extern "C" __global__ void __launch_bounds__ (block)                           \
  sum_##name (struct gt_kernel_args args)

/* X (name, type) for each element type of the ladder.  */
#define GT_LADDER_TYPES(X) \
  X (f64, double)          \
  X (f32, float)           \
  X (u32, uint32_t)

#endif
