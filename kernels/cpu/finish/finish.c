/* Exact sums, finished.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>

#include "kernels/cpu/finish/finish.h"
#include "kernels/whole.h"

/* Words of a sum of elements, and of one of products.  */
#define PLAIN (GT_SUPER_WORDS / 2 + 2)
#define PRODUCT (GT_PRODUCT_WORDS / 2 + 3)

/* The sum of elements in units of 2^-1074.  */
static struct gt_whole
plain_of (uint64_t *room, const struct gt_superaccumulator *acc)
{
  return gt_whole_from_super (room, acc->word, GT_SUPER_WORDS);
}

/* The sum of products in units of 2^-2148.  */
static struct gt_whole
product_of (uint64_t *room, const struct gt_product_accumulator *acc)
{
  struct gt_whole product
    = gt_whole_from_super (room, acc->word, GT_PRODUCT_WORDS);

  gt_whole_shift (&product, GT_PRODUCT_LOWEST - 2 * GT_SUPER_LOWEST);
  return product;
}

double
gt_special_sum (uint32_t flags)
{
  return gt_super_is_nan (flags)           ? (double) NAN
         : flags == GT_SUPER_PLUS_INFINITY ? (double) INFINITY
                                           : (double) -INFINITY;
}

/* The mean of N elements whose sum is S in units of 2^UNIT.  0 of none.  */
static double
whole_mean (const struct gt_whole *s, int unit, uint64_t n)
{
  uint64_t room[2];
  const struct gt_whole count = gt_whole_from_product (room, n, 1);

  if (n == 0)
    return 0;
  return gt_ratio_round (&(struct gt_ratio) {s, &count, unit, 0, s->negative});
}

/* ----------------------------------------------------- Sums, roots and means */

static struct gt_ratio
plain_ratio (const struct gt_whole *sum, int root)
{
  return (struct gt_ratio) {
    sum, NULL, 2 * GT_SUPER_LOWEST, root, sum->negative
  };
}

static double
round_product (const struct gt_product_accumulator *acc, int root)
{
  uint64_t room[PRODUCT];
  struct gt_whole sum;
  struct gt_ratio ratio;

  if (acc->flags)
    return gt_special_sum (acc->flags);
  sum = product_of (room, acc);
  ratio = plain_ratio (&sum, root);
  return gt_ratio_round (&ratio);
}

static float
round_product_float (const struct gt_product_accumulator *acc, int root)
{
  uint64_t room[PRODUCT];
  struct gt_whole sum;
  struct gt_ratio ratio;

  if (acc->flags)
    return (float) gt_special_sum (acc->flags);
  sum = product_of (room, acc);
  ratio = plain_ratio (&sum, root);
  return gt_ratio_round_float (&ratio);
}

double
gt_finish_dot (const struct gt_product_accumulator *p)
{
  return round_product (p, 0);
}

double
gt_finish_norm (const struct gt_product_accumulator *q)
{
  return round_product (q, 1);
}

float
gt_finish_norm_float (const struct gt_product_accumulator *q)
{
  return round_product_float (q, 1);
}

float
gt_finish_dot_plus_float (const struct gt_product_accumulator *p, float alpha)
{
  struct gt_product_accumulator sum = *p;
  const struct gt_product_factor a = gt_product_factor_f32 (alpha);
  const struct gt_product_factor one = gt_product_factor_f32 (1);

  gt_product_put (&sum, &a, &one);
  gt_product_noted (&sum, 1);
  return round_product_float (&sum, 0);
}

double
gt_finish_mean (const struct gt_superaccumulator *s, uint64_t n)
{
  uint64_t room[PLAIN];
  struct gt_whole sum;

  if (s->flags)
    return gt_special_sum (s->flags);
  sum = plain_of (room, s);
  return whole_mean (&sum, GT_SUPER_LOWEST, n);
}

double
gt_finish_integer_mean (const struct gt_integer_sums *sums, uint64_t n)
{
  uint64_t room[2];
  const struct gt_whole sum = gt_whole_from_words (room, sums->plain[0], 2);

  return whole_mean (&sum, 0, n);
}
