/* What the exact CUDA kernels share: an accumulator (superaccumulator.h, products.h)
   of each sum in shared memory for each block, one in global memory for the grid,
   and the delivery of that to the host, which rounds.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_EXACT_CUH
#define GT_KERNELS_CUDA_EXACT_CUH

#include "kernels/cuda/reduce.cuh"
#include "kernels/superaccumulator.h"

namespace gt
{

/* A block's accumulator.  Threads add to it at once: signed words by unsigned
   atomics, which wrap as two's complement does.  The last word is the flags.
   OFFSET: the word that weighs as much as word 0 of a superaccumulator, in whose
   bits positions are given.  */
template <int Words, int Offset>
struct block_accumulator
{
  static constexpr int words = Words, offset = Offset;
  unsigned long long word[Words + 1];
  unsigned used; /* whether anything was added */
};

struct exact_block : block_accumulator<GT_SUPER_WORDS, 0>
{
};
/* Of a sum of products of doubles.  */
struct product_block : block_accumulator<GT_PRODUCT_WORDS, GT_PRODUCT_OFFSET>
{
};

/* Every thread of the block calls it, and none may add before the next block
   barrier.  */
template <class Block>
__device__ __forceinline__ void clear_exact (Block &acc)
{
  for (unsigned i = threadIdx.x; i < Block::words + 1; i += blockDim.x)
    acc.word[i] = 0;
  if (threadIdx.x == 0)
    acc.used = 0;
}

template <class Block>
__device__ __forceinline__ void add_flag (Block &acc, uint32_t flag)
{
  atomicOr (acc.word + Block::words, static_cast<unsigned long long> (flag));
  acc.used = 1;
}

/* Digits that are zero are worth asking for: half of all numbers reach into two
   words only.  */
template <class Block>
__device__ __forceinline__ void add_digits (Block &acc, const struct gt_super_digits &digits)
{
#pragma unroll
  for (int k = 0; k < 3; k++)
    if (digits.digit[k] != 0)
      atomicAdd (acc.word + Block::offset + digits.first + k, static_cast<unsigned long long> (digits.digit[k]));
  acc.used = 1;
}

__device__ __forceinline__ uint32_t cut (double x, struct gt_super_digits &digits)
{
  return gt_super_cut_f64 (x, &digits);
}
__device__ __forceinline__ uint32_t cut (float x, struct gt_super_digits &digits)
{
  return gt_super_cut_f32 (x, &digits);
}

template <class Block, class T>
__device__ __forceinline__ void add_exactly (Block &acc, T x)
{
  struct gt_super_digits digits;
  const uint32_t flag = cut (x, digits);

  if (flag)
    add_flag (acc, flag);
  else
    add_digits (acc, digits);
}

/* Adds M * 2^(GT_SUPER_LOWEST + POSITION).  */
template <class Block>
__device__ __forceinline__ void add_scaled (Block &acc, int64_t m, int position)
{
  if (m != 0)
    add_digits (acc, gt_super_cut (m < 0 ? -static_cast<uint64_t> (m) : static_cast<uint64_t> (m), m < 0, position));
}

/* A sum of 64-bit integers, 2^32 high + low: in halves, so that those of many
   threads, and of all blocks of a grid, add up in 64 bits.  */
struct halves
{
  uint64_t low;
  int64_t high;

  __device__ __forceinline__ void add (int64_t x)
  {
    low += static_cast<uint32_t> (x);
    high += x >> 32;
  }
};

template <class Block>
static __device__ GT_COLD void add_halves (Block *acc, struct halves h, int position)
{
  add_scaled (*acc, static_cast<int64_t> (h.low), position);
  add_scaled (*acc, h.high, position + 32);
}

/* Lane 0 receives the sum of those of the warp.  It is not unrolled, as a shuffle of
   lanes that may have parted is twenty instructions long.  */
__device__ __forceinline__ void reduce (struct halves &h)
{
#pragma unroll 1
  for (unsigned by = warp / 2; by > 0; by /= 2)
    {
      h.low += shift (h.low, by);
      h.high += static_cast<int64_t> (shift (static_cast<uint64_t> (h.high), by));
    }
}

/* Word I of ACC after every word has passed on what lies above its lowest 32 bits,
   all at once: below 2^33 in magnitude, when none was above 2^62.  */
template <class Block>
__device__ __forceinline__ uint64_t passed_on (const Block &acc, unsigned i)
{
  const int64_t word = static_cast<int64_t> (acc.word[i]);
  const int64_t below = i == 0 ? 0 : static_cast<int64_t> (acc.word[i - 1]);

  return static_cast<uint64_t> ((i < Block::words - 1 ? static_cast<uint32_t> (word) : word) + (below >> 32));
}

/* Adds what the block has gathered to the grid's accumulator, in words so small
   that no grid can make one of the grid's overflow.  A block barrier must lie
   before.  AT: where the accumulator begins in the grid's.  */
template <class Block>
__device__ __forceinline__ void add_to_grid (const Block &acc, const struct gt_kernel_args &args, unsigned at = 0)
{
  unsigned long long *super = reinterpret_cast<unsigned long long *> (args.super) + at;

  for (unsigned i = threadIdx.x; i < Block::words; i += blockDim.x)
    {
      const uint64_t word = passed_on (acc, i);

      if (word != 0)
        atomicAdd (super + i, static_cast<unsigned long long> (word));
    }
  if (threadIdx.x == 0 && acc.word[Block::words] != 0)
    atomicOr (super + Block::words, acc.word[Block::words]);
}

/* Counts the block as done; true, for all its threads, in the block that is
   last.  What the blocks did before is then visible: the barrier brings it to the
   thread that takes the ticket, and that thread passes it on.  */
__device__ __forceinline__ bool last_of_grid (const struct gt_kernel_args &args)
{
  __shared__ bool last_block;

  __syncthreads ();
  if (threadIdx.x == 0)
    last_block = take_ticket (args.ticket, gridDim.x - 1);
  __syncthreads ();
  return last_block;
}

/* Moves the grid's accumulator into the block's, which holds sums of the last
   block's own making, and leaves it zero.  Zeros must have arrived before the
   result does: the host may then launch a sum on another stream, with the same
   accumulator.  */
template <class Block>
__device__ __forceinline__ void take_from_grid (Block &acc, const struct gt_kernel_args &args, unsigned at = 0)
{
  unsigned long long *super = reinterpret_cast<unsigned long long *> (args.super) + at;

  for (unsigned i = threadIdx.x; i < Block::words + 1; i += blockDim.x)
    {
      const unsigned long long word = __ldcg (super + i);

      if (word == 0)
        continue;
      super[i] = 0;
      __threadfence ();
      if (i == Block::words)
        atomicOr (acc.word + i, word);
      else
        atomicAdd (acc.word + i, word);
    }
}

/* Hands the block's accumulator to the host (struct gt_exact_result).  A barrier
   must lie before.  */
template <class Block>
__device__ __forceinline__ void deliver_words (const Block &acc, const struct gt_kernel_args &args, unsigned at = 0)
{
  const uint64_t tag = static_cast<uint64_t> (args.sequence) << 32;
  ulonglong2 *to = reinterpret_cast<ulonglong2 *> (args.exact) + at;

  for (unsigned i = threadIdx.x; i < Block::words + 1; i += blockDim.x)
    to[i] = make_ulonglong2 (tag | static_cast<uint32_t> (acc.word[i]), tag | acc.word[i] >> 32);
}

/* The same, of an only sum.  Begins with a barrier.  */
__device__ __forceinline__ void deliver_exact (const struct exact_block &acc, const struct gt_kernel_args &args)
{
  __syncthreads ();
  deliver_words (acc, args);
}

/* The end of an exact kernel that has gathered everything in ACC.  */
__device__ __forceinline__ void finish_exact (struct exact_block &acc, const struct gt_kernel_args &args)
{
  __syncthreads ();
  if (gridDim.x > 1)
    {
      add_to_grid (acc, args);
      if (!last_of_grid (args))
        return;
      clear_exact (acc);
      __syncthreads ();
      take_from_grid (acc, args);
    }
  deliver_exact (acc, args);
}

/* ------------------------------------------------------- Reading the data */

/* A vector as units that are loaded at once, 16 bytes of a contiguous one or an
   element of a strided one, and edges, which are no whole units: of them the
   first block has some.  For those who want pairs of elements the second is the
   first.  */
template <class T>
struct contiguous_units
{
  typedef uint4 unit;
  static constexpr int width = 16 / sizeof (T); /* elements of a unit */
  const struct edges<T> edges;

  __device__ __forceinline__ explicit contiguous_units (const struct gt_kernel_args &args) : edges (args) {}
  __device__ __forceinline__ uint64_t count () const { return edges.n_vectors; }
  __device__ __forceinline__ uint4 load (uint64_t i) const { return __ldcs (edges.vectors + i); }
  __device__ __forceinline__ const T *at (uint64_t i) const
  {
    return reinterpret_cast<const T *> (edges.vectors + i);
  }
  __device__ __forceinline__ const T *second_at (uint64_t i) const { return at (i); }
  __device__ __forceinline__ unsigned n_edges () const { return edges.count; }
  __device__ __forceinline__ const T *edge (unsigned k) const { return edges.at (k); }
  __device__ __forceinline__ const T *second_edge (unsigned k) const { return edge (k); }
};

template <class T>
struct strided_units
{
  typedef T unit;
  static constexpr int width = 1;
  const T *first;
  uint64_t n, stride;

  __device__ __forceinline__ explicit strided_units (const struct gt_kernel_args &args)
    : first (static_cast<const T *> (args.data)), n (args.n), stride (args.stride)
  {
  }
  __device__ __forceinline__ uint64_t count () const { return n; }
  __device__ __forceinline__ T load (uint64_t i) const { return __ldcs (first + i * stride); }
  __device__ __forceinline__ const T *at (uint64_t i) const { return first + i * stride; }
  __device__ __forceinline__ const T *second_at (uint64_t i) const { return at (i); }
  __device__ __forceinline__ unsigned n_edges () const { return 0; }
  __device__ __forceinline__ const T *edge (unsigned) const { return first; }
  __device__ __forceinline__ const T *second_edge (unsigned) const { return first; }
};

__device__ __forceinline__ void unpack (double r, double *x) { *x = r; }
__device__ __forceinline__ void unpack (float r, float *x) { *x = r; }

/* The units of a thread, U at a time, a block's size apart.  The lanes of a warp
   stay together: units that are not there are zero.  AHEAD: while some are added
   the next are on their way, which takes as many registers again; else it is other
   warps whose loads are.  */
template <class Units, class T, int U, bool Ahead>
struct reader
{
  typename Units::unit loaded[U];
  const Units units;
  uint64_t next; /* the first of the units that are on their way, or are to be */

  __device__ __forceinline__ explicit reader (const struct gt_kernel_args &args) : units (args)
  {
    next = static_cast<uint64_t> (blockIdx.x) * blockDim.x * U + threadIdx.x;
    if (Ahead)
      load ();
  }
  /* Whether there are more, for this warp.  */
  __device__ __forceinline__ bool more () const { return next - threadIdx.x % warp < units.count (); }
  __device__ __forceinline__ uint64_t step () const { return static_cast<uint64_t> (blockDim.x) * U * gridDim.x; }
  /* The first of the units that were given last.  */
  __device__ __forceinline__ uint64_t given () const { return next - step (); }

  __device__ __forceinline__ void load ()
  {
    if (next + (warp - 1 - threadIdx.x % warp) + (U - 1) * blockDim.x < units.count ())
      {
#pragma unroll
        for (int k = 0; k < U; k++)
          loaded[k] = units.load (next + k * blockDim.x);
      }
    else
      {
#pragma unroll
        for (int k = 0; k < U; k++)
          {
            loaded[k] = {};
            if (next + k * blockDim.x < units.count ())
              loaded[k] = units.load (next + k * blockDim.x);
          }
      }
  }
  /* Gives the next units, or false when there are none; as one, for a warp.  */
  __device__ __forceinline__ bool read (T (&x)[U * Units::width])
  {
    if (!more ())
      return false;
    if (!Ahead)
      load ();
#pragma unroll
    for (int k = 0; k < U; k++)
      unpack (loaded[k], x + k * Units::width);
    next += step ();
    if (Ahead)
      load ();
    return true;
  }
};

} /* namespace gt */

#endif
