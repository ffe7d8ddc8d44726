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
        r[k] = __ldg (v + i + k * blockDim.x);
#pragma unroll
      for (int k = 0; k < U; k++)
        a.add (r[k]);
    }
#pragma unroll
  for (int k = 0; k < U - 1; k++)
    if (i + k * blockDim.x < vectors)
      a.add (__ldg (v + i + k * blockDim.x));
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
        r[k] = __ldg (x + (i + k * blockDim.x) * args.stride);
#pragma unroll
      for (int k = 0; k < U; k++)
        a.add (r[k]);
    }
#pragma unroll
  for (int k = 0; k < U - 1; k++)
    if (i + k * blockDim.x < args.n)
      a.add (__ldg (x + (i + k * blockDim.x) * args.stride));
  finish_single_pass (a, args);
}

} /* namespace gt */

/* Launch bounds.  Left to itself the compiler keeps every kernel within the
   registers of full occupancy, and then 8 or 16 loads are not in flight
   together: "one block is enough" lets it use more.  Sixteen need more than
   1024 threads can have.  */
#define BOUNDS_1 1024
#define BOUNDS_2 1024
#define BOUNDS_4 1024
#define BOUNDS_8 1024, 1
#define BOUNDS_16 512, 1

#define ENTRY(name, accumulator, u)                                              \
  extern "C" __global__ void __launch_bounds__ (BOUNDS_##u)                      \
  sum_grid_stride_##name##_u##u (struct gt_kernel_args args)                     \
  {                                                                              \
    gt::sum_contiguous<gt::accumulator, u> (args);                               \
  }                                                                              \
  extern "C" __global__ void __launch_bounds__ (BOUNDS_##u)                      \
  sum_grid_stride_strided_##name##_u##u (struct gt_kernel_args args)             \
  {                                                                              \
    gt::sum_strided<gt::accumulator, u> (args);                                  \
  }

#define ENTRIES(name, ...)                          \
  ENTRY (name, __VA_ARGS__, 1)                      \
  ENTRY (name, __VA_ARGS__, 2)                      \
  ENTRY (name, __VA_ARGS__, 4)                      \
  ENTRY (name, __VA_ARGS__, 8)                      \
  ENTRY (name, __VA_ARGS__, 16)

namespace gt
{
typedef fast<uint16_t, uint32_t> fast_u16;
typedef fast<uint8_t, uint32_t> fast_u8;
}

ENTRIES (f64, fast<double>)
ENTRIES (f32, fast<float>)
ENTRIES (u64, fast<uint64_t>)
ENTRIES (u32, fast<uint32_t>)
ENTRIES (u16, fast_u16)
ENTRIES (u8, fast_u8)
ENTRIES (compensated_f64, compensated<double>)
ENTRIES (compensated_f32, compensated<float>)
