/* The main loop of single-pass kernels over a vector: each block strides over the data in
   tiles of 16-byte loads, U of which are in flight for each thread; strided vectors are loaded
   element by element.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_ACCUMULATE_CUH
#define GT_KERNELS_CUDA_ACCUMULATE_CUH

#include "kernels/cuda/reduce.cuh"

namespace gt
{

/* The elements of a lane, for code that processes them one by one: COUNT groups of WIDTH
   elements; groups begin STEP elements apart.  */
template <class E>
struct lots
{
  const E *x;
  uint64_t step;
  int count, width;

  __device__ __forceinline__ E of (int k, int j) const { return x[k * step + j]; }
};

/* A vector as units that are loaded at once (16 bytes of a contiguous vector, or an element of
   a strided one) and edges, which are elements outside whole units; only the first block has
   edges.  Loaded data stays in L2 if there is room, because the next call may read it
   again.  */
template <class T>
struct contiguous_units
{
  typedef T element;
  typedef uint4 unit;
  static constexpr int width = 16 / sizeof (T); /* elements in a unit */
  const struct edges<T> edges;

  __device__ __forceinline__ explicit contiguous_units (const struct gt_kernel_args &args) : edges (args) {}
  __device__ __forceinline__ uint64_t count () const { return edges.n_vectors; }
  __device__ __forceinline__ uint4 load (uint64_t i) const { return __ldcg (edges.vectors + i); }
  __device__ __forceinline__ const T *at (uint64_t i) const { return reinterpret_cast<const T *> (edges.vectors + i); }
  __device__ __forceinline__ unsigned n_edges () const { return edges.count; }
  __device__ __forceinline__ T edge (unsigned k) const { return *edges.at (k); }
  /* Return the indexes of edge K and of the first element of unit I.  */
  __device__ __forceinline__ uint64_t index_of_edge (unsigned k) const { return edges.index_of_edge (k); }
  __device__ __forceinline__ uint64_t index_of (uint64_t i) const { return edges.index_of (i); }
  /* Return COUNT units from I on, a block's size apart; COUNT edges from K on, 0 or 1.  */
  __device__ __forceinline__ struct lots<T> lots_at (uint64_t i, int count) const
  {
    return {at (i), static_cast<uint64_t> (width) * blockDim.x, count, width};
  }
  __device__ __forceinline__ struct lots<T> edges_at (unsigned k, int count) const { return {edges.at (k), 0, count, 1}; }
};

template <class T>
struct strided_units
{
  typedef T element;
  typedef T unit;
  static constexpr int width = 1;
  const T *first;
  uint64_t n, stride;

  __device__ __forceinline__ explicit strided_units (const struct gt_kernel_args &args)
    : first (static_cast<const T *> (args.data)), n (args.n), stride (args.stride)
  {
  }
  __device__ __forceinline__ uint64_t count () const { return n; }
  __device__ __forceinline__ T load (uint64_t i) const { return __ldcg (at (i)); }
  __device__ __forceinline__ const T *at (uint64_t i) const { return first + i * stride; }
  __device__ __forceinline__ unsigned n_edges () const { return 0; }
  __device__ __forceinline__ T edge (unsigned) const { return *first; }
  __device__ __forceinline__ uint64_t index_of_edge (unsigned) const { return 0; }
  __device__ __forceinline__ uint64_t index_of (uint64_t i) const { return i; }
  __device__ __forceinline__ struct lots<T> lots_at (uint64_t i, int count) const
  {
    return {at (i), stride * blockDim.x, count, 1};
  }
  __device__ __forceinline__ struct lots<T> edges_at (unsigned, int) const { return {first, 0, 0, 1}; }
};

/* Adds all elements to A.  A warp loads 512 bytes at once, which are four cache lines of 128
   bytes if they begin with a line, and otherwise parts of five; so tiles begin with a line,
   wherever the vector begins.  The first block adds the edges, which are the elements before
   that line and after the last 16 bytes: one for each thread, loaded together with the first
   tile.  If there are more edges than threads, which needs narrow elements or a small block,
   the others are added afterwards.

   The last steps, in which not all loads are needed, are separate code, so that the other
   steps need no checks; if adding is LARGE code, they share one copy.  */
template <template <class> class Units, int U, class A>
__device__ __forceinline__ void accumulate (A &a, const struct gt_kernel_args &args)
{
  typedef typename A::element T;
  const Units<T> units (args);
  const uint64_t count = units.count ();
  const unsigned t = threadIdx.x;
  T edge = 0;

  if (t < units.n_edges ())
    edge = units.edge (t);
  const uint64_t tile = static_cast<uint64_t> (blockDim.x) * U;
  const uint64_t step = tile * gridDim.x;
  uint64_t i = blockIdx.x * tile + t;
  a.begin (args, i < count ? units.index_of (i) : none);
  for (; i + (A::large ? 0 : U - 1) * blockDim.x < count && !a.done (); i += step)
    {
      typename Units<T>::unit r[U];
#pragma unroll
      for (int k = 0; k < U; k++)
        if (!A::large || i + k * blockDim.x < count)
          r[k] = units.load (i + k * blockDim.x);
#pragma unroll
      for (int k = 0; k < U; k++)
        if (!A::large || i + k * blockDim.x < count)
          a.add (r[k], units.index_of (i + k * blockDim.x));
    }
  if (!A::large)
    {
#pragma unroll
      for (int k = 0; k < U - 1; k++)
        if (i + k * blockDim.x < count)
          a.add (units.load (i + k * blockDim.x), units.index_of (i + k * blockDim.x));
    }
  if (t < units.n_edges ())
    a.add_edge (edge, units.index_of_edge (t));
  for (unsigned k = t + blockDim.x; k < units.n_edges (); k += blockDim.x)
    a.add_edge (units.edge (k), units.index_of_edge (k));
}

typedef fast<double, double, magnitude> magnitudes_f64;
typedef fast<float, float, magnitude> magnitudes_f32;

} /* namespace gt */

/* Launch bounds: the threads of a block, and the number of blocks that an SM should hold.  A
   plain sum with up to four loads in flight needs few enough registers for full occupancy.
   More loads need more registers; by default the compiler would not exceed those of full
   occupancy, and then 8 or 16 loads would not be in flight together.  A minimum of one block
   permits more.  Sixteen loads need more registers than 1024 threads can have.  */
#if defined __CUDA_ARCH__                                 \
  && (__CUDA_ARCH__ == 800                                 \
      || (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1100))
#define GT_FULL 2 /* 2048 threads per SM */
#else
#define GT_FULL 1 /* 1024 or 1536 */
#endif
#define GT_THREADS(u) ((u) < 16 ? 1024 : 512)
#define GT_BLOCKS(u, full) ((u) < 8 ? (full) : 1)

/* The rows of single-pass kernels for sums and sums of magnitudes: a name, an accumulator, and
   the number of blocks of 1024 threads that fill an SM if the registers suffice.  */
#define GT_SINGLE_PASS_ENTRIES(X)               \
  X (f64, fast<double>, GT_FULL)                \
  X (f32, fast<float>, GT_FULL)                 \
  X (u64, fast<uint64_t>, GT_FULL)              \
  X (u32, fast<uint32_t>, GT_FULL)
#define GT_MAGNITUDE_ENTRIES(X)                           \
  X (f64, magnitudes_f64, GT_FULL)                        \
  X (f32, magnitudes_f32, GT_FULL)

#endif
