/* Several exact sums at once by windows (exact_window.cuh), with a window for each sum of a
   warp.  The data is read once for all sums.

   A product of two doubles is two numbers of the same window, hi = x y, rounded, and lo = x y
   - hi, which one FMA computes (T. Ogita, S. M. Rump, S. Oishi, "Accurate Sum and Dot
   Product", SIAM Journal on Scientific Computing 26, 2005).  Their sum is the exact product if
   its last possible digit is a double's, that is, if hi is at least 2^-969.  Smaller products
   do not fit, except those of zeros, nor do products that overflow, which the first level
   detects.  As lo is at most 2^-53 hi and the first level's unit is 2^-47 of the window, lo
   contributes nothing there and begins with the second level.  In most cases hi has no digits
   left for the third level; if lo has none either, the level costs nothing.  A product of
   floats is a double.

   Numbers that do not fit are added one by one; products that two doubles cannot represent are
   added to the block's accumulator digit by digit.  A batch has at most 16 numbers, so that
   the bounds are those of sums.  In an accumulator a product is two addends: a block has fewer
   than PATIENCE of them, besides those of its last batches; otherwise the host uses another
   kernel (exact_words.cuh).  */

#ifndef GT_KERNELS_CUDA_EXACT_WINDOW_SUMS_CUH
#define GT_KERNELS_CUDA_EXACT_WINDOW_SUMS_CUH

#include "kernels/cuda/exact_window.cuh"

/* The high word of 2^-969, the least magnitude of a product that two doubles represent.  */
#define LEAST_PRODUCT ((1023u - 969u) << 20)

namespace gt
{

template <class T> __device__ __forceinline__ double first_of (T e) { return static_cast<double> (e); }
template <class T> __device__ __forceinline__ double second_of (T e) { return static_cast<double> (e); }
template <class T> __device__ __forceinline__ double first_of (struct pair<T> e) { return static_cast<double> (e.x); }
template <class T> __device__ __forceinline__ double second_of (struct pair<T> e) { return static_cast<double> (e.y); }

/* Returns whether two doubles cannot represent X Y, rounded HI, because it is too small.  */
__device__ __forceinline__ bool underflows (double hi, double x, double y)
{
  return high_magnitude (hi) < LEAST_PRODUCT && x != 0 && y != 0;
}

/* The terms that elements E contribute to sum K: NUMBERS doubles for each.  */
template <class Sums, int K, class E>
struct taking
{
  static constexpr bool is_product = K == Sums::plain;
  static constexpr int numbers = is_product && sizeof (E) == 8 * Sums::inputs ? 2 : 1;

  /* Stores the terms of N elements in R.  Returns a nonzero value if two doubles cannot
     represent one; the first level of a window detects further such terms.  */
  template <int N>
  static __device__ __forceinline__ uint32_t take (const E *e, double (&r)[numbers][N])
  {
    uint32_t least = ~0u, strange = 0;

#pragma unroll
    for (int k = 0; k < N; k++)
      {
        const double x = first_of (Sums::lift::of (e[k])), y = second_of (e[k]);

        if (!is_product)
          r[0][k] = K == 0 ? x : y;
        else
          r[0][k] = __dmul_rn (x, y);
        if (numbers == 1)
          continue;
        r[numbers - 1][k] = __fma_rn (x, y, -r[0][k]);
        least = high_magnitude (r[0][k]) < least ? high_magnitude (r[0][k]) : least;
      }
    if (numbers == 2 && least < LEAST_PRODUCT)
#pragma unroll
      for (int k = 0; k < N; k++)
        if (underflows (r[0][k], first_of (e[k]), second_of (e[k])))
          strange = ~0u;
    return strange;
  }
};

/* -------------------------------------------------------------- One by one */

/* Adds X Y, of any size, digit by digit.  */
template <class Block>
static __device__ GT_COLD void add_product (Block *acc, double x, double y)
{
  const double hi = __dmul_rn (x, y);
  const struct taken_apart m (x), n (y);
  const int position = static_cast<int> (m.position + n.position) - 1074, negative = m.sign != n.sign;

  if (high_magnitude (x) >= 0x7ff00000u || high_magnitude (y) >= 0x7ff00000u)
    {
      add_flag (*acc, gt_super_flag (hi != hi, hi < 0));
      return;
    }
  add_digits (*acc, gt_super_cut (m.significand * n.significand, negative, position));
  add_digits (*acc, gt_super_cut (__umul64hi (m.significand, n.significand), negative, position + 64));
}

/* Returns the high word of the largest term of the warp's lanes that is below 2^HIGHEST.  */
template <class Take, class E>
__device__ __forceinline__ uint32_t highest_of_lots (const struct lots<E> &lots)
{
  uint32_t most = 0;

#pragma unroll 1
  for (int k = 0; k < lots.count; k++)
#pragma unroll 1
    for (int j = 0; j < lots.width; j++)
      {
        const E e[1] = {lots.of (k, j)};
        double r[Take::numbers][1];
        uint32_t high;

        Take::take (e, r);
        high = high_magnitude (r[0][0]);
        most = high < high_of (HIGHEST) && most < high ? high : most;
      }
  return largest_of_warp (most);
}

/* Adds the terms of LOTS one by one.  *PUTS counts those that did not fit in the window.  */
template <class Take, class E, class Block>
static __device__ GT_COLD struct window settle (struct lots<E> lots, struct window w, Block *acc, unsigned *puts)
{
  const uint32_t most = highest_of_lots<Take> (lots);
  unsigned left = 0;

  if (w.top == UNOPENED)
    w.top = top_for (most);
  else if (most >= w.limit ())
    w = raise (w, top_for (most), acc);
#pragma unroll 1
  for (int k = 0; k < lots.count; k++)
#pragma unroll 1
    for (int j = 0; j < lots.width; j++)
      {
        const E e[1] = {lots.of (k, j)};
        double r[Take::numbers][1];
        const bool strange = Take::take (e, r) != 0;

        if (strange || high_magnitude (r[0][0]) >= high_of (HIGHEST))
          {
            if constexpr (Take::numbers == 2)
              add_product (acc, first_of (e[0]), second_of (e[0]));
            else
              add_exactly (*acc, r[0][0]);
            left += Take::is_product;
            continue;
          }
#pragma unroll 1
        for (int g = 0; g < Take::numbers; g++)
          if (settle_number (g == 0 ? r[0][0] : r[Take::numbers - 1][0], w, *acc))
            left++;
      }
  if (left)
    atomicAdd (puts, left);
  return w;
}

/* ------------------------------------------------------------- The kernel */

/* A warp's windows.  */
template <class Sums, class Units, int U>
struct windows
{
  typedef typename Units::element element;
  static constexpr int width = Units::width;
  struct window w[Sums::count];
  bool patient;

  __device__ __forceinline__ void begin ()
  {
    patient = true;
#pragma unroll
    for (int k = 0; k < Sums::count; k++)
      {
        w[k].top = UNOPENED;
        w[k].begin ();
      }
  }

  /* Adds the terms of sum K for the units that were read last.  A batch is the units that a
     thread reads at once, or half of them.  */
  template <int K, class In>
  __device__ __forceinline__ void add (const In &in, const element (&e)[U * width], struct exact_blocks<Sums> &acc,
                                       unsigned *puts, const struct gt_kernel_args &args)
  {
    typedef taking<Sums, K, element> take;
    constexpr int most = (U > 4 ? MOST_NUMBERS : MOST_NUMBERS / 2) / take::numbers / width;
    constexpr int batch = U < most ? U : most; /* units */
    bool added = false;

    if constexpr (!Sums::products)
      added = w[K].top != UNOPENED && add_whole<typename Sums::lift> (e, w[K]);
    if (!added)
#pragma unroll
      for (int first = 0; first < U; first += batch)
        {
          const bool opening = w[K].top == UNOPENED;
          double r[take::numbers][batch * width];
          uint32_t strange = take::take (e + first * width, r);
          unsigned misfits;

          if (opening)
            w[K].top = top_for (highest_of_warp (r[0]));
          misfits = extract (r, strange, w[K]);
          if (misfits)
            {
              const uint64_t i = in.given () + first * blockDim.x;
              const bool endless = args.finish.to[0] && args.finish.pass == GT_PASS_ONLY;
              const bool hopeless = !endless && opening && in.more () && __popc (misfits) > static_cast<int> (warp / 2);
              int count = 0;

              while (!hopeless && count < batch && (misfits >> threadIdx.x % warp & 1)
                     && i + count * blockDim.x < in.units.count ())
                count++;
              w[K] = settle<take> (in.units.lots_at (i, count), w[K], &acc.template of<K> (), puts);
              patient = (endless || !loses_patience (puts, hopeless, args.super + (Sums::plain ? GT_SUPER_WORDS : GT_PRODUCT_WORDS)))
                        && patient;
            }
        }
    w[K].batches += U / batch;
    if (w[K].batches >= MOST_BATCHES)
      {
        empty (w[K], &acc.template of<K> ());
        w[K].begin ();
      }
  }
  /* Adds the edges, which only the first block has, beginning with that of thread 0.  */
  template <int K>
  __device__ __forceinline__ void add_edges (const Units &units, unsigned k, struct exact_blocks<Sums> &acc, unsigned *puts)
  {
    for (; k - threadIdx.x % warp < units.n_edges (); k += blockDim.x)
      w[K] = settle<taking<Sums, K, element>> (units.edges_at (k, k < units.n_edges ()), w[K], &acc.template of<K> (), puts);
  }
  /* Adds the edges for a single sum of elements; EDGE is the thread's first edge, or 0.  */
  __device__ __forceinline__ void add_edges (const Units &units, element edge, struct exact_blocks<Sums> &acc, unsigned *puts)
  {
    double r[1][1] = {{Sums::lift::of (edge)}};
    unsigned k = threadIdx.x, misfits;

    if (units.n_edges () == 0)
      return;
    if (w[0].top == UNOPENED)
      w[0].top = top_for (highest_of_warp (r[0]));
    misfits = extract (r, 0, w[0]);
    if (misfits)
      w[0] = settle<taking<Sums, 0, element>> (
        units.edges_at (k, k < units.n_edges () && (misfits >> threadIdx.x % warp & 1)), w[0], &acc.template of<0> (), puts);
    add_edges<0> (units, k + blockDim.x, acc, puts);
  }
};

/* Combines the blocks' parts, and their superaccumulators if they were used, sum by sum.  */
template <class Sums>
__device__ __forceinline__ void finish_windows (const struct window (&w)[Sums::count], struct exact_blocks<Sums> &acc,
                                            const struct gt_kernel_args &args)
{
  struct block_part *parts = static_cast<struct block_part *> (args.partials);
  const unsigned n_jobs = gridDim.x == 1 ? LEVELS : jobs_of_block ();
  __shared__ struct of_threads threads;
  __shared__ struct block_part of_block;
  __shared__ struct gathered jobs[Sums::count][most_jobs];
  __shared__ bool words[Sums::count];

  acc.each ([&] (auto &block, int k, unsigned at) {
    struct block_part *part = gridDim.x == 1 ? &of_block : parts + k * gridDim.x + blockIdx.x;

    reduce_block (w[k], &block, part, &threads);
    if (threadIdx.x == 0)
      words[k] = false;
    if (gridDim.x == 1)
      {
        if (threadIdx.x < LEVELS)
          jobs[k][threadIdx.x] = {of_block.level[threadIdx.x], static_cast<int> (of_block.top)};
        return;
      }
    if (block.used != 0)
      add_to_grid (block, args, at);
    if (threadIdx.x == 0)
      part->words = block.used != 0;
  });
  if (gridDim.x > 1)
    {
      if (!last_of_grid (args))
        return;
      acc.clear ();
      __syncthreads ();
      acc.each ([&] (auto &block, int k, unsigned) { gather_blocks (parts + k * gridDim.x, jobs[k], &block, &words[k]); });
    }
  __syncthreads ();
  if constexpr (Sums::count == 1)
    if (args.finish.to[0] && args.finish.part == GT_PART_ALL && !words[0] && acc.template of<0> ().used == 0 && have_one_top (jobs[0], n_jobs))
      {
        if (threadIdx.x == 0)
          keep_levels (jobs[0], n_jobs, args.finish, args.n);
        return;
      }
  __syncthreads (); /* all threads must have checked before one adds */
  acc.each ([&] (auto &block, int k, unsigned at) {
    if (threadIdx.x < n_jobs)
      put_level (jobs[k][threadIdx.x].sum, block, jobs[k][threadIdx.x].top, static_cast<int> (threadIdx.x % LEVELS));
    if (words[k])
      take_from_grid (block, args, at);
  });
  acc.deliver (args);
}

/* Adds the edges first, so that they need no registers later; but for one sum of elements the
   edges are loaded together with the first units.  */
template <template <class> class UnitsOf, class T, class Sums, int U, bool Ahead>
__device__ __forceinline__ void sum_windows (const struct gt_kernel_args &args)
{
  typedef UnitsOf<T> Units;
  __shared__ struct exact_blocks<Sums> acc;
  __shared__ unsigned puts;
  struct reader<Units, U, Ahead> in (args);
  struct windows<Sums, Units, U> windows;
  typename Units::element e[U * Units::width], edge = {};

  if constexpr (!Sums::products)
    if (threadIdx.x < in.units.n_edges ())
      edge = in.units.edge (threadIdx.x);
  acc.clear ();
  if (threadIdx.x == 0)
    puts = 0;
  windows.begin ();
  __syncthreads ();
  if constexpr (Sums::products)
    windows.template add_edges<0> (in.units, threadIdx.x, acc, &puts);
  if constexpr (Sums::count > 1)
    windows.template add_edges<1> (in.units, threadIdx.x, acc, &puts);
  if constexpr (Sums::count > 2)
    windows.template add_edges<2> (in.units, threadIdx.x, acc, &puts);
  while (windows.patient && in.read (e))
    {
      windows.template add<0> (in, e, acc, &puts, args);
      if constexpr (Sums::count > 1)
        windows.template add<1> (in, e, acc, &puts, args);
      if constexpr (Sums::count > 2)
        windows.template add<2> (in, e, acc, &puts, args);
    }
  if constexpr (!Sums::products)
    windows.add_edges (in.units, edge, acc, &puts);
  if (!windows.patient && threadIdx.x % warp == 0)
    add_flag (acc.template of<0> (), GT_EXACT_GAVE_UP);
  finish_windows<Sums> (windows.w, acc, args);
}

} /* namespace gt */

/* Entry points for one type and both layouts; an SM should hold BLOCKS blocks of MOST_THREADS
   threads.  For one sum, half the threads of an SM have enough registers; with eight loads in
   flight, or for several sums, a quarter.  These are too few to hide the latency of loads
   behind the work of other warps, so if AHEAD is set the next units are loaded while the
   current ones are added: a third faster on an H200.  For two vectors there are not enough
   registers for that; they have two units of each vector in flight if there are so many
   windows that registers are scarce.  */
#define GT_EXACT_WINDOW(reduction, name, factor, units, type, u, blocks, ahead)  \
  GT_ENTRIES (reduction##_exact_window, exact_##name##_##factor, MOST_THREADS, blocks, sum_windows, units, type, gt::reduction, u, ahead)

#endif
