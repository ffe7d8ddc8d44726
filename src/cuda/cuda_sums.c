/* What exact sums, and several sums at once, bring from a GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_sums.h"

#include "kernels/cpu/sums.h"

static void
take_integers (const struct gt_reduction_info *info,
               const union gt_partial *delivered,
               struct gt_integer_sums *integers)
{
  memset (integers, 0, sizeof *integers);
  for (unsigned k = 0; k < info->plain; k++)
    memcpy (integers->plain[k], delivered[k].u64, sizeof integers->plain[k]);
  if (info->products)
    memcpy (integers->product, delivered[info->plain].u64,
            sizeof integers->product);
}

void
gt_sums_take (const struct gt_problem *problem,
              const union gt_partial *delivered, union gt_value *value)
{
  const struct gt_reduction_info *info = &gt_reductions[problem->reduction];

  if (gt_sums_are_integers (problem))
    {
      take_integers (info, delivered, &value->integers);
      return;
    }
  for (unsigned k = 0; k < info->plain + info->products; k++)
    {
      value->sums.s[k] = delivered[k].f64[0];
      value->sums.c[k] = delivered[k].f64[1];
    }
}

/* A sum of nobody knows how many addends: as many as are allowed, until it is
   normalised.  Returns where the next begins.  */
static const int64_t *
take_plain (const int64_t *delivered, struct gt_superaccumulator *acc)
{
  memcpy (acc->word, delivered, sizeof acc->word);
  acc->flags = (uint32_t) delivered[GT_SUPER_WORDS];
  gt_super_normalise (acc);
  return delivered + GT_EXACT_WORDS;
}

static void
take_product (const int64_t *delivered, struct gt_product_accumulator *acc)
{
  memcpy (acc->word, delivered, sizeof acc->word);
  acc->flags = (uint32_t) delivered[GT_PRODUCT_WORDS];
  gt_product_normalise (acc);
}

int
gt_sums_take_exact (const struct gt_problem *problem,
                    const int64_t *delivered, union gt_value *value)
{
  const struct gt_reduction_info *info = &gt_reductions[problem->reduction];
  const int64_t *next = delivered;

  if (!gt_reduction_sums (problem->reduction))
    {
      take_plain (delivered, &value->super);
      return (value->super.flags & GT_EXACT_GAVE_UP) != 0;
    }
  for (unsigned k = 0; k < info->plain; k++)
    next = take_plain (next, &value->exact.plain[k]);
  if (info->products)
    take_product (next, &value->exact.product);
  return ((info->plain ? value->exact.plain[0].flags
                       : value->exact.product.flags)
          & GT_EXACT_GAVE_UP) != 0;
}
