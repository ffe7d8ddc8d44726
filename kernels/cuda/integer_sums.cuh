/* Accumulators of sums of integers and of their products that are so wide that nothing
   is lost: 128 bits for a sum, 192 for one of products.  Signed integers have their
   first bit flipped, which makes them unsigned and larger by 2^(bits - 1); the host takes
   that off the sums (src/cuda/cuda_take.c).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_INTEGER_SUMS_CUH
#define GT_KERNELS_CUDA_INTEGER_SUMS_CUH

#include "kernels/cuda/finish.cuh"
#include "kernels/cuda/grid_stride_sums.cuh"

namespace gt
{

typedef unsigned __int128 uint128;

/* Sums of 16 bytes of integers of type T, and of the products of those of two
   vectors.  Sums and products fit into 64 and 128 bits, except for integers of 64 bits,
   which are added one by one.  */
__device__ __forceinline__ uint64_t sum_in (uint4 v, uint32_t)
{
  return (static_cast<uint64_t> (v.x) + v.y) + (static_cast<uint64_t> (v.z) + v.w);
}

__device__ __forceinline__ uint128 products_in (uint4 v, uint4 w, uint32_t)
{
  return (static_cast<uint128> (static_cast<uint64_t> (v.x) * w.x) + static_cast<uint64_t> (v.y) * w.y)
         + (static_cast<uint128> (static_cast<uint64_t> (v.z) * w.z) + static_cast<uint64_t> (v.w) * w.w);
}

/* Plain sums of elements T of each input, and, if Products, the sum of the products of
   the first input's and the last's.  */
template <class T, unsigned Inputs, unsigned Plain, bool Products>
struct integer_sums
{
  typedef T element;
  static constexpr unsigned inputs = Inputs, parts = Plain + 2 * Products;
  static constexpr bool large = true, quick = false;
  uint128 sum[Plain];
  uint128 product; /* and above that */
  uint64_t carried;
  uint32_t flip[2]; /* of words with even numbers, and of the others */

  __device__ __forceinline__ void begin (const struct gt_kernel_args &args)
  {
    flip[0] = static_cast<uint32_t> (args.order.flip);
    flip[1] = static_cast<uint32_t> (args.order.flip >> 32);
    clear ();
  }
  __device__ __forceinline__ void clear ()
  {
#pragma unroll
    for (unsigned m = 0; m < Plain; m++)
      sum[m] = 0;
    product = 0;
    carried = 0;
  }
  __device__ __forceinline__ void add_product (uint128 x)
  {
    product += x;
    carried += product < x;
  }
  __device__ __forceinline__ void add_unsigned (const struct of_inputs<T, Inputs> &e)
  {
#pragma unroll
    for (unsigned m = 0; m < Plain; m++)
      sum[m] += e.of[m];
    if (Products)
      add_product (static_cast<uint128> (e.of[0]) * e.of[Inputs - 1]);
  }
  __device__ __forceinline__ void add (struct of_inputs<T, Inputs> e)
  {
    const uint64_t both = static_cast<uint64_t> (flip[1]) << 32 | flip[0];

#pragma unroll
    for (unsigned m = 0; m < Inputs; m++)
      e.of[m] ^= static_cast<T> (both);
    add_unsigned (e);
  }
  __device__ __forceinline__ void add (struct of_inputs<uint4, Inputs> v)
  {
#pragma unroll
    for (unsigned m = 0; m < Inputs; m++)
      v.of[m] = make_uint4 (v.of[m].x ^ flip[0], v.of[m].y ^ flip[1], v.of[m].z ^ flip[0], v.of[m].w ^ flip[1]);
    if constexpr (sizeof (T) < 8)
      {
#pragma unroll
        for (unsigned m = 0; m < Plain; m++)
          sum[m] += sum_in (v.of[m], T ());
        if (Products)
          add_product (products_in (v.of[0], v.of[Inputs - 1], T ()));
      }
    else
#pragma unroll
      for (unsigned k = 0; k < 2; k++)
        {
          struct of_inputs<T, Inputs> e;

#pragma unroll
          for (unsigned m = 0; m < Inputs; m++)
            e.of[m] = element_at (v.of[m], k, T ());
          add_unsigned (e);
        }
  }
  __device__ __forceinline__ void merge (const integer_sums &o)
  {
#pragma unroll
    for (unsigned m = 0; m < Plain; m++)
      sum[m] += o.sum[m];
    add_product (o.product);
    carried += o.carried;
  }
  __device__ __forceinline__ integer_sums down (unsigned by) const
  {
    integer_sums o = *this;

#pragma unroll
    for (unsigned m = 0; m < Plain; m++)
      o.sum[m] = shift (sum[m], by);
    if (Products)
      {
        o.product = shift (product, by);
        o.carried = shift (carried, by);
      }
    return o;
  }
  static __device__ __forceinline__ void put (union gt_partial &p, uint128 x)
  {
    p.u64[0] = static_cast<uint64_t> (x);
    p.u64[1] = static_cast<uint64_t> (x >> 64);
  }
  static __device__ __forceinline__ uint128 taken (const union gt_partial &p)
  {
    return static_cast<uint128> (p.u64[1]) << 64 | p.u64[0];
  }
  __device__ __forceinline__ void store (union gt_partial *p) const
  {
#pragma unroll
    for (unsigned m = 0; m < Plain; m++)
      put (p[m], sum[m]);
    if (Products)
      {
        put (p[Plain], product);
        put (p[parts - 1], carried);
      }
  }
  __device__ __forceinline__ void load (const union gt_partial *p)
  {
#pragma unroll
    for (unsigned m = 0; m < Plain; m++)
      sum[m] = taken (p[m]);
    if (Products)
      {
        product = taken (p[Plain]);
        carried = p[parts - 1].u64[0];
      }
  }
};

/* As for all accumulators, but the result is made of the sums.  What was added to each
   integer, to make it unsigned, makes no difference to a spread.  */
template <class T, unsigned Inputs, unsigned Plain, bool Products>
__device__ __forceinline__ void keep (const integer_sums<T, Inputs, Plain, Products> &a, const struct gt_kernel_args &args)
{
  __shared__ struct numbers numbers;

#pragma unroll
  for (unsigned m = 0; m < Plain; m++)
    numbers.plain[m] = numbers.whole_of (numbers.plain_room[m], {static_cast<uint64_t> (a.sum[m]), static_cast<uint64_t> (a.sum[m] >> 64), 0});
  if (Products)
    numbers.product = numbers.whole_of (numbers.product_room, {static_cast<uint64_t> (a.product), static_cast<uint64_t> (a.product >> 64), a.carried});
  numbers.how = args.finish;
  numbers.finish (args.n, 0, Plain, Products, false);
}

} /* namespace gt */

#endif
