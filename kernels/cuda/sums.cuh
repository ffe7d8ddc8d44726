/* Accumulators of several sums at once: of elements and their products, and of terms
   that are made of elements by a few operations (kernels/reductions.def).  Elements
   become doubles when they are loaded.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_SUMS_CUH
#define GT_KERNELS_CUDA_SUMS_CUH

#include "kernels/cuda/grid_stride_sums.cuh"

namespace gt
{

/* ---------------------------------------------------- Elements as doubles */

/* 2^52 + X.  */
__device__ __forceinline__ double above_2_52 (uint32_t x)
{
  return __hiloint2double (0x43300000, static_cast<int> (x));
}

/* Integers are put into the last bits of 2^52, because GPUs add doubles several times
   faster than they convert integers.  Signed ones have their first bit flipped
   before, which adds 2^(bits - 1) to them, and that is taken off again with the
   2^52.  A long is put together of two halves and is rounded once.  */
template <class T>
struct as_double
{
  uint32_t flip;
  double excess;

  __device__ __forceinline__ void begin (const struct gt_kernel_args &args)
  {
    flip = static_cast<uint32_t> (args.order.flip >> 32) >> (sizeof (T) < 4 ? 32 - 8 * sizeof (T) : 0);
    excess = above_2_52 (flip);
  }
  __device__ __forceinline__ double of (T x) const
  {
    if constexpr (sizeof (T) < 8)
      return above_2_52 (static_cast<uint32_t> (x) ^ flip) - excess;
    else
      return __fma_rn (above_2_52 (static_cast<uint32_t> (x >> 32) ^ flip) - excess, 4294967296.0,
                       above_2_52 (static_cast<uint32_t> (x)) - above_2_52 (0));
  }
};
template <>
struct as_double<double>
{
  __device__ __forceinline__ void begin (const struct gt_kernel_args &) {}
  __device__ __forceinline__ double of (double x) const { return x; }
};
template <>
struct as_double<float>
{
  __device__ __forceinline__ void begin (const struct gt_kernel_args &) {}
  __device__ __forceinline__ double of (float x) const { return x; }
};

/* Element K of 16 bytes.  */
__device__ __forceinline__ uint32_t word_at (uint4 v, unsigned k)
{
  return k == 0 ? v.x : k == 1 ? v.y : k == 2 ? v.z : v.w;
}
__device__ __forceinline__ double element_at (uint4 v, unsigned k, double)
{
  return __hiloint2double (static_cast<int> (word_at (v, 2 * k + 1)), static_cast<int> (word_at (v, 2 * k)));
}
__device__ __forceinline__ float element_at (uint4 v, unsigned k, float) { return __uint_as_float (word_at (v, k)); }
__device__ __forceinline__ uint64_t element_at (uint4 v, unsigned k, uint64_t)
{
  return static_cast<uint64_t> (word_at (v, 2 * k + 1)) << 32 | word_at (v, 2 * k);
}
__device__ __forceinline__ uint32_t element_at (uint4 v, unsigned k, uint32_t) { return word_at (v, k); }
__device__ __forceinline__ uint16_t element_at (uint4 v, unsigned k, uint16_t)
{
  return static_cast<uint16_t> (word_at (v, k / 2) >> 16 * (k % 2));
}
__device__ __forceinline__ uint8_t element_at (uint4 v, unsigned k, uint8_t)
{
  return static_cast<uint8_t> (word_at (v, k / 4) >> 8 * (k % 4));
}

/* ------------------------------------------------------------------- Sums */

/* K sums, to which terms are added, and products, not rounded before.  */
template <int K>
struct fast_sums
{
  static constexpr unsigned count = K;
  static constexpr bool compensated = false;
  double s[K];

  __device__ __forceinline__ void clear ()
  {
#pragma unroll
    for (int k = 0; k < K; k++)
      s[k] = 0;
  }
  __device__ __forceinline__ void term (int k, double x) { s[k] += x; }
  __device__ __forceinline__ void product (int k, double x, double y) { s[k] = __fma_rn (x, y, s[k]); }
  __device__ __forceinline__ void merge (const fast_sums &o)
  {
#pragma unroll
    for (int k = 0; k < K; k++)
      s[k] += o.s[k];
  }
  __device__ __forceinline__ fast_sums down (unsigned by) const
  {
    fast_sums o;

#pragma unroll
    for (int k = 0; k < K; k++)
      o.s[k] = shift (s[k], by);
    return o;
  }
  __device__ __forceinline__ void store (union gt_partial *p) const
  {
#pragma unroll
    for (int k = 0; k < K; k++)
      {
        p[k].f64[0] = s[k];
        p[k].f64[1] = 0;
      }
  }
  __device__ __forceinline__ void load (union gt_partial *p)
  {
#pragma unroll
    for (int k = 0; k < K; k++)
      s[k] = p[k].f64[0];
  }
};

/* K sums and their compensations: Knuth's TwoSum, as GT_TWO_SUM of
   kernels/cpu/wide/two_sum.h.  Products are terms, and rounded.  */
template <int K>
struct compensated_sums
{
  static constexpr unsigned count = K;
  static constexpr bool compensated = true;
  double s[K], c[K];

  __device__ __forceinline__ void clear ()
  {
#pragma unroll
    for (int k = 0; k < K; k++)
      s[k] = c[k] = 0;
  }
  __device__ __forceinline__ void two_sum (int k, double x, double error_of_x)
  {
    const double t = s[k] + x, b = t - s[k];

    c[k] += ((s[k] - (t - b)) + (x - b)) + error_of_x;
    s[k] = t;
  }
  __device__ __forceinline__ void term (int k, double x)
  {
    const double t = s[k] + x, b = t - s[k];

    c[k] += (s[k] - (t - b)) + (x - b);
    s[k] = t;
  }
  __device__ __forceinline__ void product (int k, double x, double y) { term (k, __dmul_rn (x, y)); }
  __device__ __forceinline__ void merge (const compensated_sums &o)
  {
#pragma unroll
    for (int k = 0; k < K; k++)
      two_sum (k, o.s[k], o.c[k]);
  }
  __device__ __forceinline__ compensated_sums down (unsigned by) const
  {
    compensated_sums o;

#pragma unroll
    for (int k = 0; k < K; k++)
      {
        o.s[k] = shift (s[k], by);
        o.c[k] = shift (c[k], by);
      }
    return o;
  }
  __device__ __forceinline__ void store (union gt_partial *p) const
  {
#pragma unroll
    for (int k = 0; k < K; k++)
      {
        p[k].f64[0] = s[k];
        p[k].f64[1] = c[k];
      }
  }
  __device__ __forceinline__ void load (union gt_partial *p)
  {
#pragma unroll
    for (int k = 0; k < K; k++)
      {
        s[k] = p[k].f64[0];
        c[k] = p[k].f64[1];
      }
  }
};

/* The same, but what rounding takes off a product is kept: Dot2 (T. Ogita, S. M. Rump,
   S. Oishi, "Accurate sum and dot product", SIAM Journal on Scientific Computing 26,
   2005), with the product's error by a fused multiply-add.  */
template <int K>
struct dot2_sums : compensated_sums<K>
{
  __device__ __forceinline__ void product (int k, double x, double y)
  {
    const double p = __dmul_rn (x, y);

    this->two_sum (k, p, __fma_rn (x, y, -p));
  }
};

/* ------------------------------------------------------------- Reductions */

/* What the elements are shifted and scaled by: struct gt_task.  */
struct shifts
{
  double a, b, r;
};

/* What a reduction adds for an element X or a pair X, Y: the operations of its row of
   kernels/reductions.def, in their order.  DOT2: products are Dot2's where sums are
   compensated, and not rounded terms.  NEIGHBOURS: Y is the vector that begins with X's
   second element.  */
template <unsigned Inputs, int Count, bool Dot2 = false>
struct reduction
{
  static constexpr unsigned inputs = Inputs;
  static constexpr int count = Count;
  static constexpr bool dot2 = Dot2, neighbours = false;
};

struct dot : reduction<2, 1, true>
{
  template <class S>
  static __device__ __forceinline__ void add (S &s, double x, double y, const struct shifts &)
  {
    s.product (0, x, y);
  }
};
struct sumsq : reduction<1, 1, true>
{
  template <class S>
  static __device__ __forceinline__ void add (S &s, double x, double, const struct shifts &)
  {
    s.product (0, x, x);
  }
};
struct total : reduction<1, 1, true>
{
  template <class S>
  static __device__ __forceinline__ void add (S &s, double x, double, const struct shifts &)
  {
    s.term (0, x);
  }
};
struct moments : reduction<1, 2, true>
{
  template <class S>
  static __device__ __forceinline__ void add (S &s, double x, double, const struct shifts &by)
  {
    const double d = x - by.a;

    s.term (0, d);
    s.product (1, d, d);
  }
};
struct comoments : reduction<2, 3, true>
{
  template <class S>
  static __device__ __forceinline__ void add (S &s, double x, double y, const struct shifts &by)
  {
    const double d = x - by.a, e = y - by.b;

    s.term (0, d);
    s.term (1, e);
    s.product (2, d, e);
  }
};

struct correlation : reduction<2, 5>
{
  template <class S>
  static __device__ __forceinline__ void add (S &s, double x, double y, const struct shifts &by)
  {
    const double d = x - by.a, e = y - by.b;

    s.term (0, d);
    s.term (1, e);
    s.product (2, d, e);
    s.product (3, d, d);
    s.product (4, e, e);
  }
};
struct lag1 : reduction<2, 2>
{
  static constexpr bool neighbours = true;
  template <class S>
  static __device__ __forceinline__ void add (S &s, double x, double y, const struct shifts &by)
  {
    const double d = x - by.a, e = y - by.a;

    s.product (0, d, e);
    s.product (1, e, e);
  }
};
struct absdev : reduction<1, 1>
{
  template <class S>
  static __device__ __forceinline__ void add (S &s, double x, double, const struct shifts &by)
  {
    s.term (0, fabs (x - by.a));
  }
};
struct skew : reduction<1, 1>
{
  template <class S>
  static __device__ __forceinline__ void add (S &s, double x, double, const struct shifts &by)
  {
    const double t = __dmul_rn (x - by.a, by.r);

    s.product (0, __dmul_rn (t, t), t);
  }
};
struct kurtosis : reduction<1, 1>
{
  template <class S>
  static __device__ __forceinline__ void add (S &s, double x, double, const struct shifts &by)
  {
    const double t = __dmul_rn (x - by.a, by.r), q = __dmul_rn (t, t);

    s.product (0, q, q);
  }
};

/* Of weights X and data Y; an element of no positive weight is passed over, whatever
   it is.  */
template <class R, int Count>
struct weighted : reduction<2, Count>
{
  template <class S>
  static __device__ __forceinline__ void add (S &s, double x, double y, const struct shifts &by)
  {
    if (!(x > 0))
      return;
    s.term (0, x);
    R::add_weighted (s, x, y, by);
  }
};
struct wsum : weighted<wsum, 2>
{
  template <class S>
  static __device__ __forceinline__ void add_weighted (S &s, double x, double y, const struct shifts &)
  {
    s.product (1, x, y);
  }
};
struct wmoments : weighted<wmoments, 3>
{
  template <class S>
  static __device__ __forceinline__ void add_weighted (S &s, double x, double y, const struct shifts &by)
  {
    const double d = y - by.a;

    s.product (1, x, x);
    s.product (2, x, __dmul_rn (d, d));
  }
};
struct wabsdev : weighted<wabsdev, 2>
{
  template <class S>
  static __device__ __forceinline__ void add_weighted (S &s, double x, double y, const struct shifts &by)
  {
    s.product (1, x, fabs (y - by.a));
  }
};
struct wskew : weighted<wskew, 2>
{
  template <class S>
  static __device__ __forceinline__ void add_weighted (S &s, double x, double y, const struct shifts &by)
  {
    const double t = __dmul_rn (y - by.a, by.r);

    s.product (1, x, __dmul_rn (__dmul_rn (t, t), t));
  }
};
struct wkurtosis : weighted<wkurtosis, 2>
{
  template <class S>
  static __device__ __forceinline__ void add_weighted (S &s, double x, double y, const struct shifts &by)
  {
    const double t = __dmul_rn (y - by.a, by.r), q = __dmul_rn (t, t);

    s.product (1, x, __dmul_rn (q, q));
  }
};

/* ----------------------------------------------------------- Accumulators */

/* The sums S of reduction R over elements T.  ROLLED: to add is much code.  */
template <class R, class T, template <int> class S>
struct sums
{
  typedef T element;
  static constexpr unsigned inputs = R::inputs, parts = R::count, width = 16 / sizeof (T);
  static constexpr bool rolled = !R::dot2 || S<1>::compensated, neighbours = R::neighbours;
  S<R::count> value;
  struct as_double<T> as;
  struct shifts by;

  __device__ __forceinline__ void begin (const struct gt_kernel_args &args)
  {
    as.begin (args);
    by = {args.shift[0], args.shift[1], args.scale};
    clear ();
  }
  __device__ __forceinline__ void clear () { value.clear (); }
  __device__ __forceinline__ void add (const struct of_inputs<T, inputs> &e)
  {
    R::add (value, as.of (e.of[0]), as.of (e.of[inputs - 1]), by);
  }
  /* The first N elements that 16 bytes hold.  */
  template <unsigned N>
  __device__ __forceinline__ void add_first (const struct of_inputs<uint4, inputs> &v)
  {
#pragma unroll
    for (unsigned k = 0; k < N; k++)
      R::add (value, as.of (element_at (v.of[0], k, T ())), as.of (element_at (v.of[inputs - 1], k, T ())), by);
  }
  __device__ __forceinline__ void add (struct of_inputs<uint4, inputs> v)
  {
    if constexpr (sizeof (T) >= 4)
      add_first<width> (v);
    else
#pragma unroll 1
      for (unsigned word = 0; word < 4; word++)
        {
          add_first<width / 4> (v);
#pragma unroll
          for (unsigned m = 0; m < inputs; m++)
            v.of[m] = make_uint4 (v.of[m].y, v.of[m].z, v.of[m].w, 0);
        }
  }
  __device__ __forceinline__ void merge (const sums &o) { value.merge (o.value); }
  __device__ __forceinline__ sums down (unsigned step) const { return {value.down (step), as, by}; }
  __device__ __forceinline__ void store (union gt_partial *p) const { value.store (p); }
  __device__ __forceinline__ void load (union gt_partial *p) { value.load (p); }
};

/* One text for all steps where adding is much code, and so is merging, which is in a
   kernel several times.  */
template <class R, class T, template <int> class S>
__device__ __forceinline__ void reduce_warp (sums<R, T, S> &a)
{
#pragma unroll (sums<R, T, S>::rolled ? 1 : 5)
  for (unsigned step = warp / 2; step > 0; step /= 2)
    a.merge (a.down (step));
}

} /* namespace gt */

#endif
