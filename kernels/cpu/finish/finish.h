/* Finishes exact sums: makes of states that nothing has rounded the one number
   that is nearest to a function's exact value.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_FINISH_H
#define GT_KERNELS_CPU_FINISH_H

#include "kernels/superaccumulator.h"
#include "kernels/types.h"

/* States are left as they are.  It is all integer arithmetic of the words that are not 0, on the
   stack; nothing is allocated and nothing fails.  Every result is rounded once, to nearest, ties to
   even:  an exact zero is +0, what underflows keeps its sign, what overflows is infinite.  Elements
   that are NaN make every result NaN; with infinities it is the sum of the infinite terms, whatever
   else there is.  No elements give 0.  */

/* Return a sum of products, or if ROOT is 1 its square root.  */
double gt_finish_product (const struct gt_product_accumulator *acc, int root);
float gt_finish_product_float (const struct gt_product_accumulator *acc, int root);

/* Returns ALPHA plus a sum of products.  */
float gt_finish_dot_plus_float (const struct gt_product_accumulator *acc, float alpha);

/* Return the mean of N elements, or a sum of floats.  */
double gt_finish_mean (const struct gt_superaccumulator *s, uint64_t n);
float gt_finish_float (const struct gt_superaccumulator *s);

/* Returns the mean of N integers, whose sum has 2 or 3 words in two's complement.  */
double gt_finish_integer_mean (const uint64_t *word, int words, uint64_t n);

/* Returns the sum of N words of 32 bits, the lowest bit of which is 2^UNIT.  */
long double gt_finish_long_double (const int64_t *word, int n, int unit, uint32_t flags);

/* The sum of numbers that FLAGS say are not finite, which is not nothing.  */
double gt_special_sum (uint32_t flags);

#endif
