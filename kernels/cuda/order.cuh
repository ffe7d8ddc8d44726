/* Accumulators of extremes: the largest element by struct gt_order, or the least and the
   largest, each with its index.  NaN precedes all numbers, and of equal elements, such as +0
   and -0, the one with the lowest index is found, so that the result does not depend on how
   the vector is divided.

   Almost all elements are no better than the best one so far.  To determine this, the loop
   needs one comparison for each element, and for 8 and 16 bits an addition for one or two
   elements.  Only if there is a better element, or a NaN, does it determine which one.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_ORDER_CUH
#define GT_KERNELS_CUDA_ORDER_CUH

#include "kernels/cuda/reduce.cuh"

namespace gt
{

/* For elements of type T: the unsigned integer type that holds their bits, and the type in
   which they are compared.  */
template <class T>
struct keys
{
  typedef uint32_t bits;
  typedef uint32_t key;
};
template <>
struct keys<uint64_t>
{
  typedef uint64_t bits;
  typedef uint64_t key;
};
template <>
struct keys<double>
{
  typedef uint64_t bits;
  typedef double key;
};
template <>
struct keys<float>
{
  typedef uint32_t bits;
  typedef float key;
};

__device__ __forceinline__ uint64_t joined (uint32_t high, uint32_t low)
{
  return static_cast<uint64_t> (high) << 32 | low;
}
__device__ __forceinline__ uint64_t bits_of (double x) { return static_cast<uint64_t> (__double_as_longlong (x)); }
__device__ __forceinline__ uint32_t bits_of (float x) { return __float_as_uint (x); }
__device__ __forceinline__ uint64_t bits_of (uint64_t x) { return x; }
__device__ __forceinline__ uint32_t bits_of (uint32_t x) { return x; }
__device__ __forceinline__ double key_from (uint64_t bits, double)
{
  return __longlong_as_double (static_cast<long long> (bits));
}
__device__ __forceinline__ float key_from (uint32_t bits, float) { return __uint_as_float (bits); }
__device__ __forceinline__ uint64_t key_from (uint64_t bits, uint64_t) { return bits; }
__device__ __forceinline__ uint32_t key_from (uint32_t bits, uint32_t) { return bits; }

/* The masks of struct gt_order.  For a double only the upper word is masked.  */
template <class T>
struct order_masks
{
  typedef typename keys<T>::bits bits;
  typedef typename keys<T>::key key;
  static constexpr bool real = static_cast<T> (0.5) != 0, wide = sizeof (T) == 8;
  uint32_t keep[2], flip[2];
  bool pass_nan;

  __device__ __forceinline__ void begin (const struct gt_order &order)
  {
#pragma unroll
    for (int half = 0; half < 2; half++)
      {
        keep[half] = static_cast<uint32_t> (order.keep >> 32 * half);
        flip[half] = static_cast<uint32_t> (order.flip >> 32 * half);
      }
    pass_nan = order.pass_nan != 0;
  }
  /* Returns word K of several, masked.  */
  __device__ __forceinline__ uint32_t masked (uint32_t word, unsigned k) const
  {
    return real && wide && k % 2 == 0 ? word : (word & keep[k % 2]) ^ flip[k % 2];
  }
  __device__ __forceinline__ uint4 masked (uint4 v) const
  {
    return make_uint4 (masked (v.x, 0), masked (v.y, wide), masked (v.z, 0), masked (v.w, wide));
  }
  __device__ __forceinline__ key key_of (bits element) const
  {
    if constexpr (wide)
      return key_from (joined (masked (static_cast<uint32_t> (element >> 32), 1),
                               masked (static_cast<uint32_t> (element), 0)), key ());
    else
      return key_from (masked (element, 0), key ());
  }
  /* Returns the element of a key, if the masks keep all bits.  */
  __device__ __forceinline__ bits element_of (key x) const
  {
    if constexpr (wide)
      return bits_of (x) ^ joined (flip[1], real ? 0 : flip[0]);
    else
      return bits_of (x) ^ flip[0];
  }
};

/* Returns the bits of element K of 16 bytes.  */
template <class T>
__device__ __forceinline__ typename keys<T>::bits bits_at (uint4 v, unsigned k)
{
  return bits_of (element_at (v, k, T ()));
}

__device__ __forceinline__ double infinity_of (double) { return __longlong_as_double (0x7ff0000000000000ll); }
__device__ __forceinline__ float infinity_of (float) { return __uint_as_float (0x7f800000u); }

/* The largest element or, if LEAST, the least.  WHOLE means that the masks keep all bits, so
   that a key determines its element.  */
template <class T, bool Least = false, bool Whole = false>
struct extreme
{
  typedef T element;
  typedef typename keys<T>::bits bits;
  typedef typename keys<T>::key key;
  static constexpr bool large = true;
  static constexpr unsigned parts = 1, width = 16 / sizeof (T);
  static constexpr bool real = order_masks<T>::real;
  struct order_masks<T> masks;
  key best;
  bits of_best; /* its element, unless the key determines it */
  uint64_t index;

  /* Returns the key than which no other is worse.  */
  static __device__ __forceinline__ key worst ()
  {
    if constexpr (real)
      return Least ? infinity_of (T ()) : -infinity_of (T ());
    else
      return Least ? static_cast<T> (~T ()) : 0;
  }
  static __device__ __forceinline__ bool better (key x, key than) { return Least ? x < than : x > than; }

  __device__ __forceinline__ void clear ()
  {
    best = worst ();
    of_best = masks.element_of (best);
    index = none;
  }
  /* Begins with the index of the first element, whose key counts as the worst until a better
     one is found.  */
  __device__ __forceinline__ void begin (const struct gt_kernel_args &args, uint64_t first)
  {
    masks.begin (args.order);
    clear ();
    index = first;
  }
  __device__ __forceinline__ bool done () const { return best != best; }

  /* Return whether the next element, with the key X, may be better; or any element of 16
     bytes.  */
  __device__ __forceinline__ bool may_be_better (key x) const
  {
    return Least ? !(x >= best) : !(x <= best);
  }
  __device__ __forceinline__ bool any_may_be_better (uint4 masked) const
  {
    bool any = false;

#pragma unroll
    for (unsigned k = 0; k < width; k++)
      any |= may_be_better (key_from (bits_at<T> (masked, k), key ()));
    return any;
  }

  /* Process the next elements: one, or 16 bytes of them.  */
  __device__ __forceinline__ bool is_better (key &x) const
  {
    if (!Whole && real && masks.pass_nan && x != x)
      x = 0;
    return may_be_better (x) && best == best;
  }
  __device__ __forceinline__ void look (uint4 v, uint4 masked, uint64_t i)
  {
    unsigned at = width;

#pragma unroll
    for (unsigned k = 0; k < width; k++)
      {
        key x = key_from (bits_at<T> (masked, k), key ());

        if (is_better (x))
          {
            best = x;
            of_best = bits_at<T> (v, k);
            at = k;
          }
      }
    if (at < width)
      index = i + at;
  }
  __device__ __forceinline__ void look (bits element, key x, uint64_t i)
  {
    if (is_better (x))
      {
        best = x;
        of_best = element;
        index = i;
      }
  }
  __device__ __forceinline__ void add (uint4 v, uint64_t i)
  {
    const uint4 masked = masks.masked (v);

    if (any_may_be_better (masked))
      look (v, masked, i);
  }
  __device__ __forceinline__ void add (T x, uint64_t i)
  {
    const key k = masks.key_of (bits_of (x));

    if (may_be_better (k))
      look (bits_of (x), k, i);
  }

  /* Processes an element from any position.  */
  __device__ __forceinline__ void offer (bits element, key x, uint64_t i)
  {
    const bool earlier = i < index;

    if (better (x, best) || (x == best && earlier) || (x != x && (best == best || earlier)))
      {
        best = x;
        of_best = element;
        index = i;
      }
  }
  __device__ __forceinline__ void add_edge (T x, uint64_t i)
  {
    key k = masks.key_of (bits_of (x));

    if (!Whole && real && masks.pass_nan && k != k)
      k = 0;
    offer (bits_of (x), k, i);
  }
  __device__ __forceinline__ void merge (const extreme &o) { offer (o.of_best, o.best, o.index); }

  __device__ __forceinline__ bits told () const { return Whole || !real ? masks.element_of (best) : of_best; }
  __device__ __forceinline__ void restore (bits element, uint64_t i)
  {
    best = i == none ? worst () : masks.key_of (element);
    if (!Whole && real && masks.pass_nan && best != best)
      best = 0;
    of_best = element;
    index = i;
  }
  /* Returns the key as an integer that is larger for better keys.  */
  __device__ __forceinline__ bits rank () const
  {
    constexpr bits sign = static_cast<bits> (1) << (8 * sizeof (bits) - 1);
    bits r = bits_of (best);

    if constexpr (real)
      r = best != best ? (Least ? 0 : ~static_cast<bits> (0)) : best == 0 ? sign : r & sign ? ~r : r | sign;
    return Least ? ~r : r;
  }
  __device__ __forceinline__ void store (union gt_partial *p) const
  {
    p->u64[0] = told ();
    p->u64[1] = index;
  }
  __device__ __forceinline__ void load (const union gt_partial *p) { restore (static_cast<bits> (p->u64[0]), p->u64[1]); }
};

__device__ __forceinline__ uint32_t from_lane (uint32_t x, int lane) { return __shfl_sync (0xffffffffu, x, lane); }
__device__ __forceinline__ uint64_t from_lane (uint64_t x, int lane)
{
  return __shfl_sync (0xffffffffu, static_cast<unsigned long long> (x), lane);
}

/* Returns whether X is the largest among the lanes for which IN is true.  */
__device__ __forceinline__ bool leads (uint32_t x, bool in) { return largest_of_warp (in ? x : 0) == x && in; }
__device__ __forceinline__ bool leads (uint64_t x, bool in)
{
  in = leads (static_cast<uint32_t> (x >> 32), in);
  return leads (static_cast<uint32_t> (x), in);
}

/* Returns the best of the warp to all lanes: the one with the highest rank and, among these,
   the lowest index.  */
template <class A>
static __device__ GT_COLD A best_of_warp (A a)
{
  const bool first = leads (~a.index, leads (a.rank (), true));
  const int lane = __ffs (static_cast<int> (__ballot_sync (0xffffffffu, first))) - 1;

  a.restore (from_lane (a.told (), lane), from_lane (a.index, lane));
  return a;
}

template <class T, bool Least, bool Whole>
__device__ __forceinline__ void reduce_warp (extreme<T, Least, Whole> &a)
{
  a = best_of_warp (a);
}

/* The least and the largest element.  */
template <class T>
struct extremes
{
  typedef T element;
  static constexpr unsigned parts = 2;
  static constexpr bool large = true;
  struct extreme<T, true, true> least;
  struct extreme<T, false, true> most;

  __device__ __forceinline__ void clear ()
  {
    least.clear ();
    most.clear ();
  }
  __device__ __forceinline__ void begin (const struct gt_kernel_args &args, uint64_t first)
  {
    least.begin (args, first);
    most.begin (args, first);
  }
  __device__ __forceinline__ bool done () const { return most.done (); }
  __device__ __forceinline__ void add (uint4 v, uint64_t i)
  {
    const uint4 masked = most.masks.masked (v);

    if (least.any_may_be_better (masked) || most.any_may_be_better (masked))
      {
        least.look (v, masked, i);
        most.look (v, masked, i);
      }
  }
  __device__ __forceinline__ void add (T x, uint64_t i)
  {
    least.add (x, i);
    most.add (x, i);
  }
  __device__ __forceinline__ void add_edge (T x, uint64_t i)
  {
    least.add_edge (x, i);
    most.add_edge (x, i);
  }
  __device__ __forceinline__ void merge (const extremes &o)
  {
    least.merge (o.least);
    most.merge (o.most);
  }
  __device__ __forceinline__ void store (union gt_partial *p) const
  {
    least.store (p);
    most.store (p + 1);
  }
  __device__ __forceinline__ void load (const union gt_partial *p)
  {
    least.load (p);
    most.load (p + 1);
  }
};

template <class T>
__device__ __forceinline__ void reduce_warp (extremes<T> &a)
{
  reduce_warp (a.least);
  reduce_warp (a.most);
}

} /* namespace gt */

/* The rows of single-pass kernels: a reduction, a name and an accumulator.  The least
   elements, those of largest magnitude and those of signed integers are found by the kernels
   for the largest, with other masks.  */
#define GT_EXTREME_ENTRIES(X, reduction, accumulator)     \
  X (reduction, f64, accumulator<double>)                 \
  X (reduction, f32, accumulator<float>)                  \
  X (reduction, u64, accumulator<uint64_t>)               \
  X (reduction, u32, accumulator<uint32_t>)

#endif
