/* Computes one result for each line of a matrix, or segment of a vector.

   Short rows and segments are copied into shared memory, as many as a warp has room for, while
   the warp adds those copied before; a few lanes add each line from there, so that neither length
   nor alignment matters.  Longer ones are read by a warp or by blocks each, columns by a thread
   for each column and some rows.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_LINES_CUH
#define GT_KERNELS_CUDA_LINES_CUH

#include "kernels/cuda/lines_sums.cuh"

namespace gt
{

/* Adds elements FIRST, FIRST + STEP, ... of the N elements at X, with a distance of STRIDE; AT
   is the index of X[0].  AHEAD elements are loaded at once; if WHOLE, all of them exist.  */
template <bool Whole, unsigned ahead, class Sum, class T>
__device__ __forceinline__ void add_some (Sum &sum, const struct gt_kernel_args &args, const T *x, uint32_t n, uint64_t stride,
                                          uint32_t at, uint32_t k, unsigned step)
{
  const T *from = x + k * stride;
  T loaded[ahead];

#pragma unroll
  for (unsigned u = 0; u < ahead; u++, from += step * stride)
    if (Whole || k + u * step < n)
      loaded[u] = __ldcs (from);
#pragma unroll
  for (unsigned u = 0; u < ahead; u++)
    if (Whole || k + u * step < n)
      sum.add (args, loaded[u], at + k + u * step);
}

template <class Sum, class T>
__device__ __forceinline__ void add_strided (Sum &sum, const struct gt_kernel_args &args, const T *x, uint32_t n, uint64_t stride, uint32_t at,
                                             unsigned first, unsigned step)
{
  constexpr unsigned ahead = 64 / sizeof (T);
  uint32_t k = 0;

  for (; k + ahead * step <= n; k += ahead * step)
    add_some<true, ahead> (sum, args, x, n, stride, at, k + first, step);
  if (k < n)
    add_some<false, ahead> (sum, args, x, n, stride, at, k + first, step);
}

/* Does the same; products have a faster version of their own (lines_products.cuh).  */
template <class Sum, class T>
__device__ __forceinline__ void add_elements (Sum &sum, const struct gt_kernel_args &args, const T *x, uint32_t n, uint64_t stride,
                                              uint32_t at, unsigned first, unsigned step)
{
  add_strided (sum, args, x, n, stride, at, first, step);
}

/* Merges the sums of LANES neighbours, for all of them.  */
template <class Sum>
__device__ __forceinline__ void merge_lanes (Sum &sum, unsigned lanes)
{
#pragma unroll 1
  for (unsigned by = lanes / 2; by > 0; by /= 2)
    sum.merge (exchanged (sum, by));
}

/* The first element of a line, and its length.  */
struct extent
{
  uint64_t begin;
  uint32_t n;

  /* Finds LINE.  Returns false if its offsets decrease or exceed the vector.  */
  __device__ __forceinline__ bool take (const struct gt_lines_args &l, uint64_t line)
  {
    uint64_t end;

    begin = line * l.step;
    n = static_cast<uint32_t> (l.length);
    if (l.offsets == nullptr)
      return true;
    begin = __ldg (l.offsets + line);
    end = __ldg (l.offsets + line + 1);
    n = static_cast<uint32_t> (end - begin);
    if (!(end <= l.all && begin <= end))
      return false;
    begin *= l.stride;
    return true;
  }
};

/* ------------------------------------------------------------- Long segments */

/* Puts the parts of a long segment into the list, COUNT of them.  Offsets that decrease may give
   more of both than there is room for.  Inline, as a function of its own needs a copy of the
   arguments in each thread's memory.  */
__device__ __forceinline__ void list_segment (const struct gt_lines_args &l, uint64_t line, uint32_t count)
{
  const uint32_t base = atomicAdd (&l.control->items, count), ticket = atomicAdd (&l.control->tickets, 1u);

  if (ticket >= l.most_tickets || base + count > l.most_items)
    l.control->wrong = 1;
  else
    for (uint32_t k = 0; k < count; k++)
      l.items[base + k] = {line, k, count, base, ticket};
}

/* Returns whether this warp computes a segment of N elements: one that is neither empty nor
   long.  If FIRST, this lane notes the other segments.  */
__device__ __forceinline__ bool is_usual (const struct gt_lines_args &l, uint64_t line, uint64_t n, bool right, bool first)
{
  if (right && n > 0 && n <= l.longest)
    return true;
  if (!first)
    return false;
  if (!right)
    l.control->wrong = 1;
  else if (n > 0)
    list_segment (l, line, static_cast<uint32_t> ((n - 1) / l.share + 1));
  else
    {
      l.control->empty = 1;
      store_bytes (result_of (l, line), 0, l.size);
    }
  return false;
}

/* ------------------------------------------------------------------- Tiles */

/* Copies SIZE bytes to shared memory, whole words and 16 at most; complete after
   await_copies.  */
__device__ __forceinline__ void copy_unit (uint4 *to, const char *from, unsigned size)
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
  const unsigned at = static_cast<unsigned> (__cvta_generic_to_shared (to));

  if (size == 16)
    asm volatile ("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
  else
    for (unsigned k = 0; k < size; k += 4)
      asm volatile ("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at + k), "l"(from + k) : "memory");
#else
  if (size == 16)
    *to = __ldcs (reinterpret_cast<const uint4 *> (from));
  else
    for (unsigned k = 0; k < size / 4; k++)
      reinterpret_cast<uint32_t *> (to)[k] = __ldcs (reinterpret_cast<const unsigned *> (from) + k);
#endif
}

/* Ends a group of copies; waits until those of all groups but the last are there.  */
__device__ __forceinline__ void end_copies ()
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
  asm volatile ("cp.async.commit_group;" ::: "memory");
#endif
}
__device__ __forceinline__ void await_copies ()
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
  asm volatile ("cp.async.wait_group 1;" ::: "memory");
#endif
  __syncwarp ();
}

/* The unit of 16 bytes that X is in, and the place of X in it.  */
template <class T>
__device__ __forceinline__ const char *unit_of (const T *x)
{
  return reinterpret_cast<const char *> (x) - (reinterpret_cast<uintptr_t> (x) & 15);
}
template <class T>
__device__ __forceinline__ unsigned place_of (const T *x)
{
  return static_cast<unsigned> (reinterpret_cast<uintptr_t> (x) & 15) / sizeof (T);
}

/* Copies bytes from FROM to END by units FIRST, FIRST + STEP, ...  */
__device__ __forceinline__ void copy_units (uint4 *to, const char *from, const char *end, unsigned first, unsigned step)
{
  const unsigned size = static_cast<unsigned> (end - from);

  for (unsigned at = 16 * first; at < size; at += 16 * step)
    copy_unit (to + at / 16, from + at, size - at < 16 ? size - at : 16);
}

/* Lines that a warp has in shared memory: adjacent rows or segments, copied as one piece, or
   distant rows, each of which begins with a unit of its own.  A few lanes add each segment.  */
template <class T>
struct tile
{
  uint64_t line;     /* the first */
  uint32_t count;
  bool staged;       /* false: segments that are too long, which are read one by one */
  struct extent own; /* the lane's segment */
  uint64_t begin;    /* of the first segment */

  __device__ __forceinline__ void load (const struct gt_kernel_args &args, uint4 *to, uint64_t from, unsigned lane)
  {
    const struct gt_lines_args &l = args.lines;
    const T *const x = static_cast<const T *> (args.data) + from * l.step;

    line = from;
    count = from >= l.count ? 0 : static_cast<uint32_t> (l.count - from < l.batch ? l.count - from : l.batch);
    staged = true;
    if (count == 0)
      return;
    if (l.offsets)
      load_segments (args, to, lane);
    else if (l.units == 0)
      copy_units (to, unit_of (x), reinterpret_cast<const char *> (x + (count - 1) * l.step + l.length), lane, warp);
    else
      load_apart (args, to, x, lane);
  }
  __device__ __forceinline__ void load_apart (const struct gt_kernel_args &args, uint4 *to, const T *x, unsigned lane)
  {
    const struct gt_lines_args &l = args.lines;
    const unsigned rows = warp / l.units, units = warp % l.units;
    unsigned r = lane / l.units, u = lane % l.units;

    for (; r < count; r += rows)
      {
        const T *const row = x + r * l.step;
        const char *const unit = unit_of (row) + 16 * u, *const end = reinterpret_cast<const char *> (row + l.length);

        if (unit < end)
          copy_unit (to + r * l.units + u, unit, end - unit < 16 ? static_cast<unsigned> (end - unit) : 16);
        u += units;
        if (u >= l.units)
          {
            u -= l.units;
            r++;
          }
      }
  }
  __device__ __forceinline__ void load_segments (const struct gt_kernel_args &args, uint4 *to, unsigned lane)
  {
    const struct gt_lines_args &l = args.lines;
    const unsigned mine = lane / l.lanes;
    const T *const x = static_cast<const T *> (args.data);
    uint64_t end;

    own = {0, 0};
    if (mine < count)
      {
        const bool right = own.take (l, line + mine);

        if (!is_usual (l, line + mine, own.n, right, lane % l.lanes == 0))
          own.n = 0;
      }
    begin = __shfl_sync (0xffffffffu, own.begin, 0);
    end = __shfl_sync (0xffffffffu, own.begin + own.n, static_cast<int> ((count - 1) * l.lanes));
    staged = l.stride == 1 && end - begin <= (GT_LINES_TILE - 16) / sizeof (T)
             && __all_sync (0xffffffffu, own.n == 0 || (own.begin >= begin && own.begin + own.n <= end));
    if (staged && end > begin)
      copy_units (to, unit_of (x + begin), reinterpret_cast<const char *> (x + end), lane, warp);
  }
  /* Returns the first element of line R of these in SHARED memory, and its length in N.  */
  __device__ __forceinline__ const T *find (const struct gt_kernel_args &args, const uint4 *shared, unsigned r, uint32_t &n) const
  {
    const struct gt_lines_args &l = args.lines;
    const T *const x = static_cast<const T *> (args.data), *const to = reinterpret_cast<const T *> (shared);

    if (l.offsets)
      {
        n = own.n;
        return to + place_of (x + begin) + (n ? own.begin - begin : 0);
      }
    n = r < count ? static_cast<uint32_t> (l.length) : 0;
    if (l.units == 0)
      return to + place_of (x + line * l.step) + r * static_cast<uint32_t> (l.step);
    return to + r * l.units * (16 / sizeof (T)) + place_of (x + (line + r) * l.step);
  }
};

/* Adds lines from shared memory, by L.LANES lanes each.  The lanes begin at
   different elements of their lines, so that lengths with many factors of 2 cause no bank
   conflicts.  */
template <class Sum, class T>
__device__ __forceinline__ void add_staged (const struct gt_kernel_args &args, const struct tile<T> &t, const uint4 *shared,
                                            unsigned lane)
{
  const struct gt_lines_args &l = args.lines;
  const unsigned at_once = warp / l.lanes, first = lane % l.lanes;
  const unsigned turned = first + l.lanes * (lane % (128 / sizeof (T)) / l.lanes >> l.turn);

  for (unsigned begin = 0; begin < t.count; begin += at_once)
    {
      const unsigned r = begin + lane / l.lanes;
      uint32_t n, k;
      const T *const x = t.find (args, shared, r, n);
      Sum sum;

      k = turned < n ? turned : first;
      sum.begin (l, n ? x[0] : T ());
#pragma unroll 4
      for (uint32_t j = first; j < n; j += l.lanes)
        {
          sum.add (args, x[k], k);
          k += l.lanes;
          k = k < n ? k : first;
        }
      merge_lanes (sum, l.lanes);
      if (first == 0 && n > 0)
        sum.finish (args, t.line + r, n);
    }
}

/* Adds rows of L.LENGTH elements, at most MOST_SHORT, by a lane each.  N is
   the length, as a constant.  If it is a power of two, lanes begin at different elements.  */
constexpr unsigned most_short = 16;

template <class Sum, class T, unsigned N = 1>
__device__ __forceinline__ void add_short (const struct gt_kernel_args &args, const struct tile<T> &t, const uint4 *shared, unsigned lane)
{
  constexpr bool turns = N > 2 && (N & (N - 1)) == 0;
  const unsigned turned = turns ? lane % (128 / sizeof (T)) >> args.lines.turn : 0;

  if (args.lines.length > N)
    {
      if constexpr (N < most_short)
        add_short<Sum, T, N + 1> (args, t, shared, lane);
      return;
    }
#pragma unroll (N > 8 ? 1 : 2)
  for (unsigned r = lane; r < t.count; r += warp)
    {
      uint32_t n;
      const T *const x = t.find (args, shared, r, n);
      Sum sum;

      sum.begin (args.lines, x[0]);
#pragma unroll
      for (unsigned k = 0; k < N; k++)
        {
          const unsigned at = turns ? (k + turned) & (N - 1) : k;

          sum.add (args, x[at], at);
        }
      sum.finish (args, t.line + r, N);
    }
}

/* Adds segments from global memory, one after the other.  */
template <class Sum, class T>
__device__ __forceinline__ void add_apart (const struct gt_kernel_args &args, const struct tile<T> &t, unsigned lane)
{
  const struct gt_lines_args &l = args.lines;

  for (unsigned r = 0; r < t.count; r++)
    {
      const uint32_t n = __shfl_sync (0xffffffffu, t.own.n, static_cast<int> (r * l.lanes));
      const uint64_t begin = __shfl_sync (0xffffffffu, t.own.begin, static_cast<int> (r * l.lanes));
      const T *const x = static_cast<const T *> (args.data) + begin;
      Sum sum;

      if (n == 0)
        continue;
      sum.begin (l, x[0]);
      add_elements (sum, args, x, n, l.stride, 0, lane, warp);
      merge_lanes (sum, warp);
      if (lane == 0)
        sum.finish (args, t.line + r, n);
    }
}

template <class Sum, class T>
__device__ __forceinline__ void lines_by_tiles (const struct gt_kernel_args &args)
{
  __shared__ uint4 shared[GT_LINES_TILES_BLOCK / warp][2][GT_LINES_TILE / 16];
  const unsigned lane = threadIdx.x % warp, w = threadIdx.x / warp;
  const uint64_t step = static_cast<uint64_t> (gridDim.x) * (GT_LINES_TILES_BLOCK / warp) * args.lines.batch;
  uint64_t line = (static_cast<uint64_t> (blockIdx.x) * (GT_LINES_TILES_BLOCK / warp) + w) * args.lines.batch;
  struct tile<T> now, next;

  next.load (args, shared[w][0], line, lane);
  end_copies ();
  for (unsigned k = 0; line < args.lines.count; k ^= 1, line += step)
    {
      now = next;
      next.load (args, shared[w][k ^ 1], line + step, lane);
      end_copies ();
      await_copies ();
      if (args.lines.offsets == nullptr && args.lines.lanes == 1 && args.lines.length <= most_short)
        add_short<Sum, T> (args, now, shared[w][k], lane);
      else if (now.staged)
        add_staged<Sum, T> (args, now, shared[w][k], lane);
      else
        add_apart<Sum, T> (args, now, lane);
      __syncwarp ();
    }
}

/* --------------------------------------------------- A warp or blocks for a line */

/* The sum of all threads of the block, for thread 0.  */
template <class Sum>
__device__ __forceinline__ void gather_threads (Sum &sum)
{
  __shared__ Sum of_warp[GT_LINES_BLOCK / warp];

  merge_lanes (sum, warp);
  __syncthreads ();
  if (threadIdx.x % warp == 0)
    of_warp[threadIdx.x / warp] = sum;
  __syncthreads ();
  if (threadIdx.x < warp)
    {
      sum = of_warp[threadIdx.x % (GT_LINES_BLOCK / warp)];
      merge_lanes (sum, GT_LINES_BLOCK / warp);
    }
}

/* Returns whether this block is the last of those that share a line; the results of the others
   can then be read.  */
__device__ __forceinline__ bool is_last_of (uint32_t *ticket, uint32_t count)
{
  __shared__ bool last;

  __syncthreads ();
  if (threadIdx.x == 0)
    last = take_ticket (ticket, count - 1);
  __syncthreads ();
  return last;
}

template <class Sum, class T>
__device__ __forceinline__ void add_item (const struct gt_kernel_args &args, const struct gt_lines_item &item)
{
  const struct gt_lines_args &l = args.lines;
  const T *x = static_cast<const T *> (args.data);
  Sum *const left = static_cast<Sum *> (args.partials) + item.base;
  const uint32_t begin = static_cast<uint32_t> (item.chunk * l.share);
  struct extent e;
  Sum sum;

  e.take (l, item.line);
  x += e.begin;
  sum.begin (l, x[0]);
  add_elements (sum, args, x + begin * l.stride, e.n - begin < l.share ? e.n - begin : static_cast<uint32_t> (l.share), l.stride, begin,
                threadIdx.x, blockDim.x);
  gather_threads (sum);
  if (item.chunks > 1)
    {
      if (threadIdx.x == 0)
        left[item.chunk] = sum;
      if (!is_last_of (l.tickets + item.ticket, item.chunks))
        return;
      sum.begin (l, x[0]);
      for (unsigned k = threadIdx.x; k < item.chunks; k += blockDim.x)
        sum.merge (left[k]);
      gather_threads (sum);
    }
  if (threadIdx.x == 0)
    sum.finish (args, item.line, e.n);
}

/* Computes rows, each by a warp if LANES is a warp's, otherwise by CHUNKS blocks; or long
   segments, unless an offset is wrong.  */
template <class Sum, class T>
__device__ __forceinline__ void lines_by_teams (const struct gt_kernel_args &args)
{
  const struct gt_lines_args &l = args.lines;
  const uint64_t count = l.offsets == nullptr ? l.count * l.chunks : l.control->wrong ? 0 : l.control->items;

  if (l.offsets == nullptr && l.lanes == warp)
    {
      uint64_t line = static_cast<uint64_t> (blockIdx.x) * (GT_LINES_BLOCK / warp) + threadIdx.x / warp;

      for (; line < l.count; line += static_cast<uint64_t> (gridDim.x) * (GT_LINES_BLOCK / warp))
        {
          const T *const x = static_cast<const T *> (args.data) + line * l.step;
          Sum sum;

          sum.begin (l, x[0]);
          add_elements (sum, args, x, static_cast<uint32_t> (l.length), 1, 0, threadIdx.x % warp, warp);
          merge_lanes (sum, warp);
          if (threadIdx.x % warp == 0)
            sum.finish (args, line, l.length);
        }
      return;
    }
  for (uint64_t i = blockIdx.x; i < count; i += gridDim.x)
    {
      const uint64_t line = i / l.chunks;
      const uint32_t first = static_cast<uint32_t> (line * l.chunks), at = static_cast<uint32_t> (line);

      if (l.offsets)
        add_item<Sum, T> (args, l.items[i]);
      else
        add_item<Sum, T> (args, {line, static_cast<uint32_t> (i - line * l.chunks), l.chunks, first, at});
    }
}

/* ----------------------------------------------------------------- Columns */

/* Merges sums of SHARED, PARTS times N of them, that are at the same place.  All threads call it,
   between two barriers.  */
template <class Sum>
__device__ __forceinline__ void put_together (Sum *shared, unsigned parts, unsigned n)
{
  __syncthreads ();
  while (parts > 1)
    {
      const unsigned half = (parts + 1) / 2;

      if (threadIdx.x < (parts - half) * n)
        shared[threadIdx.x].merge (shared[half * n + threadIdx.x]);
      parts = half;
      __syncthreads ();
    }
}

/* A block's threads are rows of LANES, one for each of its columns.  */
template <class Sum, class T>
__device__ __forceinline__ void lines_by_columns (const struct gt_kernel_args &args)
{
  __shared__ Sum shared[GT_LINES_BLOCK];
  const struct gt_lines_args &l = args.lines;
  const unsigned rows = GT_LINES_BLOCK / l.lanes, row = threadIdx.x / l.lanes, me = threadIdx.x % l.lanes;
  const unsigned group = blockIdx.x / l.chunks, chunk = blockIdx.x % l.chunks;
  const uint64_t column = static_cast<uint64_t> (group) * l.lanes + me, begin = chunk * l.share;
  const bool takes = row < rows && column < l.count;
  const T *const x = static_cast<const T *> (args.data) + (takes ? column : 0);
  Sum *const left = static_cast<Sum *> (args.partials) + static_cast<uint64_t> (group) * l.chunks * l.lanes;
  Sum sum;

  sum.begin (l, x[0]);
  if (takes)
    add_elements (sum, args, x + begin * l.stride, static_cast<uint32_t> (l.length - begin < l.share ? l.length - begin : l.share),
                  l.stride, static_cast<uint32_t> (begin), row, rows);
  shared[threadIdx.x] = sum;
  put_together (shared, rows, l.lanes);
  if (l.chunks > 1)
    {
      if (row == 0)
        left[chunk * l.lanes + me] = shared[me];
      if (!is_last_of (l.tickets + group, l.chunks))
        return;
      sum.begin (l, x[0]);
#pragma unroll 4
      for (unsigned k = row < rows ? row : l.chunks; k < l.chunks; k += rows)
        sum.merge (left[k * l.lanes + me]);
      shared[threadIdx.x] = sum;
      put_together (shared, rows, l.lanes);
    }
  if (row == 0 && takes)
    shared[me].finish (args, column, l.length);
}

} /* namespace gt */

#endif
