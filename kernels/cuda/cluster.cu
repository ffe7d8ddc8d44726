/* As grid_stride.cu, but the blocks of a thread block cluster add their sums in
   the shared memory of the first of them, before anything leaves the SMs: a grid
   leaves an eighth of the partial sums, and a vector that one cluster sums
   leaves none, so that no block has to find out whether it is the last.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

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
  __shared__ uint4 of_block[CLUSTER];
  const unsigned rank = cluster_rank ();

  reduce_block (a);
  cluster_wait ();
  if (threadIdx.x == 0)
    remote_store (&of_block[rank], 0, packed (a));
  cluster_arrive ();
  cluster_wait ();
  if (rank != 0)
    return;
  if (threadIdx.x < warp)
    {
      a.clear ();
      if (threadIdx.x < CLUSTER)
        load_packed (a, of_block[threadIdx.x]);
      reduce_warp (a);
    }
  finish_parts (a, args, blockIdx.x / CLUSTER, gridDim.x / CLUSTER);
}

} /* namespace gt */

#define ENTRY(name, accumulator, full, u)                                        \
  extern "C" __global__ void GT_CLUSTER_DIMS (8)                                 \
  __launch_bounds__ (GT_THREADS (u), GT_BLOCKS (u, full))                        \
  sum_cluster_##name##_u##u (struct gt_kernel_args args)                         \
  {                                                                              \
    gt::accumulator a;                                                           \
    gt::cluster_arrive ();                                                       \
    gt::accumulate_contiguous<gt::accumulator, u> (a, args);                     \
    gt::finish_cluster (a, args);                                                \
  }                                                                              \
  extern "C" __global__ void GT_CLUSTER_DIMS (8)                                 \
  __launch_bounds__ (GT_THREADS (u), GT_BLOCKS (u, full))                        \
  sum_cluster_strided_##name##_u##u (struct gt_kernel_args args)                 \
  {                                                                              \
    gt::accumulator a;                                                           \
    gt::cluster_arrive ();                                                       \
    gt::accumulate_strided<gt::accumulator, u> (a, args);                        \
    gt::finish_cluster (a, args);                                                \
  }

#define ENTRIES(name, accumulator, full)                                         \
  ENTRY (name, accumulator, full, 1)                                             \
  ENTRY (name, accumulator, full, 2)                                             \
  ENTRY (name, accumulator, full, 4)                                             \
  ENTRY (name, accumulator, full, 8)

GT_SINGLE_PASS_ENTRIES (ENTRIES)
