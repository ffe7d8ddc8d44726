/* Partial results of a line of a matrix or vector, and the results made of them: sums, sums
   with what they lose, sums of elements and squares, extremes.

   An exact result is rounded from two doubles and a bound, if all numbers within that round to
   one (A. Ziv, "Fast Evaluation of Elementary Mathematical Functions with Correctly Rounded
   Last Bit", 1991); else the line is noted as undecided, and lines_settle.cuh sums it in
   words.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_LINES_SUMS_CUH
#define GT_KERNELS_CUDA_LINES_SUMS_CUH

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

  if (at < GT_LINES_LISTED)
    l.undecided[at] = line;
  /* By this the host learns of it, when its stream's work is done.  */
  args.result->word[0] = static_cast<uint64_t> (args.sequence) << 32 | 1;
}

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

/* Whether X tells the result of a line.  */
__device__ __forceinline__ bool tells (const struct gt_lines_args &l, struct enclosed x, double &to)
{
  const double error = x.error == 0 ? 0 : x.error * 1.01 + fabs (x.low) * 0x1p-51;

  to = rounded_once (x.high, x.low - error, l.size);
  return fabs (x.high) <= most && error <= most && to == rounded_once (x.high, x.low + error, l.size);
}

/* Divides by a whole number: the quotient, and of what that leaves another, with three
   roundings.  False: the quotient is too small for that.  */
__device__ __forceinline__ bool divide (struct enclosed &x, double by)
{
  const double h = x.high / by, rest = __fma_rn (-h, by, x.high) + x.low;
  const double low = rest / by;
  const bool exact = x.error == 0 && (static_cast<uint64_t> (by) & (static_cast<uint64_t> (by) - 1)) == 0;

  if (!(fabs (x.high) <= most && fabs (h) >= least))
    return x.high == 0 && x.low == 0 && x.error == 0;
  x.error = exact ? 0 : x.error / by * 1.01 + fabs (low) * 0x1p-50;
  x.low = low;
  x.high = h;
  return true;
}

/* The root of a number that is not too near to zero for its error: a root, and of what
   that leaves the first term; the next is below 2^-105 of it.  */
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

/* A line of N elements becomes what is asked for: a sum, or its mean.  */
static __device__ __forceinline__ bool finish_sum (const struct gt_lines_args &l, struct enclosed x, uint64_t n, double &to)
{
  return (l.as != GT_FINISH_MEAN || divide (x, static_cast<double> (n))) && tells (l, x, to);
}

/* ------------------------------------------------------------- What is gathered

   Each takes elements with their indexes, in ascending order, and others of its kind; FROM
   gives that of the lane whose number differs by BY; FINISH stores the result of N
   elements.  */

template <class S>
__device__ __forceinline__ S exchanged (const S &x, unsigned by)
{
  typedef typename shuffled<true>::word word;
  word w[sizeof (S) / sizeof (word)];
  S other;

  memcpy (w, &x, sizeof x);
#pragma unroll
  for (unsigned k = 0; k < sizeof (S) / sizeof (word); k++)
    w[k] = __shfl_xor_sync (0xffffffffu, w[k], static_cast<int> (by));
  memcpy (&other, w, sizeof other);
  return other;
}

/* In double.  */
template <class T>
struct line_sum
{
  double s;

  __device__ __forceinline__ void clear () { s = 0; }
  __device__ __forceinline__ void add (const struct gt_kernel_args &args, T x, uint64_t) { s += number_in (args.lines, x); }
  __device__ __forceinline__ void merge (const line_sum &o) { s += o.s; }
  __device__ __forceinline__ void finish (const struct gt_kernel_args &args, uint64_t line, uint64_t n) const
  {
    const bool is_mean = args.lines.as == GT_FINISH_MEAN;

    store_number (args.lines, line, is_mean ? s / static_cast<double> (n) : s);
  }
};

/* Of integers, all that was flipped.  */
template <class T>
struct line_total
{
  uint64_t s;

  __device__ __forceinline__ void clear () { s = 0; }
  __device__ __forceinline__ void add (const struct gt_kernel_args &args, T x, uint64_t) { s += x ^ args.lines.flip; }
  __device__ __forceinline__ void merge (const line_total &o) { s += o.s; }
  __device__ __forceinline__ void finish (const struct gt_kernel_args &args, uint64_t line, uint64_t n) const
  {
    const struct gt_lines_args &l = args.lines;
    const int64_t total = static_cast<int64_t> (s - n * static_cast<uint64_t> (l.bias));
    const double high = static_cast<double> (total);
    double to;

    if (l.as == GT_FINISH_ELEMENT)
      store_bytes (result_of (l, line), static_cast<uint64_t> (total), l.size);
    else if (finish_sum (l, {high, static_cast<double> (total - static_cast<int64_t> (high)), 0}, n, to))
      store_number (l, line, to);
    else
      note_line (args, line);
  }
};

/* A sum S, the sum C of what its additions lose, and M, of the magnitudes of what those of C
   lose (T. Ogita, S. M. Rump and S. Oishi, "Accurate Sum and Dot Product", 2005, section 4).
   The exact sum is within M of S + C; mostly M is 0, so that ties are known.  */
template <class T>
struct line_certain_sum
{
  double s, c, m;

  __device__ __forceinline__ void clear () { s = c = m = 0; }
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
  __device__ __forceinline__ void add (const struct gt_kernel_args &args, T x, uint64_t) { take (number_in (args.lines, x)); }
  __device__ __forceinline__ void merge (const line_certain_sum &o)
  {
    take (o.s);
    lose (o.c);
    m += o.m;
  }
  __device__ __forceinline__ void finish (const struct gt_kernel_args &args, uint64_t line, uint64_t n) const
  {
    double to;

    if (finish_sum (args.lines, {s, c, m}, n, to))
      store_number (args.lines, line, to);
    else
      note_line (args, line);
  }
};

/* Sums of elements and of squares, and of what both have lost (the same, algorithm 5.3): with D
   additions for each element, and A sums of magnitudes, within 2 (D + 1)^2 units squared of A.
   That of the elements' magnitudes is at most the root of N times that of squares.  */
template <class T>
struct line_moments
{
  double s, c, s2, c2;

  __device__ __forceinline__ void clear () { s = c = s2 = c2 = 0; }
  __device__ __forceinline__ void add (const struct gt_kernel_args &args, T element, uint64_t)
  {
    const double x = number_in (args.lines, element), p = __dmul_rn (x, x), t = s + x, t2 = s2 + p;

    c += error_of_sum (s, x, t);
    c2 += error_of_sum (s2, p, t2) + __fma_rn (x, x, -p);
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
  }
  __device__ __forceinline__ void finish (const struct gt_kernel_args &args, uint64_t line, uint64_t n) const
  {
    const struct gt_lines_args &l = args.lines;
    struct enclosed x;
    double to;

    if (l.as == GT_FINISH_ROOT ? squares (l, x) : spread (l, n, x))
      if (tells (l, x, to) || (!l.exact && x.error <= fabs (x.high) * 0x1p-60))
        {
          store_number (l, line, to);
          return;
        }
    note_line (args, line);
  }

private:
  __device__ __forceinline__ double bound (const struct gt_lines_args &l) const { return (l.depth + 2) * (l.depth + 2) * unit_squared; }

  /* The root of the sum of squares.  */
  __device__ __forceinline__ bool squares (const struct gt_lines_args &l, struct enclosed &x) const
  {
    x = {s2, c2, 4 * bound (l) * s2};
    return moderate (s2) && s2 != 0 && take_root (x);
  }
  /* Squares about the mean times N: N times the sum of squares without the square of the sum.
     Both are P at most, so their errors are at most 4 and 8 bounds of it, and these few
     roundings another 8 units squared.  */
  __device__ __forceinline__ bool spread (const struct gt_lines_args &l, uint64_t count, struct enclosed &x) const
  {
    const double n = static_cast<double> (count);
    const double high = s + c, low = error_of_sum (s, c, high);
    const double p = __dmul_rn (n, s2), q = __dmul_rn (high, high), d = p - q;
    const double of_p = __fma_rn (n, s2, -p) + n * c2, of_q = __fma_rn (high, high, -q) + 2 * high * low;

    x = {d, (of_p - of_q) + error_of_sum (p, -q, d), 16 * bound (l) * p};
    if (!moderate (s2) || s2 == 0 || !moderate (p) || !(x.error <= d * 0x1p-20))
      return false;
    return divide (x, n) && divide (x, n - 1) && (l.as == GT_FINISH_VARIANCE || take_root (x));
  }
};

/* The largest key of struct gt_order, and the index of its first element.  */
template <class T>
struct line_extreme
{
  typedef typename keys<T>::key key;
  key best;
  uint64_t index;

  __device__ __forceinline__ void clear ()
  {
    best = 0;
    index = none;
  }
  __device__ __forceinline__ void offer (key x, uint64_t i)
  {
    const bool earlier = i < index;

    if (i != none
        && (index == none || x > best || (x == best && earlier) || (x != x && (best == best || earlier))))
      {
        best = x;
        index = i;
      }
  }
  __device__ __forceinline__ void add (const struct gt_kernel_args &args, T x, uint64_t i)
  {
    struct order_masks<T> masks;
    key k;

    masks.begin (args.order);
    k = masks.key_of (bits_of (x));
    if (!(k <= best) || index == none)
      offer (k, i);
  }
  __device__ __forceinline__ void merge (const line_extreme &o) { offer (o.best, o.index); }
  __device__ __forceinline__ void finish (const struct gt_kernel_args &args, uint64_t line, uint64_t) const
  {
    struct order_masks<T> masks;

    masks.begin (args.order);
    store_bytes (result_of (args.lines, line),
                 args.lines.as == GT_FINISH_INDEX ? index : static_cast<uint64_t> (masks.element_of (best)), args.lines.size);
  }
};

} /* namespace gt */

#endif
