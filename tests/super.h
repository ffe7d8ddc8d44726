/* Superaccumulators filled one number at a time.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_SUPER_H
#define GT_TEST_SUPER_H

#include "kernels/superaccumulator.h"

static inline void
super_clear (struct gt_superaccumulator *acc)
{
  memset (acc, 0, sizeof *acc);
}

/* Adds X, of which a float is a double, too.  */
static inline void
super_add (struct gt_superaccumulator *acc, double x)
{
  struct gt_super_digits digits;
  const uint32_t flag = gt_super_cut_factor (gt_factor_f64 (x), &digits);

  acc->flags |= flag;
  for (int k = 0; flag == 0 && k < 3; k++)
    acc->word[digits.first + k] += digits.digit[k];
  gt_super_note (acc->word, GT_SUPER_WORDS, &acc->count, 1);
}

/* Afterwards equal values have equal words.  */
static inline void
super_normalise (struct gt_superaccumulator *acc)
{
  gt_super_carry (acc->word, GT_SUPER_WORDS);
  acc->count = 1;
}

#endif
