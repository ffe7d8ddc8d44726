/* Products of a matrix and a vector: sums of lines whose elements are multiplied by those of the
   vector.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_LINES_PRODUCTS_CUH
#define GT_KERNELS_CUDA_LINES_PRODUCTS_CUH

#include "kernels/cuda/lines.cuh"

namespace gt
{

/* An accumulator of lines (lines_sums.cuh), with SUM of matrix.cuh.  */
template <class Sum, class T>
struct line_product : Sum
{
  __device__ __forceinline__ void begin (const struct gt_lines_args &, T) { Sum::clear (); }
  __device__ __forceinline__ void add (const struct gt_kernel_args &args, T x, uint32_t i)
  {
    Sum::add (x, __ldg (static_cast<const T *> (args.y) + i * args.y_stride));
  }
  __device__ __forceinline__ void finish (const struct gt_kernel_args &args, uint64_t line, uint64_t n) const
  {
    const struct gt_lines_args &l = args.lines;
    T *const to = static_cast<T *> (result_of (l, line));
    T x;

    if (Sum::result (l.alpha, l.beta, l.depth, static_cast<double> (n), to, x))
      *to = x;
    else
      note_line (args, line);
  }
};

/* As for all sums (lines.cuh), but loads 16 bytes at once if the line and the vector are
   contiguous and aligned alike.  */
template <class Sum, class T>
__device__ __forceinline__ void add_elements (line_product<Sum, T> &sum, const struct gt_kernel_args &args, const T *x, uint32_t n,
                                              uint64_t stride, uint32_t at, unsigned first, unsigned step)
{
  constexpr unsigned width = 16 / sizeof (T);
  const T *const y = static_cast<const T *> (args.y) + at * args.y_stride;
  const uint32_t vectors = n / width;

  if (stride != 1 || args.y_stride != 1 || ((reinterpret_cast<uintptr_t> (x) | reinterpret_cast<uintptr_t> (y)) & 15) != 0)
    {
      add_strided (sum, args, x, n, stride, at, first, step);
      return;
    }
#pragma unroll 4
  for (uint32_t k = first; k < vectors; k += step)
    {
      T p[width], q[width];

      unpack (__ldcs (reinterpret_cast<const uint4 *> (x) + k), p);
      unpack (__ldg (reinterpret_cast<const uint4 *> (y) + k), q);
#pragma unroll
      for (unsigned i = 0; i < width; i++)
        sum.Sum::add (p[i], q[i]);
    }
  for (uint32_t k = vectors * width + first; k < n; k += step)
    sum.Sum::add (__ldcs (x + k), __ldg (y + k));
}

/* Rows by L.LANES lanes each, if these are fewer than a warp; or like other lines.  */
template <class Sum, class T>
__device__ __forceinline__ void products_by_teams (const struct gt_kernel_args &args)
{
  typedef struct line_product<Sum, T> product;
  const struct gt_lines_args &l = args.lines;
  const unsigned rows = GT_LINES_BLOCK / l.lanes, row = threadIdx.x / l.lanes, lane = threadIdx.x % l.lanes;

  if (l.lanes >= warp)
    {
      lines_by_teams<product, T> (args);
      return;
    }
  for (uint64_t first = static_cast<uint64_t> (blockIdx.x) * rows; first < l.count; first += static_cast<uint64_t> (gridDim.x) * rows)
    {
      const bool takes = first + row < l.count;
      const T *const x = static_cast<const T *> (args.data) + (first + (takes ? row : 0)) * l.step;
      product sum;

      sum.begin (l, 0);
      add_elements (sum, args, x, takes ? static_cast<uint32_t> (l.length) : 0, 1, 0, lane, l.lanes);
      merge_lanes (sum, l.lanes);
      if (lane == 0 && takes)
        sum.finish (args, first + row, l.length);
    }
}

} /* namespace gt */

#endif
