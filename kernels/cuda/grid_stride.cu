/* Single pass: each block strides over the data in tiles of 16-byte loads, U of
   them in flight a thread; a strided vector is loaded element by element.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/reduce.cuh"

namespace gt
{

/* The elements before the first 16-byte boundary and after the last are fewer
   than a warp, so the first block adds them one a thread.  */
template <class A, int U>
__device__ __forceinline__ void sum_contiguous (struct gt_kernel_args args)
{
  typedef typename A::element T;
  const T *x = static_cast<const T *> (args.data);
  constexpr unsigned width = 16 / sizeof (T);
  const uint64_t before = (16 - reinterpret_cast<uintptr_t> (x) % 16) % 16 / sizeof (T);
  const uint64_t head = before < args.n ? before : args.n;
  const uint4 *v = reinterpret_cast<const uint4 *> (x + head);
  const uint64_t vectors = (args.n - head) / width;
  const uint64_t tail = (args.n - head) % width;
  const unsigned t = threadIdx.x;
  A a;

  a.clear ();
  if (blockIdx.x == 0)
    {
      if (t < head)
        a.add (x[t]);
      if (t < tail)
        a.add (x[args.n - tail + t]);
    }
  const uint64_t tile = static_cast<uint64_t> (blockDim.x) * U;
  const uint64_t step = tile * gridDim.x;
  uint64_t i = blockIdx.x * tile + t;
  for (; i + (U - 1) * blockDim.x < vectors; i += step)
    {
      uint4 r[U];
#pragma unroll
      for (int k = 0; k < U; k++)
        r[k] = __ldcs (v + i + k * blockDim.x);
#pragma unroll
      for (int k = 0; k < U; k++)
        a.add (r[k]);
    }
#pragma unroll
  for (int k = 0; k < U - 1; k++)
    if (i + k * blockDim.x < vectors)
      a.add (__ldcs (v + i + k * blockDim.x));
  finish_single_pass (a, args);
}

template <class A, int U>
__device__ __forceinline__ void sum_strided (struct gt_kernel_args args)
{
  typedef typename A::element T;
  const T *x = static_cast<const T *> (args.data);
  const uint64_t tile = static_cast<uint64_t> (blockDim.x) * U;
  const uint64_t step = tile * gridDim.x;
  uint64_t i = blockIdx.x * tile + threadIdx.x;
  A a;

  a.clear ();
  for (; i + (U - 1) * blockDim.x < args.n; i += step)
    {
      T r[U];
#pragma unroll
      for (int k = 0; k < U; k++)
        r[k] = __ldcs (x + (i + k * blockDim.x) * args.stride);
#pragma unroll
      for (int k = 0; k < U; k++)
        a.add (r[k]);
    }
#pragma unroll
  for (int k = 0; k < U - 1; k++)
    if (i + k * blockDim.x < args.n)
      a.add (__ldcs (x + (i + k * blockDim.x) * args.stride));
  finish_single_pass (a, args);
}

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
#define FULL 2 /* 2048 threads an SM */
#else
#define FULL 1 /* 1024 or 1536 */
#endif
#define THREADS(u) ((u) < 16 ? 1024 : 512)
#define BLOCKS(u, full) ((u) < 8 ? (full) : 1)

#define ENTRY(name, accumulator, full, u)                                        \
  extern "C" __global__ void __launch_bounds__ (THREADS (u), BLOCKS (u, full))   \
  sum_grid_stride_##name##_u##u (struct gt_kernel_args args)                     \
  {                                                                              \
    gt::sum_contiguous<gt::accumulator, u> (args);                               \
  }                                                                              \
  extern "C" __global__ void __launch_bounds__ (THREADS (u), BLOCKS (u, full))   \
  sum_grid_stride_strided_##name##_u##u (struct gt_kernel_args args)             \
  {                                                                              \
    gt::sum_strided<gt::accumulator, u> (args);                                  \
  }

#define ENTRIES(name, accumulator, full)   \
  ENTRY (name, accumulator, full, 1)       \
  ENTRY (name, accumulator, full, 2)       \
  ENTRY (name, accumulator, full, 4)       \
  ENTRY (name, accumulator, full, 8)       \
  ENTRY (name, accumulator, full, 16)

namespace gt
{
typedef fast<uint16_t, uint32_t> fast_u16;
typedef fast<uint8_t, uint32_t> fast_u8;
}

ENTRIES (f64, fast<double>, FULL)
ENTRIES (f32, fast<float>, FULL)
ENTRIES (u64, fast<uint64_t>, FULL)
ENTRIES (u32, fast<uint32_t>, FULL)
ENTRIES (u16, fast_u16, FULL)
ENTRIES (u8, fast_u8, FULL)
ENTRIES (compensated_f64, compensated<double>, 1)
ENTRIES (compensated_f32, compensated<float>, 1)
