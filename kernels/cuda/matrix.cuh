/* Common code of the kernels of matrix products: sums of products, and rounding.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_MATRIX_CUH
#define GT_KERNELS_CUDA_MATRIX_CUH

#include "kernels/cuda/reduce.cuh"

namespace gt
{

/* Returns the exact rounding error of the sum S of A and B (D. E. Knuth, "The Art of Computer
   Programming", volume 2, 1969, section 4.2.2).  */
__device__ __forceinline__ double error_of_sum (double a, double b, double s)
{
  const double t = s - a;

  return (a - (s - t)) + (b - t);
}

template <class T>
__device__ __forceinline__ const T *element_of (const struct gt_matrix_operand &m, uint64_t i, uint64_t j)
{
  return static_cast<const T *> (m.data) + (i * m.row + j * m.column);
}

/* ------------------------------------------------------------- One rounding */

/* HIGH + LOW, which is within ERROR of an exact sum.  Products are computed by __dmul_rn
   before they are added, because the compiler would fuse a plain product with the
   addition.  */
struct enclosed
{
  double high, low, error;
};

/* The range of numbers, products and their errors in which roundings have relative bounds.  */
constexpr double least = 0x1p-900, most = 0x1p1000;
constexpr double unit_squared = 0x1p-106; /* of the rounding to double, 2^-53 */

__device__ __forceinline__ bool moderate (double x)
{
  return x == 0 || (fabs (x) >= least && fabs (x) <= most);
}

/* Multiplies X by C.  Returns false if the numbers are too large or too small.  The error of a
   product's low part is at most 3 units squared of the product.  */
__device__ __forceinline__ bool scale (struct enclosed &x, double c)
{
  const double high = __dmul_rn (c, x.high), low = __fma_rn (c, x.high, -high);

  if (!moderate (high) || (high == 0) != (x.high == 0) || !moderate (c * x.error))
    return false;
  x.low = low + c * x.low;
  x.error = fabs (c) * x.error + 8 * unit_squared * fabs (high);
  x.high = high;
  return true;
}

/* Adds C Y to X: the errors of the sum and the product are added with three roundings, of less
   than 6 units squared of both together.  Returns false if the numbers are too large or too
   small.  */
__device__ __forceinline__ bool add_product (struct enclosed &x, double c, double y)
{
  const double p = __dmul_rn (c, y), low = __fma_rn (c, y, -p), s = x.high + p;

  if (!moderate (p) || (p == 0) != (y == 0) || !moderate (s))
    return false;
  x.error += 8 * unit_squared * (fabs (x.high) + fabs (p));
  x.low = error_of_sum (x.high, p, s) + (x.low + low);
  x.high = s;
  return true;
}

/* Returns whether all numbers from LOW to HIGH round to the same value, and stores it in TO.
   LOW and HIGH themselves were rounded to double, which does not matter for a double result.
   An exact zero is +0.  */
__device__ __forceinline__ bool rounds_to (double low, double high, double &to)
{
  to = low + 0.0;
  return low == high;
}
__device__ __forceinline__ bool rounds_to (double low, double high, float &to)
{
  const float above = static_cast<float> (high + fabs (high) * 0x1p-52);

  to = static_cast<float> (low - fabs (low) * 0x1p-52) + 0.0f;
  return to == above;
}

/* Returns whether X decides the rounding of the element of C whose previous value is *OLD (A.
   Ziv, "Fast Evaluation of Elementary Mathematical Functions with Correctly Rounded Last Bit",
   1991), and stores the result in TO.  */
template <class T>
__device__ __forceinline__ bool round_once (double alpha, double beta, struct enclosed x, const T *old, T &to)
{
  const double s = x.high + x.low;
  double error;

  if (!moderate (s) || !(x.error <= most))
    return false;
  x.low = error_of_sum (x.high, x.low, s);
  x.high = s;
  if (alpha != 1 && !scale (x, alpha))
    return false;
  if (beta != 0 && !add_product (x, beta, static_cast<double> (*old)))
    return false;
  error = x.error * (1 + 0x1p-40) + fabs (x.low) * 0x1p-51;
  return rounds_to (x.high + (x.low - error), x.high + (x.low + error), to);
}

__device__ __forceinline__ void note_undecided (const struct gt_matrix_args &m, uint64_t i, uint64_t j)
{
  unsigned long long *count = reinterpret_cast<unsigned long long *> (m.undecided);

  m.undecided[1 + atomicAdd (count, 1ull)] = i * m.columns + j;
}

/* ---------------------------------------------------------- Sums of products
   Each has functions that add a product, merge another sum, and compute an element of C, ALPHA
   times the sum and BETA times the OLD element; DEPTH is the maximum number of additions for any
   of the TERMS.  `result' returns whether the sum decides the element.  */

template <class T>
struct quick_sum
{
  T s;

  __device__ __forceinline__ void clear () { s = 0; }
  __device__ __forceinline__ void add (T a, T b) { s = fused (a, b, s); }
  __device__ __forceinline__ void merge (const quick_sum &o) { s += o.s; }
  __device__ __forceinline__ bool result (double alpha, double beta, double, double, const T *old, T &to) const
  {
    const T a = static_cast<T> (alpha), b = static_cast<T> (beta);

    to = beta == 0 ? a * s : alpha == 0 ? b * *old : a * s + b * *old;
    return true;
  }

private:
  static __device__ __forceinline__ double fused (double a, double b, double c) { return __fma_rn (a, b, c); }
  static __device__ __forceinline__ float fused (float a, float b, float c) { return __fmaf_rn (a, b, c); }
};

/* A sum, the errors of its additions and products, and the sum of magnitudes (T. Ogita, S. M.
   Rump and S. Oishi, "Accurate Sum and Dot Product", 2005, algorithm 5.3).  Each product and
   each of D additions has an error of at most a unit of the magnitudes M; these errors are
   added in 2 D + 2 additions, whose errors are at most 2 (D + 1)^2 units squared of M.  The
   error of a product that is too small for a double is known to within 2^-1075.  */
template <class T>
struct certain_sum
{
  double s, c, m;

  __device__ __forceinline__ void clear () { s = c = m = 0; }
  __device__ __forceinline__ void add (double a, double b)
  {
    const double p = __dmul_rn (a, b);

    take (p, __fma_rn (a, b, -p));
  }
  __device__ __forceinline__ void add (float a, float b)
  {
    take (__dmul_rn (static_cast<double> (a), static_cast<double> (b)), 0);
  }
  __device__ __forceinline__ void merge (const certain_sum &o)
  {
    const double t = s + o.s;

    c = (c + o.c) + error_of_sum (s, o.s, t);
    m += o.m;
    s = t;
  }
  __device__ __forceinline__ bool result (double alpha, double beta, double depth, double terms, const T *old, T &to) const
  {
    const double d = depth + 2;

    return round_once (alpha, beta, {s, c, 4 * d * d * unit_squared * m + terms * 0x1p-1074}, old, to);
  }

private:
  __device__ __forceinline__ void take (double p, double e)
  {
    const double t = s + p;

    c += error_of_sum (s, p, t) + e;
    m += fabs (p);
    s = t;
  }
};

} /* namespace gt */

#endif
