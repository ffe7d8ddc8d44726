/* The loop of the single-pass kernels: each block strides over the data in tiles
   of 16-byte loads, U of them in flight a thread; a strided vector is loaded
   element by element.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_ACCUMULATE_CUH
#define GT_KERNELS_CUDA_ACCUMULATE_CUH

#include "kernels/cuda/reduce.cuh"

namespace gt
{

/* A warp loads 512 bytes at once, which are four lines of 128 bytes of the cache
   where they begin with one, and parts of five elsewhere: so the tiles begin with a
   line, wherever the vector does.  The first block adds the edges, which are the
   elements before that line and those behind the last 16 bytes, one a thread and
   on their way together with the first tile.  Edges that are more than the
   threads, which takes narrow elements or a small block, are added afterwards.
   The last steps, in which not all loads are needed, have a text of their own, which
   spares the others questions; or, where adding is LARGE, the same.  */
template <class A, int U>
__device__ __forceinline__ void accumulate_contiguous (A &a, const struct gt_kernel_args &args)
{
  typedef typename A::element T;
  const struct edges<T> edges (args);
  const uint4 *v = edges.vectors;
  const uint64_t vectors = edges.n_vectors;
  const unsigned t = threadIdx.x;
  T edge = 0;

  if (t < edges.count)
    edge = *edges.at (t);
  const uint64_t tile = static_cast<uint64_t> (blockDim.x) * U;
  const uint64_t step = tile * gridDim.x;
  uint64_t i = blockIdx.x * tile + t;
  a.begin (args, i < vectors ? edges.index_of (i) : none);
  for (; i + (A::large ? 0 : U - 1) * blockDim.x < vectors && !a.done (); i += step)
    {
      uint4 r[U];
#pragma unroll
      for (int k = 0; k < U; k++)
        if (!A::large || i + k * blockDim.x < vectors)
          r[k] = __ldcs (v + i + k * blockDim.x);
#pragma unroll
      for (int k = 0; k < U; k++)
        if (!A::large || i + k * blockDim.x < vectors)
          a.add (r[k], edges.index_of (i + k * blockDim.x));
    }
  if (!A::large)
    {
#pragma unroll
      for (int k = 0; k < U - 1; k++)
        if (i + k * blockDim.x < vectors)
          a.add (__ldcs (v + i + k * blockDim.x), edges.index_of (i + k * blockDim.x));
    }
  if (t < edges.count)
    a.add_edge (edge, edges.index_of_edge (t));
  for (unsigned k = t + blockDim.x; k < edges.count; k += blockDim.x)
    a.add_edge (*edges.at (k), edges.index_of_edge (k));
}

template <class A, int U>
__device__ __forceinline__ void accumulate_strided (A &a, const struct gt_kernel_args &args)
{
  typedef typename A::element T;
  const T *x = static_cast<const T *> (args.data);
  const uint64_t tile = static_cast<uint64_t> (blockDim.x) * U;
  const uint64_t step = tile * gridDim.x;
  uint64_t i = blockIdx.x * tile + threadIdx.x;

  a.begin (args, i < args.n ? i : none);
  for (; i + (A::large ? 0 : U - 1) * blockDim.x < args.n && !a.done (); i += step)
    {
      T r[U];
#pragma unroll
      for (int k = 0; k < U; k++)
        if (!A::large || i + k * blockDim.x < args.n)
          r[k] = __ldcs (x + (i + k * blockDim.x) * args.stride);
#pragma unroll
      for (int k = 0; k < U; k++)
        if (!A::large || i + k * blockDim.x < args.n)
          a.add (r[k], i + k * blockDim.x);
    }
  if (!A::large)
    {
#pragma unroll
      for (int k = 0; k < U - 1; k++)
        if (i + k * blockDim.x < args.n)
          a.add (__ldcs (x + (i + k * blockDim.x) * args.stride), i + k * blockDim.x);
    }
}

typedef fast<uint16_t, uint32_t> fast_u16;
typedef fast<uint8_t, uint32_t> fast_u8;
typedef fast<double, double, magnitude> magnitudes_f64;
typedef fast<float, float, magnitude> magnitudes_f32;
typedef compensated<double, magnitude> compensated_magnitudes_f64;
typedef compensated<float, magnitude> compensated_magnitudes_f32;

} /* namespace gt */

/* Launch bounds: threads of a block, and blocks that an SM should hold.  A plain
   sum with up to four loads in flight leaves room for full occupancy.  More
   loads, or a compensation, need more registers; left to itself the compiler
   would stay within those of full occupancy, and then 8 or 16 loads are not in
   flight together: "one block is enough" lets it use more.  Sixteen loads need
   more than 1024 threads can have.  */
#if defined __CUDA_ARCH__                                 \
  && (__CUDA_ARCH__ == 800                                 \
      || (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1100))
#define GT_FULL 2 /* 2048 threads an SM */
#else
#define GT_FULL 1 /* 1024 or 1536 */
#endif
#define GT_THREADS(u) ((u) < 16 ? 1024 : 512)
#define GT_BLOCKS(u, full) ((u) < 8 ? (full) : 1)

/* What the single-pass kernels are made for, sums and sums of magnitudes: a name, an
   accumulator, and the blocks of 1024 threads that fill an SM where registers allow
   it.  */
#define GT_SINGLE_PASS_ENTRIES(X)               \
  X (f64, fast<double>, GT_FULL)                \
  X (f32, fast<float>, GT_FULL)                 \
  X (u64, fast<uint64_t>, GT_FULL)              \
  X (u32, fast<uint32_t>, GT_FULL)              \
  X (u16, fast_u16, GT_FULL)                    \
  X (u8, fast_u8, GT_FULL)                      \
  X (compensated_f64, compensated<double>, 1)   \
  X (compensated_f32, compensated<float>, 1)
#define GT_MAGNITUDE_ENTRIES(X)                           \
  X (f64, magnitudes_f64, GT_FULL)                        \
  X (f32, magnitudes_f32, GT_FULL)                        \
  X (compensated_f64, compensated_magnitudes_f64, 1)      \
  X (compensated_f32, compensated_magnitudes_f32, 1)

#endif
