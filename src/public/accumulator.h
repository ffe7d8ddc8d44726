/* The members of an accumulator.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PUBLIC_ACCUMULATOR_H
#define GT_PUBLIC_ACCUMULATOR_H

#include "kernels/cpu/wide/products.h"
#include "src/gsltune.h"

/* The sum is that of all parts.  Those but the first are long, and looked at
   only once something has come that goes there (USES).  */
struct gsltune_accumulator_struct
{
  struct gt_superaccumulator narrow;       /* numbers */
  struct gt_product_accumulator products;  /* products of two */
  struct gt_wide_superaccumulator wide;    /* long doubles */
  struct gt_wide_products wide_products;   /* products of two */
  unsigned uses;
};

enum gt_acc_part
{
  GT_ACC_NARROW,
  GT_ACC_PRODUCTS,
  GT_ACC_WIDE,
  GT_ACC_WIDE_PRODUCTS,
  GT_N_ACC_PARTS
};

static inline int
gt_acc_uses (const gsltune_accumulator *acc, enum gt_acc_part part)
{
  return part == GT_ACC_NARROW || acc->uses >> part & 1;
}

static inline int
gt_acc_is_wide (const gsltune_accumulator *acc)
{
  return gt_acc_uses (acc, GT_ACC_WIDE)
         || gt_acc_uses (acc, GT_ACC_WIDE_PRODUCTS);
}

/* The members of PART of ACC.  */
struct gt_acc_words
{
  int64_t *word;
  uint32_t *count, *flags;
};
struct gt_acc_words gt_acc_words_of (gsltune_accumulator *acc,
                                     enum gt_acc_part part);

/* Adds to ALL, which is cleared first, what all parts of ACC hold.  */
void gt_acc_gather (struct gt_wide_products *all,
                    const gsltune_accumulator *acc);

/* Its products and numbers, but long doubles.  */
struct gt_product_accumulator
gt_acc_both (const gsltune_accumulator *acc);

/* Where the words of each part lie.  */
struct gt_acc_shape
{
  int n, lowest; /* words, the exponent of the lowest bit */
};
extern const struct gt_acc_shape gt_acc_shapes[GT_N_ACC_PARTS];

#endif
