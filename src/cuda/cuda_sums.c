/* What exact sums, and several sums at once, bring from a GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_sums.h"

#include "kernels/cpu/sums/sums.h"

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

/* The N words of a sum as they were delivered (struct gt_exact_result), normalised; 0 if
   they are beyond what a sum's can be, before or after: the last one's limit is that of
   rounding (kernels/superaccumulator.h).  */
static int
normalise (int64_t *word, int n)
{
  const int64_t most = (int64_t) 1 << 62, last = (int64_t) 1 << 31;

  for (int i = 0; i < n; i++)
    if (word[i] < -most || word[i] > most)
      return 0;
  gt_super_carry (word, n);
  return -last < word[n - 1] && word[n - 1] < last;
}

static int
take_plain (const int64_t *delivered, struct gt_superaccumulator *acc)
{
  memcpy (acc->word, delivered, sizeof acc->word);
  acc->flags = (uint32_t) delivered[GT_SUPER_WORDS];
  acc->count = 1;
  return normalise (acc->word, GT_SUPER_WORDS);
}

static int
take_product (const int64_t *delivered, struct gt_product_accumulator *acc)
{
  memcpy (acc->word, delivered, sizeof acc->word);
  acc->flags = (uint32_t) delivered[GT_PRODUCT_WORDS];
  acc->count = 1;
  return normalise (acc->word, GT_PRODUCT_WORDS);
}

/* The flags of the first of several come behind its words.  */
static int
gave_up (const struct gt_reduction_info *info, const int64_t *delivered)
{
  const int n = info->plain ? GT_SUPER_WORDS : GT_PRODUCT_WORDS;

  return ((uint32_t) delivered[n] & GT_EXACT_GAVE_UP) != 0;
}

enum gt_taken_exact
gt_sums_take_exact (const struct gt_problem *problem,
                    const int64_t *delivered, union gt_value *value)
{
  const struct gt_reduction_info *info = &gt_reductions[problem->reduction];
  int is_good = 1;

  if (!gt_reduction_sums (problem->reduction))
    {
      is_good = take_plain (delivered, &value->super);
      return value->super.flags & GT_EXACT_GAVE_UP ? GT_TAKEN_GAVE_UP
             : is_good                             ? GT_TAKEN
                                                   : GT_TAKEN_NO_SUM;
    }
  if (gave_up (info, delivered))
    return GT_TAKEN_GAVE_UP;
  for (unsigned k = 0; k < info->plain; k++, delivered += GT_EXACT_WORDS)
    is_good &= take_plain (delivered, &value->exact.plain[k]);
  if (info->products)
    is_good &= take_product (delivered, &value->exact.product);
  return is_good ? GT_TAKEN : GT_TAKEN_NO_SUM;
}
