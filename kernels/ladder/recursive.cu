/* As multilevel in rungs.cu, but each level launches the next from the device (dynamic
   parallelism).  A tail launch begins when its grid has ended, with all that
   the grid wrote; the device has no other way to wait for a grid ("CUDA C++
   Programming Guide", "CUDA Dynamic Parallelism", on tail launch).

   Linked at run time with the device runtime: tuning/measure/rung_launch.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/ladder/ladder.cuh"

namespace gt
{

/* The level above this one, whose elements are the sums that this grid's blocks
   leave; its sums go behind them.  Returns its blocks, 0 when this level is the
   last.  */
template <class T, int FOLD>
__device__ __forceinline__ unsigned next_level (struct gt_kernel_args &args)
{
  const uint64_t left = gridDim.x, tile = static_cast<uint64_t> (blockDim.x) * FOLD;

  if (left == 1)
    return 0;
  args.data = args.partials;
  args.n = left;
  args.stride = 1;
  args.partials = behind_sums<T> (args);
  return static_cast<unsigned> ((left + tile - 1) / tile);
}

} /* namespace gt */

#define ENTRY(name, type, u)                                                     \
  GT_RUNG_ENTRY (recursive_##name##_u##u, 1024)                                  \
  {                                                                              \
    gt::sum_tile_by_shuffles<type, u> (args);                                    \
    if (blockIdx.x == 0 && threadIdx.x == 0)                                     \
      {                                                                          \
        const unsigned blocks = gt::next_level<type, u> (args);                  \
        if (blocks > 0)                                                          \
          GT_TAIL_LAUNCH (sum_recursive_##name##_u##u, blocks, blockDim.x, args);\
      }                                                                          \
  }
#define ENTRIES(name, type) ENTRY (name, type, 2) ENTRY (name, type, 4) ENTRY (name, type, 8)

GT_LADDER_TYPES (ENTRIES)
