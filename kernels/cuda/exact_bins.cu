/* Exact sums of numbers of any range, at one speed: every thread has integer bins
   of its own in shared memory, and adds each number to two of them.

   A number is m * 2^(p - 1074 or 149), m an integer with its sign, p its position.
   Bin j is worth 2^(WIDTH j).  With j = p / WIDTH and s = p mod WIDTH, m * 2^s is
   cut: its lowest WIDTH bits go to bin j, the rest, m >> (WIDTH - s), to bin j + 1.
   For doubles WIDTH is 52: both parts are below 2^53 in magnitude, so 2^10
   additions leave a bin below 2^63; then carries are passed on.  A float's
   significand is so short that 2^24 * 2^WIDTH goes into one bin, 2^25 times.

   Bins of a thread lie a block's size apart, so that the threads of a warp use
   different banks whatever their numbers: no atomics, no conflicts.  The idea of
   bins by exponent: R. M. Neal, "Fast Exact Summation Using Small and Large
   Superaccumulators", 2015.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/exact.cuh"

namespace gt
{

/* WORDS 64-bit bins a thread: see `shared' of the catalogue.  UNIT: position of
   the smallest number in a superaccumulator.  ROOM: additions between carries;
   0: a thread never makes too many (GT_EXACT_BLOCK elements a block).  */
template <class T> struct bins;
template <> struct bins<double>
{
  static constexpr int width = 52, words = 42, unit = 0, room = 1000;
};
template <> struct bins<float>
{
  static constexpr int width = 13, words = 21, unit = 1074 - 149, room = 0;
};

/* OWN: the thread's bin 0.  */
__device__ __forceinline__ void add_to_bins (int64_t *own, double x, uint32_t &flags)
{
  const uint32_t high = __double2hiint (x), low = __double2loint (x);
  const uint32_t exponent = high >> 20 & 0x7ff;

  if (exponent == 0x7ff)
    {
      flags |= gt_super_flag (((high & 0xfffff) | low) != 0, high >> 31);
      return;
    }
  const uint32_t normal = exponent != 0;
  const uint32_t sign = static_cast<uint32_t> (static_cast<int32_t> (high) >> 31);
  const uint64_t magnitude
    = static_cast<uint64_t> (((high & 0xfffff) | normal << 20) ^ sign) << 32 | (low ^ sign);
  const int64_t m = static_cast<int64_t> (magnitude - static_cast<uint64_t> (static_cast<int64_t> (static_cast<int32_t> (sign))));
  const uint32_t position = exponent - normal;
  const uint32_t j = position * 80660u >> 22; /* position / 52, for all there are */
  const uint32_t s = position - 52 * j;
  int64_t *bin = own + j * blockDim.x;
  const int64_t lower = bin[0], upper = bin[blockDim.x];

  bin[0] = lower + static_cast<int64_t> (static_cast<uint64_t> (m) << s & ((UINT64_C (1) << 52) - 1));
  bin[blockDim.x] = upper + (m >> (52 - s));
}

__device__ __forceinline__ void add_to_bins (int64_t *own, float x, uint32_t &flags)
{
  const uint32_t bits = __float_as_uint (x), exponent = bits >> 23 & 0xff;

  if (exponent == 0xff)
    {
      flags |= gt_super_flag ((bits & 0x7fffff) != 0, bits >> 31);
      return;
    }
  const uint32_t normal = exponent != 0;
  const uint32_t position = exponent - normal;
  const uint32_t j = position * 5042u >> 16; /* position / 13 */
  const uint64_t magnitude = static_cast<uint64_t> ((bits & 0x7fffff) | normal << 23) << (position - 13 * j);
  int64_t *bin = own + j * blockDim.x;

  *bin += static_cast<int32_t> (bits) < 0 ? -static_cast<int64_t> (magnitude) : static_cast<int64_t> (magnitude);
}

template <class T>
__device__ __forceinline__ void pass_carries_on (int64_t *own)
{
  int64_t carry = 0;

  for (int j = 0; j < bins<T>::words - 1; j++)
    {
      const int64_t sum = own[j * blockDim.x] + carry;

      own[j * blockDim.x] = sum & ((INT64_C (1) << bins<T>::width) - 1);
      carry = sum >> bins<T>::width;
    }
  own[(bins<T>::words - 1) * blockDim.x] += carry;
}

/* Adds the bins of all threads to ACC, a warp a bin.  After carries were passed
   on, a bin is below 2^53, so the sum over 1024 threads fits.  */
template <class T>
__device__ __forceinline__ void gather_bins (const int64_t *all, struct exact_block &acc)
{
  for (unsigned j = threadIdx.x / warp; j < bins<T>::words; j += blockDim.x / warp)
    {
      uint64_t m = 0;

      for (unsigned t = threadIdx.x % warp; t < blockDim.x; t += warp)
        m += static_cast<uint64_t> (all[j * blockDim.x + t]);
#pragma unroll
      for (unsigned by = warp / 2; by > 0; by /= 2)
        m += shift (m, by);
      if (threadIdx.x % warp == 0)
        add_scaled (acc, static_cast<int64_t> (m), bins<T>::unit + static_cast<int> (j) * bins<T>::width);
    }
}

/* The next batch is on its way while one is added.  */
template <class Units, class T, int U>
__device__ __forceinline__ void sum_bins (const struct gt_kernel_args &args)
{
  GT_DYNAMIC_SHARED (int64_t, all);
  __shared__ struct exact_block acc;
  int64_t *own = all + threadIdx.x;
  const uint64_t tile = static_cast<uint64_t> (blockDim.x) * U, step = tile * gridDim.x;
  const uint64_t reach = (U - 1) * blockDim.x;
  uint64_t i = blockIdx.x * tile + threadIdx.x;
  uint32_t flags = 0;
  int room = bins<T>::room;
  Units units;
  decltype (units.load (0)) r[U] = {};

  clear_exact (acc);
  for (int j = 0; j < bins<T>::words; j++)
    own[j * blockDim.x] = 0;
  __syncthreads ();
  units.open (args, acc);
  if (i + reach < units.n)
    {
#pragma unroll
      for (int k = 0; k < U; k++)
        r[k] = units.load (i + k * blockDim.x);
    }
  for (; i + reach < units.n; i += step)
    {
      T x[U * Units::width];

#pragma unroll
      for (int k = 0; k < U; k++)
        unpack (r[k], x + k * Units::width);
      if (i + step + reach < units.n)
        {
#pragma unroll
          for (int k = 0; k < U; k++)
            r[k] = units.load (i + step + k * blockDim.x);
        }
#pragma unroll
      for (int k = 0; k < U * Units::width; k++)
        add_to_bins (own, x[k], flags);
      room -= U * Units::width;
      if (bins<T>::room && room < U * Units::width)
        {
          pass_carries_on<T> (own);
          room = bins<T>::room;
        }
    }
#pragma unroll 1
  for (int k = 0; k < U - 1 && i + k * blockDim.x < units.n; k++)
#pragma unroll
    for (int l = 0; l < Units::width; l++)
      add_to_bins (own, units.element (i + k * blockDim.x, l), flags);
  pass_carries_on<T> (own);
  if (flags)
    add_flag (acc, flags);
  __syncthreads ();
  gather_bins<T> (all, acc);
  finish_exact (acc, args);
}

} /* namespace gt */

/* More threads than 512 would not have the registers.  */
#define ENTRY(name, type, u)                                                     \
  extern "C" __global__ void __launch_bounds__ (512, 1)                          \
  sum_exact_bins_exact_##name##_u##u (struct gt_kernel_args args)                \
  {                                                                              \
    gt::sum_bins<gt::contiguous_units<type>, type, u> (args);                    \
  }                                                                              \
  extern "C" __global__ void __launch_bounds__ (512, 1)                          \
  sum_exact_bins_strided_exact_##name##_u##u (struct gt_kernel_args args)        \
  {                                                                              \
    gt::sum_bins<gt::strided_units<type>, type, u> (args);                       \
  }
#define ENTRIES(name, type)                                                      \
  ENTRY (name, type, 1) ENTRY (name, type, 2) ENTRY (name, type, 4) ENTRY (name, type, 8)

ENTRIES (f64, double)
ENTRIES (f32, float)
