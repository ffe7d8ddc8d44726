/* Shared by the kernels of the reduction ladder: how a block gets its elements
   and where it leaves their sum.  The ladder: M. Harris, "Optimizing Parallel
   Reduction in CUDA", NVIDIA, 2007; J. Cheng, M. Grossman, T. McKercher,
   "Professional CUDA C Programming", 2014, chapters 3 and 5.

   A block's tile is FOLD elements a thread, blockDim.x apart.  The last tile may
   be cut short by the end of the data; what lies beyond counts as zero, so the
   steps that follow need not know the length.  Block sizes are powers of two.

   Of the arguments a rung reads data, n, stride and partials, its scratch memory:
   each block leaves its sum there, an element, and what else a rung needs lies
   behind these.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_LADDER_CUH
#define GT_KERNELS_LADDER_CUH

#include "kernels/cuda/reduce.cuh"

namespace gt
{

/* The memory behind the sums of the grid's blocks; tuning/measure/rung_plan.c
   makes room for it.  */
template <class T>
__device__ __forceinline__ void *behind_sums (const struct gt_kernel_args &args)
{
  return static_cast<char *> (args.partials) + (gridDim.x * sizeof (T) + 255) / 256 * 256;
}

/* The thread's elements of the block's tile, all of them in flight at once.  */
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

/* Their sum.  */
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

/* A place that holds one element a thread, for the block to reduce: the
   block's shared memory, or its tile of the copy in global memory.  Each is
   filled with the thread's share of the tile, folded; ends with a barrier.  */
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

/* Adds the upper half of the block's values to the lower, and again, until no
   half longer than LEFT is left.  Ends with a barrier of the block.  */
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

/* s[0] becomes the sum of s[0] to s[31], or to s[63] of a larger block, for
   lane 0 of the first warp, which alone calls it.  The lanes of a warp need not
   run in step (Volta and later), so each value is read before any is replaced,
   and a warp barrier lies between.  */
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

/* Called by one thread.  Starting from +0, as GSL does, no sum is -0.  */
template <class T>
__device__ __forceinline__ void leave_sum (T sum, const struct gt_kernel_args &args)
{
  static_cast<T *> (args.partials)[blockIdx.x] = T (0) + sum;
}

/* Leaves the sum of what reduce_last_warp reduces.  */
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

/* The whole work of a block by warp shuffles.  */
template <class T, int FOLD>
__device__ __forceinline__ void sum_tile_by_shuffles (const struct gt_kernel_args &args)
{
  fast<T> a {fold_tile<T, FOLD> (args)};

  reduce_block (a);
  if (threadIdx.x == 0)
    leave_sum (a.s, args);
}

} /* namespace gt */

/* Launches KERNEL, which takes a struct gt_kernel_args, once this grid and what
   it wrote are complete; the host sees one launch.  The file then needs a device
   link (nvcc -rdc=true).  */
#ifdef GT_SOFTGPU
#define GT_TAIL_LAUNCH(kernel, grid, block, args) softgpu::tail_launch (kernel, grid, block, args)
#else
#define GT_TAIL_LAUNCH(kernel, grid, block, args) kernel<<<grid, block, 0, cudaStreamTailLaunch>>> (args)
#endif

/* A kernel, whose body follows.  */
#define GT_RUNG_ENTRY(name, block)                                               \
  extern "C" __global__ void __launch_bounds__ (block)                           \
  sum_##name (struct gt_kernel_args args)

/* Entry points for the element types of the ladder: a name and a type each.  */
#define GT_LADDER_TYPES(X) \
  X (f64, double)          \
  X (f32, float)           \
  X (u32, uint32_t)

#endif
