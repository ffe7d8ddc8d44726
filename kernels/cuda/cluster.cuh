/* Thread block clusters: blocks that run at the same time and reach each other's
   shared memory ("CUDA C++ Programming Guide", "Thread Block Clusters"; PTX ISA,
   "mapa", "barrier.cluster").  Compute capability 9.0 and later; for older ones
   the file compiles to something that is never launched.

   The entry points of cluster: as grid_stride, but the blocks of a thread block
   cluster merge what they have gathered in the shared memory of the first of them,
   before anything leaves the SMs: a grid leaves an eighth of the partial results,
   and a vector for which one cluster is enough leaves none, so that no block has to
   find out whether it is the last.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_CLUSTER_CUH
#define GT_KERNELS_CUDA_CLUSTER_CUH

#include "kernels/cuda/accumulate.cuh"

#ifndef GT_SOFTGPU /* which has its own */

#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900

/* N blocks with neighbouring numbers are a cluster.  Between the result type and
   the name of a kernel.  */
#define GT_CLUSTER_DIMS(n) __cluster_dims__ (n, 1, 1)

namespace gt
{

/* The block's number in its cluster.  */
__device__ __forceinline__ unsigned cluster_rank ()
{
  unsigned rank;

  asm ("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

/* A barrier of all threads of the cluster in two halves: each tells that it has
   come this far, and waits until all others have told.  What a thread stored
   before it told is visible to those that waited.  */
__device__ __forceinline__ void cluster_arrive ()
{
  asm volatile ("barrier.cluster.arrive.release;" ::: "memory");
}
__device__ __forceinline__ void cluster_wait ()
{
  asm volatile ("barrier.cluster.wait.acquire;" ::: "memory");
}

/* Stores into block RANK's copy of the shared variable at P.  That block must
   have started, which a barrier shows, and not have ended.  */
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

/* Blocks of a cluster: the most that every device takes.  kernels/catalog.h
   knows it too.  */
#define CLUSTER 8

namespace gt
{

/* The caller has called cluster_arrive: that was long ago, so that learning that
   the first block runs costs no time here.  */
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

/* GPUs that have no clusters get entry points for the sake of their names.  */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 900
#define GT_CLUSTER_LAYOUT(entry, accumulator, full, u, units)                 \
  extern "C" __global__ void entry (struct gt_kernel_args) {}
#else
#define GT_CLUSTER_LAYOUT(entry, accumulator, full, u, units)                 \
  extern "C" __global__ void GT_CLUSTER_DIMS (8)                                 \
  __launch_bounds__ (GT_THREADS (u), GT_BLOCKS (u, full))                        \
  entry (struct gt_kernel_args args) { gt::wait_for_stream (); gt::cluster<gt::units, gt::accumulator, u> (args); }
#endif

/* Of one accumulator, for both layouts.  */
#define GT_CLUSTER_ENTRIES(reduction, name, accumulator, full, u)                \
  GT_CLUSTER_LAYOUT (reduction##_cluster_##name##_u##u, accumulator, full, u, contiguous_units)\
  GT_CLUSTER_LAYOUT (reduction##_cluster_strided_##name##_u##u, accumulator, full, u, strided_units)

#endif
