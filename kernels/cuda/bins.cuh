/* Histograms: the bin of a number is guessed, and found by halves where the guess was wrong.
   Numbers of elements are counted by each block, in shared memory where all bins have room
   there.  Weights are added exactly, to a superaccumulator for each bin
   (kernels/superaccumulator.h), in shared memory where there is room for several of each: then
   threads side by side use different ones and seldom wait for each other.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_BINS_CUH
#define GT_KERNELS_CUDA_BINS_CUH

#include "kernels/cuda/exact.cuh"

namespace gt
{

constexpr unsigned bins_batch = 4;     /* elements of a thread that are loaded at once */
constexpr unsigned bins_counts = 12000; /* in shared memory */
constexpr unsigned bins_words = 6144;

/* The number of the bin; of NaN it is the first one's, as by halves; N where there is none.

   A guess does not fall as X rises, so that one that is between those of two edges by more than
   the margin needs no look at them.  */
__device__ __forceinline__ uint32_t bin_on (const gt_bins_axis &axis, double x)
{
  const double *range = axis.range;
  uint32_t n = axis.n;

  if (axis.per != 0)
    {
      const double from_low = (x - axis.low) * axis.per, last = static_cast<double> (n - 1);
      const double above = from_low > 0 ? from_low : 0;
      const uint32_t k = static_cast<uint32_t> (above < last ? above : last);
      const double beyond = from_low - static_cast<double> (k);

      if (beyond > axis.margin && beyond < 1 - axis.margin)
        return k;
      if (x >= __ldg (range + k) && x < __ldg (range + k + 1))
        return k;
    }
  if (x < axis.low || x >= __ldg (range + n))
    return n;
  while (n > 1)
    {
      const uint32_t half = n / 2;

      range = x >= __ldg (range + half) ? range + half : range;
      n -= half;
    }
  return static_cast<uint32_t> (range - axis.range);
}

/* Element I of each axis.  */
struct bins_element
{
  double x[2];

  __device__ __forceinline__ void load (const gt_kernel_args &args, uint64_t i)
  {
    x[0] = __ldcg (static_cast<const double *> (args.data) + i * args.stride);
    x[1] = args.bins.axes == 2
             ? __ldcg (static_cast<const double *> (args.y) + i * args.y_stride) : 0;
  }

  __device__ __forceinline__ uint32_t bin (const gt_bins_args &bins) const
  {
    const uint32_t k = bin_on (bins.axis[0], x[0]);

    if (bins.axes == 1)
      return k;

    const uint32_t j = bin_on (bins.axis[1], x[1]);

    return k == bins.axis[0].n || j == bins.axis[1].n ? bins.n_bins : k * bins.axis[1].n + j;
  }
};

/* Calls ADD with the bins of all elements of this thread, and their indexes.  */
template <class Add>
__device__ __forceinline__ void for_each_bin (const gt_kernel_args &args, const Add &add)
{
  const uint64_t threads = static_cast<uint64_t> (gridDim.x) * blockDim.x;

  for (uint64_t i = static_cast<uint64_t> (blockIdx.x) * blockDim.x + threadIdx.x; i < args.n;
       i += bins_batch * threads)
    {
      bins_element element[bins_batch];

      /* All loads are on their way before the first of them is used.  */
#pragma unroll
      for (unsigned u = 0; u < bins_batch; u++)
        element[u].load (args, i + u * threads < args.n ? i + u * threads : i);
#pragma unroll
      for (unsigned u = 0; u < bins_batch; u++)
        if (i + u * threads < args.n)
          add (element[u].bin (args.bins), i + u * threads);
    }
}

__device__ __forceinline__ void count_bins (const gt_kernel_args &args)
{
  __shared__ uint32_t own[bins_counts];
  const gt_bins_args &bins = args.bins;
  unsigned long long *const to = bins.to;

  if (bins.n_bins >= bins_counts)
    {
      for_each_bin (args, [to] (uint32_t k, uint64_t) { atomicAdd (to + k, 1ull); });
      return;
    }
  for (unsigned k = threadIdx.x; k <= bins.n_bins; k += blockDim.x)
    own[k] = 0;
  __syncthreads ();
  for_each_bin (args, [] (uint32_t k, uint64_t) { atomicAdd (&own[k], 1u); });
  __syncthreads ();
  for (unsigned k = threadIdx.x; k <= bins.n_bins; k += blockDim.x)
    if (own[k])
      atomicAdd (to + k, static_cast<unsigned long long> (own[k]));
}

/* Adds X to the superaccumulator at WORD.  */
__device__ __forceinline__ void add_weight (unsigned long long *word, double x)
{
  struct gt_super_digits digits;
  const uint32_t flag = gt_super_cut_f64 (x, &digits);

  if (flag)
    {
      atomicOr (word + GT_SUPER_WORDS, static_cast<unsigned long long> (flag));
      return;
    }
#pragma unroll
  for (int k = 0; k < 3; k++)
    if (digits.digit[k] != 0)
      atomicAdd (word + digits.first + k, static_cast<unsigned long long> (digits.digit[k]));
}

/* Of the bins from FIRST to below LAST.  */
__device__ __forceinline__ void sum_bins (const gt_kernel_args &args)
{
  __shared__ unsigned long long own[bins_words];
  const gt_bins_args &bins = args.bins;
  const uint32_t first = bins.first, count = bins.last - first;
  const unsigned words = count < bins_words ? count * GT_BINS_WORDS : bins_words + 1;
  const unsigned copies = bins_words / words;
  unsigned long long *const to = copies > 1 ? own + threadIdx.x % copies * words : bins.to;
  const double *const weights = bins.weights;
  const uint64_t stride = bins.weights_stride;

  for (unsigned k = threadIdx.x; copies > 1 && k < copies * words; k += blockDim.x)
    own[k] = 0;
  __syncthreads ();
  for_each_bin (args,
                [=] (uint32_t k, uint64_t i)
                {
                  if (k - first < count)
                    add_weight (to + static_cast<uint64_t> (k - first) * GT_BINS_WORDS,
                                __ldcg (weights + i * stride));
                });
  if (copies <= 1)
    return;
  __syncthreads ();
  for (unsigned k = threadIdx.x; k < words; k += blockDim.x)
    {
      const bool is_flags = k % GT_BINS_WORDS == GT_SUPER_WORDS;
      unsigned long long all = 0;

      for (unsigned c = 0; c < copies; c++)
        all = is_flags ? all | own[c * words + k] : all + own[c * words + k];
      if (all && is_flags)
        atomicOr (bins.to + k, all);
      else if (all)
        atomicAdd (bins.to + k, all);
    }
}

} /* namespace gt */

#endif
