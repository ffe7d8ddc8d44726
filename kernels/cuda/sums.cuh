/* Accumulators of several sums of reals at once: of elements, of their differences from
   shifts, and of products of two (kernels/reductions.def).  Elements are converted to double
   when they are loaded.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_SUMS_CUH
#define GT_KERNELS_CUDA_SUMS_CUH

#include "kernels/cuda/grid_stride_sums.cuh"

namespace gt
{

/* --------------------------------------------------- Differences of floats
   The difference of a float and a shift is a double, exactly, if both are multiples of one
   power of two and neither is 2^52 times that power or more.  Two bounds of a float's bits,
   with the sign shifted out, determine whether this holds; it always holds for 0.  */

struct near
{
  uint32_t low, high; /* bounds: bits - 1 must be at least LOW, bits at most HIGH */
  int unit;           /* the exponent of that power; none: no such power exists, or none is
                         needed */
  static constexpr int none = 1 << 16;

  __device__ __forceinline__ void begin (double shift)
  {
    const uint64_t bits = static_cast<uint64_t> (__double_as_longlong (shift)) & ~(1ULL << 63);
    const int exponent = static_cast<int> (bits >> 52);
    const uint64_t digits = (bits & ((1ULL << 52) - 1)) | 1ULL << 52;
    const int zeros = __ffsll (static_cast<long long> (digits)) - 1;
    const int last = exponent - 1023 - 52 + zeros; /* the exponent of the shift's last bit */

    low = 0;
    high = 0xfeffffff; /* the largest finite float */
    unit = none;
    if (bits == 0)
      return;
    if (exponent == 0 || exponent == 2047 || zeros == 0 || last > 104 || last < -178)
      {
        low = 0xffffffff;
        high = 0;
        return;
      }
    unit = last;
    if (last > -149)
      low = (static_cast<uint32_t> (last + 150) << 24) - 1;
    if (last < 76)
      high = (static_cast<uint32_t> (last + 179) << 24) - 1;
  }
  /* Returns whether the floats in 16 bytes are multiples of the unit.  */
  __device__ __forceinline__ bool divides (uint4 v) const
  {
    return min (min (2 * v.x - 1, 2 * v.y - 1), min (2 * v.z - 1, 2 * v.w - 1)) >= low;
  }
  /* Returns whether their differences from the shift are exact.  */
  __device__ __forceinline__ bool has (uint4 v) const
  {
    return divides (v) && max (max (v.x << 1, v.y << 1), max (v.z << 1, v.w << 1)) <= high;
  }
};

/* Returns the finite float with these bits divided by 2^896, by three integer operations; a
   conversion takes as long as four operations on doubles.  The bits of the float's exponent
   become those of a double that is smaller by this factor, also if the float is subnormal.  */
constexpr double raw_scale = 0x1p896;
__device__ __forceinline__ double raw_double (uint32_t bits)
{
  return __hiloint2double ((static_cast<int> (bits) >> 3) & 0x8fffffff, static_cast<int> (bits << 29));
}

/* ------------------------------------------------------------------- Sums */

template <class T>
struct is_float
{
  static constexpr bool value = false;
};
template <>
struct is_float<float>
{
  static constexpr bool value = true;
};

/* K sums of terms in double, and of products of two, which are not rounded separately.  */
template <int K>
struct fast_sums
{
  static constexpr unsigned count = K;
  static constexpr bool compensated = false;
  typedef double number;
  double s[K];

  static __device__ __forceinline__ double less (double x, double a) { return x - a; }
  static __device__ __forceinline__ double times (double p, double q) { return __dmul_rn (p, q); }
  static __device__ __forceinline__ double kept (double w, double x) { return w > 0 ? x : 0; }

  __device__ __forceinline__ void clear ()
  {
#pragma unroll
    for (int k = 0; k < K; k++)
      s[k] = 0;
  }
  __device__ __forceinline__ void element (int k, double x) { s[k] += x; }
  __device__ __forceinline__ void elements (int k, double x, double y) { s[k] = __fma_rn (x, y, s[k]); }
  __device__ __forceinline__ void add (int k, double x) { s[k] += x; }
  __device__ __forceinline__ void product (int k, double p, double q) { elements (k, p, q); }
  __device__ __forceinline__ void weighed_term (int k, double w, double x) { elements (k, w, x); }
  __device__ __forceinline__ void merge (const fast_sums &o)
  {
#pragma unroll
    for (int k = 0; k < K; k++)
      s[k] += o.s[k];
  }
  __device__ __forceinline__ fast_sums down (unsigned by) const { return shift (*this, by); }
  __device__ __forceinline__ void store (union gt_partial *p) const
  {
#pragma unroll
    for (int k = 0; k < K; k++)
      {
        p[k].f64[0] = s[k];
        p[k].f64[1] = 0;
      }
  }
  __device__ __forceinline__ void load (const union gt_partial *p)
  {
#pragma unroll
    for (int k = 0; k < K; k++)
      s[k] = p[k].f64[0];
  }
};

/* A number in twice the precision: H + L, where H is the rounded number.  */
struct doubled
{
  double h, l;
};

/* Terms of floats near a shift: differences and products of two elements are exact.  Elements
   that are shifted are raw_double's.  */
struct from_near
{
  template <bool Shifted, class T>
  static __device__ __forceinline__ double loaded (uint4 v, unsigned k)
  {
    return Shifted ? raw_double (element_at (v, k, 0u)) : static_cast<double> (element_at (v, k, T ()));
  }
  static __device__ __forceinline__ double less (double x, double a) { return __fma_rn (x, raw_scale, -a); }
  template <class S>
  static __device__ __forceinline__ void elements (S &s, int k, double x, double y)
  {
    s.element (k, __dmul_rn (x, y));
  }
};

/* Terms of other elements.  */
template <class S>
struct from_any
{
  template <bool Shifted, class T>
  static __device__ __forceinline__ double loaded (uint4 v, unsigned k)
  {
    return static_cast<double> (element_at (v, k, T ()));
  }
  static __device__ __forceinline__ typename S::number less (double x, double a) { return S::less (x, a); }
  static __device__ __forceinline__ void elements (S &s, int k, double x, double y) { s.elements (k, x, y); }
};

/* K sums and their compensations: Knuth's TwoSum, like GT_TWO_SUM in
   kernels/cpu/wide/two_sum.h.  Terms have twice the precision: products of elements are those
   of Dot2 (T. Ogita, S. M. Rump and S. Oishi, "Accurate sum and dot product", SIAM Journal on
   Scientific Computing 26, 2005), whose errors are computed by a fused multiply-add.  */
template <int K>
struct compensated_sums
{
  static constexpr unsigned count = K;
  static constexpr bool compensated = true;
  typedef struct doubled number;
  struct doubled s[K];

  static __device__ __forceinline__ struct doubled less (double x, double a)
  {
    const double d = x - a, b = d - x;

    return {d, (x - (d - b)) - (a + b)};
  }
  static __device__ __forceinline__ struct doubled multiplied (double x, double y)
  {
    const double h = __dmul_rn (x, y);

    return {h, __fma_rn (x, y, -h)};
  }
  static __device__ __forceinline__ struct doubled weighed (double w, struct doubled x)
  {
    const struct doubled p = multiplied (w, x.h);

    return {p.h, __fma_rn (w, x.l, p.l)};
  }
  static __device__ __forceinline__ struct doubled times (struct doubled p, struct doubled q)
  {
    const struct doubled r = multiplied (p.h, q.h);

    return {r.h, __fma_rn (p.l, q.h + q.l, __fma_rn (p.h, q.l, r.l))};
  }
  static __device__ __forceinline__ struct doubled times (double p, double q) { return multiplied (p, q); }
  static __device__ __forceinline__ double kept (double w, double x) { return w > 0 ? x : 0; }
  static __device__ __forceinline__ struct doubled kept (double w, struct doubled x)
  {
    return {kept (w, x.h), kept (w, x.l)};
  }

  __device__ __forceinline__ void clear ()
  {
#pragma unroll
    for (int k = 0; k < K; k++)
      s[k] = {0, 0};
  }
  __device__ __forceinline__ void add (int k, struct doubled x)
  {
    const double t = s[k].h + x.h, b = t - s[k].h;

    s[k].l += ((s[k].h - (t - b)) + (x.h - b)) + x.l;
    s[k].h = t;
  }
  __device__ __forceinline__ void add (int k, double x) { element (k, x); }
  __device__ __forceinline__ void element (int k, double x)
  {
    const double t = s[k].h + x, b = t - s[k].h;

    s[k].l += (s[k].h - (t - b)) + (x - b);
    s[k].h = t;
  }
  __device__ __forceinline__ void elements (int k, double x, double y) { add (k, multiplied (x, y)); }
  template <class N>
  __device__ __forceinline__ void product (int k, N p, N q)
  {
    add (k, times (p, q));
  }
  __device__ __forceinline__ void weighed_term (int k, double w, struct doubled x) { add (k, weighed (w, x)); }
  __device__ __forceinline__ void merge (const compensated_sums &o)
  {
#pragma unroll
    for (int k = 0; k < K; k++)
      add (k, o.s[k]);
  }
  __device__ __forceinline__ compensated_sums down (unsigned by) const { return shift (*this, by); }
  __device__ __forceinline__ void store (union gt_partial *p) const { memcpy (p, s, sizeof s); }
  __device__ __forceinline__ void load (const union gt_partial *p) { memcpy (s, p, sizeof s); }
};

/* ------------------------------------------------------------- Reductions */

enum
{
#define REDUCTION(id, ...) GT_##id,
#include "kernels/reductions.def"
#undef REDUCTION
};

/* A row of kernels/reductions.def.  THREADS is the maximum for a block: many sums, or
   compensations with loads from two vectors, need more registers than 1024 threads can
   have.  */
template <int R>
struct row;
#define REDUCTION(id, name, algebra, vectors, plain, products, ...) \
  template <>                                                     \
  struct row<GT_##id>                                             \
  {                                                               \
    static constexpr int count = (plain) + (products);            \
    static constexpr unsigned inputs = vectors;                   \
    static constexpr bool weighted = GT_##id >= GT_WSUM;          \
    static constexpr bool joint = GT_##id == GT_COMOMENTS || GT_##id == GT_CORRELATION; \
    static constexpr bool shifted = GT_##id >= GT_MOMENTS && GT_##id != GT_CDOT && GT_##id != GT_WSUM; \
    static constexpr unsigned threads = count > 3 ? 512 : 1024;   \
    static constexpr unsigned compensated_threads                 \
      = count > 1 && vectors == 2 ? 512 : 1024;                   \
  };
#include "kernels/reductions.def"
#undef REDUCTION

/* The shifts and the scale of the elements: struct gt_task.  */
struct shifts
{
  double a, b, r;
};

/* Adds the terms of reduction R for an element X or a pair X, Y; FROM computes differences and
   products.  */
template <int R, class From, class S>
__device__ __forceinline__ void add_terms (S &s, double x, double y, const struct shifts &by)
{
  if constexpr (R == GT_TOTAL || R == GT_SPAN)
    s.element (0, x);
  if constexpr (R == GT_SPAN)
    s.element (1, fabs (x));
  if constexpr (R == GT_SUMSQ || R == GT_DOT)
    From::elements (s, 0, x, y);
  if constexpr (R == GT_MOMENTS)
    {
      const auto d = From::less (x, by.a);

      s.add (0, d);
      s.product (1, d, d);
    }
  if constexpr (row<R>::joint)
    {
      const auto d = From::less (x, by.a), e = From::less (y, by.b);

      s.add (0, d);
      s.add (1, e);
      s.product (2, d, e);
      if constexpr (R == GT_CORRELATION)
        {
          s.product (3, d, d);
          s.product (4, e, e);
        }
    }
  if constexpr (row<R>::weighted)
    s.element (0, S::kept (x, x));
  if constexpr (R == GT_WSUM)
    From::elements (s, 1, S::kept (x, x), S::kept (x, y));
  if constexpr (R == GT_WMOMENTS)
    {
      const auto d = From::less (y, by.a);

      From::elements (s, 1, S::kept (x, x), S::kept (x, x));
      s.weighed_term (2, S::kept (x, x), S::kept (x, S::times (d, d)));
    }
}

/* ----------------------------------------------------------- Accumulators */

/* The sums S of reduction R for elements of type T.  */
template <int R, class T, template <int> class S>
struct sums
{
  typedef T element;
  static constexpr unsigned inputs = row<R>::inputs, parts = row<R>::count, width = 16 / sizeof (T);
  static constexpr bool large = row<R>::weighted || R == GT_CORRELATION || S<1>::compensated;
  static constexpr bool may_be_near = S<1>::compensated && is_float<T>::value;
  typedef S<row<R>::count> values;
  values value;
  struct shifts by;
  struct near near[row<R>::joint ? 2 : 1];

  __device__ __forceinline__ void begin (const struct gt_kernel_args &args)
  {
    by = {args.shift[0], args.shift[1], args.scale};
    if constexpr (may_be_near)
      {
        near[0].begin (by.a);
        if constexpr (row<R>::joint)
          near[1].begin (by.b);
      }
    clear ();
  }
  __device__ __forceinline__ void clear () { value.clear (); }
  __device__ __forceinline__ void add (const struct of_inputs<T, inputs> &e)
  {
    add_terms<R, from_any<values> > (value, e.of[0], e.of[inputs - 1], by);
  }
  /* Adds the first N elements in 16 bytes.  */
  template <unsigned N, class From>
  __device__ __forceinline__ void add_first (const struct of_inputs<uint4, inputs> &v)
  {
#pragma unroll
    for (unsigned k = 0; k < N; k++)
      add_terms<R, From> (value, From::template loaded<row<R>::shifted && !row<R>::weighted, T> (v.of[0], k),
                          From::template loaded<row<R>::shifted, T> (v.of[inputs - 1], k), by);
  }
  /* Returns whether the shifted elements, which are not the weights, are near their
     shifts.  */
  __device__ __forceinline__ bool are_near (const struct of_inputs<uint4, inputs> &v) const
  {
    return !row<R>::shifted
           || ((row<R>::weighted || near[0].has (v.of[0]))
               && (inputs == 1 || near[row<R>::joint].has (v.of[inputs - 1])));
  }
  static constexpr bool quick = may_be_near;
  __device__ __forceinline__ bool add_quickly (const struct of_inputs<T, inputs> &) { return false; }
  __device__ __forceinline__ bool add_quickly (const struct of_inputs<uint4, inputs> &v)
  {
    const bool may = are_near (v);

    if (may)
      add_first<width, from_near> (v);
    return may;
  }
  __device__ __forceinline__ void add (struct of_inputs<uint4, inputs> v)
  {
    add_first<width, from_any<values> > (v);
  }
  __device__ __forceinline__ void merge (const sums &o) { value.merge (o.value); }
  __device__ __forceinline__ sums down (unsigned step) const 
  {
    sums r = *this;

    r.value = value.down (step);
    return r;
  }
  __device__ __forceinline__ void store (union gt_partial *p) const { value.store (p); }
  __device__ __forceinline__ void load (const union gt_partial *p) { value.load (p); }
};

/* Compensated sums of floats minus a shift, and of their squares.  Four differences that are
   less than 2^51 times the unit are added exactly, and their sum is added with a compensation.
   If the sum of squares s is at least as large as the next square, two operations compute the
   rounding error of adding it: FMA (d, d, s) - s is exact, and d^2 minus that is the error,
   which is rounded only once.  The sum grows, so that MOST, the bound for differences, needs
   to be updated only if a difference exceeds it.  */
struct spreads : sums<GT_MOMENTS, float, compensated_sums>
{
  uint32_t most, most_exact; /* the upper words of bounds for magnitudes */

  __device__ __forceinline__ void begin (const struct gt_kernel_args &args)
  {
    sums::begin (args);
    most = 0;
    most_exact = near[0].unit == near::none || fabs (by.a) >= 0x1p126 ? 0 : (1023u + min (near[0].unit + 51, 127)) << 20;
  }
  static __device__ __forceinline__ uint32_t upper (double x) { return static_cast<uint32_t> (__double2hiint (x)); }
  /* Returns whether a difference is at most the root of the sum of squares, as far as its
     power of two shows.  */
  __device__ __forceinline__ bool may_be (uint32_t largest)
  {
    if (largest >= most)
      most = min (((upper (value.s[1].h) >> 20) + 1023) / 2 << 20, most_exact);
    return largest < most;
  }
  using sums::add_quickly;
  __device__ __forceinline__ bool add_quickly (const struct of_inputs<uint4, 1> &v)
  {
    double d[width];
    uint32_t largest = 0;

#pragma unroll
    for (unsigned k = 0; k < width; k++)
      {
        d[k] = from_near::less (raw_double (element_at (v.of[0], k, 0u)), by.a);
        largest = max (largest, upper (d[k]) << 1);
      }
    if (!near[0].divides (v.of[0]) || !may_be (largest >> 1))
      return false;
    value.element (0, (d[0] + d[1]) + (d[2] + d[3]));
#pragma unroll
    for (unsigned k = 0; k < width; k++)
      {
        const double h = value.s[1].h;

        value.s[1].h = __fma_rn (d[k], d[k], h);
        value.s[1].l += __fma_rn (d[k], d[k], h - value.s[1].h);
      }
    return true;
  }
  /* Elements that are rejected only because the sum has just begun are near the shift all the
     same.  */
  using sums::add;
  __device__ __forceinline__ void add (struct of_inputs<uint4, 1> v)
  {
    if (!sums::add_quickly (v))
      sums::add (v);
  }
};

} /* namespace gt */

/* Entry points for both layouts, for blocks of up to THREADS threads; an SM should hold
   FULL such blocks.  */
#define GT_FAST_SUMS(id, reduction, type, name, threads, full)                   \
  GT_ENTRY (reduction##_grid_stride_##name##_u4, threads, full,                  \
            grid_stride_sums<gt::sums<gt::GT_##id, type, gt::fast_sums>, 4>)
#define GT_COMPENSATED_SUMS(id, reduction, type, name, threads)                  \
  GT_ENTRY (reduction##_grid_stride_compensated_##name##_u4, threads, 1,         \
            grid_stride_sums<gt::sums<gt::GT_##id, type, gt::compensated_sums>, 4>)

#endif
