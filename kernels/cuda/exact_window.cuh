/* Exact sums of numbers of similar size, at the speed of the memory: extraction
   into windows (S. M. Rump, T. Ogita, S. Oishi, "Accurate Floating-Point
   Summation, Part I: Faithful Rounding", SIAM Journal on Scientific Computing 31,
   2008; J. Demmel, H. D. Nguyen, "Parallel Reproducible Summation", IEEE
   Transactions on Computers 64, 2015).

   A warp has a window: numbers below 2^top in magnitude, cut at LEVELS places,
   STEP bits apart.  Level l counts in units u = 2^(top - STEP (l + 1)).  Its
   accumulator begins at the anchor 1.5 * 2^52 u, whose last digit is worth u.
   Adding x rounds to whole units; what that cut off, x - ((acc + x) - acc), is at
   most u / 2 and is added to the next level, after the whole batch has passed this one.
   Levels cost nothing if nothing of a warp's batch remains for them: most floats of
   similar size need the first level alone, and doubles two.  If floats have no digits
   below u, which is checked beforehand, they are only added.

   Why it is exact.  As long as the accumulator stays between 2^52 u and 2^53 u, it is a
   multiple of u, and so is the difference of two of its values, while what is cut off is a
   rounding error: both are exact.  The first level checks that it stays there: the sign and
   exponent of every sum are compared with the anchor's; infinities and NaN fail, too.  Below,
   a batch of at most 16 numbers, each at most 2^(STEP - 1) u, moves it by 2^50 u at most, as
   STEP is 47.  A batch begins at the anchor; if it fits, the accumulators' distance from it,
   the difference of two encodings, is added to an integer, and 2^11 batches leave that at 2^62
   at most; then it is emptied.  A batch fits if that check succeeds and nothing remains after
   the last level.  Otherwise no total has changed yet, and the warp adds the batch number by
   number, with a higher window if it was too low; remainders are added to the block's
   superaccumulator.  The last unit is 2^-1074 or more, and no double has digits below.
   Numbers of 2^HIGHEST or more, whose anchor would be infinite, are added to the
   superaccumulator.

   A window is raised by D bits, fewer than STEP, when the warp meets a number that
   is too large for it, and at the end to the highest of the block's, so that the
   block's totals add up.  A unit is then 2^D old ones, and an old unit of the level
   above is 2^(STEP - D) new ones:

     total'_l = (total_l >> D) + ((total_{l-1} & (2^D - 1)) << (STEP - D))

   Only the lowest D bits of the last level, nearly always zero, are added to the
   superaccumulator, and so is the whole of a window that is too low to be raised.
   Totals keep their bound: if it is b 2^51 + 2^48 after b batches, it is at most
   b 2^50 + 2^(48-D) + 1 after a shift; the level above adds 2^47 - 2^(47-D) at most,
   which is b 2^50 + 2^48 or less together.  So totals stay
   within 2^62 + 2^48, and the sums of halves of 2^31 threads within 2^63.

   For other data the kernel gives up, and the host sums with exact_bins.cu.  A warp
   gives up if half of its lanes cannot place the batch for which it opened its first
   window and more batches follow; a block does so after more than PATIENCE remainders.
   It sets a flag, which other blocks read when they have remainders.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_EXACT_WINDOW_CUH
#define GT_KERNELS_CUDA_EXACT_WINDOW_CUH

#include "kernels/cuda/exact.cuh"

#define LEVELS 3
#define STEP 47
#define HIGHEST 1000
#define PATIENCE 2048
#define MOST_BATCHES 2048
#define MOST_THREADS 512 /* of a block */
#define MOST_NUMBERS 16  /* of a batch */
/* The lowest top, and how far apart others are, so that most warps have the same.
   UNOPENED is below them all: the top of a warp that has met no number yet.  */
#define LOWEST_TOP (GT_SUPER_LOWEST + STEP * LEVELS)
#define UNOPENED (LOWEST_TOP - 1)
#define RASTER 4

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

/* The top of a window for numbers whose high words are about HIGH at most: one bit
   more, since those to come may be a little larger.  */
__device__ __forceinline__ int top_for (uint32_t high)
{
  const int above = static_cast<int> (high >> 20) - 1023 + 2;
  const int top = (above < LOWEST_TOP ? LOWEST_TOP : above) + RASTER - 1;

  return top - (top - LOWEST_TOP) % RASTER;
}

/* The high word of the warp's largest number below 2^HIGHEST.  */
template <int N>
__device__ __forceinline__ uint32_t highest_of_warp (const double (&r)[N])
{
  uint32_t most = 0;

#pragma unroll
  for (int k = 0; k < N; k++)
    {
      const uint32_t high = high_magnitude (r[k]);

      most = high < high_of (HIGHEST) && most < high ? high : most;
    }
  return largest_of_warp (most);
}

struct window
{
  int64_t total[LEVELS]; /* the lane's, in units of each level */
  int top;
  int batches;           /* added to the totals */

  __device__ __forceinline__ int unit (int level) const { return top - STEP * (level + 1); }
  __device__ __forceinline__ double anchor (int level) const
  {
    return __hiloint2double (static_cast<int> (high_of (unit (level) + 52) | 0x80000), 0);
  }
  __device__ __forceinline__ uint32_t limit () const { return high_of (top); }
  /* Returns the total of a LEVEL that is not a constant.  An array with a variable index would
     be in memory instead of registers.  */
  __device__ __forceinline__ int64_t total_of (int level) const
  {
    int64_t found = total[0];

#pragma unroll
    for (int l = 1; l < LEVELS; l++)
      found = l == level ? total[l] : found;
    return found;
  }

  __device__ __forceinline__ void begin ()
  {
    batches = 0;
#pragma unroll
    for (int l = 0; l < LEVELS; l++)
      total[l] = 0;
  }
};

/* A block's partial result for the last one: GT_EXACT_PARTIAL bytes.  */
struct block_part
{
  struct halves level[LEVELS];
  int64_t top;
  int64_t words; /* whether it added to the grid's superaccumulator */
};
static_assert (sizeof (struct block_part) == GT_EXACT_PARTIAL, "what the host makes room for");
static_assert (sizeof (struct halves) == sizeof (uint4), "loaded at once");

template <class Block>
__device__ __forceinline__ void put_level (const struct halves &sum, Block &acc, int top, int level)
{
  add_halves (&acc, sum, top - STEP * (level + 1) - GT_SUPER_LOWEST);
}

/* Returns the distance of A from the anchor B, in the anchor's units.  If A is not in the
   anchor's binade, or is NaN, the result is arbitrary and is not used.  */
__device__ __forceinline__ int64_t distance (double a, double b)
{
  return static_cast<int64_t> (static_cast<uint64_t> (__double_as_longlong (a))
                               - static_cast<uint64_t> (__double_as_longlong (b)));
}

/* Adds the numbers of those lanes to the window whose numbers fit.  Returns the other lanes.
   R, which is overwritten, has G groups of numbers; the second one has no digits for the first
   level.  STRANGE is not 0 if the lane's numbers do not fit.  */
template <int G, int N>
__device__ __forceinline__ unsigned extract (double (&r)[G][N], uint32_t strange, struct window &w)
{
  static_assert (G * N <= MOST_NUMBERS, "an accumulator has room for them");
  int64_t units[LEVELS];
  uint32_t left[G];
  unsigned misfits = 0;

#pragma unroll
  for (int l = 0; l < LEVELS; l++)
    {
      const double anchor = w.anchor (l);
      uint32_t left_of_all = 0;
      double acc = anchor;

#pragma unroll
      for (int g = 0; g < G; g++)
        {
          if (l > g + 1 && G > 1 && !__any_sync (0xffffffffu, left[g] != 0))
            continue;
          left[g] = 0;
#pragma unroll
          for (int k = 0; k < N; k++)
            {
              if (l >= g)
                {
                  const double sum = acc + r[g][k];

                  if (l == 0)
                    strange |= static_cast<uint32_t> (__double2hiint (sum) ^ __double2hiint (anchor));
                  r[g][k] += acc - sum; /* never -0 */
                  acc = sum;
                }
              left[g] |= static_cast<uint32_t> (__double2hiint (r[g][k]) | __double2loint (r[g][k]));
            }
        }
#pragma unroll
      for (int g = 0; g < G; g++)
        left_of_all |= left[g];
      left_of_all |= strange & 0xfff00000u;
      units[l] = distance (acc, anchor);
      misfits = __ballot_sync (0xffffffffu, left_of_all != 0);
      if (misfits == 0 || (l == LEVELS - 1 && left_of_all == 0))
        {
#pragma unroll
          for (int m = 0; m <= l; m++)
            w.total[m] += units[m];
        }
      if (misfits == 0)
        break;
    }
  return misfits;
}

/* Adds floats to the first level if no float of the warp has a digit below it; otherwise
   returns false and changes nothing.  A float of at least 2^23 units has no such digit, nor
   has zero: nothing is rounded, and each float takes one addition.  There are two
   accumulators; each is for at most as many floats as a batch has, which are below 2^47 units
   and change it by less than 2^51.  fmaxf ignores NaN, but an accumulator becomes NaN.  */
template <class Lift, int N>
__device__ __forceinline__ bool add_whole (const float (&x)[N], struct window &w)
{
  static_assert (N <= 2 * MOST_NUMBERS, "the accumulators have room for them");
  const double anchor = w.anchor (0);
  const int limit = w.top + 127, whole = w.unit (0) + 23 + 127; /* biased */
  const uint32_t behind = limit < 0 ? 0 : limit > 255 ? 255u << 23 : static_cast<uint32_t> (limit) << 23;
  double acc[2] = {anchor, anchor};
  float most = 0;
  uint32_t least = ~0u, strange = 0; /* least: twice an encoding, less 1 */

#pragma unroll
  for (int k = 0; k < N; k++)
    {
      const uint32_t low = 2 * __float_as_uint (x[k]) - 1;

      acc[k % 2] += Lift::of (x[k]);
      most = fmaxf (most, fabsf (x[k]));
      least = low < least ? low : least;
    }
#pragma unroll
  for (int k = 0; k < 2; k++)
    strange |= static_cast<uint32_t> (__double2hiint (acc[k]) ^ __double2hiint (anchor)) & 0xfff00000u;
  if (!__all_sync (0xffffffffu, strange == 0 && __float_as_uint (most) < behind
                                  && (whole <= 1 || least >= 2 * (static_cast<uint32_t> (whole) << 23) - 1)))
    return false;
#pragma unroll
  for (int k = 0; k < 2; k++)
    w.total[0] += distance (acc[k], anchor);
  return true;
}
template <class Lift, int N>
__device__ __forceinline__ bool add_whole (const double (&)[N], struct window &)
{
  return false;
}

/* Empties the warp's window into ACC.  Code outside of the main loop is not unrolled,
   because it makes up most of a kernel.  */
template <class Block>
static __device__ GT_COLD void empty (struct window w, Block *acc)
{
#pragma unroll 1
  for (int l = 0; l < LEVELS; l++)
    {
      struct halves sum = {0, 0};

      sum.add (w.total_of (l));
      reduce (sum);
      if (threadIdx.x % warp == 0)
        put_level (sum, *acc, w.top, l);
    }
}

/* Returns the warp's window with a higher TOP.  Digits below its last unit are added to
   ACC.  */
template <class Block>
static __device__ GT_COLD struct window raise (struct window w, int top, Block *acc)
{
  const int by = top - w.top;
  const int64_t lowest = (static_cast<int64_t> (1) << by % STEP) - 1;
  struct halves rest = {static_cast<uint64_t> (w.total[LEVELS - 1] & lowest), 0};

  if (by >= STEP)
    {
      empty (w, acc);
      w.begin ();
    }
  else
    {
      if (__any_sync (0xffffffffu, rest.low != 0))
        {
          reduce (rest);
          if (threadIdx.x % warp == 0)
            put_level (rest, *acc, w.top, LEVELS - 1);
        }
#pragma unroll
      for (int l = LEVELS - 1; l >= 0; l--)
        w.total[l] = (w.total[l] >> by) + (l > 0 ? (w.total[l - 1] & lowest) << (STEP - by) : 0);
    }
  w.top = top;
  return w;
}

/* Adds R, below 2^HIGHEST, to the window, and a remainder to ACC.  Returns whether there was a
   remainder.  */
template <class Block>
__device__ __forceinline__ bool settle_number (double r, struct window &w, Block &acc)
{
#pragma unroll
  for (int l = 0; l < LEVELS; l++)
    {
      const double sum = w.anchor (l) + r;

      r -= sum - w.anchor (l);
      w.total[l] += distance (sum, w.anchor (l));
    }
  if (r != 0)
    add_exactly (acc, r);
  return r != 0;
}

/* Returns whether the block gives up.  Called by all lanes of a warp that has just added
   remainders.  PUTS is the block's number of remainders, more than PATIENCE if one of its
   warps gave up.  A grid of one block does not use the grid's FLAGS.  */
static __device__ GT_COLD bool loses_patience (unsigned *puts, bool hopeless, int64_t *grids_flags)
{
  unsigned long long *flags = reinterpret_cast<unsigned long long *> (grids_flags);
  const bool alone = gridDim.x == 1;
  bool lost = false;

  __syncwarp ();
  if (threadIdx.x % warp == 0)
    {
      lost = hopeless || *const_cast<volatile unsigned *> (puts) > PATIENCE;
      if (lost && !alone)
        atomicOr (flags, static_cast<unsigned long long> (GT_EXACT_GAVE_UP));
      else if (!alone)
        lost = (__ldcg (flags) & GT_EXACT_GAVE_UP) != 0;
      if (lost)
        atomicMax (puts, PATIENCE + 1u);
    }
  return __shfl_sync (0xffffffffu, static_cast<int> (lost), 0) != 0;
}

/* The sums of a block's threads at its end, in shared memory.  */
struct of_threads
{
  int64_t total[LEVELS][MOST_THREADS];
  int top[MOST_THREADS / warp];
};

/* The end of a block: one warp a level adds the totals of all threads, whose
   windows are raised to the highest of the block's.  Remainders are added to ACC, sums to
   OF_BLOCK.  Ends with a barrier.  */
template <class Block>
static __device__ GT_COLD void reduce_block (struct window w, Block *acc, struct block_part *of_block,
                                             struct of_threads *threads)
{
  int64_t (&total)[LEVELS][MOST_THREADS] = threads->total;
  int (&top)[MOST_THREADS / warp] = threads->top;
  const unsigned lane = threadIdx.x % warp, warps = blockDim.x / warp;
  int mine, highest;

#pragma unroll
  for (int l = 0; l < LEVELS; l++)
    total[l][threadIdx.x] = w.total[l];
  if (lane == 0)
    top[threadIdx.x / warp] = w.top;
  __syncthreads ();
  mine = lane < warps ? top[lane] : UNOPENED;
  highest = static_cast<int> (largest_of_warp (static_cast<uint32_t> (mine - UNOPENED))) + UNOPENED;
  if (__any_sync (0xffffffffu, mine != highest && mine != UNOPENED))
    {
      if (w.top != highest && w.top != UNOPENED)
        {
          const struct window raised = raise (w, highest, acc);

#pragma unroll
          for (int l = 0; l < LEVELS; l++)
            total[l][threadIdx.x] = raised.total[l];
        }
      __syncthreads ();
    }
  for (unsigned l = threadIdx.x / warp; l < LEVELS; l += warps)
    {
      struct halves sum = {0, 0};

#pragma unroll 4
      for (unsigned k = 0; k < warps; k++)
        sum.add (total[l][k * warp + lane]);
      reduce (sum);
      if (lane == 0)
        of_block->level[l] = sum;
    }
  if (threadIdx.x == 0)
    of_block->top = highest;
  __syncthreads ();
}

/* The sum of level L of some blocks' parts that have the same top, that of the first part.  */
struct gathered
{
  struct halves sum; /* the lane's, or the warp's */
  int top;

  /* Adds the sum to ACC and clears it; called by all lanes of the warp.  */
  template <class Block>
  __device__ __forceinline__ void put (Block &acc, unsigned l)
  {
    reduce (sum);
    if (threadIdx.x % warp == 0)
      put_level (sum, acc, top, static_cast<int> (l));
    sum.low = 0;
    sum.high = 0;
  }
  /* Adds the lanes' N parts: first those that have this top, then those of one other top after
     another; there are few.  The top of an added part becomes UNOPENED.  */
  template <int N, class Block>
  __device__ __forceinline__ void add (const uint4 (&of_level)[N], int (&tops)[N], Block &acc, unsigned l)
  {
    for (;;)
      {
        int other = UNOPENED;
        unsigned waiting;

#pragma unroll
        for (int k = 0; k < N; k++)
          if (tops[k] == top)
            {
              sum.low += static_cast<uint64_t> (of_level[k].y) << 32 | of_level[k].x;
              sum.high += static_cast<int64_t> (static_cast<uint64_t> (of_level[k].w) << 32 | of_level[k].z);
              tops[k] = UNOPENED;
            }
          else if (tops[k] != UNOPENED)
            other = tops[k];
        waiting = __ballot_sync (0xffffffffu, other != UNOPENED);
        if (waiting == 0)
          return;
        put (acc, l);
        top = __shfl_sync (0xffffffffu, other, __ffs (static_cast<int> (waiting)) - 1);
      }
  }
};

/* At the end of a block several warps add each level: job J adds level J mod LEVELS.  */
constexpr unsigned most_jobs = MOST_THREADS / warp;

__device__ __forceinline__ unsigned jobs_of_block ()
{
  const unsigned warps = blockDim.x / warp;

  return warps < LEVELS ? LEVELS : warps / LEVELS * LEVELS;
}

/* Adds the parts of all blocks, a warp for each job, with some loads in flight.  Stores the
   sum of the parts with one top in JOBS and adds the others to ACC.  *WORDS becomes true if a
   block has added to the grid's superaccumulator.  */
template <class Block>
static __device__ GT_COLD void gather_blocks (const struct block_part *parts, struct gathered *jobs, Block *acc, bool *words)
{
  constexpr unsigned unroll = 4;
  const unsigned lane = threadIdx.x % warp, warps = blockDim.x / warp;
  const unsigned step = jobs_of_block () / LEVELS * warp;

  for (unsigned job = threadIdx.x / warp; job < jobs_of_block (); job += warps)
    {
      const unsigned l = job % LEVELS;
      struct gathered of_warp = {{0, 0}, static_cast<int> (__ldcg (&parts[0].top))};

      for (unsigned first = job / LEVELS * warp; first < gridDim.x; first += unroll * step)
        {
          uint4 of_level[unroll], rest[unroll];
          int tops[unroll];

#pragma unroll
          for (unsigned k = 0; k < unroll; k++)
            {
              const unsigned b = first + lane + k * step;

              of_level[k] = {};
              rest[k] = {static_cast<unsigned> (UNOPENED), 0, 0, 0};
              if (b < gridDim.x)
                {
                  of_level[k] = __ldcg (reinterpret_cast<const uint4 *> (&parts[b].level[l]));
                  rest[k] = __ldcg (reinterpret_cast<const uint4 *> (&parts[b].top));
                }
            }
#pragma unroll
          for (unsigned k = 0; k < unroll; k++)
            {
              tops[k] = static_cast<int> (rest[k].x);
              if (rest[k].z)
                *words = true;
            }
          of_warp.add (of_level, tops, *acc, l);
        }
      reduce (of_warp.sum);
      if (lane == 0)
        jobs[job] = of_warp;
    }
}

/* Returns, to all warps, whether N jobs have the same top.  */
__device__ __forceinline__ bool have_one_top (const struct gathered *jobs, unsigned n)
{
  const unsigned lane = threadIdx.x % warp;

  return __all_sync (0xffffffffu, lane >= n || jobs[lane].top == jobs[0].top);
}

/* S + E = A + B, where nothing overflows (D. E. Knuth, "The Art of Computer Programming",
   volume 2, section 4.2.2).  */
__device__ __forceinline__ double two_sum (double a, double b, double &e)
{
  const double s = a + b, from_b = s - a;

  e = (a - (s - from_b)) + (b - from_b);
  return s;
}

/* Finishes the sum of the LEVELS in doubles.  Returns false and changes nothing if they do not
   decide the result.

   Both halves of a level are doubles, exactly.  The rounding errors of adding these six are
   added separately, with an error of 2^-50 of their magnitudes at most, SLACK.  Q is the
   quotient or root of the sum S, by one operation; its error is C to first order, (S - Q n +
   E) / n or (S - Q^2 + E) / 2 Q, and the error of C is below 2^-100 Q.  The result is decided
   if Q + C rounds to the same number for all possible C.  If a number was infinite, C is NaN,
   and nothing is decided.  The last digits of residuals must be doubles.  */
__device__ __forceinline__ bool keep_in_doubles (const struct halves (&level)[LEVELS], int top, const struct gt_finish &finish,
                                                 uint64_t count)
{
  double s = 0, e = 0, lost = 0, slack, q, c;

#pragma unroll
  for (int l = 0; l < LEVELS; l++)
    {
      const double unit52 = __hiloint2double (static_cast<int> (high_of (top - STEP * (l + 1) + 52)), 0);
      const double part[2] = {static_cast<double> (level[l].high) * 0x1p-20 * unit52,
                              static_cast<double> (level[l].low) * 0x1p-52 * unit52};

      if (level[l].low >> 53 || static_cast<uint64_t> (level[l].high + (INT64_C (1) << 53)) >> 54)
        return false;
#pragma unroll
      for (int k = 0; k < 2; k++)
        {
          double error;

          s = two_sum (s, part[k], error);
          e += error;
          lost += fabs (error);
        }
    }
  s = two_sum (s, e, e);
  slack = lost * 0x1p-50;
  q = s;
  c = e;
  if (finish.as >= GT_FINISH_MEAN)
    {
      const double n = static_cast<double> (count);

      if (!(fabs (s) > 0x1p-800) || count >> 53)
        return false;
      q = finish.as == GT_FINISH_MEAN ? s / n : sqrt (s);
      c = finish.as == GT_FINISH_MEAN ? (__fma_rn (-q, n, s) + e) / n : (__fma_rn (-q, q, s) + e) / (q + q);
      slack = slack / (finish.as == GT_FINISH_MEAN ? n : q) + fabs (q) * 0x1p-100;
    }
  s = q + c;
  c = (q - s) + c;
  if (!(s + (c + slack) == s && s + (c - slack) == s))
    return false;
  /* If the rounded sum is the middle between two floats, the result is not decided.  */
  if (finish.size == 4 && static_cast<float> (s + fabs (s) * 0x1p-52) != static_cast<float> (s - fabs (s) * 0x1p-52))
    return false;
  store_real (finish, s);
  return true;
}

typedef __int128 wide;

/* Stores the rounded result of COUNT elements, the sum of N JOBS with the same top; called by
   one thread.  The three levels fit into three words, in units of the last level, so that no
   superaccumulator is needed.  */
__device__ __forceinline__ void keep_levels (const struct gathered *jobs, unsigned n, const struct gt_finish &finish, uint64_t count)
{
  static_assert (LEVELS == 3 && STEP == 47, "three levels are added here");
  struct halves sum[LEVELS] = {};
  struct gt_whole over, under;
  struct gt_ratio ratio;
  uint64_t room[4], divisor, word[3];
  wide level[LEVELS], above;

  for (unsigned k = 0; k < n; k += LEVELS)
#pragma unroll
    for (int l = 0; l < LEVELS; l++)
      {
        sum[l].low += jobs[k + l].sum.low;
        sum[l].high += jobs[k + l].sum.high;
      }
  if (keep_in_doubles (sum, jobs[0].top, finish, count))
    return;
#pragma unroll
  for (int l = 0; l < LEVELS; l++)
    level[l] = static_cast<wide> (static_cast<bits128> (sum[l].high) << 32) + static_cast<wide> (sum[l].low);
  word[0] = static_cast<uint64_t> (level[1]) << STEP;
  above = static_cast<wide> (static_cast<bits128> (level[0]) << (2 * STEP - 64)) + (level[1] >> (64 - STEP)) + (level[2] >> 64);
  word[0] += static_cast<uint64_t> (level[2]);
  above += word[0] < static_cast<uint64_t> (level[2]);
  word[1] = static_cast<uint64_t> (above);
  word[2] = static_cast<uint64_t> (above >> 64);
  over = gt_whole_from_words (room, word, 3);
  under = gt_whole_from_count (&divisor, count);
  ratio = {&over, finish.as == GT_FINISH_MEAN ? &under : nullptr, jobs[0].top - STEP * LEVELS, finish.as == GT_FINISH_ROOT, over.negative};
  store_ratio (finish.to[0], finish.size, &ratio);
}

} /* namespace gt */

#endif
