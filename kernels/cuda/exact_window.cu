/* Exact sums of numbers of similar size, at the speed of the memory: extraction
   into windows (S. M. Rump, T. Ogita, S. Oishi, "Accurate Floating-Point
   Summation, Part I: Faithful Rounding", SIAM Journal on Scientific Computing 31,
   2008; J. Demmel, H. D. Nguyen, "Parallel Reproducible Summation", IEEE
   Transactions on Computers 64, 2015).

   A warp has a window: numbers below 2^top in magnitude, cut at LEVELS places,
   STEP bits apart.  Level l counts in units u = 2^(top - STEP (l + 1)).  Its
   accumulator begins at the anchor 1.5 * 2^52 u, whose last digit is worth u.
   Adding x rounds to whole units; what that cut off, x - ((acc + x) - acc), is
   exact, at most u / 2, and goes to the next level.

   Why it is exact.  The accumulator must stay between 2^52 u and 2^53 u: a batch
   of at most 32 numbers, each at most 2^STEP u, moves it by 2^51 u at most, as
   STEP is 46.  (Below the first level the numbers are at most half of that.)  A
   batch begins at the anchor; if it fits, the accumulators' distance from it, the
   difference of two encodings, is added to an integer, and 2^11 batches leave that
   below 2^62; then it is emptied.  Whether a batch fits is seen afterwards: no
   number was too large, and nothing is left behind the last level.  If not,
   nothing has happened yet, and the warp settles the batch number by number,
   with a new window if it was too low; what is still left goes to the block's
   superaccumulator.  The last unit is 2^-1074 at least, behind which there is
   nothing, and numbers from 2^HIGHEST on, whose anchor would be infinite, go to the
   superaccumulator themselves.

   A block that settles more than PATIENCE remainders gives up, and the host sums
   with exact_bins.cu: its data is of another kind.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/exact.cuh"

#define LEVELS 3
#define STEP 46
#define HIGHEST 1000
#define PATIENCE 2048
#define MOST_BATCHES 2048
/* Tops are multiples of this, so that most warps have the same.  */
#define RASTER 4

/* Where settling numbers one by one is kept out of the way of the loop.  */
#ifdef GT_SOFTGPU
#define GT_COLD
#else
#define GT_COLD __noinline__
#endif

namespace gt
{

/* The high word of 2^EXPONENT.  */
__device__ __forceinline__ uint32_t high_of (int exponent)
{
  return static_cast<uint32_t> (exponent + 1023) << 20;
}

__device__ __forceinline__ uint32_t high_magnitude (double x)
{
  return static_cast<uint32_t> (__double2hiint (x)) & 0x7fffffffu;
}

/* The largest of the warp.  */
__device__ __forceinline__ uint32_t largest_of_warp (uint32_t x)
{
#pragma unroll
  for (unsigned by = warp / 2; by > 0; by /= 2)
    {
      const uint32_t other = __shfl_xor_sync (0xffffffffu, x, static_cast<int> (by));

      x = x < other ? other : x;
    }
  return x;
}

struct window
{
  int64_t total[LEVELS]; /* the lane's, in units of each level */
  int top;
  int batches; /* added to the totals */

  __device__ __forceinline__ int unit (int level) const { return top - STEP * (level + 1); }
  __device__ __forceinline__ double anchor (int level) const
  {
    return __hiloint2double (static_cast<int> (high_of (unit (level) + 52) | 0x80000), 0);
  }
  __device__ __forceinline__ uint32_t limit () const { return high_of (top); }

  /* For numbers whose high words are HIGH at most.  */
  __device__ __forceinline__ void open (uint32_t high)
  {
    const int above = static_cast<int> (high >> 20) - 1023 + 1;
    const int lowest = GT_SUPER_LOWEST + STEP * LEVELS;

    top = (above < lowest ? lowest : above) + RASTER - 1;
    top -= (top - lowest) % RASTER;
    batches = 0;
#pragma unroll
    for (int l = 0; l < LEVELS; l++)
      total[l] = 0;
  }
};

/* A part of the sum: 2^32 high[l] + low[l] in units of level l, halves so short
   that those of a whole grid add up in 64 bits.  What a block leaves for the last
   one: GT_EXACT_PARTIAL bytes.  */
struct part
{
  uint64_t low[LEVELS];
  int64_t high[LEVELS];
  int64_t top;
  int64_t unused;

  __device__ __forceinline__ void clear (int to)
  {
    top = to;
#pragma unroll
    for (int l = 0; l < LEVELS; l++)
      low[l] = high[l] = 0;
  }
  __device__ __forceinline__ void take (const struct window &w)
  {
    top = w.top;
#pragma unroll
    for (int l = 0; l < LEVELS; l++)
      {
        low[l] = static_cast<uint32_t> (w.total[l]);
        high[l] = w.total[l] >> 32;
      }
  }
  __device__ __forceinline__ void add (const struct part &o)
  {
#pragma unroll
    for (int l = 0; l < LEVELS; l++)
      {
        low[l] += o.low[l];
        high[l] += o.high[l];
      }
  }
  __device__ __forceinline__ void put (struct exact_block &acc) const
  {
#pragma unroll
    for (int l = 0; l < LEVELS; l++)
      {
        const int position = static_cast<int> (top) - STEP * (l + 1) - GT_SUPER_LOWEST;

        add_scaled (acc, static_cast<int64_t> (low[l]), position);
        add_scaled (acc, high[l], position + 32);
      }
  }
  /* Leaves the sum of the warp's parts with lane 0; parts of another window than
     the highest go to ACC.  */
  __device__ __forceinline__ void reduce (struct exact_block &acc)
  {
    const int highest
      = static_cast<int> (largest_of_warp (static_cast<uint32_t> (top - GT_SUPER_LOWEST))) + GT_SUPER_LOWEST;

    if (top != highest)
      {
        put (acc);
        clear (highest);
      }
#pragma unroll
    for (unsigned by = warp / 2; by > 0; by /= 2)
#pragma unroll
      for (int l = 0; l < LEVELS; l++)
        {
          low[l] += shift (low[l], by);
          high[l] += static_cast<int64_t> (shift (static_cast<uint64_t> (high[l]), by));
        }
  }
};

/* Afterwards lane 0 of the first warp holds the block's part.  Ends with the
   first warp alone; a barrier must lie before and after.  */
__device__ __forceinline__ void reduce_block (struct part &p, struct exact_block &acc)
{
  __shared__ struct part of_warp[max_warps];
  const unsigned lane = threadIdx.x % warp, warps = blockDim.x / warp;

  p.reduce (acc);
  if (warps == 1)
    return;
  if (lane == 0)
    of_warp[threadIdx.x / warp] = p;
  __syncthreads ();
  if (threadIdx.x >= warp)
    return;
  if (lane < warps)
    p = of_warp[lane];
  else
    p.clear (static_cast<int> (of_warp[0].top));
  p.reduce (acc);
}

/* Adds the batch X to the window, or changes nothing and returns false.  */
template <int N, class T>
__device__ __forceinline__ bool extract (const T (&x)[N], struct window &w)
{
  double acc[LEVELS];
  uint32_t left_high = 0, left_low = 0, most = 0;

#pragma unroll
  for (int l = 0; l < LEVELS; l++)
    acc[l] = w.anchor (l);
#pragma unroll
  for (int k = 0; k < N; k++)
    {
      double r = x[k];
      const uint32_t high = high_magnitude (r);

      most = most < high ? high : most;
#pragma unroll
      for (int l = 0; l < LEVELS; l++)
        {
          const double sum = acc[l] + r;

          r -= sum - acc[l];
          acc[l] = sum;
        }
      left_high |= static_cast<uint32_t> (__double2hiint (r));
      left_low |= static_cast<uint32_t> (__double2loint (r));
    }
  if (most >= w.limit () || (left_high << 1 | left_low) != 0)
    return false;
#pragma unroll
  for (int l = 0; l < LEVELS; l++)
    w.total[l] += __double_as_longlong (acc[l]) - __double_as_longlong (w.anchor (l));
  return true;
}

/* Empties the warp's window into ACC.  */
__device__ __forceinline__ void empty (const struct window &w, struct exact_block &acc)
{
  struct part p;

  p.take (w);
  p.reduce (acc);
  if (threadIdx.x % warp == 0)
    p.put (acc);
}

/* Adds, for the lanes of a warp that are not DONE, units I, I + blockDim.x, ...,
   U of them, those that there are.  *PUTS counts what was left.  */
template <int U, class Units>
__device__ GT_COLD struct window settle (Units units, uint64_t i, struct window w, bool done, struct exact_block *acc,
                                         unsigned *puts)
{
  uint32_t most = 0;
  unsigned left = 0;

#pragma unroll 1
  for (int k = 0; k < U * Units::width && !done; k++)
    {
      const uint64_t at = i + k / Units::width * blockDim.x;
      const double x = at < units.n ? units.element (at, k % Units::width) : 0;
      const uint32_t high = high_magnitude (x);

      if (high >= high_of (HIGHEST))
        add_exactly (*acc, x);
      else
        most = most < high ? high : most;
    }
  most = largest_of_warp (most);
  if (most >= w.limit ())
    {
      empty (w, *acc);
      w.open (most);
    }
#pragma unroll 1
  for (int k = 0; k < U * Units::width && !done; k++)
    {
      const uint64_t at = i + k / Units::width * blockDim.x;
      double r = at < units.n ? units.element (at, k % Units::width) : 0;

      if (high_magnitude (r) >= high_of (HIGHEST))
        continue;
#pragma unroll
      for (int l = 0; l < LEVELS; l++)
        {
          const double sum = w.anchor (l) + r;

          r -= sum - w.anchor (l);
          w.total[l] += __double_as_longlong (sum) - __double_as_longlong (w.anchor (l));
        }
      if (r != 0)
        {
          add_exactly (*acc, r);
          left++;
        }
    }
  if (left)
    atomicAdd (puts, left);
  return w;
}

/* The end: the blocks' parts, and their superaccumulators where they needed
   them.  */
__device__ __forceinline__ void finish_windows (const struct window &w, struct exact_block &acc,
                                                const struct gt_kernel_args &args)
{
  struct part *parts = static_cast<struct part *> (args.partials);
  struct part p;

  p.take (w);
  __syncthreads ();
  reduce_block (p, acc);
  if (gridDim.x == 1)
    {
      if (threadIdx.x == 0)
        p.put (acc);
      deliver_exact (acc, args);
      return;
    }
  if (threadIdx.x == 0)
    parts[blockIdx.x] = p;
  __syncthreads ();
  add_to_grid (acc, args);
  if (!last_of_grid (args))
    return;
  clear_exact (acc);
  __syncthreads ();
  p.clear (w.top);
  for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
    {
      struct part other;
      const uint4 *from = reinterpret_cast<const uint4 *> (parts + b);
      uint4 *to = reinterpret_cast<uint4 *> (&other);

#pragma unroll
      for (unsigned k = 0; k < sizeof other / sizeof *to; k++)
        to[k] = __ldcg (from + k);
      if (other.top != p.top)
        {
          p.put (acc);
          p.clear (static_cast<int> (other.top));
        }
      p.add (other);
    }
  take_from_grid (acc, args);
  __syncthreads ();
  reduce_block (p, acc);
  if (threadIdx.x == 0)
    p.put (acc);
  deliver_exact (acc, args);
}

/* The next batch is on its way while one is added.  Warps stay together: the last
   lane's units are there too.  */
template <class Units, class T, int U>
__device__ __forceinline__ void sum_windows (const struct gt_kernel_args &args)
{
  __shared__ struct exact_block acc;
  __shared__ unsigned puts;
  const uint64_t tile = static_cast<uint64_t> (blockDim.x) * U, step = tile * gridDim.x;
  const uint64_t reach = warp - 1 - threadIdx.x % warp + (U - 1) * blockDim.x;
  uint64_t i = blockIdx.x * tile + threadIdx.x;
  struct window w;
  Units units;
  decltype (units.load (0)) r[U] = {};
  uint32_t most = 0;
  bool patient = true;

  clear_exact (acc);
  if (threadIdx.x == 0)
    puts = 0;
  __syncthreads ();
  units.open (args, acc);
  if (i + reach < units.n)
    {
#pragma unroll
      for (int k = 0; k < U; k++)
        r[k] = units.load (i + k * blockDim.x);
#pragma unroll
      for (int k = 0; k < U; k++)
        {
          T x[Units::width];

          unpack (r[k], x);
#pragma unroll
          for (int l = 0; l < Units::width; l++)
            most = most < high_magnitude (x[l]) ? high_magnitude (x[l]) : most;
        }
    }
  most = largest_of_warp (most);
  w.open (most < high_of (HIGHEST) ? most : 0);
  for (; i + reach < units.n && patient; i += step)
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
      const bool done = extract (x, w);
      if (!__all_sync (0xffffffffu, done))
        {
          w = settle<U> (units, i, w, done, &acc, &puts);
          __syncwarp ();
          patient = __shfl_sync (0xffffffffu, static_cast<int> (*const_cast<volatile unsigned *> (&puts) <= PATIENCE), 0);
        }
      if (++w.batches >= MOST_BATCHES)
        {
          empty (w, acc);
          w.open (w.limit () - 1);
        }
    }
  /* Fewer than U units a thread are left.  */
#pragma unroll 1
  for (int k = 0; k < U && patient && i - threadIdx.x % warp + k * blockDim.x < units.n; k++)
    w = settle<1> (units, i + k * blockDim.x, w, false, &acc, &puts);
  if (!patient && threadIdx.x % warp == 0)
    add_flag (acc, GT_EXACT_GAVE_UP);
  finish_windows (w, acc, args);
}

} /* namespace gt */

/* More threads than 512 would not have the registers.  */
#define ENTRY(name, type, u)                                                     \
  extern "C" __global__ void __launch_bounds__ (512, 1)                          \
  sum_exact_window_exact_##name##_u##u (struct gt_kernel_args args)              \
  {                                                                              \
    gt::sum_windows<gt::contiguous_units<type>, type, u> (args);                 \
  }                                                                              \
  extern "C" __global__ void __launch_bounds__ (512, 1)                          \
  sum_exact_window_strided_exact_##name##_u##u (struct gt_kernel_args args)      \
  {                                                                              \
    gt::sum_windows<gt::strided_units<type>, type, u> (args);                    \
  }
#define ENTRIES(name, type)                                                      \
  ENTRY (name, type, 1) ENTRY (name, type, 2) ENTRY (name, type, 4) ENTRY (name, type, 8)

ENTRIES (f64, double)
ENTRIES (f32, float)
