/* Single-pass kernels over one vector or two.  Their entry points accept every layout: they
   use 16-byte loads if the vectors are contiguous, and otherwise load element by element.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_GRID_STRIDE_SUMS_CUH
#define GT_KERNELS_CUDA_GRID_STRIDE_SUMS_CUH

#include "kernels/cuda/reduce.cuh"

namespace gt
{

/* A value of each input: an element, or 16 bytes of elements.  */
template <class V, unsigned N>
struct of_inputs
{
  V of[N];
};

/* The addends of a thread: values of type V of each input, with their first address and the
   step between them.  */
template <class V, unsigned N>
struct inputs_at
{
  typedef struct of_inputs<V, N> loaded;
  const V *from[N];
  uint64_t step[N];

  __device__ __forceinline__ loaded load (uint64_t i) const
  {
    loaded r;

#pragma unroll
    for (unsigned m = 0; m < N; m++)
      r.of[m] = __ldcg (from[m] + i * step[m]);
    return r;
  }
  __device__ __forceinline__ const loaded &taken (const loaded &r) const { return r; }
};

/* Returns the 16 bytes that begin BY bytes after LOW begins; HIGH follows LOW.  BY is a
   multiple of SIZE, the size of an element, and not 0.  */
template <unsigned Size>
__device__ __forceinline__ uint4 spliced (uint4 low, uint4 high, unsigned by)
{
  uint32_t w[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};

  if (Size == 8 || by & 8)
#pragma unroll
    for (unsigned k = 0; k < 6; k++)
      w[k] = w[k + 2];
  if (Size < 8 && by & 4)
#pragma unroll
    for (unsigned k = 0; k < 5; k++)
      w[k] = w[k + 1];
  return make_uint4 (w[0], w[1], w[2], w[3]);
}

/* 16 aligned bytes of the first vector, with as many elements of the second, which are at an
   address that is OFFSET bytes above a multiple of 16.  If elements have 8 bytes, the latter
   are loaded in two halves; otherwise together with the next 16 aligned bytes, most of which
   another lane loads at the same time, so that they come from the L1 cache.  One more load
   costs less than four shuffles.  */
template <class T>
struct inputs_apart
{
  static constexpr bool halves = sizeof (T) == 8;
  static constexpr unsigned registers = halves ? 2 : 3;
  typedef struct of_inputs<uint4, registers> loaded;
  const uint4 *x, *y;
  unsigned offset;

  /* FIRST must be aligned to 16 bytes.  */
  __device__ __forceinline__ inputs_apart (const T *first, const T *second)
    : x (reinterpret_cast<const uint4 *> (first)),
      y (reinterpret_cast<const uint4 *> (reinterpret_cast<uintptr_t> (second) / 16 * 16)),
      offset (reinterpret_cast<uintptr_t> (second) % 16)
  {
  }
  __device__ __forceinline__ loaded load (uint64_t i) const
  {
    loaded r;

    r.of[0] = __ldcg (x + i);
    if (halves)
      {
        const uint2 *const from = reinterpret_cast<const uint2 *> (y + i) + 1;
        const uint2 low = __ldcg (from), high = __ldcs (from + 1);

        r.of[1] = make_uint4 (low.x, low.y, high.x, high.y);
      }
    else
      {
        r.of[1] = __ldcg (y + i);
        r.of[2] = __ldcg (y + i + 1);
      }
    return r;
  }
  __device__ __forceinline__ struct of_inputs<uint4, 2> taken (const loaded &r) const
  {
    if constexpr (halves)
      return r;
    else
      return {{r.of[0], spliced<sizeof (T)> (r.of[1], r.of[2], offset)}};
  }
};

/* Adds the values at places 0 to COUNT - 1, each thread its own, with U of them in flight.
   The last steps, in which not all loads are needed, are separate code, so that the others
   need no checks.  If adding is large code, it exists only once, and loaded values move up to
   its input.  A quick method, which is smaller code, exists for each value; values that it
   rejects are added by the normal method.  */
template <int U, class A, class Inputs>
__device__ __forceinline__ void accumulate_places (A &a, const Inputs &inputs, uint64_t count)
{
  const uint64_t tile = static_cast<uint64_t> (blockDim.x) * U;
  const uint64_t step = tile * gridDim.x;
  uint64_t i = blockIdx.x * tile + threadIdx.x;
  typename Inputs::loaded r[U];

  if constexpr (A::large)
    for (; i < count; i += step)
      {
        unsigned left = 0; /* a bit for each value that must still be added */

#pragma unroll
        for (int k = 0; k < U; k++)
          if (i + k * blockDim.x < count)
            {
              r[k] = inputs.load (i + k * blockDim.x);
              left |= 1u << k;
            }
        if constexpr (A::quick)
#pragma unroll
          for (int k = 0; k < U; k++)
            if (left & 1u << k && a.add_quickly (inputs.taken (r[k])))
              left -= 1u << k;
#pragma unroll 1
        for (; left; left >>= 1)
          {
            if (!A::quick || left & 1)
              a.add (inputs.taken (r[0]));
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
            a.add (inputs.taken (r[k]));
        }
#pragma unroll
      for (int k = 0; k < U - 1; k++)
        if (i + k * blockDim.x < count)
          a.add (inputs.taken (inputs.load (i + k * blockDim.x)));
    }
}

/* Returns the elements, for any layout.  */
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

/* Returns whether the inputs are contiguous.  */
__device__ __forceinline__ bool contiguous (const struct gt_kernel_args &args, unsigned inputs)
{
  return args.stride == 1 && (inputs == 1 || args.y_stride == 1);
}

/* Returns whether all inputs are aligned to 16 bytes at the same places.  */
template <class A>
__device__ __forceinline__ bool lie_alike (const struct gt_kernel_args &args)
{
  const uintptr_t x = reinterpret_cast<uintptr_t> (args.data), y = reinterpret_cast<uintptr_t> (args.y);

  return A::inputs == 1 || (x - y) % 16 == 0;
}

/* Adds vectors of 16 bytes, beginning with a cache line of the first input, if all inputs are
   aligned alike.  */
template <int U, class A>
__device__ __forceinline__ void accumulate_alike (A &a, const struct gt_kernel_args &args,
                                                  const struct edges<typename A::element> &edges)
{
  const struct inputs_at<typename A::element, A::inputs> elements = elements_of<A> (args);
  struct inputs_at<uint4, A::inputs> vectors;

#pragma unroll
  for (unsigned m = 0; m < A::inputs; m++)
    {
      vectors.from[m] = reinterpret_cast<const uint4 *> (elements.from[m] + edges.before);
      vectors.step[m] = 1;
    }
  accumulate_places<U> (a, vectors, edges.n_vectors);
}

/* Adds vectors of 16 bytes of two inputs that are not aligned alike.  */
template <int U, class A>
__device__ __forceinline__ void accumulate_apart (A &a, const struct gt_kernel_args &args,
                                                  const struct edges<typename A::element> &edges)
{
  typedef typename A::element T;
  typedef struct inputs_apart<T> inputs;
  const struct inputs_at<T, A::inputs> elements = elements_of<A> (args);

  accumulate_places<2 * U / inputs::registers> (
    a, inputs (elements.from[0] + edges.before, elements.from[1] + edges.before), edges.n_vectors);
}

/* Adds contiguous inputs, divided by struct edges into vectors, in steps of U for each thread,
   and edges, which threads of the first block add.  Inputs that are not aligned alike are
   loaded with some bytes before and after the added ones, and these must belong to them: the
   first input's last vector, and its first line if it begins with one, become edges.

   The first edge of each thread is loaded together with the first vectors, unless adding is
   large code.  */
template <int U, class A>
__device__ __forceinline__ void accumulate_contiguous (A &a, const struct gt_kernel_args &args)
{
  typedef typename A::element T;
  const struct inputs_at<T, A::inputs> elements = elements_of<A> (args);
  const bool alike = lie_alike<A> (args);
  struct edges<T> edges (args);
  struct of_inputs<T, A::inputs> edge = {};
  unsigned k = threadIdx.x;
  bool early;

  if (!alike)
    edges.give_up (edges.before < edges.width ? line / 16 : 0, 1);
  early = !A::large && k < edges.count;
  if (early)
    {
      edge = elements.load (edges.index_of_edge (k));
      k += blockDim.x;
    }
  if (alike)
    accumulate_alike<U> (a, args, edges);
  else if constexpr (A::inputs == 2)
    accumulate_apart<U> (a, args, edges);
  if (early)
    a.add (edge);
#pragma unroll 1
  for (; k < edges.count; k += blockDim.x)
    a.add (elements.load (edges.index_of_edge (k)));
}

template <class A, int U>
__device__ __forceinline__ void grid_stride_sums (const struct gt_kernel_args &args)
{
  A a;

  a.begin (args);
  if (contiguous (args, A::inputs))
    accumulate_contiguous<U> (a, args);
  else
    accumulate_places<U> (a, elements_of<A> (args), args.n);
  finish_single_pass (a, args);
}

} /* namespace gt */

#endif
