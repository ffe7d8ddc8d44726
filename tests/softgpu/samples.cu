/* Kernels that try the engine, right and wrong ones, for tests/test_softgpu.c.
   Most write what they saw into args.partials, one word a thread.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/reduce.cuh"
#include "kernels/ladder/ladder.cuh"

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

}

/* The lane that is asked does not exist, or has ended.  */
SAMPLE (shuffle_from_nowhere)
{
  if (threadIdx.x == 3)
    return;
  *out<unsigned> (args) = __shfl_sync (FULL, threadIdx.x, args.n);
}

/* The order in which blocks and warps run.  */
SAMPLE (order)
{
  unsigned *to = static_cast<unsigned *> (args.partials);

  if (threadIdx.x % 32 == 0)
    to[atomicAdd (args.ticket, 1)]
      = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
}

SAMPLE (count)
{
  atomicAdd (out<unsigned> (args), 1);
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

/* 1 + 2^-60 is 1 to nearest, more when rounding upward.  */
SAMPLE (rounding)
{
  volatile double tiny = ldexp (1, -60);
  *out<unsigned> (args) = __dadd_rn (1, tiny) == 1;
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
SAMPLE (name_f64) { (void) args; }
SAMPLE (name_u16_b128) { (void) args; }
