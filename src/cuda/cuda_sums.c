/* What exact sums, and several sums at once, bring from a GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_sums.h"

#include "kernels/cpu/sums.h"

/* Adds X * 2^BY to COUNT words, which wrap; or takes it off.  */
static void
add_shifted (uint64_t *words, unsigned count, uint64_t x, unsigned by,
             int minus)
{
  const unsigned first = by / 64, bits = by % 64;
  const uint64_t part[2] = {x << bits, bits ? x >> (64 - bits) : 0};
  unsigned carry = 0;

  for (unsigned i = first; i < count; i++)
    {
      const uint64_t y = i - first < 2 ? part[i - first] : 0, old = words[i];

      words[i] = minus ? old - y - carry : old + y + carry;
      carry = minus ? old < y || (carry && old == y)
                    : words[i] < old || (carry && words[i] == old);
    }
}

/* Sums of N integers to which 2^BIT was added each: takes that off.  Products first,
   in terms of the sums as they are:
   (x - b) (y - b) = x y - b (x + y) + b^2.  */
static void
take_off_bias (const struct gt_reduction_info *info, uint64_t n, unsigned bit,
               struct gt_integer_sums *sums)
{
  const uint64_t (*plain)[2] = (const uint64_t (*)[2]) sums->plain;

  for (unsigned k = 0; k < 2 && info->products; k++)
    for (unsigned word = 0; word < 2; word++)
      add_shifted (sums->product, 3, plain[k < info->plain ? k : 0][word],
                   bit + 64 * word, 1);
  if (info->products)
    add_shifted (sums->product, 3, n, 2 * bit, 0);
  for (unsigned k = 0; k < info->plain; k++)
    add_shifted (sums->plain[k], 2, n, bit, 1);
}

static void
take_integers (const struct gt_problem *problem,
               const union gt_partial *delivered,
               struct gt_integer_sums *integers)
{
  const struct gt_reduction_info *info = &gt_reductions[problem->reduction];

  memset (integers, 0, sizeof *integers);
  for (unsigned k = 0; k < info->plain; k++)
    memcpy (integers->plain[k], delivered[k].u64, sizeof integers->plain[k]);
  if (info->products)
    memcpy (integers->product, delivered[info->plain].u64,
            sizeof integers->product);
  if (problem->arithmetic >= GT_N_SIGNLESS)
    take_off_bias (info, problem->n,
                   8 * (unsigned) gt_element_size (problem->arithmetic) - 1,
                   integers);
}

void
gt_sums_take (const struct gt_problem *problem,
              const union gt_partial *delivered, union gt_value *value)
{
  const struct gt_reduction_info *info = &gt_reductions[problem->reduction];

  if (gt_sums_are_integers (problem))
    {
      take_integers (problem, delivered, &value->integers);
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
