/* Product accumulators on the CPU: arrays of numbers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_PRODUCTS_H
#define GT_KERNELS_CPU_PRODUCTS_H

#include <stddef.h>

#include "kernels/cpu/wide/wide_superaccumulator.h"
#include "kernels/products.h"

/* Add the N products x[i * x_stride] y[i * y_stride], one after the other, of
   numbers of any size.  That is slow, and quicker ways are compared with
   it.  */
void gt_product_add_array_f64 (struct gt_product_accumulator *acc,
                               const double *x, size_t x_stride,
                               const double *y, size_t y_stride, size_t n);
void gt_product_add_array_f32 (struct gt_product_accumulator *acc,
                               const float *x, size_t x_stride,
                               const float *y, size_t y_stride, size_t n);

/* A product accumulator of the range of struct gt_wide_superaccumulator: the
   value is the sum over i of word[i] * 2^(32 i - 33010).  A product of two of
   those numbers is a multiple of 2^-32988 and less than bit 65778, a sum of
   2^64 of them less than bit 65842, and the last word begins at bit 65824.  All
   accumulators have words that begin at the same bits.  */
#define GT_WIDE_PRODUCT_WORDS 2058
#define GT_WIDE_PRODUCT_LOWEST (-33010)
/* The words that weigh as much as word 0 of each of the others.  */
#define GT_WIDE_PRODUCT_OFFSET(lowest) (((lowest) - GT_WIDE_PRODUCT_LOWEST) / 32)

struct gt_wide_products
{
  int64_t word[GT_WIDE_PRODUCT_WORDS];
  uint32_t count;
  uint32_t flags;
};

void gt_wide_products_add_array (struct gt_wide_products *acc,
                                 const long double *x, size_t x_stride,
                                 const long double *y, size_t y_stride,
                                 size_t n);

/* Adds N words, word 0 of which weighs 2^LOWEST, of an accumulator with COUNT
   and FLAGS.  */
void gt_wide_products_merge (struct gt_wide_products *into,
                             const int64_t *word, int n, int lowest,
                             uint32_t count, uint32_t flags);

void gt_wide_products_normalise (struct gt_wide_products *acc);

/* The sum, correctly rounded.  These normalise.  */
double gt_wide_products_round (struct gt_wide_products *acc);
float gt_wide_products_round_float (struct gt_wide_products *acc);
long double gt_wide_products_round_long_double (struct gt_wide_products *acc);

#endif
