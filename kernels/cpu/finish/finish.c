/* Exact sums, finished.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>

#include "kernels/cpu/finish/finish.h"
#include "kernels/whole.h"

double
gt_special_sum (uint32_t flags)
{
  return gt_super_is_nan (flags)           ? (double) NAN
         : flags == GT_SUPER_PLUS_INFINITY ? (double) INFINITY
                                           : (double) -INFINITY;
}

/* ------------------------------------------------------------- Sums of products */

/* Returns the ratio that such a sum is, or if ROOT is 1 the root of that, by way of SUM and ROOM.  */
static struct gt_ratio
product_ratio (const struct gt_product_accumulator *acc, int root,
               uint64_t room[GT_PRODUCT_WORDS / 2 + 1], struct gt_whole *sum)
{
  *sum = gt_whole_from_super (room, acc->word, GT_PRODUCT_WORDS);
  return (struct gt_ratio) {sum, NULL, GT_PRODUCT_LOWEST, root, sum->negative};
}

double
gt_finish_product (const struct gt_product_accumulator *acc, int root)
{
  uint64_t room[GT_PRODUCT_WORDS / 2 + 1];
  struct gt_whole sum;
  const struct gt_ratio ratio = product_ratio (acc, root, room, &sum);

  return acc->flags ? gt_special_sum (acc->flags) : gt_ratio_round (&ratio);
}

float
gt_finish_product_float (const struct gt_product_accumulator *acc, int root)
{
  uint64_t room[GT_PRODUCT_WORDS / 2 + 1];
  struct gt_whole sum;
  const struct gt_ratio ratio = product_ratio (acc, root, room, &sum);

  return acc->flags ? (float) gt_special_sum (acc->flags) : gt_ratio_round_float (&ratio);
}

float
gt_finish_dot_plus_float (const struct gt_product_accumulator *acc, float alpha)
{
  struct gt_product_accumulator sum = *acc;
  const struct gt_product_factor a = gt_product_factor_f32 (alpha);
  const struct gt_product_factor one = gt_product_factor_f32 (1);

  gt_product_put (&sum, &a, &one);
  gt_product_noted (&sum, 1);
  return gt_finish_product_float (&sum, 0);
}

/* ------------------------------------------------------------------ Means */

/* Returns the mean of N elements whose sum is S in units of 2^UNIT.  */
static double
whole_mean (const struct gt_whole *s, int unit, uint64_t n)
{
  uint64_t room[2];
  const struct gt_whole count = gt_whole_from_product (room, n, 1);

  if (n == 0)
    return 0;
  return gt_ratio_round (&(struct gt_ratio) {s, n > 1 ? &count : NULL, unit, 0, s->negative});
}

double
gt_finish_mean (const struct gt_superaccumulator *s, uint64_t n)
{
  uint64_t room[GT_SUPER_WORDS / 2 + 1];
  const struct gt_whole sum = gt_whole_from_super (room, s->word, GT_SUPER_WORDS);

  return s->flags ? gt_special_sum (s->flags) : whole_mean (&sum, GT_SUPER_LOWEST, n);
}

double
gt_finish_integer_mean (const struct gt_integer_sums *sums, uint64_t n)
{
  uint64_t room[2];
  const struct gt_whole sum = gt_whole_from_words (room, sums->plain[0], 2);

  return whole_mean (&sum, 0, n);
}
