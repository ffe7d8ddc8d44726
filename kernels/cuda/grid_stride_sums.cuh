/* Single-pass kernels over one vector or two, whose entry points take every layout:
   16-byte loads where the vectors lie alike, else element by element.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_GRID_STRIDE_SUMS_CUH
#define GT_KERNELS_CUDA_GRID_STRIDE_SUMS_CUH

#include "kernels/cuda/reduce.cuh"

namespace gt
{

/* Something of each input: an element, 16 bytes of elements.  */
template <class V, unsigned N>
struct of_inputs
{
  V of[N];
};

/* What a thread adds at one place, V's of each input, from where they lie and in how
   many steps from one to the next.  */
template <class V, unsigned N>
struct inputs_at
{
  const V *from[N];
  uint64_t step[N];

  __device__ __forceinline__ struct of_inputs<V, N> load (uint64_t i) const
  {
    struct of_inputs<V, N> loaded;

#pragma unroll
    for (unsigned m = 0; m < N; m++)
      loaded.of[m] = __ldcs (from[m] + i * step[m]);
    return loaded;
  }
};

/* Adds what lies at places 0 to COUNT, each thread its own, U of them in flight.  The
   last steps, in which not all loads are needed, have a text of their own, which spares
   the others questions; or, where adding is much code, one text adds them all, and
   what was loaded moves up to where it takes it from.  */
template <int U, class A, class V>
__device__ __forceinline__ void accumulate_places (A &a, const struct inputs_at<V, A::inputs> &inputs,
                                                   uint64_t count)
{
  const uint64_t tile = static_cast<uint64_t> (blockDim.x) * U;
  const uint64_t step = tile * gridDim.x;
  uint64_t i = blockIdx.x * tile + threadIdx.x;
  struct of_inputs<V, A::inputs> r[U];

  if constexpr (A::rolled)
    for (; i < count; i += step)
      {
#pragma unroll
        for (int k = 0; k < U; k++)
          if (i + k * blockDim.x < count)
            r[k] = inputs.load (i + k * blockDim.x);
#pragma unroll 1
        for (int k = 0; k < U && i + k * blockDim.x < count; k++)
          {
            a.add (r[0]);
#pragma unroll
            for (int l = 0; l + 1 < U; l++)
              r[l] = r[l + 1];
          }
      }
  else
    {
      for (; i + (U - 1) * blockDim.x < count; i += step)
        {
#pragma unroll
          for (int k = 0; k < U; k++)
            r[k] = inputs.load (i + k * blockDim.x);
#pragma unroll
          for (int k = 0; k < U; k++)
            a.add (r[k]);
        }
#pragma unroll
      for (int k = 0; k < U - 1; k++)
        if (i + k * blockDim.x < count)
          a.add (inputs.load (i + k * blockDim.x));
    }
}

/* The elements, wherever they lie.  */
template <class A>
__device__ __forceinline__ struct inputs_at<typename A::element, A::inputs>
elements_of (const struct gt_kernel_args &args)
{
  typedef typename A::element T;

  if constexpr (A::inputs == 1)
    return {{static_cast<const T *> (args.data)}, {args.stride}};
  else
    return {{static_cast<const T *> (args.data), static_cast<const T *> (args.y)}, {args.stride, args.y_stride}};
}

/* Contiguous vectors that lie alike, as struct edges divides them: vectors of 16 bytes
   from a line of the cache on, in steps of U a thread, and the edges, which threads of
   the first block add.  The first edge of each is on its way together with the first
   vectors, unless adding is much code.  */
template <class A, int U>
__device__ __forceinline__ void accumulate_alike (A &a, const struct gt_kernel_args &args)
{
  typedef typename A::element T;
  const struct edges<T> edges (args);
  const struct inputs_at<T, A::inputs> elements = elements_of<A> (args);
  struct inputs_at<uint4, A::inputs> vectors;
  struct of_inputs<T, A::inputs> edge = {};
  unsigned k = threadIdx.x;
  const bool early = !A::rolled && k < edges.count;

#pragma unroll
  for (unsigned m = 0; m < A::inputs; m++)
    {
      vectors.from[m] = reinterpret_cast<const uint4 *> (elements.from[m] + edges.before);
      vectors.step[m] = 1;
    }
  if (early)
    {
      edge = elements.load (edges.index_of_edge (k));
      k += blockDim.x;
    }
  accumulate_places<U> (a, vectors, edges.n_vectors);
  if (early)
    a.add (edge);
#pragma unroll 1
  for (; k < edges.count; k += blockDim.x)
    a.add (elements.load (edges.index_of_edge (k)));
}

/* Whether the inputs are contiguous, and 16 bytes from a line of the first on are 16
   aligned bytes of each: never so of a vector and itself one element further.  */
template <class A>
__device__ __forceinline__ bool lie_alike (const struct gt_kernel_args &args)
{
  if constexpr (A::neighbours)
    return false;
  else if constexpr (A::inputs == 1)
    return args.stride == 1;
  else
    return args.stride == 1 && args.y_stride == 1
           && (reinterpret_cast<uintptr_t> (args.data) - reinterpret_cast<uintptr_t> (args.y)) % 16 == 0;
}

template <class A, int U>
__device__ __forceinline__ void grid_stride_sums (const struct gt_kernel_args &args)
{
  A a;

  a.begin (args);
  if (lie_alike<A> (args))
    accumulate_alike<A, U> (a, args);
  else
    accumulate_places<U> (a, elements_of<A> (args), args.n);
  finish_single_pass (a, args);
}

} /* namespace gt */

/* An entry point for blocks of up to THREADS threads, FULL of which an SM should hold;
   then its accumulator.  */
#define GT_SUMS_ENTRY(name, threads, full, ...)                         \
  extern "C" __global__ void __launch_bounds__ (threads, full)          \
  name##_u4 (struct gt_kernel_args args) { gt::grid_stride_sums<gt::__VA_ARGS__, 4> (args); }

#endif
