/* What exact kernels of several sums at once share: what each sum adds, and the
   accumulators of a block, one after the other as kernels/args.h has them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_EXACT_SUMS_CUH
#define GT_KERNELS_CUDA_EXACT_SUMS_CUH

#include "kernels/cuda/exact.cuh"

namespace gt
{

/* ------------------------------------------------------------ What is added */

/* The sums of a reduction: INPUTS vectors, PLAIN sums of elements, of x, then of y, and
   PRODUCTS (0 or 1) sum of exact products of x and y, or of x and x.  */
template <int Inputs, int Plain, int Products>
struct sums_of
{
  static constexpr int inputs = Inputs, plain = Plain, products = Products;
  static constexpr int count = Plain + Products;
};
typedef sums_of<2, 0, 1> dot;
typedef sums_of<1, 0, 1> sumsq;
typedef sums_of<1, 1, 1> moments;
typedef sums_of<2, 2, 1> comoments;

/* ------------------------------------------------------------- Accumulators */

/* A block's, all of them.  */
template <class Sums>
struct exact_blocks
{
  struct exact_block plain[Sums::plain + (Sums::plain == 0)];
  struct product_block product[1];

  /* Does F with each, its number and the place of its words among the grid's.  */
  template <class F>
  __device__ __forceinline__ void each (F f)
  {
#pragma unroll
    for (int k = 0; k < Sums::plain; k++)
      f (plain[k], k, k * GT_EXACT_WORDS);
    if (Sums::products)
      f (product[0], Sums::plain, Sums::plain * GT_EXACT_WORDS);
  }
  /* That of sum K.  */
  template <int K>
  __device__ __forceinline__ auto &of ()
  {
    if constexpr (K < Sums::plain)
      return plain[K];
    else
      return product[0];
  }
  /* As clear_exact.  */
  __device__ __forceinline__ void clear ()
  {
    each ([] (auto &acc, int, unsigned) { clear_exact (acc); });
  }
  __device__ __forceinline__ void add_to_grid (const struct gt_kernel_args &args)
  {
    each ([&args] (auto &acc, int, unsigned at) { gt::add_to_grid (acc, args, at); });
  }
  __device__ __forceinline__ void take_from_grid (const struct gt_kernel_args &args)
  {
    each ([&args] (auto &acc, int, unsigned at) { gt::take_from_grid (acc, args, at); });
  }
  /* Begins with a barrier.  */
  __device__ __forceinline__ void deliver (const struct gt_kernel_args &args)
  {
    __syncthreads ();
    each ([&args] (auto &acc, int, unsigned at) { deliver_words (acc, args, at); });
  }
  /* As finish_exact.  */
  __device__ __forceinline__ void finish (const struct gt_kernel_args &args)
  {
    __syncthreads ();
    if (gridDim.x > 1)
      {
        add_to_grid (args);
        if (!last_of_grid (args))
          return;
        clear ();
        __syncthreads ();
        take_from_grid (args);
      }
    deliver (args);
  }
};

/* ---------------------------------------------------- Reading two vectors */

/* As the units of one vector (exact.cuh), of elements of two.  */
template <class T>
struct pair
{
  T x, y;
};

template <class T>
__device__ __forceinline__ void unpack (const struct pair<T> &from, struct pair<T> *e)
{
  *e = from;
}

/* 16 bytes of the first vector, with as many elements of the second.  */
template <class T>
struct pairs_unit
{
  static constexpr int width = 16 / sizeof (T);
  uint4 x;
  T y[width];
};

template <class T>
__device__ __forceinline__ void unpack (const struct pairs_unit<T> &unit, struct pair<T> *e)
{
  T x[unit.width];

  unpack (unit.x, x);
#pragma unroll
  for (int k = 0; k < unit.width; k++)
    e[k] = {x[k], unit.y[k]};
}

/* The second vector is read as the first lies, 16 bytes at once where it lies alike,
   else element by element.  */
template <class T>
struct contiguous_pairs
{
  typedef struct pairs_unit<T> unit;
  static constexpr int width = unit::width;
  const struct edges<T> edges;
  const T *const y; /* and element 0 of the first unit */
  const T *const behind;
  const bool alike;

  __device__ __forceinline__ explicit contiguous_pairs (const struct gt_kernel_args &args)
    : edges (args), y (static_cast<const T *> (args.y)), behind (y + edges.before),
      alike (reinterpret_cast<uintptr_t> (behind) % 16 == 0)
  {
  }
  __device__ __forceinline__ uint64_t count () const { return edges.n_vectors; }
  __device__ __forceinline__ unit load (uint64_t i) const
  {
    const T *const from = behind + i * width;
    unit loaded;

    loaded.x = __ldcs (edges.vectors + i);
    if (alike)
      unpack (__ldcs (reinterpret_cast<const uint4 *> (from)), loaded.y);
    else
#pragma unroll
      for (int k = 0; k < width; k++)
        loaded.y[k] = __ldcs (from + k);
    return loaded;
  }
  __device__ __forceinline__ const T *at (uint64_t i) const { return reinterpret_cast<const T *> (edges.vectors + i); }
  __device__ __forceinline__ const T *second_at (uint64_t i) const { return behind + i * width; }
  __device__ __forceinline__ unsigned n_edges () const { return edges.count; }
  __device__ __forceinline__ const T *edge (unsigned k) const { return edges.at (k); }
  __device__ __forceinline__ const T *second_edge (unsigned k) const { return y + edges.index_of_edge (k); }
};

template <class T>
struct strided_pairs
{
  typedef struct pair<T> unit;
  static constexpr int width = 1;
  const T *const x, *const y;
  const uint64_t n, stride, y_stride;

  __device__ __forceinline__ explicit strided_pairs (const struct gt_kernel_args &args)
    : x (static_cast<const T *> (args.data)), y (static_cast<const T *> (args.y)), n (args.n), stride (args.stride),
      y_stride (args.y_stride)
  {
  }
  __device__ __forceinline__ uint64_t count () const { return n; }
  __device__ __forceinline__ unit load (uint64_t i) const { return {__ldcs (at (i)), __ldcs (second_at (i))}; }
  __device__ __forceinline__ const T *at (uint64_t i) const { return x + i * stride; }
  __device__ __forceinline__ const T *second_at (uint64_t i) const { return y + i * y_stride; }
  __device__ __forceinline__ unsigned n_edges () const { return 0; }
  __device__ __forceinline__ const T *edge (unsigned) const { return x; }
  __device__ __forceinline__ const T *second_edge (unsigned) const { return y; }
};

} /* namespace gt */

#endif
