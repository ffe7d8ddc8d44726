/* Products of a matrix and a vector.  Kernels for rows in which terms lie side by side, by
   a few threads of a warp or by blocks each, and one for matrices in which those of an
   element lie apart.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_MATRIX_VECTORS_CUH
#define GT_KERNELS_CUDA_MATRIX_VECTORS_CUH

#include "kernels/cuda/matrix.cuh"

namespace gt
{

/* Additions beside those of the terms: of threads, warps and chunks.  */
constexpr uint64_t merges = 32;

/* A line's terms from BEGIN to END, of which thread FIRST of STEP takes its share.  */
template <class Sum, class T>
__device__ __forceinline__ void add_line (Sum &sum, const struct gt_matrix_args &m, uint64_t row, uint64_t begin, uint64_t end,
                                          unsigned first, unsigned step)
{
  constexpr unsigned width = 16 / sizeof (T);
  const T *const a = element_of<T> (m.a, row, begin), *const x = element_of<T> (m.b, begin, 0);
  const uint64_t n = end - begin, vectors = n / width;
  const bool alike = m.a.column == 1 && m.b.row == 1
                     && ((reinterpret_cast<uintptr_t> (a) | reinterpret_cast<uintptr_t> (x)) & 15) == 0;

  if (!alike)
    {
#pragma unroll 4
      for (uint64_t k = first; k < n; k += step)
        sum.add (__ldcs (a + k * m.a.column), __ldg (x + k * m.b.row));
      return;
    }
#pragma unroll 4
  for (uint64_t k = first; k < vectors; k += step)
    {
      T p[width], q[width];

      unpack (__ldcs (reinterpret_cast<const uint4 *> (a) + k), p);
      unpack (__ldg (reinterpret_cast<const uint4 *> (x) + k), q);
#pragma unroll
      for (unsigned i = 0; i < width; i++)
        sum.add (p[i], q[i]);
    }
  for (uint64_t k = vectors * width + first; k < n; k += step)
    sum.add (__ldcs (a + k), __ldg (x + k));
}

template <class Sum, class T>
__device__ __forceinline__ void rows_by_threads (const struct gt_matrix_args &m)
{
  const unsigned lane = threadIdx.x % m.lanes;
  const uint64_t row = (static_cast<uint64_t> (blockIdx.x) * blockDim.x + threadIdx.x) / m.lanes;
  Sum sum;

  sum.clear ();
  if (row < m.rows)
    add_line<Sum, T> (sum, m, row, 0, m.terms, lane, m.lanes);
  for (unsigned by = m.lanes / 2; by > 0; by /= 2)
    sum.merge (sum.from (by));
  if (lane == 0 && row < m.rows)
    sum.finish (m, row, 0, m.terms / m.lanes + merges);
}

/* The sum of all threads of the block, for thread 0.  */
template <class Sum>
__device__ __forceinline__ void reduce_threads (Sum &sum)
{
  __shared__ Sum of_warp[max_warps];

  for (unsigned by = warp / 2; by > 0; by /= 2)
    sum.merge (sum.from (by));
  __syncthreads ();
  if (threadIdx.x % warp == 0)
    of_warp[threadIdx.x / warp] = sum;
  __syncthreads ();
  if (threadIdx.x == 0)
    for (unsigned w = 1; w < blockDim.x / warp; w++)
      sum.merge (of_warp[w]);
}

/* Whether this block is the last of those that share an element; then what the others
   left can be read.  */
__device__ __forceinline__ bool is_last (uint32_t *ticket, uint32_t count)
{
  __shared__ bool last;

  __syncthreads ();
  if (threadIdx.x == 0)
    last = take_ticket (ticket, count - 1);
  __syncthreads ();
  return last;
}

template <class Sum, class T>
__device__ __forceinline__ void rows_by_blocks (const struct gt_kernel_args &args)
{
  const struct gt_matrix_args &m = args.matrix;
  const uint64_t row = blockIdx.x / m.chunks;
  const unsigned chunk = blockIdx.x % m.chunks;
  /* Whole vectors, so that all chunks are aligned as the row is.  */
  const uint64_t share = (m.terms / m.chunks + 4) / 4 * 4;
  const uint64_t begin = chunk * share < m.terms ? chunk * share : m.terms;
  const uint64_t end = m.terms - begin < share ? m.terms : begin + share;
  Sum *const left = static_cast<Sum *> (args.partials) + row * m.chunks;
  Sum sum;

  sum.clear ();
  add_line<Sum, T> (sum, m, row, begin, end, threadIdx.x, blockDim.x);
  reduce_threads (sum);
  if (m.chunks > 1)
    {
      if (threadIdx.x == 0)
        left[chunk] = sum;
      if (!is_last (args.ticket + row, m.chunks))
        return;
      sum.clear ();
      for (unsigned k = threadIdx.x; k < m.chunks; k += blockDim.x)
        sum.merge (left[k]);
      reduce_threads (sum);
    }
  if (threadIdx.x == 0)
    sum.finish (m, row, 0, share / blockDim.x + m.chunks / blockDim.x + 2 * merges);
}

/* A block's threads are rows of M.lanes: a row's threads take elements that lie side by
   side, the rows different terms.  */
struct across
{
  unsigned element, row, rows;

  __device__ __forceinline__ explicit across (unsigned lanes)
    : element (threadIdx.x % lanes), row (threadIdx.x / lanes), rows (blockDim.x / lanes)
  {
  }
};

/* The sums of all rows of threads, for the first.  */
template <class Sum>
__device__ __forceinline__ void reduce_rows (Sum &sum, unsigned lanes)
{
  __shared__ Sum of_warp[max_warps][warp];
  const unsigned w = threadIdx.x / warp, lane = threadIdx.x % warp;

  for (unsigned by = warp / 2; by >= lanes; by /= 2)
    sum.merge (sum.from (by));
  __syncthreads ();
  of_warp[w][lane] = sum;
  __syncthreads ();
  for (unsigned half = blockDim.x / warp / 2; half > 0; half /= 2)
    {
      if (w < half)
        {
          sum.merge (of_warp[w + half][lane]);
          of_warp[w][lane] = sum;
        }
      __syncthreads ();
    }
}

template <class Sum, class T>
__device__ __forceinline__ void columns (const struct gt_kernel_args &args)
{
  const struct gt_matrix_args &m = args.matrix;
  const struct across at (m.lanes);
  const uint64_t group = blockIdx.x / m.chunks, i = group * m.lanes + at.element;
  const unsigned chunk = blockIdx.x % m.chunks;
  const uint64_t share = m.terms / m.chunks + 1;
  const uint64_t begin = chunk * share < m.terms ? chunk * share : m.terms;
  const uint64_t end = m.terms - begin < share ? m.terms : begin + share;
  Sum *const left = static_cast<Sum *> (args.partials) + group * m.chunks * m.lanes + at.element;
  Sum sum;

  sum.clear ();
  if (i < m.rows)
#pragma unroll 8
    for (uint64_t k = begin + at.row; k < end; k += at.rows)
      sum.add (__ldcs (element_of<T> (m.a, i, k)), __ldg (element_of<T> (m.b, k, 0)));
  reduce_rows (sum, m.lanes);
  if (m.chunks > 1)
    {
      if (threadIdx.x < m.lanes)
        left[chunk * m.lanes] = sum;
      if (!is_last (args.ticket + group, m.chunks))
        return;
      sum.clear ();
      for (unsigned k = at.row; k < m.chunks; k += at.rows)
        sum.merge (left[k * m.lanes]);
      reduce_rows (sum, m.lanes);
    }
  if (threadIdx.x < m.lanes && i < m.rows)
    sum.finish (m, i, 0, share / at.rows + m.chunks / at.rows + 2 * merges);
}

} /* namespace gt */

#endif
