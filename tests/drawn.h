/* Elements of all kinds that are hard for sums and statistics, drawn from a seed.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TESTS_DRAWN_H
#define GT_TESTS_DRAWN_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/types.h"
#include "tests/exact.h"

/* The ordinary ones first.  */
enum kind
{
  AROUND_ZERO, FEW_VALUES, TWO_VALUES, SYMMETRIC, MANY_SIZES, FAR, STRAYS, WHOLE, LONG_TAIL, ONE_GREAT,
  N_ORDINARY,
  VERY_FAR = N_ORDINARY, ALL_SIZES, HUGE_ONES, TINY, SUBNORMAL, EQUAL, OUTLIER, TOP,
  CANCELLING, A_UNIT_APART, ONE_APART, ALL_DIGITS, OF_ZEROS, LARGEST_ONES, HALFWAY,
  NEAR_ROOTS, BESIDE_POWERS, N_FINITE,
  SPECIAL = N_FINITE, N_KINDS
};

enum weights
{
  ORDINARY, ONES, DOMINATED, BARELY_DOMINATED, LARGEST, TINIEST, HOLES, OF_MANY_SIZES,
  OF_ALL_SIZES, SINGLE, A_GIANT, N_WEIGHTS
};

/* A number in [0, 1), and one below LIMIT.  */
static inline long double
fraction (uint64_t *seed)
{
  return (long double) (random_word (seed) >> 11) * 0x1p-53L;
}

static inline int
below (uint64_t *seed, int limit)
{
  return (int) (random_word (seed) % (uint64_t) limit);
}

/* From 1 to MOST, all sizes as often.  */
size_t draw_length (size_t most, uint64_t *seed);

/* N elements of TYPE, STRIDE apart; what lies between them is NaN, or nothing that adds up.  */
void draw_elements (enum gt_element_type type, void *to, size_t stride, size_t n, enum kind kind,
                    uint64_t *seed);
/* Weights; of integers, which have none, elements.  */
void draw_weights (enum gt_element_type type, void *to, size_t stride, size_t n,
                   enum weights kind, uint64_t *seed);
/* N elements that follow those of X.  */
void draw_followers (enum gt_element_type type, void *to, size_t stride, const void *x, size_t xs,
                     size_t n, uint64_t *seed);

/* A mean and a deviation, which is not 0, to be given, near to elements or far from them.  */
void draw_given (enum gt_element_type type, const void *x, size_t stride, size_t n,
                 double given[2], uint64_t *seed);

#endif
