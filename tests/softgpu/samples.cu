/* Kernels that try the engine, right and wrong ones, for tests/test_softgpu*.c.
   Most write what they saw into args.partials, one word a thread.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/reduce.cuh"
#include "kernels/ladder/ladder.cuh"
#include "kernels/superaccumulator.h"

#define FULL 0xffffffffu
#define SAMPLE(name) extern "C" __global__ void __launch_bounds__ (1024) \
  sample_##name (struct gt_kernel_args args)
#define CLUSTER_SAMPLE(name, n)                                             \
  extern "C" __global__ void GT_CLUSTER_DIMS (n) __launch_bounds__ (1024)   \
  sample_##name (struct gt_kernel_args args)

namespace
{
__device__ __forceinline__ unsigned
global_thread ()
{
  return blockIdx.x * blockDim.x + threadIdx.x;
}

template <class T>
__device__ __forceinline__ T *
out (const struct gt_kernel_args &args)
{
  return static_cast<T *> (args.partials) + global_thread ();
}

template <class T>
__device__ __forceinline__ const T *
in (const struct gt_kernel_args &args)
{
  return static_cast<const T *> (args.data);
}

/* Two barriers and two rounds of shuffles.  */
template <class T>
__device__ __forceinline__ T
block_sum (T x)
{
  __shared__ T of_warp[32];
  unsigned lane = threadIdx.x % 32, warps = (blockDim.x + 31) / 32;

  for (unsigned by = 16; by > 0; by /= 2)
    {
      T other = __shfl_down_sync (FULL, x, by);
      if (lane + by < 32 && threadIdx.x + by < blockDim.x)
        x += other;
    }
  __syncthreads ();
  if (lane == 0)
    of_warp[threadIdx.x / 32] = x;
  __syncthreads ();
  if (threadIdx.x == 0)
    for (unsigned w = 1; w < warps; w++)
      x += of_warp[w];
  return x;
}

/* Every way to shuffle, in the order of tests/test_softgpu.c.  */
template <class T>
__device__ __forceinline__ void
shuffles (const struct gt_kernel_args &args)
{
  T *to = static_cast<T *> (args.partials) + 5 * threadIdx.x;
  T x = in<T> (args)[threadIdx.x];

  to[0] = __shfl_sync (FULL, x, threadIdx.x * 7 + 3);
  to[1] = __shfl_down_sync (FULL, x, 5);
  to[2] = __shfl_xor_sync (FULL, x, 9);
  to[3] = __shfl_down_sync (FULL, x, 3, 8);
  to[4] = __shfl_xor_sync (FULL, x, 12, 8);
}
}

/* args.n elements in a grid-stride loop; the last block adds the partials and
   delivers.  */
SAMPLE (sum_f64)
{
  __shared__ bool last;
  double *partials = static_cast<double *> (args.partials), x = 0;

  for (uint64_t i = global_thread (); i < args.n;
       i += (uint64_t) gridDim.x * blockDim.x)
    x += __ldg (in<double> (args) + i * args.stride);
  x = block_sum (x);
  if (threadIdx.x == 0)
    {
      partials[blockIdx.x] = x;
      __threadfence ();
      last = atomicInc (args.ticket, gridDim.x - 1) == gridDim.x - 1;
      __threadfence ();
    }
  __syncthreads ();
  if (!last)
    return;
  x = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
    x += partials[i];
  x = block_sum (x);
  if (threadIdx.x != 0)
    return;
  args.result->word[0] = (unsigned long long) __double_as_longlong (x);
  __threadfence_system ();
  args.result->word[1] = args.sequence;
}

/* The exact sum of args.n doubles: each block adds to words that it shares, then
   to args.partials, one struct gt_superaccumulator; the last passes carries on.  */
SAMPLE (exact_f64)
{
  __shared__ struct gt_superaccumulator shared;
  struct gt_superaccumulator *all
    = static_cast<struct gt_superaccumulator *> (args.partials);
  unsigned long long *words
    = reinterpret_cast<unsigned long long *> (shared.word);

  for (unsigned i = threadIdx.x; i < GT_SUPER_WORDS; i += blockDim.x)
    words[i] = 0;
  if (threadIdx.x == 0)
    shared.count = shared.flags = 0;
  __syncthreads ();
  for (uint64_t i = global_thread (); i < args.n;
       i += (uint64_t) gridDim.x * blockDim.x)
    {
      struct gt_super_digits digits = {0, {0, 0, 0}};
      atomicOr (&shared.flags,
                gt_super_cut_factor (gt_factor_f64 (__ldg (in<double> (args) + i)), &digits));
      for (int k = 0; k < 3; k++)
        atomicAdd (words + digits.first + k,
                   (unsigned long long) digits.digit[k]);
    }
  __syncthreads ();
  if (threadIdx.x != 0)
    return;
  gt_super_carry (shared.word, GT_SUPER_WORDS);
  for (int i = 0; i < GT_SUPER_WORDS; i++)
    atomicAdd (reinterpret_cast<unsigned long long *> (all->word) + i, words[i]);
  atomicOr (&all->flags, shared.flags);
  __threadfence ();
  const bool last = atomicInc (args.ticket, gridDim.x - 1) == gridDim.x - 1;
  __threadfence ();
  if (!last)
    return;
  gt_super_carry (all->word, GT_SUPER_WORDS);
}

SAMPLE (shuffles_int) { shuffles<int> (args); }
SAMPLE (shuffles_unsigned) { shuffles<unsigned> (args); }
SAMPLE (shuffles_long_long) { shuffles<long long> (args); }
SAMPLE (shuffles_unsigned_long_long) { shuffles<unsigned long long> (args); }
SAMPLE (shuffles_float) { shuffles<float> (args); }
SAMPLE (shuffles_double) { shuffles<double> (args); }

/* Odd and even lanes apart, each with its own mask.  */
SAMPLE (votes_apart)
{
  unsigned mask = threadIdx.x % 2 ? 0xaaaaaaaau : 0x55555555u;
  unsigned *to = static_cast<unsigned *> (args.partials) + 4 * threadIdx.x;

  if (threadIdx.x % 2)
    to[0] = __ballot_sync (mask, threadIdx.x % 32 < 8);
  else
    to[0] = __ballot_sync (mask, threadIdx.x % 32 >= 8);
  to[1] = __any_sync (mask, threadIdx.x % 32 == 6);
  to[2] = __all_sync (mask, threadIdx.x % 4 != 3);
  __syncwarp ();
  to[3] = __shfl_sync (FULL, threadIdx.x, 31);
}

/* The lane that is asked does not exist, or has ended.  */
SAMPLE (shuffle_from_nowhere)
{
  if (threadIdx.x == 3)
    return;
  *out<unsigned> (args) = __shfl_sync (FULL, threadIdx.x, args.n);
}

/* Threads that have ended do not hold a barrier up.  */
SAMPLE (early_end)
{
  __shared__ unsigned count;

  if (threadIdx.x == 0)
    count = 0;
  __syncthreads ();
  if (threadIdx.x % 3 == 1 || threadIdx.x / 32 == 1)
    return;
  atomicAdd (&count, 1);
  __syncwarp ();
  __syncthreads ();
  *out<unsigned> (args) = count;
}

/* The order in which blocks and warps run.  */
SAMPLE (order)
{
  unsigned *to = static_cast<unsigned *> (args.partials);

  if (threadIdx.x % 32 == 0)
    to[atomicAdd (args.ticket, 1)]
      = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
}

SAMPLE (indices)
{
  unsigned block
    = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  unsigned thread
    = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  unsigned threads = blockDim.x * blockDim.y * blockDim.z;

  atomicAdd (static_cast<unsigned *> (args.partials) + block * threads
               + thread, 1);
}

/* Reads its neighbour's word, with and without the barrier it takes.  */
SAMPLE (neighbour)
{
  __shared__ unsigned words[1024];

  words[threadIdx.x] = threadIdx.x;
  if (args.n)
    __syncthreads ();
  *out<unsigned> (args) = words[(threadIdx.x + 32) % blockDim.x];
}

/* The same within a warp.  */
SAMPLE (neighbour_lane)
{
  __shared__ unsigned words[1024];

  words[threadIdx.x] = threadIdx.x;
  if (args.n)
    __syncwarp ();
  *out<unsigned> (args) = words[threadIdx.x ^ 1];
}

/* Reads shared memory that nobody wrote, then writes it.  */
SAMPLE (stale)
{
  __shared__ unsigned fixed[1024];
  unsigned *dynamic = softgpu::dynamic_shared<unsigned> ();

  *out<unsigned> (args) = fixed[threadIdx.x] & dynamic[threadIdx.x];
  fixed[threadIdx.x] = dynamic[threadIdx.x] = 0;
}

SAMPLE (two_barriers)
{
  if (threadIdx.x < blockDim.x / 2)
    __syncthreads ();
  else
    __syncthreads ();
  *out<unsigned> (args) = 1;
}

SAMPLE (lane_missing)
{
  if (threadIdx.x == 5)
    __syncthreads ();
  __syncwarp ();
  __syncthreads ();
  *out<unsigned> (args) = 1;
}

SAMPLE (not_in_mask)
{
  __syncwarp (0xfffffffeu);
  *out<unsigned> (args) = 1;
}

SAMPLE (masks_differ)
{
  *out<unsigned> (args)
    = __shfl_sync (threadIdx.x % 32 < 16 ? FULL : 0xffff0001u, 1u, 0);
}

SAMPLE (operations_differ)
{
  if (threadIdx.x % 2)
    __syncwarp ();
  else
    *out<unsigned> (args) = __ballot_sync (FULL, 1);
}

SAMPLE (trap)
{
  if (args.n == 0)
    __trap ();
}

/* args.sequence is the byte at which to read, after one that is in order.  */
SAMPLE (load_u8)
{
  unsigned first = __ldg (in<unsigned char> (args));

  *out<unsigned> (args)
    = first << 8 | __ldg (in<unsigned char> (args) + args.sequence);
}

SAMPLE (load_wide_u8)
{
  *out<unsigned> (args) = __ldcs (reinterpret_cast<const uint4 *> (
                                    in<unsigned char> (args) + args.sequence))
                            .w;
}

SAMPLE (atomics)
{
  unsigned long long *to = static_cast<unsigned long long *> (args.partials);
  unsigned *word = reinterpret_cast<unsigned *> (to);
  unsigned t = global_thread ();

  atomicAdd (to + 1, 1ull << 32);
  atomicInc (word + 10, 6);
  atomicOr (word + 12, 1u << t % 32);
  atomicMax (word + 14, t);
}

SAMPLE (intrinsics)
{
  const unsigned *x = in<unsigned> (args);
  unsigned *to = static_cast<unsigned *> (args.partials);
  unsigned a = x[0], b = x[1], c = x[2];

  to[0] = __dp4a (a, b, c);
  to[1] = __dp4a ((int) a, (int) b, (int) c);
  to[2] = __dp2a_lo (a, b, c);
  to[3] = __popc (a);
  to[4] = __clz (c) * 100 + __clz (0);
  to[5] = __ffs (c) * 100 + __ffs (0);
  to[6] = __float_as_uint (__uint_as_float (a));
  to[7] = __double2hiint (__hiloint2double (a, b));
  to[8] = __double2loint (__hiloint2double (a, b));
  to[9] = min (3u, 5u) * 100 + max (-3, 5);
  to[10] = sizeof (uint4) * 100 + alignof (ulonglong2);
}

/* 1 + 2^-60 is 1 to nearest, more when rounding upward.  */
SAMPLE (rounding)
{
  volatile double tiny = ldexp (1, -60);
  *out<unsigned> (args) = __dadd_rn (1, tiny) == 1;
}

/* Grid g, which is args.n, launches grids 2 g and 2 g + 1, one block more each,
   up to 7; block after block notes its grid.  */
SAMPLE (tail)
{
  struct gt_kernel_args next = args;

  if (threadIdx.x != 0)
    return;
  static_cast<unsigned *> (args.partials)[atomicAdd (args.ticket, 1)] = args.n;
  for (next.n = 2 * args.n; next.n <= 2 * args.n + 1; next.n++)
    if (blockIdx.x == 0 && next.n < 8)
      GT_TAIL_LAUNCH (sample_tail, gridDim.x + 1, blockDim.x / 2, next);
}

/* The first of two grids traps.  */
SAMPLE (tail_trap)
{
  struct gt_kernel_args next = args;

  if (global_thread () != 0)
    return;
  next.n = 0;
  GT_TAIL_LAUNCH (sample_trap, 1, 1, next);
  next.n = 4;
  GT_TAIL_LAUNCH (sample_tail, 1, 1, next);
}

CLUSTER_SAMPLE (cluster_rank_2, 2)
{
  *out<unsigned> (args) = gt::cluster_rank ();
}

/* The same text; yet not the same kernel.  */
CLUSTER_SAMPLE (cluster_rank_4, 4)
{
  *out<unsigned> (args) = gt::cluster_rank ();
}

/* More than a device has to support.  */
CLUSTER_SAMPLE (cluster_rank_16, 16)
{
  *out<unsigned> (args) = gt::cluster_rank ();
}

SAMPLE (tail_wrong)
{
  struct gt_kernel_args next = args;
  unsigned grid = args.sequence != 0, block = 32;

  if (args.sequence == 1)
    block = 1025;
  if (args.sequence == 2)
    block = 0;
  if (args.sequence == 3)
    next.partials = &grid;
  if (args.sequence == 4 && threadIdx.x == 0)
    for (int i = 0; i < 2048; i++)
      GT_TAIL_LAUNCH (sample_trap, 1, 1, next);
  if (args.sequence == 5)
    GT_TAIL_LAUNCH (nullptr, 1, 1, next);
  if (args.sequence == 6)
    GT_TAIL_LAUNCH (sample_cluster_rank_2, 1, 32, next);
  GT_TAIL_LAUNCH (sample_tail_wrong, grid, block, next);
}

namespace
{
/* Every thread hands its number to the next block of the cluster, in both kinds
   of shared memory, and keeps a copy.  Without args.n the barrier that the
   neighbour has to wait at is missing.  */
__device__ __forceinline__ void
ring (const struct gt_kernel_args &args, unsigned blocks)
{
  __shared__ unsigned fixed[1024], kept[1024];
  unsigned *dynamic = softgpu::dynamic_shared<unsigned> ();
  unsigned *to = static_cast<unsigned *> (args.partials) + 4 * global_thread ();
  unsigned next = (gt::cluster_rank () + 1) % blocks, t = threadIdx.x;

  kept[t] = global_thread ();
  gt::cluster_wait ();
  gt::remote_store (fixed + t, next, global_thread ());
  gt::remote_store (dynamic + t, next, global_thread ());
  if (args.n)
    gt::cluster_wait ();
  to[0] = fixed[t];
  to[1] = dynamic[t];
  __syncthreads ();
  to[2] = kept[(t + 1) % blockDim.x];
  gt::cluster_wait ();
  gt::remote_store (fixed + t, gt::cluster_rank (), t);
  to[3] = fixed[t];
}
}

CLUSTER_SAMPLE (cluster_ring_1, 1) { ring (args, 1); }
CLUSTER_SAMPLE (cluster_ring_2, 2) { ring (args, 2); }
CLUSTER_SAMPLE (cluster_ring_3, 3) { ring (args, 3); }
CLUSTER_SAMPLE (cluster_ring_8, 8) { ring (args, 8); }

/* One block of the cluster and some threads of the others end before the
   barrier.  */
CLUSTER_SAMPLE (cluster_early_end, 3)
{
  __shared__ unsigned count;

  if (gt::cluster_rank () == 1 || threadIdx.x % 3 == 1)
    return;
  if (threadIdx.x == 0)
    count = 0;
  gt::cluster_wait ();
  atomicAdd (&count, 1);
  gt::cluster_wait ();
  *out<unsigned> (args) = count;
}

/* Block 0 ends while block 1 may store into its shared memory.  */
CLUSTER_SAMPLE (cluster_end, 2)
{
  __shared__ unsigned word;

  (void) args;
  gt::cluster_wait ();
  if (gt::cluster_rank () == 1)
    gt::remote_store (&word, 0, 1u);
}

SAMPLE (no_cluster)
{
  __shared__ unsigned word;

  if (args.sequence == 0)
    *out<unsigned> (args) = gt::cluster_rank ();
  if (args.sequence == 1)
    gt::cluster_wait ();
  gt::remote_store (&word, 0, 1u);
}

CLUSTER_SAMPLE (cluster_wrong, 3)
{
  __shared__ unsigned words[1];
  unsigned own, last = gt::cluster_rank () == 2;

  if (args.sequence == 0 && last)
    gt::remote_store (words, 0, 1u);
  gt::cluster_wait ();
  if (args.sequence == 1 && gt::cluster_rank () == 0)
    return;
  if (args.sequence == 2)
    gt::remote_store (words, 3, 1u);
  if (args.sequence == 3)
    gt::remote_store (&own, 0, 1u);
  if (args.sequence == 4)
    gt::remote_store (softgpu::dynamic_shared<unsigned> () + blockDim.x, 0,
                      1u);
  if (args.sequence == 5 && threadIdx.x < 32)
    __syncthreads ();
  if (args.sequence == 6 && threadIdx.x == 5)
    __syncwarp ();
  gt::cluster_wait ();
  if (args.sequence == 1 && last)
    gt::remote_store (words, 0, 1u);
}

/* Names as those of the catalogue's kernels.  */
#define NAMED(name) SAMPLE (name) { (void) args; }
NAMED (name_f64)
NAMED (name_f64_u1)
NAMED (name_f64_u4)
NAMED (name_f64_u16)
NAMED (name_f64_u0)
NAMED (name_f64_unrolled)
NAMED (name_u8)
NAMED (name_u16)
NAMED (name_u8_u16)
NAMED (name_u16_b128)
NAMED (name_f32_u8_b256)
NAMED (name_compensated_f32_u16_b1024)
NAMED (name_f64_b0)
NAMED (name_f64_b2048)
NAMED (name_b64)
