/* The rungs of the reduction ladder but the last of its own, recursive.cu: ladder.def says
   what each does away with.  In shared memory and in place they differ in their PLACE.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/ladder/ladder.cuh"

namespace gt
{

/* Neighbouring pairs, the distance doubling: in step s the threads whose number
   is a multiple of 2s add their neighbour s further on.  In every warp some
   threads work and others wait, to the last step.  */
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

/* The same pairs, but thread t takes the one that begins at 2st: the working threads are
   the first ones, and whole warps retire.  In shared memory the distance between the
   threads' elements, a power of two, sends them to the same banks.  */
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

/* Sequential addressing: the distance halves, and in each step the first threads
   add the upper half to the lower, neighbours to neighbours.  With FOLD elements a thread,
   which it adds while it loads them, their loads do not wait for each other.  */
template <class T, class Place, int FOLD, unsigned BLOCK>
__device__ __forceinline__ void sum_halves (struct gt_kernel_args args)
{
  T *s = Place::template fill<FOLD> (args);

  add_halves (s, 0);
  if (threadIdx.x == 0)
    leave_sum (s[0], args);
}

/* When one warp is left its steps are written out, with barriers of the warp in place of
   those of the block.  */
template <class T, class Place, int FOLD, unsigned BLOCK>
__device__ __forceinline__ void sum_last_warp (struct gt_kernel_args args)
{
  T *s = Place::template fill<FOLD> (args);

  add_halves (s, warp);
  leave_last_warp (s, blockDim.x > warp, args);
}

/* The steps from distance HALF down to one warp.  */
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

/* Every step is written out: the block size is known to the compiler.  */
template <class T, class Place, int FOLD, unsigned BLOCK>
__device__ __forceinline__ void sum_complete (struct gt_kernel_args args)
{
  T *s = Place::template fill<FOLD> (args);

  halve<BLOCK / 2> (s);
  leave_last_warp (s, true, args);
}

} /* namespace gt */

/* Entry points of RUNG, whose body is gt::sum_BODY: in shared memory, and in place too.  */
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
/* Those whose unroll factor is tuned.  */
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
