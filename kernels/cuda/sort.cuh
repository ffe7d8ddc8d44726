/* Radix sort: keys by 8 bits at a time, from the lowest, each pass reading and writing them
   once (A. Adinets and D. Merrill, "Onesweep: a faster least significant digit radix sort
   for GPUs", 2022).  A block takes a tile of keys, ranks them in shared memory, learns from
   the tiles before it how many keys there are with each digit, as those publish their counts
   (D. Merrill and M. Garland, "Single-pass parallel prefix scan with decoupled look-back",
   2016), and writes the keys of a digit side by side.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_SORT_CUH
#define GT_KERNELS_CUDA_SORT_CUH

#include "kernels/cuda/sort_keys.cuh"

namespace gt
{

/* A tile's word about a digit, of 32 bits: its own count, or that of all tiles to its end.  */
constexpr uint32_t of_tile = 1u << 30, of_all = 2u << 30, count_mask = of_tile - 1;

/* ------------------------------------------------------------------- Counts */

__device__ __forceinline__ bool is_undecided (uint32_t flags, uint32_t seen)
{
  const uint32_t zeros = GT_SEEN_MINUS_ZERO | GT_SEEN_ZERO;

  return !(flags & GT_SORT_STABLE) && ((seen & GT_SEEN_NAN) || (seen & zeros) == zeros);
}

/* Exclusive sums of 256 counts by one warp, in place.  */
__device__ __forceinline__ void sum_digits (unsigned long long *count)
{
  const unsigned lane = threadIdx.x % warp;
  constexpr unsigned each = GT_SORT_DIGITS / warp;
  unsigned long long sum = 0, before;

  for (unsigned k = 0; k < each; k++)
    sum += count[lane * each + k];
  before = sum_to_lane (sum) - sum;
  for (unsigned k = 0; k < each; k++)
    {
      const unsigned long long own = count[lane * each + k];

      count[lane * each + k] = before;
      before += own;
    }
}

/* The end of the counts, by the last block.  */
template <class K>
__device__ __forceinline__ void begin_passes (const gt_kernel_args &args)
{
  gt_sort_control *control = static_cast<gt_sort_control *> (args.partials);

  if (threadIdx.x / warp < sizeof (K))
    sum_digits (control->base[threadIdx.x / warp][0]);
  if (threadIdx.x == 0)
    {
      if (is_undecided (args.sort.flags, control->seen))
        control->answer = GT_SORT_UNDECIDED;
      control->done = 0;
      control->steps = 1;
      tell (args, 0, control->answer);
    }
}

/* Counts the digits of all keys, and clears the first launch's rows.  */
template <class K>
__device__ __forceinline__ void count_digits (const gt_kernel_args &args)
{
  constexpr unsigned batch = 4;
  __shared__ uint32_t count[sizeof (K)][GT_SORT_DIGITS];
  __shared__ uint32_t seen;
  const K *const x = static_cast<const K *> (args.data);
  gt_sort_control *const control = static_cast<gt_sort_control *> (args.partials);
  const key_form<K> form (args.sort.flip, args.sort.negative, args.sort.flags);
  const uint64_t threads = static_cast<uint64_t> (gridDim.x) * blockDim.x;
  const uint64_t at = static_cast<uint64_t> (blockIdx.x) * blockDim.x + threadIdx.x;
  uint32_t kinds = 0;

  for (unsigned k = threadIdx.x; k < sizeof (K) * GT_SORT_DIGITS; k += blockDim.x)
    count[k / GT_SORT_DIGITS][k % GT_SORT_DIGITS] = 0;
  if (threadIdx.x == 0)
    seen = 0;
  for (uint64_t k = at; k < static_cast<uint64_t> (args.sort.next_rows) * GT_SORT_DIGITS; k += threads)
    args.sort.next_tiles[k] = 0;
  __syncthreads ();
  for (uint64_t i = at; i < args.n; i += batch * threads)
    {
      const bool is_full = i + (batch - 1) * threads < args.n;
      K element[batch];

      /* All loads are on their way before the first of them is used; behind the end the first
         is loaded again.  */
#pragma unroll
      for (unsigned u = 0; u < batch; u++)
        element[u] = __ldg (x + (is_full || i + u * threads < args.n ? i + u * threads : i) * args.stride);
      if (args.sort.flags & GT_SORT_REAL)
        look_at (element, &kinds);
#pragma unroll
      for (unsigned u = 0; u < batch; u++)
        if (is_full || i + u * threads < args.n)
          {
            const K key = form.key (element[u]);

#pragma unroll
            for (unsigned p = 0; p < sizeof (K); p++)
              atomicAdd (&count[p][digit (key, 8 * p)], 1u);
          }
    }
  if (kinds)
    atomicOr (&seen, kinds);
  __syncthreads ();
  for (unsigned k = threadIdx.x; k < sizeof (K) * GT_SORT_DIGITS; k += blockDim.x)
    {
      const uint32_t c = count[k / GT_SORT_DIGITS][k % GT_SORT_DIGITS];

      if (c)
        atomicAdd (&control->base[k / GT_SORT_DIGITS][0][k % GT_SORT_DIGITS],
                   static_cast<unsigned long long> (c));
    }
  if (threadIdx.x == 0 && seen)
    atomicOr (&control->seen, seen);
  if (is_last_block (&control->done))
    begin_passes<K> (args);
}

/* ---------------------------------------------------------------- One tile */

/* The lanes of a warp for which BIT is set in OWN, or clear, as it is for this one.  The compiler
   makes three instructions of this text, and six of the same in C.  */
__device__ __forceinline__ uint32_t lanes_alike (uint32_t own, uint32_t bit)
{
#ifdef GT_SOFTGPU
  const uint32_t votes = __ballot_sync (0xffffffffu, (own & bit) != 0);

  return own & bit ? votes : ~votes;
#else
  uint32_t votes;

  asm ("{\n\t"
       ".reg .pred is_set;\n\t"
       "and.b32 %0, %1, %2;\n\t"
       "setp.ne.u32 is_set, %0, 0;\n\t"
       "vote.sync.ballot.b32 %0, is_set, 0xffffffff;\n\t"
       "@!is_set not.b32 %0, %0;\n\t"
       "}"
       : "=r"(votes)
       : "r"(own), "r"(bit));
  return votes;
#endif
}

/* The lanes of a warp whose digit is this one's OWN, which find each other by votes.  */
__device__ __forceinline__ uint32_t lanes_with (uint32_t own)
{
  uint32_t same = 0xffffffffu;

#pragma unroll
  for (unsigned b = 0; b < 8; b++)
    same &= lanes_alike (own, 1u << b);
  return same;
}

/* The ranks of a tile's keys by their digits, in the order of the tile where these are equal.
   Keys are striped over a warp's lanes, and warps follow one another.  */
template <class K, unsigned Threads>
struct tile_ranks
{
  static constexpr unsigned warps = Threads / warp;

  /* In shared memory.  */
  uint32_t count[warps][GT_SORT_DIGITS];
  uint32_t of_scan[GT_SORT_DIGITS / warp];

  __device__ __forceinline__ void clear ()
  {
    for (unsigned k = threadIdx.x % warp; k < GT_SORT_DIGITS; k += warp)
      count[threadIdx.x / warp][k] = 0;
    __syncwarp ();
  }

  /* For thread T < 256 how many keys of the tile have the digit T.  */
  __device__ __forceinline__ uint32_t total () const
  {
    uint32_t sum = 0;

    if (threadIdx.x < GT_SORT_DIGITS)
#pragma unroll
      for (unsigned w = 0; w < warps; w++)
        sum += count[w][threadIdx.x];
    return sum;
  }

  /* Counts; then thread T < 256 has in ALL how many keys of the tile have the digit T.  */
  template <unsigned Items>
  __device__ __forceinline__ void begin (const K (&keys)[Items], unsigned shift, uint32_t *all)
  {
    clear ();
#pragma unroll
    for (unsigned u = 0; u < Items; u++)
      atomicAdd (&count[threadIdx.x / warp][digit (keys[u], shift)], 1u);
    __syncthreads ();
    *all = total ();
  }

  /* Keys of the tile with a lesser digit than T, for thread T < 256; and each warp's
     counts become the ranks of its first keys.  */
  __device__ __forceinline__ uint32_t scan (uint32_t total)
  {
    const unsigned lane = threadIdx.x % warp, of = threadIdx.x / warp;
    const uint32_t sum = sum_to_lane (total);
    uint32_t before = sum - total;

    if (threadIdx.x < GT_SORT_DIGITS && lane == warp - 1)
      of_scan[of] = sum;
    __syncthreads ();
    if (threadIdx.x < GT_SORT_DIGITS)
      {
        for (unsigned w = 0; w < of; w++)
          before += of_scan[w];

        uint32_t next = before;

        for (unsigned w = 0; w < warps; w++)
          {
            const uint32_t own = count[w][threadIdx.x];

            count[w][threadIdx.x] = next;
            next += own;
          }
      }
    __syncthreads ();
    return before;
  }

  /* From what the counts are on: a warp's counts go on with its keys.  */
  template <unsigned Items>
  __device__ __forceinline__ void rank (const K (&keys)[Items], unsigned shift, uint32_t (&ranks)[Items])
  {
    const unsigned of = threadIdx.x / warp, lane = threadIdx.x % warp;
    const uint32_t below = (1u << lane) - 1;

#pragma unroll
    for (unsigned u = 0; u < Items; u++)
      {
        const uint32_t own = digit (keys[u], shift), same = lanes_with (own);
        /* The first of them counts all; those of the next key read what it has written.  */
        const uint32_t first = count[of][own];

        __syncwarp ();
        if ((same & below) == 0)
          count[of][own] = first + __popc (same);
        __syncwarp ();
        ranks[u] = first + __popc (same & below);
      }
  }

  /* The ranks of all of the block's keys, which nobody is told of: so they are counted as
     they are ranked, and what comes before is added afterwards.  */
  template <unsigned Items>
  __device__ __forceinline__ void rank_all (const K (&keys)[Items], unsigned shift, uint32_t (&ranks)[Items])
  {
    clear ();
    rank (keys, shift, ranks);
    __syncthreads ();
    scan (total ());
#pragma unroll
    for (unsigned u = 0; u < Items; u++)
      ranks[u] += count[threadIdx.x / warp][digit (keys[u], shift)];
    __syncthreads ();
  }
};

/* ---------------------------------------------------------------- A pass */

/* Keys of the tiles before with digit T, for thread T < 256: those that these have told, from the
   nearest on to the first that knows all before it.  */
__device__ __forceinline__ uint32_t look_back (const uint32_t *tiles, uint32_t tile)
{
  uint32_t sum = 0;

  while (tile-- > 0)
    {
      const volatile uint32_t *const told = tiles + tile * GT_SORT_DIGITS + threadIdx.x;
      uint32_t word;

      do
        word = *told;
      while (word == 0);
      sum += word & count_mask;
      if (word & of_all)
        break;
    }
  return sum;
}

__device__ __forceinline__ void publish (const gt_sort_args &sort, uint32_t tile, uint32_t word)
{
  *static_cast<volatile uint32_t *> (sort.tiles + tile * GT_SORT_DIGITS + threadIdx.x) = word;
}

template <class K, unsigned Threads, unsigned Items>
struct sort_tile
{
  union
  {
    tile_ranks<K, Threads> ranks;
    K keys[Threads * Items];
    uint32_t with[Threads * Items];
  };
  unsigned long long to[GT_SORT_DIGITS]; /* where a digit's keys go, less their first rank */
  uint32_t tile, is_stopped;
};

__device__ __forceinline__ void put_index (const gt_sort_args &sort, uint64_t at, uint32_t index)
{
  if (sort.flags & GT_SORT_LAST)
    static_cast<uint64_t *> (sort.with_to)[at * sort.with_stride] = index;
  else
    static_cast<uint32_t *> (sort.with_to)[at] = index;
}

/* The elements of a tile of N that are this thread's, all ones behind the end.  All loads are
   on their way before the first of them is used; those of a full tile without a stride have
   one address and constant distances from it.  */
template <class T, unsigned Items>
__device__ __forceinline__ void load_tile (const T *x, uint64_t stride, unsigned first, unsigned n,
                                           bool is_full, T (&to)[Items])
{
  if (is_full && stride == 1)
    {
#pragma unroll
      for (unsigned u = 0; u < Items; u++)
        to[u] = __ldcs (x + first + u * warp);
      return;
    }
#pragma unroll
  for (unsigned u = 0; u < Items; u++)
    {
      to[u] = static_cast<T> (~T (0));
      if (first + u * warp < n)
        to[u] = __ldcs (x + (first + u * warp) * stride);
    }
}

/* A launch is done: the next one begins, or the host is told that all are.  */
__device__ __forceinline__ void end_step (const gt_kernel_args &args, gt_sort_control *control)
{
  control->steps = args.sort.step + 1;
  if (args.sort.flags & GT_SORT_LAST)
    tell (args, 1, 0);
}

/* Whether there is nothing to be done: the order is undecided; or a launch before this one has
   not been, and nothing may be written.  One thread of each block asks.  */
__device__ __forceinline__ bool stops (const gt_kernel_args &args, gt_sort_control *control)
{
  if (control->steps != args.sort.step)
    return true;
  if (!control->answer)
    return false;
  if (atomicAdd (&control->done, 1u) == gridDim.x - 1)
    {
      control->done = 0;
      end_step (args, control);
    }
  return true;
}

/* Writes a tile's N keys, in the order of their digits, the LAST pass as elements; TO tells where
   those of a digit go.  A tile that is WHOLE is full and goes side by side.  */
template <class K, unsigned Threads, unsigned Items>
__device__ __forceinline__ void put_keys (const gt_sort_args &sort, const key_form<K> &form,
                                          const unsigned long long *to, unsigned n,
                                          const K (&keys)[Items], const bool whole,
                                          const bool last)
{
  K *const x = static_cast<K *> (sort.to);

#pragma unroll
  for (unsigned u = 0; u < Items; u++)
    {
      const unsigned i = threadIdx.x + u * Threads;
      const unsigned long long at = to[digit (keys[u], sort.shift)] + i;

      if (whole || i < n)
        x[whole ? at : at * sort.to_stride] = last ? form.element (keys[u]) : keys[u];
    }
}

template <class W, unsigned Threads, unsigned Items>
__device__ __forceinline__ void put_with (W *with_to, uint64_t stride, const unsigned long long *to,
                                          unsigned n, const uint32_t (&digits)[Items],
                                          const uint32_t (&with)[Items])
{
#pragma unroll
  for (unsigned u = 0; u < Items; u++)
    {
      const unsigned i = threadIdx.x + u * Threads;

      if (i < n)
        with_to[(to[digits[u]] + i) * stride] = with[u];
    }
}

template <class K, unsigned Threads, unsigned Items, bool Pairs>
__device__ __forceinline__ void sort_pass (const gt_kernel_args &args)
{
  constexpr unsigned length = Threads * Items;
  __shared__ sort_tile<K, Threads, Items> s;
  const gt_sort_args &sort = args.sort;
  gt_sort_control *const control = static_cast<gt_sort_control *> (args.partials);
  const K *const x = static_cast<const K *> (args.data);
  const key_form<K> form (sort.flip, sort.negative, sort.flags);
  const unsigned first = threadIdx.x / warp * warp * Items + threadIdx.x % warp;
  K keys[Items];
  uint32_t ranks[Items], with[Items], total, before;
  const unsigned shift = sort.shift;
  const bool is_last = sort.flags & GT_SORT_LAST;

  if (threadIdx.x == 0)
    {
      s.tile = atomicAdd (&control->tile, 1u);
      s.is_stopped = stops (args, control);
      if (s.tile == gridDim.x - 1)
        control->tile = 0;
    }
  __syncthreads ();

  const uint32_t tile = s.tile, is_stopped = s.is_stopped;
  const uint64_t begin = static_cast<uint64_t> (tile) * length;
  const unsigned n = args.n - begin < length ? static_cast<unsigned> (args.n - begin) : length;

  if (is_stopped)
    return;
  load_tile<K, Items> (x + begin * args.stride, args.stride, first, n, n == length, keys);
  if (sort.flags & GT_SORT_FIRST)
#pragma unroll
    for (unsigned u = 0; u < Items; u++)
      keys[u] = n == length || first + u * warp < n ? form.key (keys[u]) : keys[u];
  for (uint32_t row = tile; row < sort.next_rows; row += gridDim.x)
    for (unsigned k = threadIdx.x; k < GT_SORT_DIGITS; k += Threads)
      sort.next_tiles[row * GT_SORT_DIGITS + k] = 0;

  /* The keys beyond the end are the last ones of the last digit, and are not counted.  */
  s.ranks.begin (keys, shift, &total);
  before = threadIdx.x == digit (static_cast<K> (~K (0)), shift) ? length - n : 0;
  total -= before;
  if (threadIdx.x < GT_SORT_DIGITS)
    publish (sort, tile, total | (tile == 0 ? of_all : of_tile));
  before = s.ranks.scan (total + before);
  s.ranks.rank (keys, shift, ranks);
  __syncthreads ();
#pragma unroll
  for (unsigned u = 0; u < Items; u++)
    s.keys[ranks[u]] = keys[u];
  if (threadIdx.x < GT_SORT_DIGITS)
    {
      const unsigned p = shift / 8, q = sort.portion % 2;
      const uint32_t sum = look_back (sort.tiles, tile);
      const unsigned long long base = control->base[p][q][threadIdx.x] + sum;

      if (tile > 0)
        publish (sort, tile, (sum + total) | of_all);
      s.to[threadIdx.x] = base - before;
      if (tile == gridDim.x - 1)
        control->base[p][1 - q][threadIdx.x] = base + total;
    }
  __syncthreads ();

  uint32_t digits[Items];

  /* All tiles before have begun.  */
  if (threadIdx.x == 0 && tile == gridDim.x - 1)
    end_step (args, control);
#pragma unroll
  for (unsigned u = 0; u < Items; u++)
    keys[u] = s.keys[threadIdx.x + u * Threads];
  if (Pairs)
#pragma unroll
    for (unsigned u = 0; u < Items; u++)
      digits[u] = digit (keys[u], shift);
  if (sort.to && !(n == length && sort.to_stride == 1))
    put_keys<K, Threads, Items> (sort, form, s.to, n, keys, false, is_last);
  else if (sort.to && is_last)
    put_keys<K, Threads, Items> (sort, form, s.to, n, keys, true, true);
  else if (sort.to)
    put_keys<K, Threads, Items> (sort, form, s.to, n, keys, true, false);
  if (!Pairs)
    return;
  /* Not before, so that fewer registers are in use while keys are ranked.  */
  if (sort.with)
    load_tile<uint32_t, Items> (static_cast<const uint32_t *> (sort.with) + begin, 1, first, n,
                                n == length, with);
  else
#pragma unroll
    for (unsigned u = 0; u < Items; u++)
      with[u] = static_cast<uint32_t> (sort.first + begin + first + u * warp);
  __syncthreads ();
#pragma unroll
  for (unsigned u = 0; u < Items; u++)
    s.with[ranks[u]] = with[u];
  __syncthreads ();
#pragma unroll
  for (unsigned u = 0; u < Items; u++)
    with[u] = s.with[threadIdx.x + u * Threads];
  if (is_last)
    put_with<uint64_t, Threads, Items> (static_cast<uint64_t *> (sort.with_to), sort.with_stride,
                                        s.to, n, digits, with);
  else
    put_with<uint32_t, Threads, Items> (static_cast<uint32_t *> (sort.with_to), 1, s.to, n, digits,
                                        with);
}

/* ---------------------------------------------------------------- One block */

/* Moves what each thread has to the places of the RANKS, and gives it what is at its own, from
   FIRST on.  */
template <class T, unsigned Items>
__device__ __forceinline__ void move (T *room, unsigned first, const uint32_t (&ranks)[Items], T (&x)[Items])
{
#pragma unroll
  for (unsigned u = 0; u < Items; u++)
    room[ranks[u]] = x[u];
  __syncthreads ();
#pragma unroll
  for (unsigned u = 0; u < Items; u++)
    x[u] = room[first + u * warp];
  __syncthreads ();
}

/* Shared memory of a block that sorts.  */
template <class K, unsigned Threads, unsigned Items>
struct block_room
{
  union
  {
    tile_ranks<K, Threads> ranks;
    K keys[Threads * Items];
    uint32_t with[Threads * Items];
  };
  uint32_t seen, answer;
};

/* As many keys as a block holds, ITEMS a thread, which are known here so that the rank of one need
   not wait for another's.  */
template <unsigned Items, bool Pairs, class K, unsigned Threads, unsigned Most>
__device__ __forceinline__ void sort_items (const gt_kernel_args &args, block_room<K, Threads, Most> &s)
{
  const gt_sort_args &sort = args.sort;
  const K *const x = static_cast<const K *> (args.data);
  const key_form<K> form (sort.flip, sort.negative, sort.flags);
  const unsigned n = static_cast<unsigned> (args.n);
  const unsigned first = threadIdx.x / warp * warp * Items + threadIdx.x % warp;
  K keys[Items];
  uint32_t ranks[Items], with[Items], kinds = 0;

  if (threadIdx.x == 0)
    s.seen = s.answer = 0;
  __syncthreads ();
#pragma unroll
  for (unsigned u = 0; u < Items; u++)
    {
      const unsigned i = first + u * warp;

      /* Those behind the end stay there.  */
      keys[u] = static_cast<K> (~K (0));
      with[u] = i;
      if (i < n)
        {
          const K element = __ldg (x + i * args.stride);

          if (sort.flags & GT_SORT_REAL)
            kinds |= kind_of (element);
          keys[u] = form.key (element);
        }
    }
  if (kinds)
    atomicOr (&s.seen, kinds);
#pragma unroll 1
  for (unsigned shift = 0; shift < 8 * sizeof (K); shift += 8)
    {
      s.ranks.rank_all (keys, shift, ranks);
      move (s.keys, first, ranks, keys);
      if (Pairs)
        move (s.with, first, ranks, with);
    }
#pragma unroll
  for (unsigned u = 0; u < Items; u++)
    s.keys[first + u * warp] = keys[u];
  __syncthreads ();
  if (threadIdx.x == 0 && is_undecided (sort.flags, s.seen))
    atomicOr (&s.answer, static_cast<unsigned> (GT_SORT_UNDECIDED));
#pragma unroll
  for (unsigned u = 0; u < Items; u++)
    {
      const unsigned i = first + u * warp;

      if (i >= n)
        break;
      if (i > 0 && keys[u] == s.keys[i - 1])
        atomicOr (&s.answer, static_cast<unsigned> (GT_SORT_TIED));
      if (sort.to && !is_undecided (sort.flags, s.seen))
        static_cast<K *> (sort.to)[i * sort.to_stride] = form.element (keys[u]);
      if (Pairs)
        put_index (sort, i, with[u]);
    }
  tell_at_end (args, &s.answer);
}

/* Sorts as many keys as there are in shared memory, each thread few where that suffices.  */
template <class K, unsigned Threads, unsigned Items, bool Pairs>
__device__ __forceinline__ void sort_block (const gt_kernel_args &args)
{
  __shared__ block_room<K, Threads, Items> s;

  if (args.n <= 2 * Threads)
    sort_items<2, Pairs> (args, s);
  else
    sort_items<Items, Pairs> (args, s);
}

/* Whether sorted keys are equal, side by side.  Where the passes had nothing to do, there are
   none.  */
template <class K>
__device__ __forceinline__ void find_ties (const gt_kernel_args &args)
{
  const K *const x = static_cast<const K *> (args.data);
  gt_sort_control *const control = static_cast<gt_sort_control *> (args.partials);
  const uint64_t threads = static_cast<uint64_t> (gridDim.x) * blockDim.x;
  const uint64_t n = control->answer & GT_SORT_UNDECIDED ? 0 : args.n;
  int are_tied = 0;

#pragma unroll 4
  for (uint64_t i = static_cast<uint64_t> (blockIdx.x) * blockDim.x + threadIdx.x; i + 1 < n;
       i += threads)
    are_tied |= __ldg (x + i) == __ldg (x + i + 1);
  if (are_tied)
    atomicOr (&control->answer, static_cast<unsigned> (GT_SORT_TIED));
  if (is_last_block (&control->done) && threadIdx.x == 0)
    tell (args, 2, control->answer);
}

} /* namespace gt */

#endif
