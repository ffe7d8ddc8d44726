/* Finishes exact sums: rounds an unrounded state to the number that is nearest to a function's
   exact value.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_FINISH_H
#define GT_KERNELS_CPU_FINISH_H

#include "kernels/statistics.h"
#include "kernels/types.h"

/* The states are not changed.  All arithmetic is integer arithmetic with the words that are
   not 0, on the stack; nothing is allocated and nothing fails.  Every result is rounded once,
   to nearest, ties to even: an exact zero is +0, a result that underflows keeps its sign, a
   result that overflows is infinite.  If an element is NaN, every result is NaN; if there are
   infinities, the result is the sum of the infinite terms.  An empty sum is 0.  */

/* A result rounded to each type.  */
struct gt_finished
{
  double f64;
  float f32;
};

/* Returns a sum over COUNT, or if ROOT is 1 the square root of a sum.  */
struct gt_finished gt_finish (struct gt_power_sum sum, uint32_t flags, uint64_t count, int root);

static inline struct gt_finished
gt_finish_product (const struct gt_product_accumulator *acc, int root)
{
  const struct gt_power_sum sum = {(int64_t *) acc->word, GT_PRODUCT_WORDS, GT_PRODUCT_LOWEST};

  return gt_finish (sum, acc->flags, 1, root);
}

static inline struct gt_finished
gt_finish_mean (const struct gt_superaccumulator *acc, uint64_t n)
{
  const struct gt_power_sum sum = {(int64_t *) acc->word, GT_SUPER_WORDS, GT_SUPER_LOWEST};

  return gt_finish (sum, acc->flags, n, 0);
}

/* Returns ALPHA plus a sum of products.  */
float gt_finish_dot_plus_float (const struct gt_product_accumulator *acc, float alpha);

/* Returns the mean of N integers, whose sum has 2 or 3 words in two's complement.  */
double gt_finish_integer_mean (const uint64_t *word, int words, uint64_t n);

long double gt_finish_long_double (struct gt_power_sum sum, uint32_t flags);

/* Returns the sum of the infinities and NaN in FLAGS, which is not 0.  */
double gt_special_sum (uint32_t flags);

#endif
