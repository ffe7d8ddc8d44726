/* The rungs of the reduction ladder except the recursive one, which is in recursive.cu;
   ladder.def lists the cost that each removes.  The forms in shared memory and in place differ
   in PLACE.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/ladder/ladder.cuh"

namespace gt
{

/* Adds adjacent pairs with a doubling distance: in step s, the threads whose number is a
   multiple of 2s add the element at distance s.  In every warp some threads work and others
   wait until the last step.  */
template <class T, class Place, int FOLD, unsigned BLOCK>
__device__ __forceinline__ void sum_neighbored (struct gt_kernel_args args)
{
  T *s = Place::template fill<FOLD> (args);
  const unsigned t = threadIdx.x;

  for (unsigned step = 1; step < blockDim.x; step *= 2)
    {
      if (t % (2 * step) == 0)
        s[t] += s[t + step];
      __syncthreads ();
    }
  if (t == 0)
    leave_sum (s[0], args);
}

/* Adds the same pairs, but thread t adds the pair that begins at 2st: the first threads do the
   work, and whole warps become idle.  In shared memory the distance between the threads'
   elements, a power of two, causes bank conflicts.  */
template <class T, class Place, int FOLD, unsigned BLOCK>
__device__ __forceinline__ void sum_neighbored_packed (struct gt_kernel_args args)
{
  T *s = Place::template fill<FOLD> (args);

  for (unsigned step = 1; step < blockDim.x; step *= 2)
    {
      const unsigned i = 2 * step * threadIdx.x;

      if (i < blockDim.x)
        s[i] += s[i + step];
      __syncthreads ();
    }
  if (threadIdx.x == 0)
    leave_sum (s[0], args);
}

/* Uses sequential addressing: the distance halves, and in each step the first threads add the
   upper half to the lower one; adjacent threads access adjacent elements.  With FOLD elements
   for each thread, which are added after all have been loaded, loads do not wait for each
   other.  */
template <class T, class Place, int FOLD, unsigned BLOCK>
__device__ __forceinline__ void sum_halves (struct gt_kernel_args args)
{
  T *s = Place::template fill<FOLD> (args);

  add_halves (s, 0);
  if (threadIdx.x == 0)
    leave_sum (s[0], args);
}

/* Unrolls the steps of the last warp, with warp barriers instead of block barriers.  */
template <class T, class Place, int FOLD, unsigned BLOCK>
__device__ __forceinline__ void sum_last_warp (struct gt_kernel_args args)
{
  T *s = Place::template fill<FOLD> (args);

  add_halves (s, warp);
  leave_last_warp (s, blockDim.x > warp, args);
}

/* Performs the steps from distance HALF down to one warp.  */
template <unsigned HALF, class T>
__device__ __forceinline__ void halve (T *s)
{
  if constexpr (HALF > warp)
    {
      if (threadIdx.x < HALF)
        s[threadIdx.x] += s[threadIdx.x + HALF];
      __syncthreads ();
      halve<HALF / 2> (s);
    }
}

/* Unrolls every step: the compiler knows the block size.  */
template <class T, class Place, int FOLD, unsigned BLOCK>
__device__ __forceinline__ void sum_complete (struct gt_kernel_args args)
{
  T *s = Place::template fill<FOLD> (args);

  halve<BLOCK / 2> (s);
  leave_last_warp (s, true, args);
}

} /* namespace gt */

/* Entry points of RUNG, whose body is gt::sum_BODY: SHARED in shared memory, BOTH also in
   place.  */
#define SHARED(rung, body, name, type, suffix, u, block)                         \
  GT_RUNG_ENTRY (rung##_##name##suffix, block)                                   \
  {                                                                              \
    gt::sum_##body<type, gt::shared_place<type>, u, block> (args);               \
  }
#define BOTH(rung, body, name, type, suffix, u, block)                           \
  SHARED (rung, body, name, type, suffix, u, block)                              \
  GT_RUNG_ENTRY (rung##_in_place_##name##suffix, block)                          \
  {                                                                              \
    gt::sum_##body<type, gt::copy_place<type>, u, block> (args);                 \
  }
#define COMPLETE(name, type, u)                                                  \
  BOTH (complete, complete, name, type, _u##u##_b64, u, 64)                      \
  BOTH (complete, complete, name, type, _u##u##_b128, u, 128)                    \
  BOTH (complete, complete, name, type, _u##u##_b256, u, 256)                    \
  BOTH (complete, complete, name, type, _u##u##_b512, u, 512)                    \
  BOTH (complete, complete, name, type, _u##u##_b1024, u, 1024)
#define SHUFFLES(rung, name, type, u)                                            \
  GT_RUNG_ENTRY (rung##_##name##_u##u, 1024)                                     \
  {                                                                              \
    gt::sum_tile_by_shuffles<type, u> (args);                                    \
  }
/* Entry points of the rungs that have an unroll factor to tune.  */
#define FOLDED(name, type, u)                                                    \
  BOTH (unroll_blocks, halves, name, type, _u##u, u, 1024)                       \
  BOTH (last_warp, last_warp, name, type, _u##u, u, 1024)                        \
  COMPLETE (name, type, u)                                                       \
  SHUFFLES (shuffle, name, type, u)                                              \
  SHUFFLES (multilevel, name, type, u)
#define ENTRIES(name, type)                                                      \
  BOTH (neighbored, neighbored, name, type, , 1, 1024)                           \
  BOTH (neighbored_packed, neighbored_packed, name, type, , 1, 1024)             \
  BOTH (interleaved, halves, name, type, , 1, 1024)                              \
  SHARED (first_add, halves, name, type, _u2, 2, 1024)                           \
  FOLDED (name, type, 2)                                                         \
  FOLDED (name, type, 4)                                                         \
  FOLDED (name, type, 8)

GT_LADDER_TYPES (ENTRIES)
