/* Keys of elements, for sorts and selections: unsigned integers in the order of the elements.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_SORT_KEYS_CUH
#define GT_KERNELS_CUDA_SORT_KEYS_CUH

#include "kernels/cuda/reduce.cuh"

namespace gt
{

template <class K>
__device__ __forceinline__ constexpr K first_bit ()
{
  return static_cast<K> (K (1) << (8 * sizeof (K) - 1));
}

/* The bits of an infinite real of so many bytes; of one or two there is none, and nothing is
   beyond it.  */
template <class K>
__device__ __forceinline__ constexpr K infinity ()
{
  return sizeof (K) == 8   ? static_cast<K> (0x7ffull << 52)
         : sizeof (K) == 4 ? static_cast<K> (0x7f800000u)
                           : static_cast<K> (~K (0));
}

template <class K>
__device__ __forceinline__ uint32_t digit (K key, unsigned shift)
{
  return static_cast<uint32_t> (key >> shift) & (GT_SORT_DIGITS - 1);
}

/* How elements are made keys, and keys elements again.  */
template <class K>
struct key_form
{
  K flip, negative;
  bool is_stable; /* of reals */

  __device__ __forceinline__ key_form (uint64_t flip_, uint64_t negative_, uint32_t flags)
    : flip (static_cast<K> (flip_)), negative (static_cast<K> (negative_)),
      is_stable ((flags & GT_SORT_STABLE) && (flags & GT_SORT_REAL))
  {
  }

  /* All NaN are one key, and all zeros, in a stable sort alone.  */
  __device__ __forceinline__ K key (K element) const
  {
    if (is_stable && static_cast<K> (element & ~first_bit<K> ()) > infinity<K> ())
      return static_cast<K> (~K (0));
    if (is_stable && element == first_bit<K> ())
      element = 0;
    return static_cast<K> (element ^ flip ^ (element & first_bit<K> () ? negative : K (0)));
  }

  /* Of reals, whose first bit is flipped, a key without it is that of a negative one.  */
  __device__ __forceinline__ K element (K key) const
  {
    return static_cast<K> (key ^ flip ^ (key & first_bit<K> () ? K (0) : negative));
  }
};

/* GT_SEEN of an element.  */
template <class K>
__device__ __forceinline__ uint32_t kind_of (K element)
{
  const K magnitude = static_cast<K> (element & ~first_bit<K> ());

  return magnitude > infinity<K> () ? GT_SEEN_NAN
         : magnitude != 0           ? 0
         : element != 0             ? GT_SEEN_MINUS_ZERO
                                    : GT_SEEN_ZERO;
}

/* The same of a batch, in which few or none are zeros or NaN: those alone have twice the bits,
   less 2, above twice an infinity's.  */
template <class K, unsigned Count>
__device__ __forceinline__ void look_at (const K (&element)[Count], uint32_t *seen)
{
  bool any = false;

#pragma unroll
  for (unsigned u = 0; u < Count; u++)
    any |= static_cast<K> (2 * element[u] - 2) >= static_cast<K> (2 * infinity<K> ());
  if (any)
#pragma unroll
    for (unsigned u = 0; u < Count; u++)
      *seen |= kind_of (element[u]);
}

/* The sum of a warp's lanes from the first to this one.  */
template <class T>
__device__ __forceinline__ T sum_to_lane (T x)
{
  const unsigned lane = threadIdx.x % warp;

#pragma unroll
  for (unsigned by = 1; by < warp; by *= 2)
    {
      const T other = __shfl_sync (0xffffffffu, x, static_cast<int> (lane < by ? lane : lane - by));

      x += lane < by ? T (0) : other;
    }
  return x;
}

/* Whether this block is the last one to come here; what the others have written is there
   then.  */
__device__ __forceinline__ bool is_last_block (uint32_t *done)
{
  __shared__ uint32_t before;

  __threadfence ();
  __syncthreads ();
  if (threadIdx.x == 0)
    before = atomicAdd (done, 1u);
  __syncthreads ();
  __threadfence ();
  return before == gridDim.x - 1;
}

/* Writes word AT of the answer, which the host awaits.  */
__device__ __forceinline__ void tell (const gt_kernel_args &args, unsigned at, uint32_t half)
{
  args.result->word[at] = static_cast<uint64_t> (args.sequence) << 32 | half;
}

/* The same of a grid of one block, where all that its threads have written is there then.  */
__device__ __forceinline__ void tell_at_end (const gt_kernel_args &args, const uint32_t *half)
{
  __threadfence_system ();
  __syncthreads ();
  if (threadIdx.x == 0)
    tell (args, 0, *half);
}

} /* namespace gt */

#endif
