/* Thread block clusters: blocks that run at the same time and reach each other's
   shared memory ("CUDA C++ Programming Guide", "Thread Block Clusters"; PTX ISA,
   "mapa", "barrier.cluster").  Compute capability 9.0 and later; for older ones
   the file compiles to something that is never launched.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_CLUSTER_CUH
#define GT_KERNELS_CUDA_CLUSTER_CUH

#ifndef GT_SOFTGPU /* which has its own */

#include "kernels/cuda/reduce.cuh"

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
#endif
