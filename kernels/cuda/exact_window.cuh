/* Exact sums of numbers of similar size, at the speed of the memory: extraction
   into windows (S. M. Rump, T. Ogita, S. Oishi, "Accurate Floating-Point
   Summation, Part I: Faithful Rounding", SIAM Journal on Scientific Computing 31,
   2008; J. Demmel, H. D. Nguyen, "Parallel Reproducible Summation", IEEE
   Transactions on Computers 64, 2015).

   A warp has a window: numbers below 2^top in magnitude, cut at LEVELS places,
   STEP bits apart.  Level l counts in units u = 2^(top - STEP (l + 1)).  Its
   accumulator begins at the anchor 1.5 * 2^52 u, whose last digit is worth u.
   Adding x rounds to whole units; what that cut off, x - ((acc + x) - acc), is at
   most u / 2 and goes to the next level, once the whole batch has passed this one.
   So the levels that a warp's batch has nothing left for cost nothing: floats of
   similar size, most of them, need the first alone, and doubles two.  Of floats it
   is seen beforehand when nothing will be cut off; then to add them is all.

   Why it is exact.  As long as the accumulator stays between 2^52 u and 2^53 u, it
   is a multiple of u, and so is the difference of two of its values, while what is
   cut off is a rounding error: both are exact.  That it stays there is seen in the
   first level, where the sign and exponent of every sum are compared with the
   anchor's; infinities and NaN fail that, too.  Below, a batch of at most 16
   numbers, each at most 2^(STEP - 1) u, moves it by 2^50 u at most, as STEP is 47.
   A batch begins at the anchor; if it fits, the accumulators' distance from it,
   the difference of two encodings, is added to an integer, and 2^11 batches leave
   that at 2^62 at most; then it is emptied.  A batch fits when the first level was
   kept to and nothing is left behind the last.  If not, nothing has happened yet,
   and the warp settles the batch number by number, with a higher window if it was
   too low; what is still left goes to the block's superaccumulator.  The last unit
   is 2^-1074 at least, behind which there is nothing, and numbers from 2^HIGHEST on,
   whose anchor would be infinite, go to the superaccumulator themselves.

   A window is raised by D bits, fewer than STEP, when the warp meets a number that
   is too large for it, and at the end to the highest of the block's, so that the
   block's totals add up.  A unit is then 2^D old ones, and an old unit of the level
   above is 2^(STEP - D) new ones:

     total'_l = (total_l >> D) + ((total_{l-1} & (2^D - 1)) << (STEP - D))

   Only what the last level's lowest D bits hold, nearly always zero, goes to the
   superaccumulator, and with it the whole of a window that is too low to be raised.
   Totals keep their bound: let b batches leave at most b 2^51 + 2^48.  A shift
   leaves at most b 2^50 + 2^(48-D) + 1 of that, and what comes from the level above
   is 2^47 - 2^(47-D) at most, together no more than b 2^50 + 2^48.  So totals stay
   within 2^62 + 2^48, and the sums of halves of 2^31 threads within 2^63.

   Data of another kind is given up, and the host sums with exact_bins.cu: by a warp
   half of whose lanes cannot place the batch for which it opened its first window,
   if others are to come, and by a block that settles more than PATIENCE remainders.
   A block tells the others, which listen when they have to settle.
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

/* Adds a batch to the window: those lanes' numbers that fit, and nothing of the
   other lanes, which it returns.  R: G groups of numbers, the second of which has
   nothing for the first level; overwritten.  STRANGE is not 0 where the lane's do
   not fit.  */
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

/* Adds floats to the first level, when no float of the warp has a digit below it.
   Else returns false, and nothing has happened.  A float that is at least 2^23 units
   large has no such digit, nor has zero: then nothing is rounded, and one addition a
   float does.  There are two accumulators, each for as many as a batch has at most,
   which are below 2^47 units and move it by less than 2^51.  Of NaN fmaxf knows
   nothing; it shows in an accumulator.  */
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

/* Empties the warp's window into ACC.  Here as everywhere off the loop nothing is
   unrolled: a kernel's size is mostly that of what happens once.  */
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

/* The warp's window with a higher top.  What it cannot hold goes to ACC.  */
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

/* Adds R, below 2^HIGHEST, to the window.  What it cannot hold goes to ACC; returns
   whether there was any.  */
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

/* Whether the block gives up.  By all lanes of a warp, which has just settled;
   PUTS is that of the block, beyond PATIENCE when one of its warps gave up.  A
   grid of one block has nobody to tell, and leaves the grid's FLAGS alone.  */
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
   windows are raised to the highest of the block's.  What these cannot hold goes to
   ACC, the sums to OF_BLOCK.  Ends with a barrier.  */
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

/* Level L of the parts that some blocks left, with the same top: the first to be
   added has it.  */
struct gathered
{
  struct halves sum; /* the lane's, or the warp's */
  int top;

  /* By all lanes of the warp.  */
  template <class Block>
  __device__ __forceinline__ void put (Block &acc, unsigned l)
  {
    reduce (sum);
    if (threadIdx.x % warp == 0)
      put_level (sum, acc, top, static_cast<int> (l));
    sum.low = 0;
    sum.high = 0;
  }
  /* Adds those parts of the lanes' N that have the top, and one top after the other:
     there are few.  What was added becomes UNOPENED.  */
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

/* The sums that a block's end has gathered: several warps a level, job J that of level
   J mod LEVELS.  */
constexpr unsigned most_jobs = MOST_THREADS / warp;

__device__ __forceinline__ unsigned jobs_of_block ()
{
  const unsigned warps = blockDim.x / warp;

  return warps < LEVELS ? LEVELS : warps / LEVELS * LEVELS;
}

/* Adds the parts that all blocks left, a warp a job, some parts in flight at once, and
   leaves the sum of those of one top in JOBS, that of others in ACC; *WORDS becomes true
   when one of the blocks added to the grid's superaccumulator.  */
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

/* Whether N jobs have the same top, as every warp finds.  */
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

/* Finishes what LEVELS units come to in doubles; returns false, and nothing has happened,
   where these cannot tell.

   Both halves of a level are doubles, exactly.  What adding these six loses is added apart;
   that loses 2^-50 of its magnitudes at most, SLACK.  With the quotient or root Q of the sum S
   by one operation, what is missing is C to first order, (S - Q n + E) / n or (S - Q^2 + E) / 2 Q, whose
   own errors are below 2^-100 Q.  The result is known where all that C may be rounds Q + C
   alike, and so it is not where something was infinite, as that leaves NaN.  The last digits
   of residuals must be doubles.  */
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
  /* The middle between two floats, which the sum may have been rounded to, tells nothing.  */
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
