/* Elements of exact products that a bound has left undecided: by the product accumulator
   (kernels/products.h), whatever the numbers are.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_MATRIX_SETTLE_CUH
#define GT_KERNELS_CUDA_MATRIX_SETTLE_CUH

#include "kernels/cuda/exact.cuh"
#include "kernels/cuda/matrix.cuh"

namespace gt
{

/* An element is a whole number in units of 2^LOWEST: a product of three doubles in words
   that begin where words of a product accumulator do, OFFSET of them higher, and to
   beyond 2^(3 * 1024 + 64).  */
constexpr int wide_offset = 34, wide_lowest = GT_PRODUCT_LOWEST - 32 * wide_offset, wide_words = 204;

struct settled
{
  struct product_block sum;
  int64_t wide[wide_words];
};

/* Adds SIGNIFICAND C 2^POSITION in units of the lowest bit, C without its position.  */
__device__ __forceinline__ void add_scaled_digit (int64_t *wide, uint64_t significand, int negative, int position,
                                                  const struct gt_factor &c)
{
  const struct gt_super_digits low = gt_super_cut (significand * c.significand, negative, position);
  const struct gt_super_digits high = gt_super_cut (gt_product_high (significand, c.significand), negative, position + 64);

  for (int k = 0; k < 3; k++)
    {
      wide[low.first + k] += low.digit[k];
      wide[high.first + k] += high.digit[k];
    }
}

/* The product of C and words of a product accumulator that are normalised.  */
__device__ __forceinline__ void add_scaled_words (int64_t *wide, const int64_t *word, double c)
{
  const struct gt_factor factor = factor_of (c);
  /* From the lowest bit of C's to that of an accumulator's words.  */
  const int base = factor.position + GT_SUPER_LOWEST + 32 * wide_offset;

  for (int i = 0; i < GT_PRODUCT_WORDS; i++)
    {
      const int64_t w = word[i];

      if (w != 0)
        add_scaled_digit (wide, w < 0 ? -static_cast<uint64_t> (w) : static_cast<uint64_t> (w), (w < 0) ^ factor.negative,
                          base + 32 * i, factor);
    }
}

/* Adds C OLD, both of them finite.  */
__device__ __forceinline__ void add_old (int64_t *wide, double c, double old)
{
  const struct gt_factor x = factor_of (c), y = factor_of (old);
  struct gt_product_digits digits;

  if (gt_product_cut (&x, &y, &digits) != 0)
    return;
  for (int k = 0; k < 5; k++)
    wide[wide_offset + digits.first + k] += digits.digit[k];
}

__device__ __forceinline__ bool is_finite (double x)
{
  return fabs (x) <= 0x1.fffffffffffffp1023;
}

/* The sum of a product accumulator's addends that are not finite.  */
__device__ __forceinline__ double special_sum (uint32_t flags)
{
  const double infinity = __longlong_as_double (0x7ff0000000000000);

  return gt_super_is_nan (flags) ? infinity - infinity : flags == GT_SUPER_PLUS_INFINITY ? infinity : -infinity;
}

/* Returns whether an addend is not finite, and stores the sum of these addends in SPECIAL.  In
   this case WORD may be changed.  */
__device__ __forceinline__ bool is_special (double alpha, double beta, int64_t *word, double old, double &special)
{
  const uint32_t flags = static_cast<uint32_t> (word[GT_PRODUCT_WORDS]);
  const bool sum = flags != 0 || !is_finite (alpha), plus = beta != 0 && !(is_finite (beta) && is_finite (old));

  special = 0;
  if (flags)
    special = alpha * special_sum (flags);
  else if (sum)
    {
      const struct gt_whole size = gt_whole_from_super (reinterpret_cast<uint64_t *> (word), word, GT_PRODUCT_WORDS);

      special = size.n == 0 ? alpha * 0 : size.negative ? -alpha : alpha;
    }
  if (plus)
    special = sum ? special + beta * old : beta * old;
  return sum || plus;
}

template <class T>
static __device__ GT_COLD void finish_settled (double alpha, double beta, struct settled *s, T *to)
{
  int64_t *const word = reinterpret_cast<int64_t *> (s->sum.word);
  const double old = beta == 0 ? 0 : static_cast<double> (*to);
  double special;

  gt_super_carry (word, GT_PRODUCT_WORDS);
  if (is_special (alpha, beta, word, old, special))
    {
      *to = static_cast<T> (special);
      return;
    }
  for (int i = 0; i < wide_words; i++)
    s->wide[i] = 0;
  add_scaled_words (s->wide, word, alpha);
  if (beta != 0)
    add_old (s->wide, beta, old);

  const struct gt_whole whole = gt_whole_from_super (reinterpret_cast<uint64_t *> (word), s->wide, wide_words);
  const struct gt_ratio ratio = {&whole, nullptr, wide_lowest, 0, whole.negative};

  store_ratio (to, sizeof *to, &ratio);
}

/* Adds X Y to a block's accumulator, by many threads at once.  */
__device__ __forceinline__ void add_product (struct product_block &acc, double x, double y)
{
  const struct gt_factor a = gt_factor_f64 (x), b = gt_factor_f64 (y);
  struct gt_product_digits digits;
  const uint32_t flag = gt_product_cut (&a, &b, &digits);

  if (flag)
    add_flag (acc, flag);
  else if (a.significand != 0 && b.significand != 0)
#pragma unroll
    for (int d = 0; d < 5; d++)
      if (digits.digit[d] != 0)
        atomicAdd (acc.word + digits.first + d, static_cast<unsigned long long> (digits.digit[d]));
}

/* Products that a word takes before it is normalised.  */
constexpr uint64_t settle_at_once = static_cast<uint64_t> (1) << 29;

/* TO := ALPHA times the sum of the products of COUNT elements of X and Y, and BETA TO.  */
template <class T>
__device__ __forceinline__ void settle_one (struct settled *s, const T *x, uint64_t x_step, const T *y, uint64_t y_step, uint64_t count,
                                            double alpha, double beta, T *to)
{
  clear_exact (s->sum);
  for (uint64_t begin = 0; begin < count; begin += settle_at_once)
    {
      const uint64_t end = count - begin < settle_at_once ? count : begin + settle_at_once;

      __syncthreads ();
      if (begin > 0 && threadIdx.x == 0)
        gt_super_carry (reinterpret_cast<int64_t *> (s->sum.word), GT_PRODUCT_WORDS);
      __syncthreads ();
      for (uint64_t k = begin + threadIdx.x; k < end; k += blockDim.x)
        add_product (s->sum, static_cast<double> (__ldg (x + k * x_step)), static_cast<double> (__ldg (y + k * y_step)));
    }
  __syncthreads ();
  if (threadIdx.x == 0)
    finish_settled (alpha, beta, s, to);
  __syncthreads ();
}

template <class T>
__device__ __forceinline__ void settle (const struct gt_matrix_args &m)
{
  __shared__ struct settled s;
  const uint64_t count = m.undecided[0];

  for (uint64_t e = blockIdx.x; e < count; e += gridDim.x)
    {
      const uint64_t i = m.undecided[1 + e] / m.columns, j = m.undecided[1 + e] % m.columns;

      settle_one (&s, element_of<T> (m.a, i, 0), m.a.column, element_of<T> (m.b, 0, j), m.b.row, m.terms, m.alpha, m.beta,
                  const_cast<T *> (element_of<T> (m.c, i, j)));
    }
}

} /* namespace gt */

#endif
