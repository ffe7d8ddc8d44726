/* Lines of a matrix or vector, of each of which one result is computed: kernels for lines
   that lie side by side, by a few threads of a warp or by blocks each, and one for columns, in
   which the elements of a line lie apart and those of neighbours side by side.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_LINES_CUH
#define GT_KERNELS_CUDA_LINES_CUH

#include "kernels/cuda/lines_sums.cuh"

namespace gt
{

/* N elements STRIDE apart from X on, the first of which has the index AT; thread FIRST of STEP takes
   its share.  */
template <class Sum, class T>
__device__ __forceinline__ void add_elements (Sum &sum, const struct gt_kernel_args &args, const T *x, uint64_t n, uint64_t stride,
                                              uint64_t at, unsigned first, unsigned step)
{
  constexpr unsigned width = 16 / sizeof (T);
  const unsigned to_vector = static_cast<unsigned> (-reinterpret_cast<uintptr_t> (x) & 15) / sizeof (T);
  const uint64_t head = to_vector < n ? to_vector : n, vectors = (n - head) / width;

  if (stride != 1)
    {
#pragma unroll 4
      for (uint64_t k = first; k < n; k += step)
        sum.add (args, __ldcs (x + k * stride), at + k);
      return;
    }
  for (uint64_t k = first; k < head; k += step)
    sum.add (args, __ldcs (x + k), at + k);
#pragma unroll 4
  for (uint64_t k = first; k < vectors; k += step)
    {
      T p[width];

      unpack (__ldcs (reinterpret_cast<const uint4 *> (x + head) + k), p);
#pragma unroll
      for (unsigned v = 0; v < width; v++)
        sum.add (args, p[v], at + head + k * width + v);
    }
  for (uint64_t k = head + vectors * width + first; k < n; k += step)
    sum.add (args, __ldcs (x + k), at + k);
}

/* Where a line begins and how long it is.  */
struct extent
{
  uint64_t begin, n;

  /* False: its offsets are not what offsets may be.  */
  __device__ __forceinline__ bool take (const struct gt_lines_args &l, uint64_t line)
  {
    uint64_t end;

    if (l.offsets == nullptr)
      {
        begin = line * l.step;
        n = l.length;
        return true;
      }
    begin = __ldg (l.offsets + line);
    end = __ldg (l.offsets + line + 1);
    n = end - begin;
    begin *= l.stride;
    return end <= l.all && n <= end;
  }
};

/* ---------------------------------------------------------- A few threads a line */

/* Puts together among LANES the parts of U lines that each thread has: at each step
   half of the lines go to the lane whose number differs in one bit, until a lane has one.  Returns
   how many it has then; FIRST is the number of the first.  */
template <class Sum, int U>
__device__ __forceinline__ unsigned share_lines (Sum (&sum)[U], unsigned lane, unsigned lanes, unsigned &first)
{
  unsigned by = lanes / 2, held = U;

  first = 0;
#pragma unroll
  for (int half = U / 2; half > 0; half /= 2)
    if (by > 0)
      {
        const bool upper = (lane & by) != 0;

#pragma unroll
        for (int j = 0; j < half; j++)
          {
            const Sum given = upper ? sum[j] : sum[j + half];

            sum[j] = upper ? sum[j + half] : sum[j];
            sum[j].merge (exchanged (given, by));
          }
        first += upper ? half : 0;
        held = half;
        by /= 2;
      }
  for (; by > 0; by /= 2)
    sum[0].merge (exchanged (sum[0], by));
  return held;
}

/* U lines at once, of whole vectors of 16 bytes: those of a warp lie one behind the other.  */
template <class Sum, class T, int U>
__device__ __forceinline__ void several_lines (const struct gt_kernel_args &args)
{
  constexpr unsigned width = 16 / sizeof (T);
  const struct gt_lines_args &l = args.lines;
  const unsigned lane = threadIdx.x & (l.lanes - 1), lines = warp >> (__ffs (static_cast<int> (l.lanes)) - 1);
  const unsigned line_of_warp = threadIdx.x % warp / l.lanes;
  const uint64_t vectors = l.length / width, step = U * lines * (GT_LINES_BLOCK / warp);
  const bool stores = l.lanes <= U || (lane & (l.lanes / U - 1)) == 0;

  for (uint64_t begin = blockIdx.x * step + threadIdx.x / warp * (U * lines); begin < l.count; begin += gridDim.x * step)
    {
      const T *const x = static_cast<const T *> (args.data) + (begin + line_of_warp) * l.step;
      const uint64_t left = l.count - begin;
      unsigned first, held;
      Sum sum[U];

#pragma unroll
      for (int u = 0; u < U; u++)
        sum[u].clear ();
      for (uint64_t k = lane; k < vectors; k += l.lanes)
        {
          uint4 loaded[U];

#pragma unroll
          for (int u = 0; u < U; u++)
            if (u * lines + line_of_warp < left)
              loaded[u] = __ldcs (reinterpret_cast<const uint4 *> (x + u * lines * l.step) + k);
#pragma unroll
          for (int u = 0; u < U; u++)
            if (u * lines + line_of_warp < left)
              {
                T p[width];

                unpack (loaded[u], p);
#pragma unroll
                for (unsigned v = 0; v < width; v++)
                  sum[u].add (args, p[v], k * width + v);
              }
        }
      held = share_lines (sum, lane, l.lanes, first);
      /* One text for all, as finishing is much code: sums move up instead.  */
#pragma unroll 1
      for (unsigned u = first; u < first + held; u++)
        {
          if (stores && u * lines + line_of_warp < left)
            sum[0].finish (args, begin + u * lines + line_of_warp, l.length);
#pragma unroll
          for (int j = 1; j < U; j++)
            sum[j - 1] = sum[j];
        }
    }
}

/* Puts the parts of a long segment into the list, COUNT of them.  Segments that have an element
   twice may have more of both than there is room for.  */
static __device__ GT_COLD void list_segment (const struct gt_lines_args &l, uint64_t line, uint32_t count)
{
  const uint32_t base = atomicAdd (&l.control->items, count), ticket = atomicAdd (&l.control->tickets, 1u);

  if (ticket >= l.most_tickets || base + count > l.most_items)
    l.control->wrong = 1;
  else
    for (uint32_t k = 0; k < count; k++)
      l.items[base + k] = {line, k, count, base, ticket};
}

/* Whether a segment is to be computed here: not an empty one, nor a long one.  FIRST: this
   thread does what is to be done about that.  */
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

template <class Sum, class T>
__device__ __forceinline__ void lines_by_threads (const struct gt_kernel_args &args)
{
  const struct gt_lines_args &l = args.lines;
  const unsigned lane = threadIdx.x & (l.lanes - 1), lines = GT_LINES_BLOCK / l.lanes;
  const unsigned line_of_block = threadIdx.x / l.lanes;

  /* The lanes of a warp go round together.  */
  for (uint64_t begin = static_cast<uint64_t> (blockIdx.x) * lines; begin < l.count; begin += static_cast<uint64_t> (gridDim.x) * lines)
    {
      const uint64_t line = begin + line_of_block;
      struct extent e = {0, 0};
      Sum sum;

      sum.clear ();
      if (line < l.count)
        {
          const bool right = e.take (l, line);

          if (l.offsets && !is_usual (l, line, e.n, right, lane == 0))
            e.n = 0;
        }
      add_elements (sum, args, static_cast<const T *> (args.data) + (e.n ? e.begin : 0), e.n, l.stride, 0, lane, l.lanes);
      for (unsigned by = l.lanes / 2; by > 0; by /= 2)
        sum.merge (exchanged (sum, by));
      if (lane == 0 && e.n > 0)
        sum.finish (args, line, e.n);
    }
}

/* ------------------------------------------------------------ Blocks for a line */

/* The sum of all threads of the block, for thread 0.  */
template <class Sum>
__device__ __forceinline__ void gather_threads (Sum &sum)
{
  __shared__ Sum of_warp[max_warps];

  for (unsigned by = warp / 2; by > 0; by /= 2)
    sum.merge (exchanged (sum, by));
  __syncthreads ();
  if (threadIdx.x % warp == 0)
    of_warp[threadIdx.x / warp] = sum;
  __syncthreads ();
  if (threadIdx.x == 0)
    for (unsigned w = 1; w < blockDim.x / warp; w++)
      sum.merge (of_warp[w]);
}

/* Whether this block is the last of those that share a line; then what the others left can be
   read.  */
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
  Sum *const left = static_cast<Sum *> (args.partials) + item.base;
  struct extent e;
  uint64_t begin, n;
  Sum sum;

  e.take (l, item.line);
  begin = item.chunk * l.share;
  n = e.n - begin < l.share ? e.n - begin : l.share;
  sum.clear ();
  add_elements (sum, args, static_cast<const T *> (args.data) + e.begin + begin * l.stride, n, l.stride, begin, threadIdx.x,
                blockDim.x);
  gather_threads (sum);
  if (item.chunks > 1)
    {
      if (threadIdx.x == 0)
        left[item.chunk] = sum;
      if (!is_last_of (l.tickets + item.ticket, item.chunks))
        return;
      sum.clear ();
      for (unsigned k = threadIdx.x; k < item.chunks; k += blockDim.x)
        sum.merge (left[k]);
      gather_threads (sum);
    }
  if (threadIdx.x == 0)
    sum.finish (args, item.line, e.n);
}

/* Long segments, unless offsets are wrong, or all lines, each of which has CHUNKS.  */
template <class Sum, class T>
__device__ __forceinline__ void lines_by_blocks (const struct gt_kernel_args &args)
{
  const struct gt_lines_args &l = args.lines;
  const uint64_t count = l.offsets == nullptr ? l.count * l.chunks : l.control->wrong ? 0 : l.control->items;

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

/* Rows that a thread has under way at once.  */
constexpr unsigned rows_at_once = 4;

/* A block's threads are rows of LANES: each of a row takes as many columns as a vector has
   elements.  Where columns are few, FOLDS rows are read as one, of which each has COUNT
   elements.  */
template <class T>
struct side_by_side
{
  static constexpr unsigned width = 16 / sizeof (T), most = GT_LINES_BLOCK * width;
  unsigned element, row, rows, elements; /* of the block: elements that are side by side */
  uint64_t first;                        /* of the block's elements */

  __device__ __forceinline__ side_by_side (const struct gt_lines_args &l)
    : element (threadIdx.x % l.lanes * width), row (threadIdx.x / l.lanes), rows (blockDim.x / l.lanes), elements (l.lanes * width),
      first (static_cast<uint64_t> (blockIdx.x / l.chunks) * elements)
  {
  }
};

/* Rows from BEGIN to END of the thread's elements, which are from E on of ACROSS.  */
template <class Sum, class T>
__device__ __forceinline__ void add_columns (Sum *sum, const struct gt_kernel_args &args, const struct side_by_side<T> &at, uint64_t e,
                                             uint64_t across, uint64_t begin, uint64_t end)
{
  constexpr unsigned width = side_by_side<T>::width;
  const struct gt_lines_args &l = args.lines;
  const uint64_t step = l.stride * l.folds;
  const T *const x = static_cast<const T *> (args.data) + e;
  uint64_t fold[width];

#pragma unroll
  for (unsigned v = 0; v < width; v++)
    fold[v] = l.folds == 1 ? 0 : (e + v) / l.count;
  if (e + width <= across && ((reinterpret_cast<uintptr_t> (x) | step * sizeof (T)) & 15) == 0)
    {
      uint64_t k = begin + at.row;

      for (; k < end; k += rows_at_once * at.rows)
        {
          uint4 loaded[rows_at_once];

#pragma unroll
          for (unsigned u = 0; u < rows_at_once; u++)
            if (k + u * at.rows < end)
              loaded[u] = __ldcs (reinterpret_cast<const uint4 *> (x + (k + u * at.rows) * step));
#pragma unroll
          for (unsigned u = 0; u < rows_at_once; u++)
            if (k + u * at.rows < end)
              {
                T p[width];

                unpack (loaded[u], p);
#pragma unroll
                for (unsigned v = 0; v < width; v++)
                  sum[v].add (args, p[v], (k + u * at.rows) * l.folds + fold[v]);
              }
        }
      return;
    }
#pragma unroll
  for (unsigned v = 0; v < width; v++)
    if (e + v < across)
#pragma unroll 4
      for (uint64_t k = begin + at.row; k < end; k += at.rows)
        sum[v].add (args, __ldg (x + k * step + v), k * l.folds + fold[v]);
}

/* Of SHARED, PARTS times N sums, PARTS a power of two, what is at the same places is put
   together.  By all threads; barriers lie before and behind.  */
template <class Sum>
__device__ __forceinline__ void put_together (Sum *shared, unsigned parts, unsigned n)
{
  __syncthreads ();
  for (unsigned half = parts / 2; half > 0; half /= 2)
    {
      for (unsigned i = threadIdx.x; i < half * n; i += blockDim.x)
        shared[i].merge (shared[half * n + i]);
      __syncthreads ();
    }
}

/* Leaves N sums of the block's columns, and tells whether it is the last that does; then SHARED
   has those of all chunks.  */
template <class Sum>
__device__ __forceinline__ bool gather_chunks (Sum *shared, const struct gt_kernel_args &args, unsigned n)
{
  const struct gt_lines_args &l = args.lines;
  const unsigned group = blockIdx.x / l.chunks, chunk = blockIdx.x % l.chunks;
  Sum *const left = static_cast<Sum *> (args.partials) + static_cast<uint64_t> (group) * l.chunks * n;
  unsigned parts = 1;

  while (2 * parts * n <= blockDim.x)
    parts *= 2;
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
    left[chunk * n + i] = shared[i];
  if (!is_last_of (l.tickets + group, l.chunks))
    return false;
  for (unsigned i = threadIdx.x; i < parts * n; i += blockDim.x)
    {
      Sum sum;

      sum.clear ();
#pragma unroll 4
      for (unsigned k = i / n; k < l.chunks; k += parts)
        sum.merge (left[k * n + i % n]);
      shared[i] = sum;
    }
  put_together (shared, parts, n);
  return true;
}

template <class Sum, class T>
__device__ __forceinline__ void lines_by_columns (const struct gt_kernel_args &args)
{
  __shared__ Sum shared[side_by_side<T>::most];
  const struct gt_lines_args &l = args.lines;
  const struct side_by_side<T> at (l);
  const uint64_t across = l.count * l.folds, rows = l.length / l.folds, share = (rows - 1) / l.chunks + 1;
  const uint64_t chunk = blockIdx.x % l.chunks;
  const uint64_t begin = chunk * share < rows ? chunk * share : rows, end = rows - begin < share ? rows : begin + share;
  const unsigned n = l.folds > 1 ? static_cast<unsigned> (l.count) : at.elements;
  Sum sum[at.width];

#pragma unroll
  for (unsigned v = 0; v < at.width; v++)
    sum[v].clear ();
  add_columns<Sum, T> (sum, args, at, at.first + at.element, across, begin, end);
#pragma unroll
  for (unsigned v = 0; v < at.width; v++)
    {
      const uint64_t e = at.element + v, k = rows * l.folds * l.count;

      /* Rows that are too few to be read as one.  */
      if (l.folds > 1 && chunk == l.chunks - 1 && at.row == 0 && k + e < l.length * l.count)
        sum[v].add (args, __ldg (static_cast<const T *> (args.data) + k + e), rows * l.folds + e / l.count);
      for (unsigned by = warp / 2; by >= l.lanes; by /= 2)
        sum[v].merge (exchanged (sum[v], by));
      if (l.lanes >= warp)
        shared[at.row * at.elements + e] = sum[v];
      else if (threadIdx.x % warp < l.lanes)
        shared[threadIdx.x / warp * at.elements + e] = sum[v];
    }
  put_together (shared, l.lanes < warp ? blockDim.x / warp : at.rows, at.elements);
  if (l.folds > 1)
    put_together (shared, l.folds, n);
  if (l.chunks > 1 && !gather_chunks (shared, args, n))
    return;
  for (unsigned i = threadIdx.x; i < n && at.first + i < l.count; i += blockDim.x)
    shared[i].finish (args, at.first + i, l.length);
}

} /* namespace gt */

#endif
