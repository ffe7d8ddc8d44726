/* Exact sums of numbers of any range, at constant speed: each thread has its own integer bins
   in shared memory, and adds each number to two of them.

   A number is m * 2^(p - 1074), or for floats m * 2^(p - 149); m is a signed integer and p its
   position.  Bin j has the weight 2^(WIDTH j).  With j = p / WIDTH and s = p mod WIDTH, m *
   2^s is split: its lowest WIDTH bits are added to bin j, the rest, m >> (WIDTH - s), to bin j
   + 1.

   For doubles WIDTH is 52: both parts are below 2^53 in magnitude, so that after 2^10
   additions a bin is below 2^63; then carries are propagated.  A float's significand is so
   short that 2^24 * 2^WIDTH, with WIDTH = 16, fits in one bin, 2^23 times.

   The bins of a thread are a block's size apart, so that the threads of a warp always access
   different banks: there are no atomics and no conflicts.  The idea of bins by exponent: R. M.
   Neal, "Fast Exact Summation Using Small and Large Superaccumulators", 2015.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_EXACT_BINS_CUH
#define GT_KERNELS_CUDA_EXACT_BINS_CUH

#include "kernels/cuda/exact.cuh"

namespace gt
{

/* WORDS is the number of 64-bit bins of a thread, at most `shared' in the catalogue.  UNIT is
   the position of the smallest number in a superaccumulator, ROOM the number of additions
   between carry propagations.  */
template <class T> struct bins;
template <> struct bins<double>
{
  static constexpr int width = 52, words = 42, unit = 0, room = 1000;
};
template <> struct bins<float>
{
  static constexpr int width = 16, words = 17, unit = 1074 - 149, room = 1 << 23;
};

/* Adds X to bins; OWN is the thread's bin 0.  An infinity or NaN makes the bins meaningless,
   but then only the flags are used.  */
__device__ __forceinline__ void add_to_bins (int64_t *own, double x)
{
  const uint32_t high = __double2hiint (x), low = __double2loint (x);
  const uint32_t exponent = high >> 20 & 0x7ff;
  const uint32_t normal = exponent != 0;
  const uint32_t sign = static_cast<uint32_t> (static_cast<int32_t> (high) >> 31);
  const uint64_t magnitude
    = static_cast<uint64_t> (((high & 0xfffff) | normal << 20) ^ sign) << 32 | (low ^ sign);
  const int64_t m = static_cast<int64_t> (magnitude - static_cast<uint64_t> (static_cast<int64_t> (static_cast<int32_t> (sign))));
  const uint32_t position = exponent - normal;
  const uint32_t j = position * 80660u >> 22; /* position / 52, for all possible values */
  const uint32_t s = position - 52 * j;
  int64_t *bin = own + j * blockDim.x;
  const int64_t lower = bin[0], upper = bin[blockDim.x];

  bin[0] = lower + static_cast<int64_t> (static_cast<uint64_t> (m) << s & ((UINT64_C (1) << 52) - 1));
  bin[blockDim.x] = upper + (m >> (52 - s));
}

__device__ __forceinline__ void add_to_bins (int64_t *own, float x)
{
  const uint32_t bits = __float_as_uint (x), exponent = bits >> 23 & 0xff;
  const uint32_t normal = exponent != 0;
  const uint32_t position = exponent - normal;
  const int32_t magnitude = static_cast<int32_t> ((bits & 0x7fffff) | normal << 23);
  const int32_t m = static_cast<int32_t> (bits) < 0 ? -magnitude : magnitude;
  int64_t *bin = own + (position >> 4) * blockDim.x;

  *bin += static_cast<int64_t> (m) * (1 << (position & 15));
}

/* The upper word of the magnitude's encoding, and that of an infinity.  */
__device__ __forceinline__ uint32_t upper (double x) { return static_cast<uint32_t> (__double2hiint (x)) & 0x7fffffffu; }
__device__ __forceinline__ uint32_t upper (float x) { return __float_as_uint (x) & 0x7fffffffu; }
template <class T> constexpr uint32_t upper_infinity = sizeof (T) == 8 ? 0x7ff00000u : 0x7f800000u;

template <class Lift, int N, class T>
__device__ __forceinline__ void add_batch (int64_t *own, const T (&x)[N], uint32_t &flags)
{
  uint32_t most = 0;

#pragma unroll
  for (int k = 0; k < N; k++)
    {
      most = most < upper (x[k]) ? upper (x[k]) : most;
      add_to_bins (own, Lift::of (x[k]));
    }
  if (most < upper_infinity<T>)
    return;
#pragma unroll
  for (int k = 0; k < N; k++)
    if (upper (x[k]) >= upper_infinity<T>)
      flags |= gt_super_flag (x[k] != x[k], Lift::of (x[k]) < 0);
}

/* Propagates carries through a thread's COUNT bins; unrolled UNROLL times.  */
template <int Width, int Unroll>
__device__ __forceinline__ void pass_carries_on (int64_t *own, int count)
{
  int64_t carry = 0;

#pragma unroll (Unroll)
  for (int j = 0; j < count - 1; j++)
    {
      const int64_t sum = own[j * blockDim.x] + carry;

      own[j * blockDim.x] = sum & ((INT64_C (1) << Width) - 1);
      carry = sum >> Width;
    }
  own[(count - 1) * blockDim.x] += carry;
}

/* Adds COUNT bins of all threads to ACC, each by one warp: in halves of 32 bits, whose sums
   over all threads fit in 64 bits.  LOWEST is the position of the first bin.  */
template <int Width, class Block>
__device__ __forceinline__ void gather_bins (const int64_t *first, int count, int lowest, Block &acc)
{
#pragma unroll 1
  for (int j = static_cast<int> (threadIdx.x / warp); j < count; j += static_cast<int> (blockDim.x / warp))
    {
      struct halves m = {0, 0};

#pragma unroll 4
      for (unsigned t = threadIdx.x % warp; t < blockDim.x; t += warp)
        m.add (first[j * blockDim.x + t]);
      reduce (m);
      if (threadIdx.x % warp == 0)
        add_halves (&acc, m, lowest + j * Width);
    }
}

template <template <class> class Units, class T, class Lift, int U>
__device__ __forceinline__ void sum_bins (const struct gt_kernel_args &args)
{
  GT_DYNAMIC_SHARED (int64_t, all);
  __shared__ struct exact_blocks<sum> acc;
  int64_t *own = all + threadIdx.x;
  uint32_t flags = 0;
  int room = bins<T>::room;
  struct reader<Units<T>, U, true> in (args);
  T x[U * Units<T>::width];

  if (is_decided (args.finish))
    return;
  acc.clear ();
  for (int j = 0; j < bins<T>::words; j++)
    own[j * blockDim.x] = 0;
  for (unsigned k = threadIdx.x; k < in.units.n_edges (); k += blockDim.x)
    {
      const T edge[1] = {in.units.edge (k)};

      add_batch<Lift> (own, edge, flags);
    }
  while (in.read (x))
    {
      add_batch<Lift> (own, x, flags);
      room -= U * Units<T>::width;
      if (room < U * Units<T>::width)
        {
          pass_carries_on<bins<T>::width, 4> (own, bins<T>::words);
          room = bins<T>::room;
        }
    }
  __syncthreads ();
  if (flags)
    add_flag (acc.plain[0], flags);
  gather_bins<bins<T>::width> (all, bins<T>::words, bins<T>::unit, acc.plain[0]);
  acc.finish (args);
}

} /* namespace gt */

/* As many blocks of 512 threads per SM as fit in shared memory, except if eight loads are in
   flight, which need the registers.  */
#define GT_EXACT_BINS(reduction, name, type, lift, u)                            \
  GT_ENTRIES (reduction##_exact_bins, exact_##name##_u##u, 512, (u) < 8 && sizeof (type) < 8 ? 2 : 1, sum_bins, units, type, gt::lift, u)

#endif
