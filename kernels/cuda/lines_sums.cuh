/* Accumulators of lines, and the results made of them: sums, sums with the errors of their
   additions, sums of elements and squares, extremes.

   An exact result is rounded from two doubles and a bound, if all numbers within that round to
   one (A. Ziv, "Fast Evaluation of Elementary Mathematical Functions with Correctly Rounded
   Last Bit", 1991); else the line is noted as undecided, and lines_settle.cuh sums it in
   words.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_LINES_SUMS_CUH
#define GT_KERNELS_CUDA_LINES_SUMS_CUH

#include "kernels/cuda/finish.cuh"
#include "kernels/cuda/matrix.cuh"
#include "kernels/cuda/order.cuh"

namespace gt
{

/* An element as a number.  */
__device__ __forceinline__ double number_in (const struct gt_lines_args &l, double x)
{
  return __hiloint2double (static_cast<int> (static_cast<uint32_t> (__double2hiint (x)) & l.keep), __double2loint (x));
}
__device__ __forceinline__ double number_in (const struct gt_lines_args &l, float x)
{
  return static_cast<double> (__uint_as_float (__float_as_uint (x) & l.keep));
}
__device__ __forceinline__ double number_in (const struct gt_lines_args &l, uint32_t x)
{
  return static_cast<double> (x ^ l.flip) - l.bias;
}

__device__ __forceinline__ void *result_of (const struct gt_lines_args &l, uint64_t line)
{
  return static_cast<char *> (l.to) + line * l.to_stride * l.size;
}

/* The index of a line's first element.  */
__device__ __forceinline__ uint64_t begin_of (const struct gt_lines_args &l, uint64_t line)
{
  return l.offsets ? l.offsets[line] * l.stride : line * l.step;
}

__device__ __forceinline__ void store_number (const struct gt_lines_args &l, uint64_t line, double x)
{
  if (l.size == 8)
    *static_cast<double *> (result_of (l, line)) = x;
  else
    *static_cast<float *> (result_of (l, line)) = static_cast<float> (x);
}

__device__ __forceinline__ void note_line (const struct gt_kernel_args &args, uint64_t line)
{
  const struct gt_lines_args &l = args.lines;
  const unsigned long long at = atomicAdd (&l.control->undecided, 1ull);

  if (at < args.lines.listed)
    l.undecided[at] = line;
  /* The host reads this after its stream's work.  */
  args.result->word[0] = static_cast<uint64_t> (args.sequence) << 32 | 1;
}

/* Not a number: a result that is undefined, or of a function that has not decided it.  */
__device__ __forceinline__ double undefined () { return __hiloint2double (0x7ff80000, 0); }

/* Stores a result; NaN: the line is undecided.  */
__device__ __forceinline__ void store_or_note (const struct gt_kernel_args &args, uint64_t line, double x)
{
  if (x == x)
    store_number (args.lines, line, x);
  else
    note_line (args, line);
}

/* What functions out of line need of a line of N elements, which is finished for results of SIZE bytes.  */
struct finishing
{
  double depth;
  uint64_t n;
  uint32_t as, size;

  __device__ __forceinline__ finishing (const struct gt_lines_args &l, uint64_t count) : depth (l.depth), n (count), as (l.as), size (l.size) {}
};

/* ------------------------------------------------------------- One rounding */

/* X + Y rounded once to a result of SIZE bytes: to a float from the double that is odd where
   it is not exact (S. Boldo and G. Melquiond, "Emulation of a FMA and Correctly Rounded
   Sums", 2008).  */
__device__ __forceinline__ double rounded_once (double x, double y, uint32_t size)
{
  const double s = x + y, rest = error_of_sum (x, y, s);
  long long bits = __double_as_longlong (s);

  if (size == 8)
    return s;
  if (rest != 0 && (bits & 1) == 0)
    bits += (rest > 0) == (s > 0) ? 1 : -1;
  return static_cast<double> (static_cast<float> (__longlong_as_double (bits)));
}

/* The result of a line, in SIZE bytes, if X determines it, else NaN.  */
__device__ __forceinline__ double decided (struct enclosed x, uint32_t size)
{
  const double error = x.error == 0 ? 0 : x.error * 1.01 + fabs (x.low) * 0x1p-51;
  const double to = rounded_once (x.high, x.low - error, size);

  return fabs (x.high) <= most && error <= most && to == rounded_once (x.high, x.low + error, size) ? to : undefined ();
}

/* Divides by a whole number below 2^50: HIGH is a quotient within two units, whose remainder
   is exact; LOW is the quotient of the remainder, with three roundings.  Returns false if the
   quotient is too small for that.  */
__device__ __forceinline__ bool divide (struct enclosed &x, double by)
{
  const double inverse = 1 / by, h = __dmul_rn (x.high, inverse), rest = __fma_rn (-h, by, x.high) + x.low;
  const double low = __dmul_rn (rest, inverse);
  const bool exact = x.error == 0 && (static_cast<uint64_t> (by) & (static_cast<uint64_t> (by) - 1)) == 0;

  if (!(fabs (x.high) <= most && fabs (h) >= least))
    return x.high == 0 && x.low == 0 && x.error == 0;
  x.error = exact ? 0 : x.error * inverse * 1.01 + fabs (low) * 0x1p-50;
  x.low = low;
  x.high = h;
  return true;
}

/* Divides by N (N - 1).  */
__device__ __forceinline__ bool divide_by_pairs (struct enclosed &x, double n)
{
  return n < 0x1p25 ? divide (x, n * (n - 1)) : divide (x, n) && divide (x, n - 1);
}

/* Replaces X by its root, if X is not too near to zero for its error: the rounded root, and
   the first term of the correction; the next term is below 2^-105 of the root.  */
__device__ __forceinline__ bool take_root (struct enclosed &x)
{
  const double s = x.high + x.low, low = error_of_sum (x.high, x.low, s), h = sqrt (s);
  const double half = 0.5 / h, rest = __fma_rn (-h, h, s) + low;

  if (!(s >= least && s <= most && x.error <= s * 0x1p-40))
    return false;
  x.high = h;
  x.low = rest * half;
  x.error = x.error * half * 1.01 + h * 0x1p-103;
  return true;
}

/* A sum, or its mean, if X determines it.  */
static __device__ GT_COLD double decided_sum (struct finishing f, struct enclosed x)
{
  return f.as == GT_FINISH_MEAN && !divide (x, static_cast<double> (f.n)) ? undefined () : decided (x, f.size);
}

/* ------------------------------------------------------------- Accumulators

   Each begins with the first element of its line, adds elements with their indexes in any order,
   and merges others of the same line; `finish' stores the result of N elements, or notes that the
   line is undecided.  */

/* Returns the accumulator of the lane whose number differs by BY.  */
template <class S>
__device__ __forceinline__ S exchanged (const S &x, unsigned by)
{
  typedef typename shuffled<sizeof (S) % 8 == 0>::word word;
  word w[sizeof (S) / sizeof (word)];
  S other;

  memcpy (w, &x, sizeof x);
#pragma unroll
  for (unsigned k = 0; k < sizeof (S) / sizeof (word); k++)
    w[k] = __shfl_xor_sync (0xffffffffu, w[k], static_cast<int> (by));
  memcpy (&other, w, sizeof other);
  return other;
}

/* A sum in double.  */
template <class T>
struct line_sum
{
  double s;

  __device__ __forceinline__ void begin (const struct gt_lines_args &, T) { s = 0; }
  __device__ __forceinline__ void add (const struct gt_kernel_args &args, T x, uint32_t) { s += number_in (args.lines, x); }
  __device__ __forceinline__ void merge (const line_sum &o) { s += o.s; }
  __device__ __forceinline__ void finish (const struct gt_kernel_args &args, uint64_t line, uint64_t n) const
  {
    const bool is_mean = args.lines.as == GT_FINISH_MEAN;

    store_number (args.lines, line, is_mean ? s / static_cast<double> (n) : s);
  }
};

/* A sum S, the sum C of the errors of its additions, and M, of the magnitudes of the errors of
   C's (T. Ogita, S. M. Rump and S. Oishi, "Accurate Sum and Dot Product", 2005, section 4).
   The exact sum is within M of S + C; mostly M is 0, so that ties are decided.  */
template <class T>
struct line_certain_sum
{
  double s, c, m;

  __device__ __forceinline__ void begin (const struct gt_lines_args &, T) { s = c = m = 0; }
  __device__ __forceinline__ void lose (double e)
  {
    const double t = c + e;

    m += fabs (error_of_sum (c, e, t));
    c = t;
  }
  __device__ __forceinline__ void take (double x)
  {
    const double t = s + x;

    lose (error_of_sum (s, x, t));
    s = t;
  }
  __device__ __forceinline__ void add (const struct gt_kernel_args &args, T x, uint32_t) { take (number_in (args.lines, x)); }
  __device__ __forceinline__ void merge (const line_certain_sum &o)
  {
    take (o.s);
    lose (o.c);
    m += o.m;
  }
  __device__ __forceinline__ void finish (const struct gt_kernel_args &args, uint64_t line, uint64_t n) const
  {
    const struct gt_lines_args &l = args.lines;
    const double sum = s + c;

    if (m == 0 && l.as != GT_FINISH_MEAN && fabs (sum) <= most && (l.size == 8 || c == 0))
      store_number (l, line, sum);
    else
      store_or_note (args, line, decided_sum (finishing (l, n), {s, c, m}));
  }
};

/* Whether X and Y have other bits.  */
__device__ __forceinline__ uint32_t differing (double x, double y)
{
  return static_cast<uint32_t> ((__double2hiint (x) ^ __double2hiint (y)) | (__double2loint (x) ^ __double2loint (y)));
}
__device__ __forceinline__ uint32_t differing (float x, float y) { return __float_as_uint (x) ^ __float_as_uint (y); }

/* Decides a variance, deviation or norm of squares without a sum: of one element, which has
   none, or of equal ones.  */
__device__ __forceinline__ bool is_plain (const struct gt_lines_args &l, double first, uint32_t differs, uint64_t n, double &to)
{
  to = l.as != GT_FINISH_ROOT && n == 1 ? undefined () : 0;
  return l.as == GT_FINISH_ROOT ? differs == 0 : n == 1 || (differs == 0 && first - first == 0);
}

/* Sums of differences from the line's first element and of their squares, of a norm from 0.  If
   more than six bits cancel, the line is undecided.  */
template <class T>
struct line_spread
{
  double s, q;
  T first;
  uint32_t differs;

  __device__ __forceinline__ void begin (const struct gt_lines_args &l, T x)
  {
    s = q = 0;
    first = l.as == GT_FINISH_ROOT ? 0 : x;
    differs = 0;
  }
  __device__ __forceinline__ void add (const struct gt_kernel_args &, T x, uint32_t)
  {
    const double d = static_cast<double> (x) - static_cast<double> (first);

    differs |= differing (x, first);
    s += d;
    q = __fma_rn (d, d, q);
  }
  __device__ __forceinline__ void merge (const line_spread &o)
  {
    s += o.s;
    q += o.q;
    differs |= o.differs;
  }
  __device__ __forceinline__ void finish (const struct gt_kernel_args &args, uint64_t line, uint64_t count) const
  {
    const struct gt_lines_args &l = args.lines;
    const double n = static_cast<double> (count);
    double to;

    if (!is_plain (l, first, differs, count, to))
      {
        const double d = l.as == GT_FINISH_ROOT ? q : __fma_rn (-s / n, s, q);

        if (!(q >= least && q <= most && d >= q * 0x1p-6))
          {
            note_line (args, line);
            return;
          }
        to = l.as == GT_FINISH_ROOT ? d : d / (n - 1);
        to = l.as == GT_FINISH_VARIANCE ? to : sqrt (to);
      }
    store_number (l, line, to);
  }
};

/* Sums of elements and of squares, and of the errors of both (the same, algorithm 5.3): with D
   additions for each element, and A sums of magnitudes, within 2 (D + 1)^2 units squared of A.
   The sum of the magnitudes is at most the root of N times the sum of squares.  */
template <class T>
struct line_moments
{
  double s, c, s2, c2;
  T first;
  uint32_t differs;

  __device__ __forceinline__ void begin (const struct gt_lines_args &l, T x)
  {
    s = c = s2 = c2 = 0;
    first = l.as == GT_FINISH_ROOT ? 0 : x;
    differs = 0;
  }
  __device__ __forceinline__ void add (const struct gt_kernel_args &, T element, uint32_t)
  {
    const double x = static_cast<double> (element), p = __dmul_rn (x, x), t = s + x, t2 = s2 + p;

    differs |= differing (element, first);
    c += error_of_sum (s, x, t);
    c2 += error_of_sum (s2, p, t2) + (sizeof (T) == 8 ? __fma_rn (x, x, -p) : 0);
    s = t;
    s2 = t2;
  }
  __device__ __forceinline__ void merge (const line_moments &o)
  {
    const double t = s + o.s, t2 = s2 + o.s2;

    c = (c + o.c) + error_of_sum (s, o.s, t);
    c2 = (c2 + o.c2) + error_of_sum (s2, o.s2, t2);
    s = t;
    s2 = t2;
    differs |= o.differs;
  }
  __device__ __forceinline__ void finish (const struct gt_kernel_args &args, uint64_t line, uint64_t n) const
  {
    const struct gt_lines_args &l = args.lines;
    double to;

    if (is_plain (l, first, differs, n, to))
      store_number (l, line, to);
    else
      store_or_note (args, line, decided_by (*this, finishing (l, n)));
  }

private:
  static __device__ GT_COLD double decided_by (struct line_moments sums, struct finishing f)
  {
    struct enclosed x;

    return (f.as == GT_FINISH_ROOT ? sums.squares (f, x) : sums.spread (f, x)) ? decided (x, f.size) : undefined ();
  }
  static __device__ __forceinline__ double bound (const struct finishing &f) { return (f.depth + 2) * (f.depth + 2) * unit_squared; }

  /* The root of the sum of squares.  */
  __device__ __forceinline__ bool squares (const struct finishing &f, struct enclosed &x) const
  {
    x = {s2, c2, 4 * bound (f) * s2};
    return moderate (s2) && s2 != 0 && take_root (x);
  }
  /* Squares about the mean times N: N times the sum of squares without the square of the sum.
     Both are P at most, so their errors are at most 4 and 8 bounds of it, and these few
     roundings another 8 units squared.  */
  __device__ __forceinline__ bool spread (const struct finishing &f, struct enclosed &x) const
  {
    const double n = static_cast<double> (f.n);
    const double high = s + c, low = error_of_sum (s, c, high);
    const double p = __dmul_rn (n, s2), q = __dmul_rn (high, high), d = p - q;
    const double of_p = __fma_rn (n, s2, -p) + n * c2, of_q = __fma_rn (high, high, -q) + 2 * high * low;

    x = {d, (of_p - of_q) + error_of_sum (p, -q, d), 16 * bound (f) * p};
    if (!moderate (s2) || s2 == 0 || !moderate (p) || !(x.error <= d * 0x1p-20))
      return false;
    return divide_by_pairs (x, n) && (f.as == GT_FINISH_VARIANCE || take_root (x));
  }
};

/* The sum of integers with their signs flipped, as unsigned ones.  */
template <class T>
struct line_total
{
  uint64_t s;

  __device__ __forceinline__ void begin (const struct gt_lines_args &, T) { s = 0; }
  __device__ __forceinline__ void add (const struct gt_kernel_args &args, T x, uint32_t) { s += x ^ args.lines.flip; }
  __device__ __forceinline__ void merge (const line_total &o) { s += o.s; }
  __device__ __forceinline__ void finish (const struct gt_kernel_args &args, uint64_t line, uint64_t n) const
  {
    const struct gt_lines_args &l = args.lines;
    const int64_t total = static_cast<int64_t> (s - n * static_cast<uint64_t> (l.bias));
    const double high = static_cast<double> (total);

    if (l.as == GT_FINISH_ELEMENT)
      store_bytes (result_of (l, line), static_cast<uint64_t> (total), l.size);
    else
      store_or_note (args, line, decided_sum (finishing (l, n), {high, static_cast<double> (total - static_cast<int64_t> (high)), 0}));
  }
};

/* The sums of differences from the line's first element and of their squares, of 128 bits.  */
template <class T>
struct line_squares
{
  int64_t s;
  uint64_t low, high;
  T first;

  __device__ __forceinline__ void begin (const struct gt_lines_args &l, T x)
  {
    s = 0;
    low = high = 0;
    first = x ^ l.flip;
  }
  __device__ __forceinline__ void add (const struct gt_kernel_args &args, T x, uint32_t)
  {
    const int64_t d = static_cast<int64_t> (x ^ args.lines.flip) - static_cast<int64_t> (first);

    s += d;
    take (static_cast<uint64_t> (d) * static_cast<uint64_t> (d), 0);
  }
  __device__ __forceinline__ void merge (const line_squares &o)
  {
    s += o.s;
    take (o.low, o.high);
  }
  __device__ __forceinline__ void finish (const struct gt_kernel_args &args, uint64_t line, uint64_t n) const
  {
    const struct gt_lines_args &l = args.lines;

    if (n == 1)
      store_number (l, line, undefined ());
    /* Numbers below 2^53 are doubles, whose quotient is rounded once.  */
    else if (l.as == GT_FINISH_VARIANCE && n >> 16 == 0 && (high | low >> 37) == 0)
      store_number (l, line, static_cast<double> (static_cast<int64_t> (n * low) - s * s) / static_cast<double> (n * (n - 1)));
    else
      store_or_note (args, line, decided_by (*this, finishing (l, n)));
  }

private:
  __device__ __forceinline__ void take (uint64_t x, uint64_t above)
  {
    low += x;
    high += above + (low < x);
  }
  static __device__ GT_COLD double decided_by (struct line_squares sums, struct finishing f)
  {
    const uint64_t size = static_cast<uint64_t> (sums.s < 0 ? -sums.s : sums.s);
    const bits128 spread = f.n * (static_cast<bits128> (sums.high) << 64 | sums.low) - static_cast<bits128> (size) * size;
    struct enclosed x = enclosing (spread);

    if (spread == 0)
      return 0;
    return divide_by_pairs (x, static_cast<double> (f.n)) && (f.as == GT_FINISH_VARIANCE || take_root (x)) ? decided (x, f.size)
                                                                                                   : undefined ();
  }
  /* X in two doubles, whose sum is exact below 2^106.  */
  static __device__ __forceinline__ struct enclosed enclosing (bits128 x)
  {
    const double a = static_cast<double> (static_cast<uint64_t> (x >> 75)) * 0x1p75;
    const double b = static_cast<double> (static_cast<uint64_t> (x >> 22) & ((UINT64_C (1) << 53) - 1)) * 0x1p22;
    const double h = a + b, c = static_cast<double> (static_cast<uint64_t> (x) & ((1u << 22) - 1));

    return {h, error_of_sum (a, b, h) + c, x >> 106 ? h * 0x1p-104 : 0};
  }
};

/* The largest key of struct gt_order, and the index of its first element.  Keys are unsigned
   integers in the elements' order, in which zeros are equal and NaN come last; of places, which
   are larger the earlier an element is, 0 is none.  */
template <class T>
struct line_extreme
{
  typedef typename keys<T>::bits bits;
  static constexpr bits sign = static_cast<bits> (1) << (8 * sizeof (bits) - 1);
  bits best;
  uint32_t place;

  __device__ __forceinline__ void begin (const struct gt_lines_args &, T) { best = place = 0; }
  static __device__ __forceinline__ bits key_of (typename keys<T>::key x)
  {
    if constexpr (order_masks<T>::real)
      {
        const bits b = bits_of (x + 0);

        return x != x ? ~static_cast<bits> (0) : b & sign ? ~b : b | sign;
      }
    else
      return x;
  }
  __device__ __forceinline__ void offer (bits key, uint32_t at)
  {
    bool better;

    if constexpr (sizeof (bits) == 4)
      better = joined (key, at) > joined (best, place);
    else
      better = key > best || (key == best && at > place);
    best = better ? key : best;
    place = better ? at : place;
  }
  __device__ __forceinline__ void add (const struct gt_kernel_args &args, T x, uint32_t i)
  {
    struct order_masks<T> masks;

    masks.begin (args.order);

    const bits key = key_of (masks.key_of (bits_of (x)));

    /* An integer's key determines it.  */
    if (!order_masks<T>::real && args.lines.as == GT_FINISH_ELEMENT)
      best = key > best ? key : best;
    else
      offer (key, ~i);
  }
  __device__ __forceinline__ void merge (const line_extreme &o) { offer (o.best, o.place); }
  /* The key of a zero or NaN does not determine the element.  */
  __device__ __forceinline__ void finish (const struct gt_kernel_args &args, uint64_t line, uint64_t) const
  {
    const struct gt_lines_args &l = args.lines;
    struct order_masks<T> masks;
    bits element = best;

    masks.begin (args.order);
    if constexpr (order_masks<T>::real)
      element = element & sign ? element ^ sign : ~element;
    element = masks.element_of (key_from (element, typename keys<T>::key ()));
    if (order_masks<T>::real && (best == sign || best == ~static_cast<bits> (0)))
      element = bits_of (static_cast<const T *> (args.data)[begin_of (l, line) + ~place * l.stride]);
    store_bytes (result_of (l, line), l.as == GT_FINISH_INDEX ? ~place : static_cast<uint64_t> (element), l.size);
  }
};

} /* namespace gt */

#endif
