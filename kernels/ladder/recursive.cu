/* Like multilevel in rungs.cu, but each level launches the next from the device (dynamic
   parallelism).  A tail launch begins after its grid has ended and sees all of the grid's
   stores; the device has no other way to wait for a grid ("CUDA C++ Programming Guide", "CUDA
   Dynamic Parallelism", on tail launch).

   Linked at run time with the device runtime: tuning/measure/rung_launch.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/ladder/ladder.cuh"

namespace gt
{

/* Sets ARGS for the next level, whose elements are the sums of this grid's blocks; its sums
   are stored after them.  Returns its number of blocks, or 0 if this level is the last.  */
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
