/* Products of a matrix and a vector.  There are kernels for matrices with contiguous rows,
   each by a few threads of a warp or by several blocks, and one for matrices in which the
   terms of an element are not contiguous.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_MATRIX_VECTORS_CUH
#define GT_KERNELS_CUDA_MATRIX_VECTORS_CUH

#include "kernels/cuda/matrix.cuh"

namespace gt
{

/* The number of additions besides those of the terms: of threads, warps and chunks.  */
constexpr uint64_t merges = 32;
constexpr unsigned columns_block = 256, columns_at_once = 4;

/* Adds the share of thread FIRST of STEP threads of a row's terms from BEGIN to END.  */
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

/* Adds up the sums of all threads of the block for thread 0.  */
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

/* Returns whether this block is the last one of those that share an element; then the sums of
   the others can be read.  */
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
  /* Whole vectors, so that all chunks are aligned like the row.  */
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

/* The position of a thread: a block's threads form rows of M.lanes threads; each thread of a
   row processes as many elements as a vector has, and different rows process different
   terms.  */
template <class T>
struct across
{
  static constexpr unsigned width = 16 / sizeof (T), most = columns_block * width;
  unsigned element, row, rows, elements;

  __device__ __forceinline__ explicit across (unsigned lanes)
    : element (threadIdx.x % lanes * width), row (threadIdx.x / lanes), rows (blockDim.x / lanes), elements (lanes * width)
  {
  }
};

template <class Sum, class T>
__device__ __forceinline__ void add_vector (Sum *sum, const uint4 &vector, T y)
{
  T p[across<T>::width];

  unpack (vector, p);
#pragma unroll
  for (unsigned v = 0; v < across<T>::width; v++)
    sum[v].add (p[v], y);
}

/* Adds terms from BEGIN to END to the thread's elements, which begin with element I.  */
template <class Sum, class T>
__device__ __forceinline__ void add_columns (Sum *sum, const struct gt_matrix_args &m, const struct across<T> &at, uint64_t i,
                                             uint64_t begin, uint64_t end)
{
  constexpr unsigned width = across<T>::width;
  const T *const a = element_of<T> (m.a, i, 0), *const x = static_cast<const T *> (m.b.data);

  if (m.a.row == 1 && i + width <= m.rows
      && ((reinterpret_cast<uintptr_t> (a) | m.a.column * sizeof (T)) & 15) == 0)
    {
      uint64_t k = begin + at.row;

      for (; k + (columns_at_once - 1) * at.rows < end; k += columns_at_once * at.rows)
        {
          uint4 loaded[columns_at_once];
          T y[columns_at_once];

#pragma unroll
          for (unsigned u = 0; u < columns_at_once; u++)
            {
              loaded[u] = __ldcs (reinterpret_cast<const uint4 *> (a + (k + u * at.rows) * m.a.column));
              y[u] = __ldg (x + (k + u * at.rows) * m.b.row);
            }
#pragma unroll
          for (unsigned u = 0; u < columns_at_once; u++)
            add_vector (sum, loaded[u], y[u]);
        }
      for (; k < end; k += at.rows)
        add_vector (sum, __ldcs (reinterpret_cast<const uint4 *> (a + k * m.a.column)), __ldg (x + k * m.b.row));
      return;
    }
  for (unsigned v = 0; v < width; v++)
    if (i + v < m.rows)
#pragma unroll 4
      for (uint64_t k = begin + at.row; k < end; k += at.rows)
        sum[v].add (__ldg (a + (v * m.a.row + k * m.a.column)), __ldg (x + k * m.b.row));
}

/* Returns the sum of COUNT sums that are N apart.  */
template <class Sum>
__device__ __forceinline__ Sum sum_of (const Sum *sums, unsigned count, unsigned n)
{
  Sum sum = sums[0];

  for (unsigned k = 1; k < count; k++)
    sum.merge (sums[k * n]);
  return sum;
}

/* Stores the elements of the block's group; SHARED has COUNT sums for each.  */
template <class Sum, class T>
__device__ __forceinline__ void finish_columns (Sum *shared, const struct gt_kernel_args &args, unsigned count, uint64_t depth)
{
  const struct gt_matrix_args &m = args.matrix;
  const unsigned n = m.lanes * across<T>::width, chunk = blockIdx.x % m.chunks;
  const uint64_t group = blockIdx.x / m.chunks;

  __syncthreads ();
  if (m.chunks > 1)
    {
      Sum *const left = static_cast<Sum *> (args.partials) + group * m.chunks * n;
      const unsigned parts = n < blockDim.x ? blockDim.x / n : 1;

      for (unsigned e = threadIdx.x; e < n; e += blockDim.x)
        left[chunk * n + e] = sum_of (shared + e, count, n);
      if (!is_last (args.ticket + group, m.chunks))
        return;
      for (unsigned e = threadIdx.x; e < parts * n; e += blockDim.x)
        {
          Sum sum;

          sum.clear ();
          for (unsigned k = e / n; k < m.chunks; k += parts)
            sum.merge (left[k * n + e % n]);
          shared[e] = sum;
        }
      count = parts;
      __syncthreads ();
    }
  for (unsigned e = threadIdx.x; e < n && group * n + e < m.rows; e += blockDim.x)
    sum_of (shared + e, count, n).finish (m, group * n + e, 0, depth);
}

template <class Sum, class T>
__device__ __forceinline__ void columns (const struct gt_kernel_args &args)
{
  __shared__ Sum shared[across<T>::most];
  const struct gt_matrix_args &m = args.matrix;
  const struct across<T> at (m.lanes);
  const uint64_t group = blockIdx.x / m.chunks, first = group * at.elements;
  const unsigned chunk = blockIdx.x % m.chunks;
  const uint64_t share = m.terms / m.chunks + 1;
  const uint64_t begin = chunk * share < m.terms ? chunk * share : m.terms;
  const uint64_t end = m.terms - begin < share ? m.terms : begin + share;
  Sum sum[across<T>::width];

  for (unsigned v = 0; v < at.width; v++)
    sum[v].clear ();
  add_columns<Sum, T> (sum, m, at, first + at.element, begin, end);
  for (unsigned v = 0; v < at.width; v++)
    {
      for (unsigned by = warp / 2; by >= m.lanes; by /= 2)
        sum[v].merge (sum[v].from (by));
      if (m.lanes >= warp)
        shared[at.row * at.elements + at.element + v] = sum[v];
      else if (threadIdx.x % warp < m.lanes)
        shared[threadIdx.x / warp * at.elements + at.element + v] = sum[v];
    }
  finish_columns<Sum, T> (shared, args, m.lanes < warp ? blockDim.x / warp : at.rows,
                          share / at.rows + m.chunks + 2 * merges);
}

} /* namespace gt */

#endif
