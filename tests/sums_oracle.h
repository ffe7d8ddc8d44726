/* Several sums at once, one element after the other, in the plainest way: what
   kernels are compared with.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TESTS_SUMS_ORACLE_H
#define GT_TESTS_SUMS_ORACLE_H

#include "kernels/cpu/sums/sums.h"
#include "tests/exact.h"

/* ------------------------------------------------------------------- Terms */

/* The type of terms.  113 bits hold those of any doubles to more than twice the precision
   of a double; a double, which takes a hundredth of the time, holds those of small whole
   numbers.  */
#ifndef PLAIN_TERM
#define PLAIN_TERM __float128
#endif
#include "tests/plain_terms.h"
#include "tests/super.h"

/* The exact sum, and that of the magnitudes.  */
struct oracle_sum
{
  struct gt_superaccumulator sum;
  double magnitudes;
};

static inline void
oracle_add_terms (const struct gt_task *task, double x, double y,
                  struct oracle_sum sum[GT_MOST_SUMS])
{
  plain_term term[GT_MOST_SUMS];
  const unsigned count = gt_plain_terms (task, x, y, term);

  for (unsigned k = 0; k < count; k++)
    {
      const double leading = (double) term[k];

      super_add (&sum[k].sum, leading);
      super_add (&sum[k].sum, (double) (term[k] - leading));
      sum[k].magnitudes += fabs (leading);
    }
}

/* ---------------------------------------------------------------- Integers */

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

static inline int128
oracle_integer (enum gt_arithmetic arithmetic, const struct gt_operand *from, size_t i)
{
  switch (arithmetic)
    {
#define X(id, name, ctype, real) \
    case GT_##id:                \
      return ((const ctype *) from->data)[i * from->stride];
      GT_INTEGER_ARITHMETICS (X)
#undef X
    default:
      return 0;
    }
}

/* Sums of products as sums of their lower and their upper words.  */
static inline void
oracle_integers (const struct gt_task *task, struct gt_integer_sums *sums)
{
  const struct gt_problem *p = &task->problem;
  const struct gt_reduction_info *info = &gt_reductions[p->reduction];
  uint128 lower = 0;
  int128 plain[2] = {0, 0}, upper = 0;

  for (size_t i = 0; i < p->n; i++)
    {
      const int128 x = oracle_integer (p->arithmetic, &task->x, i);
      const int128 y = info->inputs == 2
                       ? oracle_integer (p->arithmetic, &task->y, i) : x;
      const uint128 product = (uint128) x * (uint128) y;
      const int negative = (x < 0) != (y < 0) && x != 0 && y != 0;

      plain[0] += x;
      plain[1] += y;
      lower += (uint64_t) product;
      upper += negative ? (int128) product >> 64 : (int128) (product >> 64);
    }
  memset (sums, 0, sizeof *sums);
  upper += (int128) (lower >> 64);
  for (unsigned k = 0; k < info->plain; k++)
    {
      sums->plain[k][0] = (uint64_t) plain[k];
      sums->plain[k][1] = (uint64_t) (plain[k] >> 64);
    }
  if (info->products)
    {
      sums->product[0] = (uint64_t) lower;
      sums->product[1] = (uint64_t) upper;
      sums->product[2] = (uint64_t) (upper >> 64);
    }
}

/* ------------------------------------------------------------------- Exact */

/* The significand of |X| and its exponent; zero has any.  */
static inline uint64_t
oracle_significand (double x, int *exponent)
{
  double fraction = frexp (fabs (x), exponent);

  *exponent -= 53;
  return (uint64_t) ldexp (fraction, 53);
}

/* Adds x y in pieces of a bit's place that is a multiple of 32.  */
static inline void
oracle_product (struct gt_product_accumulator *acc, double x, double y)
{
  int ex, ey, shift;
  unsigned __int128 p;
  uint64_t low, high, piece[5];

  if (!isfinite (x) || !isfinite (y))
    {
      acc->flags |= gt_super_flag (isnan (x * y) != 0, signbit (x * y) != 0);
      return;
    }
  p = (unsigned __int128) oracle_significand (x, &ex)
      * oracle_significand (y, &ey);
  if (p == 0)
    return;
  shift = ex + ey - GT_PRODUCT_LOWEST;
  while (shift < 0) /* subnormal: the last digits are zeros */
    {
      p >>= 1;
      shift++;
    }
  low = (uint64_t) p;
  high = (uint64_t) (p >> 64);
  piece[0] = (low & 0xffffffffu) << shift % 32;
  piece[1] = (low >> 32) << shift % 32;
  piece[2] = (high & 0xffffffffu) << shift % 32;
  piece[3] = (high >> 32) << shift % 32;
  for (int k = 0; k < 4; k++)
    for (int half = 0; half < 2; half++)
      {
        int64_t digit = (int64_t) (piece[k] >> 32 * half & 0xffffffffu);

        if (digit)
          acc->word[shift / 32 + k + half]
            += signbit (x) != signbit (y) ? -digit : digit;
      }
  gt_super_note (acc->word, GT_PRODUCT_WORDS, &acc->count, 2);
}

/* Of the one vector, or the two, the elements and their products.  */
static inline void
oracle_sums (const struct gt_task *task, struct gt_exact_sums *sums)
{
  const struct gt_problem *p = &task->problem;
  const struct gt_reduction_info *info = &gt_reductions[p->reduction];

  gt_sums_clear_exact (p->reduction, sums);
  for (size_t i = 0; i < p->n; i++)
    {
      double term[2];

      term[0] = term[1]
        = get_element (p->arithmetic, task->x.data, i * task->x.stride);
      if (info->inputs == 2)
        term[1]
          = get_element (p->arithmetic, task->y.data, i * task->y.stride);
      for (unsigned k = 0; k < info->plain; k++)
        super_add (&sums->plain[k], term[k]);
      if (info->products)
        oracle_product (&sums->product, term[0], term[1]);
    }
  for (unsigned k = 0; k < info->plain; k++)
    super_normalise (&sums->plain[k]);
  if (info->products)
    gt_super_carry (sums->product.word, GT_PRODUCT_WORDS);
}

/* Where there are flags, words mean nothing, and where there is a NaN, other flags.  */
static inline int
oracle_same_words (const int64_t *a, uint32_t a_flags, const int64_t *b,
                   uint32_t b_flags, size_t words)
{
  return (a_flags & b_flags & GT_SUPER_NAN)
         || (a_flags == b_flags && (a_flags || memcmp (a, b, words * sizeof *a) == 0));
}

/* Normalises A, and returns the first sum in which it and B, normalised, differ, or -1.  */
static inline int
oracle_differs (enum gt_reduction reduction, struct gt_exact_sums *a,
                const struct gt_exact_sums *b)
{
  const struct gt_reduction_info *info = &gt_reductions[reduction];

  for (unsigned k = 0; k < info->plain; k++)
    {
      super_normalise (&a->plain[k]);
      if (!oracle_same_words (a->plain[k].word, a->plain[k].flags,
                              b->plain[k].word, b->plain[k].flags, GT_SUPER_WORDS))
        return (int) k;
    }
  if (info->products == 0)
    return -1;
  gt_super_carry (a->product.word, GT_PRODUCT_WORDS);
  return oracle_same_words (a->product.word, a->product.flags,
                            b->product.word, b->product.flags, GT_PRODUCT_WORDS)
           ? -1 : (int) info->plain;
}

#endif
