/* Values that are several sums at once: merging, and rounding for tests that compare them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/sums/sums.h"

#include <math.h>
#include <string.h>

#include "kernels/cpu/finish/finish.h"
#include "kernels/cpu/sums/combine.h"
#include "kernels/cpu/wide/two_sum.h"

/* Adds COUNT words of 64 bits, modulo 2^(64 COUNT).  */
static void
add_words (uint64_t *into, const uint64_t *from, unsigned count)
{
  unsigned carry = 0;

  for (unsigned i = 0; i < count; i++)
    {
      uint64_t sum;
      const unsigned over = __builtin_add_overflow (into[i], from[i], &sum);

      carry = over + __builtin_add_overflow (sum, (uint64_t) carry, &into[i]);
    }
}

static void
merge_integers (struct gt_integer_sums *into,
                const struct gt_integer_sums *from)
{
  for (unsigned k = 0; k < 2; k++)
    add_words (into->plain[k], from->plain[k], 2);
  add_words (into->product, from->product, 3);
}

static void
merge_exact (enum gt_reduction reduction, struct gt_exact_sums *into,
             const struct gt_exact_sums *from)
{
  for (unsigned k = 0; k < gt_reductions[reduction].plain; k++)
    gt_super_merge (&into->plain[k], &from->plain[k]);
  if (gt_reductions[reduction].products)
    gt_product_merge (&into->product, &from->product);
}

void
gt_sums_clear_exact (enum gt_reduction reduction, struct gt_exact_sums *sums)
{
  for (unsigned k = 0; k < gt_reductions[reduction].plain; k++)
    memset (&sums->plain[k], 0, sizeof sums->plain[k]);
  if (gt_reductions[reduction].products)
    memset (&sums->product, 0, sizeof sums->product);
}

static unsigned
count_of (enum gt_reduction reduction)
{
  return gt_reductions[reduction].plain + gt_reductions[reduction].products;
}

void
gt_sums_merge (const struct gt_problem *problem, union gt_value *into,
               const union gt_value *from)
{
  const unsigned count = count_of (problem->reduction);

  if (gt_sums_are_integers (problem))
    merge_integers (&into->integers, &from->integers);
  else if (problem->mode == GT_MODE_EXACT)
    merge_exact (problem->reduction, &into->exact, &from->exact);
  else
    for (unsigned k = 0; k < count; k++)
      {
        into->sums.c[k] += from->sums.c[k];
        GT_TWO_SUM (double, into->sums.s[k], into->sums.c[k],
                    from->sums.s[k]);
      }
}

/* ---------------------------------------------------------------- Rounding */

double
gt_value_sum (const struct gt_problem *problem, const union gt_value *value,
              unsigned k)
{
  const unsigned plain = gt_reductions[problem->reduction].plain;

  if (gt_sums_are_integers (problem))
    return k < plain ? gt_finish_integer_mean (value->integers.plain[k], 2, 1)
                     : gt_finish_integer_mean (value->integers.product, 3, 1);
  if (problem->mode == GT_MODE_EXACT)
    return k < plain ? gt_finish_mean (&value->exact.plain[k], 1).f64
                     : gt_finish_product (&value->exact.product, 0).f64;
  return isfinite (value->sums.s[k]) ? value->sums.s[k] + value->sums.c[k]
                                     : value->sums.s[k];
}
