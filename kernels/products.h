/* The product accumulator: an exact sum of products of two doubles, in fixed point.
   Read by the host's C and C++ compilers, by nvcc and by tests/softgpu.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_PRODUCTS_H
#define GT_KERNELS_PRODUCTS_H

#include "kernels/superaccumulator.h"

/* A product of two finite doubles is a multiple of 2^-2148 and less than 2^2048.  The value is
   the sum over i of word[i] * 2^(32 i - 2162); words, count and flags are as in
   kernels/superaccumulator.h.  The lowest bit is chosen so that the words of a
   superaccumulator and these begin at the same bits, so that one is added to the other word by
   word.  A sum of 2^64 products is less than 2^2112, and the last word begins at 2^2094.  */
#define GT_PRODUCT_WORDS 134
#define GT_PRODUCT_LOWEST (-2162)
/* The word with the same weight as word 0 of a struct gt_superaccumulator.  */
#define GT_PRODUCT_OFFSET ((GT_SUPER_LOWEST - GT_PRODUCT_LOWEST) / 32)

/* An empty sum is all zeros.  */
struct gt_product_accumulator
{
  int64_t word[GT_PRODUCT_WORDS];
  uint32_t count;
  uint32_t flags;
};

/* Adds FROM to INTO; they may be the same.  */
GT_SUPER void
gt_product_merge (struct gt_product_accumulator *into,
                  const struct gt_product_accumulator *from)
{
  gt_super_add_words (into->word, from->word, GT_PRODUCT_WORDS);
  into->flags |= from->flags;
  gt_super_note (into->word, GT_PRODUCT_WORDS, &into->count, from->count);
}

/* Negates it.  */
GT_SUPER void
gt_product_negate (struct gt_product_accumulator *acc)
{
  const uint32_t infinities = acc->flags & (GT_SUPER_PLUS_INFINITY | GT_SUPER_MINUS_INFINITY);

  for (int k = 0; k < GT_PRODUCT_WORDS; k++)
    acc->word[k] = -acc->word[k];
  if (infinities == GT_SUPER_PLUS_INFINITY || infinities == GT_SUPER_MINUS_INFINITY)
    acc->flags ^= GT_SUPER_PLUS_INFINITY | GT_SUPER_MINUS_INFINITY;
}

/* ---------------------------------------------------- Cutting into digits
   The significands of two doubles are multiplied as integers, so that no product overflows,
   underflows or is rounded.  It has at most 106 bits.  Shifted by at most 31, it is divided
   into five digits below 2^32 with the same sign, so a product changes a word no more than a
   number does and counts as one addend.  */

/* The addend of a product: digit[k] is added to word[first + k].  */
struct gt_product_digits
{
  int first;
  int64_t digit[5];
};

/* Returns the upper half of a product.  */
GT_SUPER uint64_t
gt_product_high (uint64_t a, uint64_t b)
{
#if defined __CUDA_ARCH__
  return __umul64hi (a, b);
#else
  __extension__ typedef unsigned __int128 bits128;

  return (uint64_t) ((bits128) a * b >> 64);
#endif
}

/* Returns the flag of a product with a factor that is not finite: 0 times infinity is NaN.  */
GT_SUPER uint32_t
gt_product_flag (const struct gt_factor *x, const struct gt_factor *y)
{
  const int x_counts = (x->significand != 0) == x->finite;
  const int y_counts = (y->significand != 0) == y->finite;

  return gt_super_flag (!(x_counts && y_counts), x->negative ^ y->negative);
}

/* Cuts X Y into digits.  Returns 0, or the flag of a product that has no digits; then *digits
   is undefined.  */
GT_SUPER uint32_t
gt_product_cut (const struct gt_factor *x, const struct gt_factor *y,
                struct gt_product_digits *digits)
{
  const int position = x->position + y->position
                       + 2 * GT_SUPER_LOWEST - GT_PRODUCT_LOWEST;
  const int negative = x->negative ^ y->negative;
  struct gt_super_digits low, high;

  if (!(x->finite & y->finite))
    return gt_product_flag (x, y);
  low = gt_super_cut (x->significand * y->significand, negative, position);
  high = gt_super_cut (gt_product_high (x->significand, y->significand),
                       negative, position + 64);
  digits->first = low.first;
  digits->digit[0] = low.digit[0];
  digits->digit[1] = low.digit[1];
  digits->digit[2] = low.digit[2] + high.digit[0];
  digits->digit[3] = high.digit[1];
  digits->digit[4] = high.digit[2];
  return 0;
}

/* ----------------------------------------------------------------- Adding */

/* Adds X Y. The caller counts the addend (gt_super_note).  */
GT_SUPER void
gt_product_put_f64 (struct gt_product_accumulator *acc, double x, double y)
{
  const struct gt_factor a = gt_factor_f64 (x), b = gt_factor_f64 (y);
  struct gt_product_digits digits;
  const uint32_t flag = gt_product_cut (&a, &b, &digits);

  if (flag)
    acc->flags |= flag;
  else
    for (int k = 0; k < 5; k++)
      acc->word[digits.first + k] += digits.digit[k];
}

#endif
