/* Several exact sums at once, one element after the other, in the plainest way:
   what kernels are compared with.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TESTS_EXACT_SUMS_ORACLE_H
#define GT_TESTS_EXACT_SUMS_ORACLE_H

#include <math.h>

#include "kernels/cpu/sums/sums.h"

/* Element I of a vector, as a double.  */
static inline double
oracle_element (enum gt_arithmetic arithmetic, const void *data, size_t i)
{
  switch (arithmetic)
    {
#define X(id, name, ctype, real)                  \
    case GT_##id:                                 \
      return (double) ((const ctype *) data)[i];
      GT_ARITHMETICS (X)
#undef X
    default:
      return 0;
    }
}

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
  gt_product_noted (acc, 2);
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
        = oracle_element (p->arithmetic, task->x.data, i * task->x.stride);
      if (info->inputs == 2)
        term[1]
          = oracle_element (p->arithmetic, task->y.data, i * task->y.stride);
      for (unsigned k = 0; k < info->plain; k++)
        gt_super_add (&sums->plain[k], term[k]);
      if (info->products)
        oracle_product (&sums->product, term[0], term[1]);
    }
  for (unsigned k = 0; k < info->plain; k++)
    gt_super_normalise (&sums->plain[k]);
  if (info->products)
    gt_product_normalise (&sums->product);
}

/* Where there are flags, words mean nothing, and where there is a NaN, other flags.  */
static inline int
oracle_same_words (const int64_t *a, uint32_t a_flags, const int64_t *b,
                   uint32_t b_flags, size_t words)
{
  return (a_flags & b_flags & GT_SUPER_NAN)
         || (a_flags == b_flags
             && (a_flags || memcmp (a, b, words * sizeof *a) == 0));
}

/* Normalises A, and returns the first sum in which it and B, normalised, differ, or -1.  */
static inline int
oracle_differs (enum gt_reduction reduction, struct gt_exact_sums *a,
                const struct gt_exact_sums *b)
{
  const struct gt_reduction_info *info = &gt_reductions[reduction];

  for (unsigned k = 0; k < info->plain; k++)
    {
      gt_super_normalise (&a->plain[k]);
      if (!oracle_same_words (a->plain[k].word, a->plain[k].flags,
                              b->plain[k].word, b->plain[k].flags,
                              GT_SUPER_WORDS))
        return (int) k;
    }
  if (info->products == 0)
    return -1;
  gt_product_normalise (&a->product);
  return oracle_same_words (a->product.word, a->product.flags,
                            b->product.word, b->product.flags,
                            GT_PRODUCT_WORDS)
           ? -1 : (int) info->plain;
}

#endif
