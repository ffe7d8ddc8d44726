/* The product accumulator: an exact sum of products of two doubles, in fixed point.
   Read by the host's C and C++ compilers, by nvcc and by tests/softgpu.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_PRODUCTS_H
#define GT_KERNELS_PRODUCTS_H

#include "kernels/superaccumulator.h"

/* A product of two finite doubles is a whole multiple of 2^-2148 and less than
   2^2048.  The value is the sum over i of word[i] * 2^(32 i - 2162); what
   kernels/superaccumulator.h says of words, count and flags holds here too.  The
   lowest bit is chosen so that words of a superaccumulator and words of this begin
   at the same bits, and one is merged with the other word by word.  A sum of 2^64
   products is less than 2^2112, and the last word begins at 2^2094.  */
#define GT_PRODUCT_WORDS 134
#define GT_PRODUCT_LOWEST (-2162)
/* The word that weighs as much as word 0 of a struct gt_superaccumulator.  */
#define GT_PRODUCT_OFFSET ((GT_SUPER_LOWEST - GT_PRODUCT_LOWEST) / 32)

/* All zero is an empty sum.  */
struct gt_product_accumulator
{
  int64_t word[GT_PRODUCT_WORDS];
  uint32_t count;
  uint32_t flags;
};

/* Notes that K <= GT_SUPER_LIMIT addends have been put.  */
GT_SUPER void
gt_product_noted (struct gt_product_accumulator *acc, uint32_t k)
{
  gt_super_note (acc->word, GT_PRODUCT_WORDS, &acc->count, k);
}

GT_SUPER void
gt_product_clear (struct gt_product_accumulator *acc)
{
  memset (acc, 0, sizeof *acc);
}

/* Adds FROM to INTO; they may be the same.  */
GT_SUPER void
gt_product_merge (struct gt_product_accumulator *into,
                  const struct gt_product_accumulator *from)
{
  for (int i = 0; i < GT_PRODUCT_WORDS; i++)
    into->word[i] += from->word[i];
  into->flags |= from->flags;
  gt_product_noted (into, from->count);
}

/* Adds a sum of doubles.  */
GT_SUPER void
gt_product_merge_plain (struct gt_product_accumulator *into,
                        const struct gt_superaccumulator *from)
{
  for (int i = 0; i < GT_SUPER_WORDS; i++)
    into->word[GT_PRODUCT_OFFSET + i] += from->word[i];
  into->flags |= from->flags;
  gt_product_noted (into, from->count);
}

/* Afterwards equal values have equal words.  */
GT_SUPER void
gt_product_normalise (struct gt_product_accumulator *acc)
{
  gt_super_carry (acc->word, GT_PRODUCT_WORDS);
  acc->count = 1;
}

#endif
