/* Several exact sums at once, of numbers of any range and of their products, at constant
   speed: as in exact_bins.cuh, each thread has its own integer bins in shared memory, for each
   sum.

   A bin has 53 bits and room for 2^10 additions of 53-bit numbers.  A number m * 2^p, where m
   is an integer of 53 bits, is added to two of them, and a product of two such numbers, of 106
   bits, to three: with s = p mod 53, m * 2^s is below 2^159.  This is the exact product for
   any exponents, so that nothing overflows or underflows.  Products of floats are doubles,
   exactly.

   The bins of a sum of products take 80 words, so that blocks have few threads and the kernel
   is slower than windows (exact_window_sums.cuh): it is used for data that windows give
   up.  */

#ifndef GT_KERNELS_CUDA_EXACT_WORDS_CUH
#define GT_KERNELS_CUDA_EXACT_WORDS_CUH

#include "kernels/cuda/exact_bins.cuh"

namespace gt
{

constexpr int bin_width = 53, bin_room = 1000;
constexpr uint64_t bin_mask = (UINT64_C (1) << bin_width) - 1;
/* The words of a thread: `shared' of the catalogue for a sum of doubles, twice that for
   products of doubles.  A sum of 2^30 terms is below bit 2128 above the smallest double, or
   4226 above the smallest product: the last words begin at bits 2067 and 4187.  */
constexpr int plain_bins = 40, product_bins = 80;

/* Adds PART to a bin, or subtracts it if SIGN is all ones.  */
__device__ __forceinline__ void add_part (int64_t *bin, uint64_t part, uint32_t sign)
{
  const uint64_t mask = static_cast<uint64_t> (static_cast<int64_t> (static_cast<int32_t> (sign)));

  *bin += static_cast<int64_t> ((part ^ mask) - mask);
}

/* Returns POSITION / 53, for all possible values.  */
__device__ __forceinline__ uint32_t bin_of (uint32_t position) { return position * 79138u >> 22; }

/* Adds X to bins; OWN is the thread's bin 0 of the sum.  */
__device__ __forceinline__ void add_number (int64_t *own, double x)
{
  const struct taken_apart m (x);
  const uint32_t j = bin_of (m.position), s = m.position - bin_width * j;
  int64_t *bin = own + j * blockDim.x;

  add_part (bin, m.significand << s & bin_mask, m.sign);
  add_part (bin + blockDim.x, m.significand >> (bin_width - s), m.sign);
}

__device__ __forceinline__ void add_product (int64_t *own, double x, double y)
{
  const struct taken_apart m (x), n (y);
  const uint64_t low = m.significand * n.significand, high = __umul64hi (m.significand, n.significand);
  const uint32_t position = m.position + n.position, sign = m.sign ^ n.sign;
  const uint32_t j = bin_of (position), s = position - bin_width * j, t = bin_width - s;
  const uint64_t above = low >> t | high << (64 - t), top = high >> t; /* (high, low) >> t */
  int64_t *bin = own + j * blockDim.x;

  add_part (bin, low << s & bin_mask, sign);
  add_part (bin + blockDim.x, above & bin_mask, sign);
  add_part (bin + 2 * blockDim.x, above >> bin_width | top << (64 - bin_width), sign);
}

__device__ __forceinline__ bool is_finite (double x)
{
  return (static_cast<uint32_t> (__double2hiint (x)) & 0x7ff00000u) != 0x7ff00000u;
}

/* A thread's bins for all sums; OWN is the first.  */
template <class Sums, class T>
struct bins_of_sums
{
  static constexpr bool wide = sizeof (T) == 8 && Sums::products; /* products have different
                                                                     bins */
  static constexpr int words = plain_bins * Sums::plain + Sums::products * (wide ? product_bins : plain_bins);
  int64_t *own;
  uint32_t flags[Sums::count];

  __device__ __forceinline__ explicit bins_of_sums (int64_t *all) : own (all + threadIdx.x)
  {
#pragma unroll 1
    for (int j = 0; j < words; j++)
      own[j * blockDim.x] = 0;
#pragma unroll
    for (int k = 0; k < Sums::count; k++)
      flags[k] = 0;
  }
  __device__ __forceinline__ void take_flag (int k, double x) { flags[k] |= gt_super_flag (x != x, x < 0); }

  /* Adds the terms of X and Y without checking for room.  */
  __device__ __forceinline__ void add (double x, double y)
  {
    int64_t *const last = own + plain_bins * Sums::plain * blockDim.x;

#pragma unroll
    for (int k = 0; k < Sums::plain; k++)
      {
        const double element = k == 0 ? x : y;

        add_number (own + k * plain_bins * blockDim.x, element);
        if (!is_finite (element))
          take_flag (k, element);
      }
    if (!Sums::products)
      return;
    if (wide)
      add_product (last, x, y);
    else
      add_number (last, __dmul_rn (x, y));
    if (!is_finite (x) || !is_finite (y))
      take_flag (Sums::plain, __dmul_rn (x, y));
  }
  __device__ __forceinline__ void pass_on ()
  {
    for (int k = 0; k < Sums::plain; k++)
      pass_carries_on<bin_width, 1> (own + k * plain_bins * blockDim.x, plain_bins);
    if (Sums::products)
      pass_carries_on<bin_width, 1> (own + Sums::plain * plain_bins * blockDim.x, words - Sums::plain * plain_bins);
  }
};

/* Computes the sums of the elements of one vector, or of pairs from two, with any strides, U
   at a time.  The code that adds an element exists only once in each of the many entry points:
   elements move up to be added.  */
template <class Sums, class T, int U>
__device__ __forceinline__ void sum_words (const struct gt_kernel_args &args)
{
  typedef bins_of_sums<Sums, T> bins_of_thread;
  GT_DYNAMIC_SHARED (int64_t, all);
  __shared__ struct exact_blocks<Sums> acc;
  const T *const e = static_cast<const T *> (args.data);
  const T *const f = static_cast<const T *> (args.y);
  const uint64_t step = static_cast<uint64_t> (blockDim.x) * U * gridDim.x;
  bins_of_thread bins (all);
  int room = bin_room;

  if (is_decided (args.finish))
    return;
  acc.clear ();
  for (uint64_t i = static_cast<uint64_t> (blockIdx.x) * blockDim.x * U + threadIdx.x; i < args.n; i += step)
    {
      double x[U], y[U];

#pragma unroll
      for (int k = 0; k < U; k++)
        if (i + k * blockDim.x < args.n)
          {
            x[k] = static_cast<double> (__ldcg (e + (i + k * blockDim.x) * args.stride));
            y[k] = x[k];
            if (Sums::inputs == 2)
              y[k] = static_cast<double> (__ldcg (f + (i + k * blockDim.x) * args.y_stride));
          }
#pragma unroll 1
      for (int k = 0; k < U && i + k * blockDim.x < args.n; k++)
        {
          bins.add (x[0], y[0]);
#pragma unroll
          for (int j = 1; j < U; j++)
            {
              x[j - 1] = x[j];
              y[j - 1] = y[j];
            }
        }
      room -= U;
      if (room < U)
        {
          bins.pass_on ();
          room = bin_room;
        }
    }
  __syncthreads ();
#pragma unroll
  for (int k = 0; k < Sums::plain; k++)
    {
      if (bins.flags[k])
        add_flag (acc.plain[k], bins.flags[k]);
      gather_bins<bin_width> (all + k * plain_bins * blockDim.x, plain_bins, 0, acc.plain[k]);
    }
  if (Sums::products)
    {
      if (bins.flags[Sums::count - 1])
        add_flag (acc.product[0], bins.flags[Sums::count - 1]);
      gather_bins<bin_width> (all + Sums::plain * plain_bins * blockDim.x, bins_of_thread::words - Sums::plain * plain_bins,
                   bins_of_thread::wide ? GT_SUPER_LOWEST : 0, acc.product[0]);
    }
  acc.finish (args);
}

} /* namespace gt */

#endif
