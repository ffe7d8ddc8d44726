/* Product accumulators on the CPU: arrays of numbers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/wide/long_double.h"
#include "kernels/cpu/wide/products.h"

_Static_assert (32 * GT_PRODUCT_OFFSET == GT_SUPER_LOWEST - GT_PRODUCT_LOWEST,
                "words of both accumulators must meet");
_Static_assert ((GT_SUPER_LOWEST - GT_WIDE_PRODUCT_LOWEST) % 32 == 0
                  && (GT_PRODUCT_LOWEST - GT_WIDE_PRODUCT_LOWEST) % 32 == 0
                  && (GT_WIDE_LOWEST - GT_WIDE_PRODUCT_LOWEST) % 32 == 0,
                "words of all accumulators must meet");

/* Products between two notes.  */
#define RUN ((size_t) GT_SUPER_LIMIT / 2)

#define ADD_ARRAY(suffix, ctype)                                            \
  void                                                                      \
  gt_product_add_array_##suffix (struct gt_product_accumulator *acc,        \
                                 const ctype *x, size_t x_stride,           \
                                 const ctype *y, size_t y_stride, size_t n) \
  {                                                                         \
    for (size_t i = 0, end; i < n; i = end)                                 \
      {                                                                     \
        end = n - i < RUN ? n : i + RUN;                                    \
        for (size_t k = i; k < end; k++)                                    \
          gt_product_put_##suffix (acc, x[k * x_stride], y[k * y_stride]);  \
        gt_product_noted (acc, (uint32_t) (end - i));                       \
      }                                                                     \
  }
ADD_ARRAY (f64, double)
ADD_ARRAY (f32, float)

/* ------------------------------------------------------------ Long double */

#define WORDS (2 * GT_LDBL_WORDS)

__extension__ typedef unsigned __int128 bits128;

/* The product of two significands.  */
static inline void
multiply (uint64_t *product, const uint64_t *x, const uint64_t *y)
{
  for (int i = 0; i < WORDS; i++)
    product[i] = 0;
  for (int i = 0; i < GT_LDBL_WORDS; i++)
    {
      uint64_t carry = 0;

      for (int k = 0; k < GT_LDBL_WORDS; k++)
        {
          const bits128 sum = (bits128) x[i] * y[k] + product[i + k] + carry;

          product[i + k] = (uint64_t) sum;
          carry = (uint64_t) (sum >> 64);
        }
      product[i + GT_LDBL_WORDS] = carry;
    }
}

/* As gt_product_flag.  */
static uint32_t
flag_of (const struct gt_long_factor *x, const struct gt_long_factor *y)
{
  const int x_counts = gt_long_is_zero (x) != x->finite;
  const int y_counts = gt_long_is_zero (y) != y->finite;

  return gt_super_flag (!(x_counts && y_counts), x->negative ^ y->negative);
}

/* Digits of neighbouring words of the product do not overlap where they fill
   one word together, so a product changes a word by less than 2^32.  */
static void
put_product (struct gt_wide_products *acc, const long double *x,
             const long double *y)
{
  const struct gt_long_factor a = gt_long_factor_of (x);
  const struct gt_long_factor b = gt_long_factor_of (y);
  const int negative = a.negative ^ b.negative;
  const int position = a.position + b.position + 2 * GT_LDBL_LOWEST
                       - GT_WIDE_PRODUCT_LOWEST;
  uint64_t product[WORDS];

  if (!(a.finite & b.finite))
    {
      acc->flags |= flag_of (&a, &b);
      return;
    }
  multiply (product, a.significand, b.significand);
  for (int i = 0; i < WORDS; i++)
    {
      const struct gt_super_digits digits
        = gt_super_cut (product[i], negative, position + 64 * i);

      for (int k = 0; k < 3; k++)
        acc->word[digits.first + k] += digits.digit[k];
    }
}

static void
noted (struct gt_wide_products *acc, uint32_t k)
{
  gt_super_note (acc->word, GT_WIDE_PRODUCT_WORDS, &acc->count, k);
}

void
gt_wide_products_add_array (struct gt_wide_products *acc, const long double *x,
                            size_t x_stride, const long double *y,
                            size_t y_stride, size_t n)
{
  for (size_t i = 0, end; i < n; i = end)
    {
      end = n - i < RUN ? n : i + RUN;
      for (size_t k = i; k < end; k++)
        put_product (acc, &x[k * x_stride], &y[k * y_stride]);
      noted (acc, (uint32_t) (end - i));
    }
}

void
gt_wide_products_merge (struct gt_wide_products *into, const int64_t *word,
                        int n, int lowest, uint32_t count, uint32_t flags)
{
  int64_t *to = into->word + GT_WIDE_PRODUCT_OFFSET (lowest);

  for (int i = 0; i < n; i++)
    to[i] += word[i];
  into->flags |= flags;
  noted (into, count);
}

void
gt_wide_products_normalise (struct gt_wide_products *acc)
{
  gt_super_carry (acc->word, GT_WIDE_PRODUCT_WORDS);
  acc->count = 1;
}

double
gt_wide_products_round (struct gt_wide_products *acc)
{
  uint64_t bits;
  double x;

  gt_wide_products_normalise (acc);
  bits = gt_super_encode (acc->word, GT_WIDE_PRODUCT_WORDS, acc->flags,
                          -1074 - GT_WIDE_PRODUCT_LOWEST, 53,
                          GT_SUPER_INFINITY_F64);
  memcpy (&x, &bits, sizeof x);
  return x;
}

float
gt_wide_products_round_float (struct gt_wide_products *acc)
{
  uint32_t bits;
  float x;

  gt_wide_products_normalise (acc);
  bits = (uint32_t) gt_super_encode (acc->word, GT_WIDE_PRODUCT_WORDS,
                                     acc->flags, -149 - GT_WIDE_PRODUCT_LOWEST,
                                     24, GT_SUPER_INFINITY_F32);
  memcpy (&x, &bits, sizeof x);
  return x;
}

long double
gt_wide_products_round_long_double (struct gt_wide_products *acc)
{
  gt_wide_products_normalise (acc);
  return gt_long_encode (acc->word, GT_WIDE_PRODUCT_WORDS, acc->flags,
                         GT_LDBL_LOWEST - GT_WIDE_PRODUCT_LOWEST);
}
