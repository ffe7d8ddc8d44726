/* What the exact CUDA kernels share: a superaccumulator (superaccumulator.h) in
   shared memory for each block, one in global memory for the grid, and the
   delivery of that to the host, which rounds.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_EXACT_CUH
#define GT_KERNELS_CUDA_EXACT_CUH

#include "kernels/cuda/reduce.cuh"
#include "kernels/superaccumulator.h"

namespace gt
{

/* A block's accumulator.  Threads add to it at once: signed words by unsigned
   atomics, which wrap as two's complement does.  The last word is the flags.  */
struct exact_block
{
  unsigned long long word[GT_EXACT_WORDS];
  unsigned used; /* whether anything was added */
};

/* Every thread of the block calls it, and none may add before the next block
   barrier.  */
__device__ __forceinline__ void clear_exact (struct exact_block &acc)
{
  for (unsigned i = threadIdx.x; i < GT_EXACT_WORDS; i += blockDim.x)
    acc.word[i] = 0;
  if (threadIdx.x == 0)
    acc.used = 0;
}

__device__ __forceinline__ void add_flag (struct exact_block &acc, uint32_t flag)
{
  atomicOr (acc.word + GT_SUPER_WORDS, static_cast<unsigned long long> (flag));
  acc.used = 1;
}

/* Digits that are zero are worth asking for: half of all numbers reach into two
   words only.  */
__device__ __forceinline__ void add_digits (struct exact_block &acc, const struct gt_super_digits &digits)
{
#pragma unroll
  for (int k = 0; k < 3; k++)
    if (digits.digit[k] != 0)
      atomicAdd (acc.word + digits.first + k, static_cast<unsigned long long> (digits.digit[k]));
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

template <class T>
__device__ __forceinline__ void add_exactly (struct exact_block &acc, T x)
{
  struct gt_super_digits digits;
  const uint32_t flag = cut (x, digits);

  if (flag)
    add_flag (acc, flag);
  else
    add_digits (acc, digits);
}

/* Adds M * 2^(GT_SUPER_LOWEST + POSITION).  */
__device__ __forceinline__ void add_scaled (struct exact_block &acc, int64_t m, int position)
{
  if (m != 0)
    add_digits (acc, gt_super_cut (m < 0 ? -static_cast<uint64_t> (m) : static_cast<uint64_t> (m), m < 0, position));
}

/* Adds what the block has gathered to the grid's accumulator, each word of it
   less than 2^33 in magnitude after the carries were passed on: so no grid can
   make a word of the grid's accumulator overflow.  A block barrier must lie
   before.  */
__device__ __forceinline__ void add_to_grid (struct exact_block &acc, const struct gt_kernel_args &args)
{
  unsigned long long *super = reinterpret_cast<unsigned long long *> (args.super);

  if (!acc.used)
    return;
  if (threadIdx.x == 0)
    gt_super_carry (reinterpret_cast<int64_t *> (acc.word), GT_SUPER_WORDS);
  __syncthreads ();
  for (unsigned i = threadIdx.x; i < GT_SUPER_WORDS; i += blockDim.x)
    if (acc.word[i] != 0)
      atomicAdd (super + i, acc.word[i]);
  if (threadIdx.x == 0 && acc.word[GT_SUPER_WORDS] != 0)
    atomicOr (super + GT_SUPER_WORDS, acc.word[GT_SUPER_WORDS]);
}

/* Counts the block as done; true, for all its threads, in the block that is
   last.  What the blocks did before is then visible.  */
__device__ __forceinline__ bool last_of_grid (const struct gt_kernel_args &args)
{
  __shared__ bool last_block;

  __threadfence ();
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
__device__ __forceinline__ void take_from_grid (struct exact_block &acc, const struct gt_kernel_args &args)
{
  unsigned long long *super = reinterpret_cast<unsigned long long *> (args.super);

  for (unsigned i = threadIdx.x; i < GT_EXACT_WORDS; i += blockDim.x)
    {
      const unsigned long long word = __ldcg (super + i);

      if (word == 0)
        continue;
      super[i] = 0;
      __threadfence ();
      if (i == GT_SUPER_WORDS)
        atomicOr (acc.word + i, word);
      else
        atomicAdd (acc.word + i, word);
    }
}

/* Adds what the block has gathered in ACC to the grid's accumulator, and counts
   the block as done.  True in the block that is last: ACC then holds what all
   blocks have added.  */
__device__ __forceinline__ bool gather_grid (struct exact_block &acc, const struct gt_kernel_args &args)
{
  add_to_grid (acc, args);
  if (!last_of_grid (args))
    return false;
  clear_exact (acc);
  __syncthreads ();
  take_from_grid (acc, args);
  return true;
}

/* Hands the block's accumulator to the host (struct gt_exact_result).  Begins
   with a barrier.  */
__device__ __forceinline__ void deliver_exact (const struct exact_block &acc, const struct gt_kernel_args &args)
{
  const uint64_t tag = static_cast<uint64_t> (args.sequence) << 32;
  ulonglong2 *to = reinterpret_cast<ulonglong2 *> (args.exact);

  __syncthreads ();
  for (unsigned i = threadIdx.x; i < GT_EXACT_WORDS; i += blockDim.x)
    to[i] = make_ulonglong2 (tag | static_cast<uint32_t> (acc.word[i]), tag | acc.word[i] >> 32);
}

/* The end of an exact kernel that has gathered everything in ACC.  */
__device__ __forceinline__ void finish_exact (struct exact_block &acc, const struct gt_kernel_args &args)
{
  __syncthreads ();
  if (gridDim.x > 1 && !gather_grid (acc, args))
    return;
  deliver_exact (acc, args);
}

/* ------------------------------------------------------- Reading the data */

/* A vector as units that are loaded at once: 16 bytes of a contiguous one, but
   for the elements before the first and after the last 16-byte boundary, or an
   element of a strided one.  */
template <class T>
struct contiguous_units
{
  static constexpr int width = 16 / sizeof (T); /* elements of a unit */
  const T *first;
  uint64_t n;

  /* Returns how many elements lie before the units and behind them, fewer than
     a warp: block 0 adds them, a thread each.  */
  __device__ __forceinline__ void open (const struct gt_kernel_args &args, struct exact_block &acc)
  {
    const T *x = static_cast<const T *> (args.data);
    const uint64_t before = (16 - reinterpret_cast<uintptr_t> (x) % 16) % 16 / sizeof (T);
    const uint64_t head = before < args.n ? before : args.n;
    const uint64_t tail = (args.n - head) % width;

    first = x + head;
    n = (args.n - head) / width;
    if (blockIdx.x != 0)
      return;
    if (threadIdx.x < head)
      add_exactly (acc, x[threadIdx.x]);
    if (threadIdx.x < tail)
      add_exactly (acc, x[args.n - tail + threadIdx.x]);
  }
  __device__ __forceinline__ uint4 load (uint64_t i) const
  {
    return __ldcs (reinterpret_cast<const uint4 *> (first) + i);
  }
  __device__ __forceinline__ T element (uint64_t i, int k) const { return first[i * width + k]; }
};

__device__ __forceinline__ void unpack (uint4 r, double *x)
{
  x[0] = __hiloint2double (r.y, r.x);
  x[1] = __hiloint2double (r.w, r.z);
}
__device__ __forceinline__ void unpack (uint4 r, float *x)
{
  x[0] = __uint_as_float (r.x);
  x[1] = __uint_as_float (r.y);
  x[2] = __uint_as_float (r.z);
  x[3] = __uint_as_float (r.w);
}

template <class T>
struct strided_units
{
  static constexpr int width = 1;
  const T *first;
  uint64_t n, stride;

  __device__ __forceinline__ void open (const struct gt_kernel_args &args, struct exact_block &)
  {
    first = static_cast<const T *> (args.data);
    n = args.n;
    stride = args.stride;
  }
  __device__ __forceinline__ T load (uint64_t i) const { return __ldcs (first + i * stride); }
  __device__ __forceinline__ T element (uint64_t i, int) const { return first[i * stride]; }
};

__device__ __forceinline__ void unpack (double r, double *x) { *x = r; }
__device__ __forceinline__ void unpack (float r, float *x) { *x = r; }

} /* namespace gt */

#endif
