/* Lines whose exact results a bound has left undecided: by accumulators that hold any sum
   (kernels/superaccumulator.h, kernels/products.h), a line a block.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_LINES_SETTLE_CUH
#define GT_KERNELS_CUDA_LINES_SETTLE_CUH

#include "kernels/cuda/exact.cuh"
#include "kernels/cuda/lines_products.cuh"
#include "kernels/cuda/matrix_settle.cuh"

namespace gt
{

/* Elements that a word takes before it is normalised.  */
constexpr uint64_t line_at_once = static_cast<uint64_t> (1) << 29;

struct settled_line
{
  struct exact_block plain;
  struct product_block square;
  struct numbers numbers;
};

/* By the first warp, after a barrier.  */
static __device__ GT_COLD void finish_line (struct settled_line *s, const struct gt_lines_args &l, uint64_t line, uint64_t n)
{
  const bool plain = l.as != GT_FINISH_ROOT;
  const uint32_t flags = static_cast<uint32_t> ((plain ? s->plain.word[GT_SUPER_WORDS] : 0)
                                                | (l.squares ? s->square.word[GT_PRODUCT_WORDS] : 0));

  take_sum (s->numbers, s->plain, 0);
  take_sum (s->numbers, s->square, 1);
  if (threadIdx.x != 0)
    return;
  s->numbers.how.to[0] = result_of (l, line);
  s->numbers.how.as = l.as;
  s->numbers.how.size = l.size;
  s->numbers.how.unbias = 0;
  s->numbers.finish (n, flags, 1, static_cast<int> (l.squares), true);
}

template <class T>
__device__ __forceinline__ void settle_line (struct settled_line *s, const struct gt_kernel_args &args, uint64_t line)
{
  const struct gt_lines_args &l = args.lines;
  struct extent e;
  const T *x;

  e.take (l, line);
  x = static_cast<const T *> (args.data) + e.begin;
  clear_exact (s->plain);
  clear_exact (s->square);
  for (uint64_t begin = 0; begin < e.n; begin += line_at_once)
    {
      const uint64_t end = e.n - begin < line_at_once ? e.n : begin + line_at_once;

      __syncthreads ();
      if (begin > 0 && threadIdx.x == 0)
        {
          gt_super_carry (reinterpret_cast<int64_t *> (s->plain.word), GT_SUPER_WORDS);
          gt_super_carry (reinterpret_cast<int64_t *> (s->square.word), GT_PRODUCT_WORDS);
        }
      __syncthreads ();
      for (uint64_t k = begin + threadIdx.x; k < end; k += blockDim.x)
        {
          const double number = number_in (l, x[k * l.stride]);

          add_exactly (s->plain, number);
          if (l.squares)
            add_product (s->square, number, number);
        }
    }
  __syncthreads ();
  if (threadIdx.x < warp)
    finish_line (s, l, line, e.n);
  __syncthreads ();
}

/* Calls SETTLE, by all threads of a block, with each line of the list, or if that was too short
   with all lines except segments without elements.  */
template <class F>
__device__ __forceinline__ void for_undecided (const struct gt_lines_args &l, F settle)
{
  const uint64_t undecided = l.control->undecided;
  const bool listed = undecided <= l.listed;

  for (uint64_t i = blockIdx.x; i < (listed ? undecided : l.count); i += gridDim.x)
    {
      const uint64_t line = listed ? l.undecided[i] : i;

      if (l.control->wrong == 0 && (l.offsets == nullptr || l.offsets[line] < l.offsets[line + 1]))
        settle (line);
    }
}

template <class T>
__device__ __forceinline__ void settle_lines (const struct gt_kernel_args &args)
{
  __shared__ struct settled_line s;

  for_undecided (args.lines, [&] (uint64_t line) { settle_line<T> (&s, args, line); });
}

template <class T>
__device__ __forceinline__ void settle_products (const struct gt_kernel_args &args)
{
  __shared__ struct settled s;
  const struct gt_lines_args &l = args.lines;

  for_undecided (l, [&] (uint64_t line) {
    settle_one (&s, static_cast<const T *> (args.data) + line * l.step, l.stride, static_cast<const T *> (args.y), args.y_stride,
                l.length, l.alpha, l.beta, static_cast<T *> (result_of (l, line)));
  });
}

} /* namespace gt */

#endif
