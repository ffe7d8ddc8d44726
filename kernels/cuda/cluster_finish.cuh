/* The entry points of cluster: as grid_stride, but the blocks of a thread block
   cluster merge what they have gathered in the shared memory of the first of them,
   before anything leaves the SMs: a grid leaves an eighth of the partial results,
   and a vector for which one cluster is enough leaves none, so that no block has to
   find out whether it is the last.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_CLUSTER_FINISH_CUH
#define GT_KERNELS_CUDA_CLUSTER_FINISH_CUH

#include "kernels/cuda/accumulate.cuh"
#include "kernels/cuda/cluster.cuh"

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
  entry (struct gt_kernel_args args) { gt::cluster<gt::units, gt::accumulator, u> (args); }
#endif

/* Of one accumulator, for both layouts.  */
#define GT_CLUSTER_ENTRIES(reduction, name, accumulator, full, u)                \
  GT_CLUSTER_LAYOUT (reduction##_cluster_##name##_u##u, accumulator, full, u, contiguous_units)\
  GT_CLUSTER_LAYOUT (reduction##_cluster_strided_##name##_u##u, accumulator, full, u, strided_units)

#endif
