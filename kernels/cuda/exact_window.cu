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
#define MOST_THREADS 512 /* of a block: more would not have the registers */
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

  /* For numbers whose high words are about HIGH at most: one bit more, since
     those to come may be a little larger.  */
  __device__ __forceinline__ void open (uint32_t high)
  {
    const int above = static_cast<int> (high >> 20) - 1023 + 2;
    const int lowest = GT_SUPER_LOWEST + STEP * LEVELS;

    top = (above < lowest ? lowest : above) + RASTER - 1;
    top -= (top - lowest) % RASTER;
    begin ();
  }
  __device__ __forceinline__ void begin ()
  {
    batches = 0;
#pragma unroll
    for (int l = 0; l < LEVELS; l++)
      total[l] = 0;
  }
};

/* A part of the sum of one level: 2^32 high + low units.  Halves, so that those of
   a whole grid add up in 64 bits.  */
struct part
{
  uint64_t low;
  int64_t high;

  __device__ __forceinline__ void add (int64_t units)
  {
    low += static_cast<uint32_t> (units);
    high += units >> 32;
  }
  __device__ __forceinline__ void put (struct exact_block &acc, int top, int level) const
  {
    const int position = top - STEP * (level + 1) - GT_SUPER_LOWEST;

    add_scaled (acc, static_cast<int64_t> (low), position);
    add_scaled (acc, high, position + 32);
  }
};

/* What a block leaves for the last one: GT_EXACT_PARTIAL bytes.  */
struct block_part
{
  struct part level[LEVELS];
  int64_t top;
  int64_t unused;
};

/* Lane 0 receives the sum of the warp's parts.  */
__device__ __forceinline__ void reduce (struct part &p)
{
#pragma unroll
  for (unsigned by = warp / 2; by > 0; by /= 2)
    {
      p.low += shift (p.low, by);
      p.high += static_cast<int64_t> (shift (static_cast<uint64_t> (p.high), by));
    }
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
#pragma unroll
  for (int l = 0; l < LEVELS; l++)
    {
      struct part p = {0, 0};

      p.add (w.total[l]);
      reduce (p);
      if (threadIdx.x % warp == 0)
        p.put (acc, w.top, l);
    }
}

/* Adds, for the lanes of a warp that are not DONE, units I, I + blockDim.x, ...,
   U of them, those that there are.  *PUTS counts what was left.  */
template <int U, class T, class Units>
__device__ GT_COLD struct window settle (Units units, uint64_t i, struct window w, bool done, struct exact_block *acc,
                                         unsigned *puts)
{
  uint32_t most = 0;
  unsigned left = 0;

#pragma unroll 1
  for (int k = 0; k < U && !done && i + k * blockDim.x < units.n; k++)
    {
      T x[Units::width];

      unpack (units.load (i + k * blockDim.x), x);
#pragma unroll
      for (int j = 0; j < Units::width; j++)
        if (high_magnitude (x[j]) < high_of (HIGHEST))
          most = most < high_magnitude (x[j]) ? high_magnitude (x[j]) : most;
    }
  most = largest_of_warp (most);
  if (most >= w.limit ())
    {
      empty (w, *acc);
      w.open (most);
    }
#pragma unroll 1
  for (int k = 0; k < U && !done && i + k * blockDim.x < units.n; k++)
    {
      T x[Units::width];

      unpack (units.load (i + k * blockDim.x), x);
#pragma unroll
      for (int j = 0; j < Units::width; j++)
        {
          double r = x[j];

          if (high_magnitude (r) >= high_of (HIGHEST))
            {
              add_exactly (*acc, r);
              continue;
            }
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
    }
  if (left)
    atomicAdd (puts, left);
  return w;
}

/* The end of a block: one warp a level adds the totals of all threads, whose
   windows are that of the block.  Other windows, which are rare, are emptied into
   ACC.  To OF_BLOCK, in shared memory.  */
__device__ __forceinline__ void reduce_block (const struct window &w, struct exact_block &acc,
                                              struct block_part &of_block)
{
  __shared__ int64_t total[LEVELS][MOST_THREADS];
  __shared__ int top[MOST_THREADS / warp];
  const unsigned lane = threadIdx.x % warp, warps = blockDim.x / warp;
  int highest;

  if (lane == 0)
    top[threadIdx.x / warp] = w.top;
  __syncthreads ();
  highest = top[0];
  for (unsigned k = 1; k < warps; k++)
    highest = highest < top[k] ? top[k] : highest;
  if (w.top != highest)
    empty (w, acc);
#pragma unroll
  for (int l = 0; l < LEVELS; l++)
    total[l][threadIdx.x] = w.top == highest ? w.total[l] : 0;
  __syncthreads ();
  for (unsigned l = threadIdx.x / warp; l < LEVELS; l += warps)
    {
      struct part p = {0, 0};

      for (unsigned t = lane; t < blockDim.x; t += warp)
        p.add (total[l][t]);
      reduce (p);
      if (lane == 0)
        of_block.level[l] = p;
    }
  if (threadIdx.x == 0)
    of_block.top = highest;
  __syncthreads ();
}

/* Adds the parts that all blocks left to ACC; several warps a level.  */
__device__ __forceinline__ void gather_blocks (const struct block_part *parts, struct exact_block &acc)
{
  const unsigned lane = threadIdx.x % warp, warps = blockDim.x / warp;
  const unsigned teams = warps < LEVELS ? 1 : warps / LEVELS; /* warps a level */

  for (unsigned job = threadIdx.x / warp; job < LEVELS * teams; job += warps)
    {
      const unsigned l = job % LEVELS;
      const int64_t top = __ldcg (&parts[0].top);
      struct part p = {0, 0};

      for (unsigned b = job / LEVELS * warp + lane; b < gridDim.x; b += teams * warp)
        {
          const struct block_part *from = parts + b;
          const uint4 v = __ldcg (reinterpret_cast<const uint4 *> (&from->level[l]));
          const int64_t its_top = __ldcg (&from->top);
          const struct part other = {static_cast<uint64_t> (v.y) << 32 | v.x,
                                     static_cast<int64_t> (static_cast<uint64_t> (v.w) << 32 | v.z)};

          if (its_top == top)
            {
              p.low += other.low;
              p.high += other.high;
            }
          else
            other.put (acc, static_cast<int> (its_top), static_cast<int> (l));
        }
      reduce (p);
      if (lane == 0)
        p.put (acc, static_cast<int> (top), static_cast<int> (l));
    }
}

/* The end: the blocks' parts, and their superaccumulators where they needed
   them.  */
__device__ __forceinline__ void finish_windows (const struct window &w, struct exact_block &acc,
                                                const struct gt_kernel_args &args)
{
  struct block_part *parts = static_cast<struct block_part *> (args.partials);
  __shared__ struct block_part of_block;

  __syncthreads ();
  reduce_block (w, acc, of_block);
  if (gridDim.x == 1)
    {
      if (threadIdx.x < LEVELS)
        of_block.level[threadIdx.x].put (acc, static_cast<int> (of_block.top), static_cast<int> (threadIdx.x));
      deliver_exact (acc, args);
      return;
    }
  if (threadIdx.x < sizeof of_block / sizeof (uint64_t))
    reinterpret_cast<uint64_t *> (parts + blockIdx.x)[threadIdx.x]
      = reinterpret_cast<const uint64_t *> (&of_block)[threadIdx.x];
  if (!gather_grid (acc, args))
    return;
  gather_blocks (parts, acc);
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
          w = settle<U, T> (units, i, w, done, &acc, &puts);
          __syncwarp ();
          patient = __shfl_sync (0xffffffffu, static_cast<int> (*const_cast<volatile unsigned *> (&puts) <= PATIENCE), 0);
        }
      if (++w.batches >= MOST_BATCHES)
        {
          empty (w, acc);
          w.begin ();
        }
    }
  /* Fewer than U units a thread are left.  */
#pragma unroll 1
  for (int k = 0; k < U && patient && i - threadIdx.x % warp + k * blockDim.x < units.n; k++)
    w = settle<1, T> (units, i + k * blockDim.x, w, false, &acc, &puts);
  if (!patient && threadIdx.x % warp == 0)
    add_flag (acc, GT_EXACT_GAVE_UP);
  finish_windows (w, acc, args);
}

} /* namespace gt */

#define ENTRY(name, type, u)                                                     \
  extern "C" __global__ void __launch_bounds__ (MOST_THREADS, 1)                 \
  sum_exact_window_exact_##name##_u##u (struct gt_kernel_args args)              \
  {                                                                              \
    gt::sum_windows<gt::contiguous_units<type>, type, u> (args);                 \
  }                                                                              \
  extern "C" __global__ void __launch_bounds__ (MOST_THREADS, 1)                 \
  sum_exact_window_strided_exact_##name##_u##u (struct gt_kernel_args args)      \
  {                                                                              \
    gt::sum_windows<gt::strided_units<type>, type, u> (args);                    \
  }
#define ENTRIES(name, type)                                                      \
  ENTRY (name, type, 1) ENTRY (name, type, 2) ENTRY (name, type, 4) ENTRY (name, type, 8)

ENTRIES (f64, double)
ENTRIES (f32, float)
