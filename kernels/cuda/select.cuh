/* Selection: the key of a rank, without sorting.  A sample tells of a short range that has
   this key almost certainly (R. W. Floyd and R. L. Rivest, "Expected time bounds for
   selection", 1975); a pass over all elements keeps those in it and counts them in bins, of
   which one has the key: it is the next range.  When few are left, one block selects among
   them by 8 bits at a time.  Where the sample was wrong, or too many are equal to be kept, a
   pass reads again what the one before it has read; each leaves a range of at most
   1/2048 the width.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_SELECT_CUH
#define GT_KERNELS_CUDA_SELECT_CUH

#include "kernels/cuda/sort_keys.cuh"
#include "kernels/sort_tiles.h"
#include "kernels/types.h"

namespace gt
{

constexpr unsigned select_warps = GT_SELECT_THREADS / warp;
constexpr unsigned digits = GT_SORT_DIGITS;

/* --------------------------------------------------------------- What is read */

/* Keys of elements.  */
template <class K>
struct of_elements
{
  typedef K key_type;
  const K *data;
  uint64_t stride;
  key_form<K> form;

  __device__ __forceinline__ explicit of_elements (const gt_kernel_args &args)
    : data (static_cast<const K *> (args.data)), stride (args.stride),
      form (args.select.flip, args.select.negative, args.select.flags)
  {
  }
  __device__ __forceinline__ K load (uint64_t i) const
  {
    return __ldg (data + i * stride);
  }
  /* So many of a block's elements from FIRST on, no matter which, as each thread has others:
     16 bytes at once, where they lie side by side and can be loaded so.  */
  template <unsigned each>
  __device__ __forceinline__ void load_all (uint64_t first, K (&to)[each]) const
  {
    struct alignas (16) piece
    {
      K of[16 / sizeof (K)];
    };
    constexpr unsigned of_piece = 16 / sizeof (K);

    if (stride == 1 && reinterpret_cast<uintptr_t> (data) % sizeof (piece) == 0)
      {
        const piece *const pieces = reinterpret_cast<const piece *> (data + first) + threadIdx.x;
        piece loaded[each / of_piece];

#pragma unroll
        for (unsigned u = 0; u < each / of_piece; u++)
          loaded[u] = pieces[u * GT_SELECT_THREADS];
#pragma unroll
        for (unsigned u = 0; u < each; u++)
          to[u] = loaded[u / of_piece].of[u % of_piece];
      }
    else
#pragma unroll
      for (unsigned u = 0; u < each; u++)
        to[u] = load (first + threadIdx.x + u * GT_SELECT_THREADS);
  }
  __device__ __forceinline__ K key (K element) const
  {
    return form.key (element);
  }
};

/* Keys of distances from the middle, in double, of elements of any arithmetic.  */
struct of_distances
{
  typedef uint64_t key_type;
  const void *data;
  uint64_t stride;
  double middle;
  uint32_t element;

  __device__ __forceinline__ explicit of_distances (const gt_kernel_args &args)
    : data (args.data), stride (args.stride), middle (args.select.middle),
      element (args.select.element)
  {
  }
  template <class T>
  __device__ __forceinline__ double number (uint64_t i) const
  {
    return static_cast<double> (__ldg (static_cast<const T *> (data) + i * stride));
  }
  __device__ __forceinline__ uint64_t load (uint64_t i) const
  {
    double x;

    switch (element)
      {
      case GT_F64: x = number<double> (i); break;
      case GT_F32: x = number<float> (i); break;
      case GT_I64: x = number<int64_t> (i); break;
      case GT_U64: x = number<uint64_t> (i); break;
      case GT_I32: x = number<int32_t> (i); break;
      case GT_U32: x = number<uint32_t> (i); break;
      case GT_I16: x = number<int16_t> (i); break;
      case GT_U16: x = number<uint16_t> (i); break;
      case GT_I8: x = number<int8_t> (i); break;
      default: x = number<uint8_t> (i); break;
      }
    return static_cast<uint64_t> (__double_as_longlong (fabs (__dsub_rn (x, middle))));
  }
  template <unsigned each>
  __device__ __forceinline__ void load_all (uint64_t first, uint64_t (&to)[each]) const
  {
#pragma unroll
    for (unsigned u = 0; u < each; u++)
      to[u] = load (first + threadIdx.x + u * GT_SELECT_THREADS);
  }
  __device__ __forceinline__ uint64_t key (uint64_t element) const
  {
    return element ^ first_bit<uint64_t> ();
  }
};

/* ---------------------------------------------------------------- One block */

/* The shared memory of a block that selects.  */
struct chooser
{
  uint32_t count[2][digits];
  unsigned long long rank[2], chosen[2]; /* the digits that are known */
};

/* In a block's keys, so many a thread of which CAN tells which there are, the keys of the ranks
   of C, which must be there; for two at once, or for one.  The digits from SHIFT + 8 on are
   known.  */
template <class K, unsigned Items, unsigned Ranks>
__device__ __forceinline__ void choose (const K (&keys)[Items], uint32_t can, int shift, chooser *c)
{
#pragma unroll 1
  for (; shift >= 0; shift -= 8)
    {
      for (unsigned k = threadIdx.x; k < Ranks * digits; k += blockDim.x)
        c->count[k / digits][k % digits] = 0;
      __syncthreads ();
#pragma unroll
      for (unsigned r = 0; r < Ranks; r++)
        {
          const unsigned long long chosen = c->chosen[r];

#pragma unroll
          for (unsigned u = 0; u < Items; u++)
            /* Two shifts, of which none is as wide as a key.  */
            if ((can >> u & 1) && (static_cast<unsigned long long> (keys[u]) >> shift >> 8) == chosen)
              atomicAdd (&c->count[r][digit (keys[u], static_cast<unsigned> (shift))], 1u);
        }
      __syncthreads ();
      if (threadIdx.x / warp < Ranks)
        {
          const unsigned r = threadIdx.x / warp, lane = threadIdx.x % warp;
          const unsigned long long rank = c->rank[r], chosen = c->chosen[r];
          uint32_t own = 0, before;

          for (unsigned k = 0; k < digits / warp; k++)
            own += c->count[r][lane * (digits / warp) + k];
          before = sum_to_lane (own) - own;
          __syncwarp ();
          if (before <= rank && rank < before + own)
            {
              unsigned k = lane * (digits / warp);

              for (; rank >= before + c->count[r][k]; k++)
                before += c->count[r][k];
              c->rank[r] = rank - before;
              c->chosen[r] = chosen << 8 | k;
            }
        }
      __syncthreads ();
    }
}

/* ------------------------------------------------------------------- Sample */

/* Some element's number within its stretch.  */
__device__ __forceinline__ uint64_t scrambled (uint64_t i)
{
  i = (i + 1) * 0x9e3779b97f4a7c15ull;
  return (i ^ i >> 29) * 0xbf58476d1ce4e5b9ull >> 32;
}

/* The range between two elements of a sample that are as far from where the rank is in it as
   its deviation hardly ever is: less than four standard deviations, of sqrt (samples) / 2 at most.  */
template <class Source>
__device__ __forceinline__ void take_sample (const gt_kernel_args &args)
{
  typedef typename Source::key_type K;
  constexpr unsigned each = GT_SELECT_SAMPLE / GT_SELECT_BLOCK_THREADS;
  constexpr long long margin = GT_SELECT_MARGIN, last = GT_SELECT_SAMPLE - 1;
  __shared__ chooser c;
  gt_select_control *const control = static_cast<gt_select_control *> (args.partials);
  const Source source (args);
  const uint64_t stretch = args.n / GT_SELECT_SAMPLE;
  const long long at = static_cast<long long> (static_cast<double> (args.select.rank)
                                               / static_cast<double> (args.n) * GT_SELECT_SAMPLE);
  K keys[each];

#pragma unroll
  for (unsigned u = 0; u < each; u++)
    {
      const uint64_t i = threadIdx.x + u * GT_SELECT_BLOCK_THREADS;

      keys[u] = source.key (source.load (i * stretch + scrambled (i) % stretch));
    }
  if (threadIdx.x == 0)
    {
      c.rank[0] = at < margin ? 0 : static_cast<unsigned long long> (at - margin);
      c.rank[1] = static_cast<unsigned long long> (at + margin > last ? last : at + margin);
      c.chosen[0] = c.chosen[1] = 0;
    }
  choose<K, each, 2> (keys, ~0u, 8 * sizeof (K) - 8, &c);
  if (threadIdx.x == 0)
    {
      control->low = at < margin ? 0 : c.chosen[0];
      control->high = at + margin > last ? static_cast<K> (~K (0)) : c.chosen[1];
      control->rank = args.select.rank;
      control->in = control->below = 0;
      control->n_kept[0] = control->n_kept[1] = 0;
      control->from = 0;
      control->is_sample = 1;
      control->done = 0;
      control->steps = args.select.step + 1;
      control->seen = 0;
    }
  for (unsigned k = threadIdx.x; k < GT_SELECT_BINS; k += GT_SELECT_BLOCK_THREADS)
    control->bin[k] = 0;
}

/* --------------------------------------------------------------------- Pass */

/* Bits by which keys of a range are shifted to be bins.  */
__device__ __forceinline__ unsigned bin_shift (unsigned long long width)
{
  unsigned shift = 0;

  while (width >> shift >= GT_SELECT_BINS)
    shift++;
  return shift;
}

/* Keys in the range from LOW on, on their way to memory and counted in bins when they leave:
   each warp's own, of which it takes EACH a lane at once, at most.  */
template <class K, unsigned each>
struct keeper
{
  static constexpr unsigned room = 2 * each * warp; /* keys */
  K *shared, *to;
  unsigned long long *count, most;
  uint32_t *bin;
  K low;
  unsigned shift, held;

  /* Where this lane's keys go, COUNT of them, the others' before and behind them.  */
  __device__ __forceinline__ K *take (unsigned count_)
  {
    const unsigned to_lane = sum_to_lane (count_), before = held + to_lane - count_;

    held += __shfl_sync (0xffffffffu, to_lane, warp - 1);
    return shared + before;
  }

  __device__ __forceinline__ void empty ()
  {
    const unsigned lane = threadIdx.x % warp;
    unsigned long long at = 0;

    __syncwarp ();
    if (lane == 0)
      at = atomicAdd (count, static_cast<unsigned long long> (held));
    at = __shfl_sync (0xffffffffu, at, 0);
    for (unsigned k = lane; k < held; k += warp)
      {
        const K key = shared[k];

        atomicAdd (&bin[(key - low) >> shift], 1u);
        if (at + k < most)
          to[at + k] = key;
      }
    __syncwarp ();
    held = 0;
  }
};

/* The last block looks for the rank in the grid's bins, and notes the new range.  */
template <class K>
__device__ __forceinline__ void narrow (gt_select_control *control, uint64_t most, unsigned to)
{
  constexpr unsigned each = GT_SELECT_BINS / GT_SELECT_THREADS;
  __shared__ unsigned long long of_warp[select_warps];
  const unsigned lane = threadIdx.x % warp, of = threadIdx.x / warp;
  const unsigned long long low = control->low, high = control->high;
  const unsigned long long below = control->is_sample ? control->below : 0;
  const unsigned long long wanted = control->rank, rank = wanted - below;
  const unsigned shift = bin_shift (high - low);
  unsigned long long bin[each], own = 0, sum, before = 0, all = 0;

  for (unsigned k = 0; k < each; k++)
    own += bin[k] = control->bin[threadIdx.x * each + k];
  sum = sum_to_lane (own);
  if (lane == warp - 1)
    of_warp[of] = sum;
  __syncthreads ();
  for (unsigned w = 0; w < select_warps; w++)
    {
      before += w < of ? of_warp[w] : 0;
      all += of_warp[w];
    }
  before += sum - own;
  if (wanted < below || rank >= all)
    {
      /* The sample was wrong: the key is before the range, or behind it.  */
      if (threadIdx.x == 0)
        {
          control->low = wanted < below ? 0 : high + 1;
          control->high = wanted < below ? low - 1 : static_cast<K> (~K (0));
          control->rank = wanted < below ? wanted : rank - all;
          control->in = 0;
        }
    }
  else if (before <= rank && rank < before + own)
    for (unsigned k = 0; k < each; k++)
      {
        if (before <= rank && rank < before + bin[k])
          {
            const unsigned long long first
              = low + (static_cast<unsigned long long> (threadIdx.x * each + k) << shift);
            const unsigned long long last = first + ((1ull << shift) - 1);

            control->low = first;
            control->high = last < first || last > high ? high : last;
            control->rank = rank - before;
            control->in = bin[k];
            /* A range of one key is not kept.  */
            if (low != high && control->n_kept[to] <= most)
              control->from = to + 1;
          }
        before += bin[k];
      }
  for (unsigned k = 0; k < each; k++)
    control->bin[threadIdx.x * each + k] = 0;
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      control->n_kept[control->from == 1 ? 1 : 0] = 0;
      control->below = 0;
      control->is_sample = 0;
      control->done = 0;
      control->steps++;
    }
}

/* A thread's elements from BEGIN on, or the keys that EARLIER passes have left: all loads are on
   their way before the first of them is used; behind the end the last one is loaded.  */
template <class Source, class K, unsigned each>
__device__ __forceinline__ void load_keys (const Source &source, const K *earlier, uint64_t begin, uint64_t n, K (&to)[each])
{
  const uint64_t first = begin + threadIdx.x;
  const bool is_full = begin + each * GT_SELECT_THREADS <= n;

  if (earlier)
#pragma unroll
    for (unsigned u = 0; u < each; u++)
      to[u] = earlier[is_full || first + u * GT_SELECT_THREADS < n ? first + u * GT_SELECT_THREADS : n - 1];
  else if (is_full)
    source.load_all (begin, to);
  else
#pragma unroll
    for (unsigned u = 0; u < each; u++)
      to[u] = source.load (first + u * GT_SELECT_THREADS < n ? first + u * GT_SELECT_THREADS : n - 1);
}

/* A bit for each of those that are not behind the end.  */
template <unsigned each>
__device__ __forceinline__ uint32_t are_there (uint64_t begin, uint64_t n)
{
  const uint64_t first = begin + threadIdx.x, left = first < n ? (n - first - 1) / GT_SELECT_THREADS + 1 : 0;

  return left < each ? (1u << left) - 1 : 0xffffffffu;
}

/* Of the keys of a range how many are in each bin; the keys themselves are kept.  Those of
   elements are loaded anew, or those read that were kept before.  */
template <class Source>
__device__ __forceinline__ void select_pass (const gt_kernel_args &args)
{
  typedef typename Source::key_type K;
  constexpr unsigned each = GT_SELECT_EACH (sizeof (K));
  __shared__ uint32_t bin[GT_SELECT_BINS];
  __shared__ K kept[select_warps][keeper<K, each>::room];
  gt_select_control *const control = static_cast<gt_select_control *> (args.partials);
  const gt_select_args &select = args.select;
  const Source source (args);
  const bool is_due = control->steps == select.step;
  const unsigned from = is_due ? control->from : 0, to = from == 1 ? 1 : 0;
  const K *const earlier = static_cast<const K *> (select.kept[1 - to]);
  const K low = static_cast<K> (control->low), high = static_cast<K> (control->high);
  const K width = static_cast<K> (high - low);
  const bool is_one = low == high, is_sample = control->is_sample;
  const bool looks = is_sample && (select.flags & GT_SORT_REAL);
  const unsigned shift = bin_shift (high - low);
  const uint64_t n = from ? control->n_kept[from - 1] : args.n;
  keeper<K, each> keep = {kept[threadIdx.x / warp], static_cast<K *> (select.kept[to]),
                    &control->n_kept[to], select.most, bin, low, shift, 0};
  const uint64_t step = static_cast<uint64_t> (gridDim.x) * GT_SELECT_THREADS * each;
  uint64_t begin = static_cast<uint64_t> (blockIdx.x) * GT_SELECT_THREADS * each;
  uint32_t below = 0, in = 0, seen = 0;
  K element[each], next[each];

  /* The launch before this one has not been.  */
  if (!is_due)
    return;
  /* There is nothing to narrow: one key is left, or so few that the last step takes all of
     them, and finds the next one among them, too.  */
  if ((is_one && !is_sample) || (from && n <= GT_SELECT_FEW))
    {
      if (blockIdx.x == 0 && threadIdx.x == 0)
        control->steps++;
      return;
    }
  for (unsigned k = threadIdx.x; k < GT_SELECT_BINS; k += GT_SELECT_THREADS)
    bin[k] = 0;
  __syncthreads ();
  if (begin < n)
    load_keys (source, from ? earlier : nullptr, begin, n, next);
  for (; begin < n; begin += step)
    {
      /* The next ones are on their way while these are looked at.  */
#pragma unroll
      for (unsigned u = 0; u < each; u++)
        element[u] = next[u];
      if (begin + step < n)
        load_keys (source, from ? earlier : nullptr, begin + step, n, next);
      if (looks)
        look_at (element, &seen);
      if (!from)
#pragma unroll
        for (unsigned u = 0; u < each; u++)
          element[u] = source.key (element[u]);

      /* One bit for each.  */
      uint32_t are_in = 0, are_below = 0;

#pragma unroll
      for (unsigned u = 0; u < each; u++)
        {
          are_in |= static_cast<uint32_t> (static_cast<K> (element[u] - low) <= width) << u;
          are_below |= static_cast<uint32_t> (element[u] < low) << u;
        }
      are_in &= are_there<each> (begin, n);
      below += __popc (are_below & are_there<each> (begin, n));
      if (is_one)
        in += __popc (are_in);
      else if (__any_sync (0xffffffffu, are_in != 0))
        {
          K *place = keep.take (__popc (are_in));

#pragma unroll
          for (unsigned u = 0; u < each; u++)
            if (are_in >> u & 1)
              *place++ = element[u];
          if (keep.held > each * warp)
            keep.empty ();
        }
    }
  if (keep.held)
    keep.empty ();
  if (in)
    atomicAdd (&bin[0], in);

  const unsigned long long all_below = sum_to_lane (static_cast<unsigned long long> (below));

  if (is_sample && threadIdx.x % warp == warp - 1 && all_below)
    atomicAdd (&control->below, all_below);
  if (seen)
    atomicOr (&control->seen, seen);
  __syncthreads ();
  for (unsigned k = threadIdx.x; k < GT_SELECT_BINS; k += GT_SELECT_THREADS)
    if (bin[k])
      atomicAdd (&control->bin[k], static_cast<unsigned long long> (bin[k]));
  if (is_last_block (&control->done))
    narrow<K> (control, select.most, to);
}

/* ---------------------------------------------------------------- The last step */

/* Tells KEY, or two, or that more passes are needed.  */
__device__ __forceinline__ void tell_keys (const gt_kernel_args &args, uint32_t flags,
                                           unsigned long long key, unsigned long long next)
{
  tell (args, 1, static_cast<uint32_t> (key));
  tell (args, 2, static_cast<uint32_t> (key >> 32));
  tell (args, 3, static_cast<uint32_t> (next));
  tell (args, 4, static_cast<uint32_t> (next >> 32));
  tell (args, 0, flags);
}

/* By one block: the key of the rank, and that of the next, among as many as its threads can
   hold.  Where there are no passes before, all elements are these.  */
template <class Source>
__device__ __forceinline__ void select_last (const gt_kernel_args &args)
{
  typedef typename Source::key_type K;
  constexpr unsigned each = GT_SELECT_FEW / GT_SELECT_BLOCK_THREADS;
  __shared__ chooser c;
  __shared__ uint32_t seen, at_most;
  __shared__ unsigned long long above; /* the least key above, all bits turned */
  gt_select_control *const control = static_cast<gt_select_control *> (args.partials);
  const Source source (args);
  const bool is_all = args.n <= GT_SELECT_FEW;
  const bool is_due = is_all || control->steps == args.select.step;
  const unsigned from = is_all || !is_due ? 0 : control->from;
  const uint64_t n = from ? control->n_kept[from - 1] : args.n;
  const K *const kept = static_cast<const K *> (args.select.kept[from == 2]);
  const K low = is_all ? K (0) : static_cast<K> (control->low);
  const K high = is_all ? static_cast<K> (~K (0)) : static_cast<K> (control->high);
  const unsigned long long rank = is_all ? args.select.rank : control->rank;
  K keys[each];
  uint32_t can = 0, there = 0, kinds = 0, count = 0;
  unsigned long long least = 0;
  int shift = 8 * sizeof (K) - 8;

  /* A launch before this one has not been.  */
  if (!is_due)
    return;
  if (n > GT_SELECT_FEW)
    {
      if (threadIdx.x == 0)
        tell_keys (args,
                   control->seen | (low != high             ? GT_SELECT_MORE
                                    : rank + 1 < control->in ? GT_SELECT_NEXT
                                                             : 0),
                   low, low);
      return;
    }
  /* The digits that the range has in common are known.  */
  while (shift > 0 && ((low ^ high) >> shift) == 0)
    shift -= 8;
  if (threadIdx.x == 0)
    {
      seen = is_all ? 0 : control->seen;
      at_most = 0;
      above = 0;
      c.rank[0] = rank;
      c.chosen[0] = static_cast<unsigned long long> (low) >> shift >> 8;
    }
  __syncthreads ();
#pragma unroll
  for (unsigned u = 0; u < each; u++)
    {
      const uint64_t i = threadIdx.x + u * GT_SELECT_BLOCK_THREADS;

      keys[u] = 0;
      if (i < n)
        {
          const K element = from ? kept[i] : source.load (i);

          keys[u] = from ? element : source.key (element);
          if (is_all && (args.select.flags & GT_SORT_REAL))
            kinds |= kind_of (element);
          there |= 1u << u;
          can |= static_cast<uint32_t> (keys[u] >= low && keys[u] <= high) << u;
        }
    }
  if (kinds)
    atomicOr (&seen, kinds);
  choose<K, each, 1> (keys, can, shift, &c);

  const K key = static_cast<K> (c.chosen[0]);

#pragma unroll
  for (unsigned u = 0; u < each; u++)
    {
      count += (can >> u & 1) && keys[u] <= key;
      if ((there >> u & 1) && keys[u] > key && least < static_cast<K> (~keys[u]) + 1ull)
        least = static_cast<K> (~keys[u]) + 1ull;
    }
  count = sum_to_lane (count);
  if (threadIdx.x % warp == warp - 1)
    atomicAdd (&at_most, count);
  for (unsigned by = warp / 2; by > 0; by /= 2)
    {
      const unsigned long long other = __shfl_xor_sync (0xffffffffu, least, static_cast<int> (by));

      least = least < other ? other : least;
    }
  if (threadIdx.x % warp == 0 && least)
    atomicMax (&above, least);
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      const bool is_same = rank + 1 < at_most;

      tell_keys (args, seen | (is_same || above ? GT_SELECT_NEXT : 0), key,
                 is_same ? key : static_cast<K> (~(above - 1)));
    }
}

} /* namespace gt */

#endif
