/* Thread block clusters: blocks that run at the same time and can access each other's shared
   memory ("CUDA C++ Programming Guide", "Thread Block Clusters"; PTX ISA, "mapa",
   "barrier.cluster").  They need compute capability 9.0; for older GPUs the file compiles to
   code that is never launched.

   The entry points of cluster are like those of grid_stride, but the blocks of a cluster merge
   their accumulators in the shared memory of the first block before anything leaves the SMs.
   A grid then stores an eighth of the partial results, and if one cluster is enough, none, so
   that no block has to determine whether it is the last.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_CLUSTER_CUH
#define GT_KERNELS_CUDA_CLUSTER_CUH

#include "kernels/cuda/accumulate.cuh"

#ifndef GT_SOFTGPU /* which has its own definitions */

#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900

/* Makes N consecutive blocks a cluster.  It stands between the result type and the name of a
   kernel.  */
#define GT_CLUSTER_DIMS(n) __cluster_dims__ (n, 1, 1)

namespace gt
{

/* Returns the block's number in its cluster.  */
__device__ __forceinline__ unsigned cluster_rank ()
{
  unsigned rank;

  asm ("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

/* A barrier of all threads of the cluster in two halves: a thread signals its arrival, and
   later waits for the arrival of all others.  Stores before the arrival are visible to threads
   that have waited.  */
__device__ __forceinline__ void cluster_arrive ()
{
  asm volatile ("barrier.cluster.arrive.release;" ::: "memory");
}
__device__ __forceinline__ void cluster_wait ()
{
  asm volatile ("barrier.cluster.wait.acquire;" ::: "memory");
}

/* Stores VALUE in block RANK's copy of the shared variable at P.  That block must have
   started, which a barrier ensures, and must not have ended.  */
template <class T>
__device__ __forceinline__ void remote_store (T *p, unsigned rank, T value)
{
  uint64_t address;

  asm ("mapa.u64 %0, %1, %2;" : "=l"(address) : "l"(p), "r"(rank));
  *reinterpret_cast<T *> (address) = value;
}

} /* namespace gt */

#else
#define GT_CLUSTER_DIMS(n)
namespace gt
{
__device__ __forceinline__ unsigned cluster_rank () { return 0; }
__device__ __forceinline__ void cluster_arrive () {}
__device__ __forceinline__ void cluster_wait () {}
template <class T>
__device__ __forceinline__ void remote_store (T *p, unsigned, T value) { *p = value; }
} /* namespace gt */
#endif
#endif

/* The number of blocks of a cluster: the maximum that every device supports.  It is also in
   kernels/catalog.h.  */
#define CLUSTER 8

namespace gt
{

/* Merges the accumulators of a cluster.  The caller must have called cluster_arrive, long
   before, so that waiting for the start of the first block takes no time here.  */
template <class A>
__device__ __forceinline__ void finish_cluster (A &a, const struct gt_kernel_args &args)
{
  __shared__ struct packed<A> of_block[CLUSTER];
  const unsigned rank = cluster_rank ();

  reduce_block (a);
  cluster_wait ();
  if (threadIdx.x == 0)
    remote_store (&of_block[rank], 0, pack (a));
  cluster_arrive ();
  cluster_wait ();
  if (rank != 0)
    return;
  if (threadIdx.x < warp)
    {
      a.clear ();
      if (threadIdx.x < CLUSTER)
        a = unpacked (a, of_block[threadIdx.x]);
      reduce_warp (a);
    }
  finish_parts (a, args, blockIdx.x / CLUSTER, gridDim.x / CLUSTER);
}

template <template <class> class Units, class A, int U>
__device__ __forceinline__ void cluster (const struct gt_kernel_args &args)
{
  A a;

  cluster_arrive ();
  accumulate<Units, U> (a, args);
  finish_cluster (a, args);
}

} /* namespace gt */

/* GPUs without clusters need entry points with these names, too.  */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 900
#define GT_CLUSTER_LAYOUT(entry, accumulator, full, u, units)                 \
  extern "C" __global__ void entry (struct gt_kernel_args) {}
#else
#define GT_CLUSTER_LAYOUT(entry, accumulator, full, u, units)                 \
  extern "C" __global__ void GT_CLUSTER_DIMS (8)                                 \
  __launch_bounds__ (GT_THREADS (u), GT_BLOCKS (u, full))                        \
  entry (struct gt_kernel_args args) { gt::wait_for_stream (); gt::cluster<gt::units, gt::accumulator, u> (args); }
#endif

/* The entry points of one accumulator, for both layouts.  */
#define GT_CLUSTER_ENTRIES(reduction, name, accumulator, full, u)                \
  GT_CLUSTER_LAYOUT (reduction##_cluster_##name##_u##u, accumulator, full, u, contiguous_units)\
  GT_CLUSTER_LAYOUT (reduction##_cluster_strided_##name##_u##u, accumulator, full, u, strided_units)

#endif
