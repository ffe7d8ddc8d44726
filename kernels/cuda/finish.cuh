/* Results that stay on the device: exact sums become whole numbers, of which the one
   number that a function gives is rounded once: of a sum, a mean, a root or a spread, as the
   host does (kernels/cpu/finish).  All is decided here, as nothing is estimated first.

   One thread works, on as many digits as are not zero: of numbers of similar size these
   are few.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_FINISH_CUH
#define GT_KERNELS_CUDA_FINISH_CUH

#include "kernels/cuda/reduce.cuh"

namespace gt
{

typedef unsigned __int128 bits128;

__device__ __forceinline__ int leading_zeros (uint64_t x)
{
  const uint32_t high = static_cast<uint32_t> (x >> 32);

  return high ? __clz (static_cast<int> (high)) : 32 + __clz (static_cast<int> (static_cast<uint32_t> (x)));
}
__device__ __forceinline__ int leading_zeros (bits128 x)
{
  const uint64_t high = static_cast<uint64_t> (x >> 64);

  return high ? leading_zeros (high) : 64 + leading_zeros (static_cast<uint64_t> (x));
}

/* Digit I weighs 2^(32 i).  Those from LOWEST on and below END count; the first and the last
   of them are not zero.  */
template <unsigned Size>
struct big
{
  uint32_t digit[Size];
  int lowest, end;
  bool negative;

  __device__ __forceinline__ uint32_t at (int i) const { return i >= lowest && i < end ? digit[i] : 0; }
  __device__ __forceinline__ bool is_zero () const { return lowest == end; }

  __device__ void trim ()
  {
    while (end > lowest && digit[end - 1] == 0)
      end--;
    while (lowest < end && digit[lowest] == 0)
      lowest++;
  }
  /* Words of signed accumulators, from FIRST on, below LAST.  */
  __device__ void take (const unsigned long long *word, int first, int last)
  {
    int64_t carry = 0;

    lowest = first < last ? first : last;
    for (end = lowest; end < last || (carry != 0 && carry != -1); end++)
      {
        const int64_t sum = (end < last ? static_cast<int64_t> (word[end]) : 0) + carry;

        digit[end] = static_cast<uint32_t> (sum);
        carry = sum >> 32;
      }
    negative = carry != 0;
    if (negative)
      for (int i = lowest, borrows = 1; i < end; i++)
        {
          digit[i] = ~digit[i] + static_cast<uint32_t> (borrows);
          borrows &= digit[i] == 0;
        }
    trim ();
  }
  /* Three words of 64 bits, unsigned.  */
  __device__ void take_words (uint64_t low, uint64_t middle, uint64_t high)
  {
    const uint64_t word[3] = {low, middle, high};

#pragma unroll
    for (int k = 0; k < 6; k++)
      digit[k] = static_cast<uint32_t> (word[k / 2] >> 32 * (k % 2));
    lowest = 0;
    end = 6;
    negative = false;
    trim ();
  }
  __device__ void multiply (uint64_t by)
  {
    uint64_t carry = 0;

    for (int i = lowest; i < end; i++)
      {
        const bits128 sum = static_cast<bits128> (by) * digit[i] + carry;

        digit[i] = static_cast<uint32_t> (sum);
        carry = static_cast<uint64_t> (sum >> 32);
      }
    for (; carry != 0; carry >>= 32)
      digit[end++] = static_cast<uint32_t> (carry);
    trim ();
  }
  template <unsigned S, unsigned T>
  __device__ void be_product (const struct big<S> &x, const struct big<T> &y)
  {
    lowest = end = 0;
    negative = x.negative != y.negative;
    if (x.is_zero () || y.is_zero ())
      return;
    lowest = x.lowest + y.lowest;
    end = x.end + y.end;
    for (int i = lowest; i < end; i++)
      digit[i] = 0;
    for (int i = x.lowest; i < x.end; i++)
      {
        uint64_t carry = 0;

        for (int j = y.lowest; j < y.end; j++)
          {
            carry += static_cast<uint64_t> (x.digit[i]) * y.digit[j] + digit[i + j];
            digit[i + j] = static_cast<uint32_t> (carry);
            carry >>= 32;
          }
        digit[i + y.end] = static_cast<uint32_t> (carry);
      }
    trim ();
  }
  template <unsigned S>
  __device__ bool is_smaller (const struct big<S> &than) const
  {
    const int from = end > than.end ? end : than.end;
    const int to = lowest < than.lowest ? lowest : than.lowest;

    for (int i = from - 1; i >= to; i--)
      if (at (i) != than.at (i))
        return at (i) < than.at (i);
    return false;
  }
  /* Takes OTHER off.  */
  template <unsigned S>
  __device__ void subtract (const struct big<S> &other)
  {
    const bool adds = negative != other.negative, turns = !adds && is_smaller (other);
    int from = lowest, to = end;
    int64_t carry = 0;

    if (other.is_zero ())
      return;
    from = is_zero () || other.lowest < from ? other.lowest : from;
    to = is_zero () || other.end > to ? other.end : to;
    for (int i = from; i < to; i++)
      {
        const int64_t mine = at (i), others = other.at (i);

        carry += adds ? mine + others : turns ? others - mine : mine - others;
        digit[i] = static_cast<uint32_t> (carry);
        carry >>= 32;
      }
    lowest = from;
    end = to;
    if (carry != 0)
      digit[end++] = static_cast<uint32_t> (carry);
    negative = negative != turns;
    trim ();
  }
};

/* BITS * 2^EXPONENT, and less than 2^EXPONENT above that where there is MORE.  */
struct head
{
  bits128 bits;
  int exponent;
  bool more;
};

/* The first 32 bits of X but for the BY first digits of 32 bits, where X's first bit that
   is set counts as the first.  */
template <unsigned Size>
__device__ __forceinline__ uint32_t digit_from_top (const struct big<Size> &x, int by, int shift)
{
  const int i = x.end - 1 - by;

  return x.at (i) << shift | x.at (i - 1) >> 1 >> (31 - shift);
}

/* The first STEPS bits of (REST * 2^128 + NEXT) / DIVISOR, or one less, for HEAD's bits; REST
   has its first bit.  HEAD has the exponent of NEXT, and whether there is more behind it.  */
static __device__ GT_COLD struct head divided (bits128 rest, bits128 next, struct head head, bits128 divisor, int steps)
{
  const int by = leading_zeros (divisor);

  divisor <<= by;
  for (int k = 0, over = 0; k < steps; k++)
    {
      const bool fits = over || rest >= divisor;

      if (k > 0)
        head.bits <<= 1;
      if (fits)
        {
          rest -= divisor;
          head.bits |= 1;
        }
      if (k == steps - 1)
        break;
      over = static_cast<int> (rest >> 127);
      rest = rest << 1 | next >> 127;
      next <<= 1;
    }
  head.exponent += by + 129 - steps;
  head.more |= rest != 0 || next != 0;
  return head;
}

/* The same, and all bits of REST if the divisor is 1.  */
__device__ __forceinline__ struct head quotient (bits128 rest, bits128 next, struct head head, bits128 divisor, int steps)
{
  return divisor == 1 ? (struct head) {rest, head.exponent + 128, head.more || next != 0}
                      : divided (rest, next, head, divisor, steps);
}

/* Of |X|.  */
template <unsigned Size>
static __device__ GT_COLD struct head quotient (const struct big<Size> &x, bits128 divisor, int steps)
{
  const int shift = x.is_zero () ? 0 : __clz (static_cast<int> (x.digit[x.end - 1])), last = x.end - 9;
  struct head head = {0, 32 * (x.end - 8) - shift, false};
  bits128 rest = 0, next = 0;

  if (x.is_zero ())
    return head;
#pragma unroll 1
  for (int k = 0; k < 4; k++)
    {
      rest = rest << 32 | digit_from_top (x, k, shift);
      next = next << 32 | digit_from_top (x, k + 4, shift);
    }
  head.more = x.lowest < last || (x.lowest == last && x.digit[last] << shift != 0);
  return quotient (rest, next, head, divisor, steps);
}

/* The root of a number of 127 bits or 128.  From an estimate with 52 bits a step of Newton's
   comes as close as 1.  */
static __device__ GT_COLD struct head root (struct head x)
{
  bits128 rest;
  uint64_t s;
  double guess;

  if (x.bits == 0)
    return x;
  if (x.exponent & 1)
    {
      x.more |= static_cast<bool> (x.bits & 1);
      x.bits >>= 1;
      x.exponent++;
    }
  guess = sqrt (static_cast<double> (static_cast<uint64_t> (x.bits >> 64))) * 4294967296.0;
  s = guess >= 18446744073709549568.0 ? ~UINT64_C (0) : static_cast<uint64_t> (guess);
  rest = static_cast<bits128> (s) * s;
  guess = rest < x.bits ? static_cast<double> (static_cast<uint64_t> ((x.bits - rest) >> 32))
                        : -static_cast<double> (static_cast<uint64_t> ((rest - x.bits) >> 32));
  guess = guess * 2147483648.0 / static_cast<double> (s);
  s = guess >= 0 && static_cast<uint64_t> (guess) > ~s ? ~UINT64_C (0) : s + static_cast<uint64_t> (static_cast<int64_t> (guess));
  while (static_cast<bits128> (s) * s > x.bits)
    s--;
  while (s != ~UINT64_C (0) && static_cast<bits128> (s + 1) * (s + 1) <= x.bits)
    s++;
  x.more |= static_cast<bits128> (s) * s != x.bits;
  x.bits = s;
  x.exponent /= 2;
  return x;
}

/* X as a number of an IEEE 754 interchange format, as whole.inc encodes it.  */
__device__ __forceinline__ uint64_t encoded (struct head x, bool negative, int unit, int precision, uint64_t infinity)
{
  const uint64_t hidden = UINT64_C (1) << (precision - 1);
  const int zeros = leading_zeros (x.bits);
  const int top = 127 - zeros + x.exponent; /* the place of the first bit */
  const int at = top - (precision - 1) < unit ? unit : top - (precision - 1);
  const int cut = at - (top - 127);         /* bits below that, of 128 */
  bits128 below;
  uint64_t bits;

  if (x.bits == 0)
    return 0;
  x.bits <<= zeros;
  bits = cut > 127 ? 0 : static_cast<uint64_t> (x.bits >> cut);
  /* The bits that are cut off, of which the first is worth half a unit.  */
  below = cut > 128 ? 0 : x.bits << (128 - cut);
  x.more |= cut > 128;
  if (below >> 127 && (bits & 1 || below << 1 != 0 || x.more))
    bits++;
  if (static_cast<uint64_t> (at - unit) < infinity / hidden)
    bits += static_cast<uint64_t> (at - unit) * hidden;
  else
    bits = infinity;
  bits = bits > infinity ? infinity : bits;
  return negative ? bits | (infinity + hidden) : bits;
}

/* Stores X rounded, once.  */
__device__ __forceinline__ void store_head (const struct gt_finish &finish, struct head x, bool negative)
{
  if (finish.size == 8)
    store_bytes (finish.to[0], encoded (x, negative, -1074, 53, UINT64_C (0x7ff0000000000000)), 8);
  else
    store_bytes (finish.to[0], encoded (x, negative, -149, 24, 0x7f800000u), 4);
}

/* Sums as numbers: room for what finishing makes of them.  */
struct numbers
{
  struct big<GT_SUPER_WORDS + 4> plain[2];
  struct big<GT_PRODUCT_WORDS + 6> product, other;

  /* The sum of squares about the mean, or of products, times N, in place of the product:
     n sum (x y) - sum (x) sum (y).  The sums are in units of 2^UNIT, products in those of
     2^(2 UNIT - 2 SHIFT).  */
  __device__ __forceinline__ void make_spread (uint64_t n, int plain_sums, int shift)
  {
    plain[0].multiply (UINT64_C (1) << shift);
    if (plain_sums > 1)
      plain[1].multiply (UINT64_C (1) << shift);
    product.multiply (n);
    other.be_product (plain[0], plain[plain_sums - 1]);
    product.subtract (other);
  }
  /* Leaves the result of N elements.  FLAGS are those of exact sums of reals.  */
  __device__ GT_COLD void finish (struct gt_finish finish, uint64_t n, uint32_t flags, int plain_sums, int products, bool reals)
  {
    const bool spreads = finish.as >= GT_FINISH_TSS;
    const bool roots = finish.as == GT_FINISH_ROOT || finish.as == GT_FINISH_SD || finish.as == GT_FINISH_POPULATION_SD;
    const int unit = !reals ? 0 : products ? GT_PRODUCT_LOWEST : GT_SUPER_LOWEST;
    int twos = 0; /* of the divisor of a mean, which need no division */
    struct head head;
    bits128 divisor = 1;

    if (flags != 0)
      {
        const double infinite = __hiloint2double (0x7ff00000, 0);

        store_real (finish, spreads || gt_super_is_nan (flags) ? infinite - infinite
                            : flags == GT_SUPER_PLUS_INFINITY ? infinite : -infinite);
        return;
      }
    if (spreads)
      make_spread (n, plain_sums, reals ? (2 * GT_SUPER_LOWEST - GT_PRODUCT_LOWEST) / 2 : 0);
    if (spreads || finish.as == GT_FINISH_MEAN)
      divisor = finish.as >= GT_FINISH_POPULATION_VARIANCE ? static_cast<bits128> (n) * n
                : finish.as >= GT_FINISH_VARIANCE          ? static_cast<bits128> (n) * (n - 1)
                                                           : n;
    if (finish.as == GT_FINISH_MEAN)
      {
        twos = __ffsll (static_cast<long long> (n)) - 1;
        divisor >>= twos;
      }
    if (finish.as == GT_FINISH_MEAN && finish.unbias)
      {
        other.take_words (n, 0, 0);
        other.multiply (UINT64_C (1) << (finish.unbias - 1));
        plain[0].subtract (other);
      }
    if (divisor == 0)
      {
        store_real (finish, __hiloint2double (0x7ff80000, 0));
        return;
      }
    if (products)
      head = quotient (product, divisor, roots ? 128 : 68);
    else
      head = quotient (plain[0], divisor, 68);
    head.exponent += unit - twos;
    if (roots)
      head = root (head);
    store_head (finish, head, products ? product.negative : plain[0].negative);
  }
};

} /* namespace gt */

#endif
