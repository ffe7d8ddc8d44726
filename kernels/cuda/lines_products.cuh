/* Products of a matrix and a vector: sums of lines whose elements are multiplied by those of the
   vector.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_LINES_PRODUCTS_CUH
#define GT_KERNELS_CUDA_LINES_PRODUCTS_CUH

#include "kernels/cuda/lines_sums.cuh"

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

template <class T>
using line_quick_product = line_product<quick_sum<T>, T>;
template <class T>
using line_certain_product = line_product<certain_sum<T>, T>;

} /* namespace gt */

#endif
