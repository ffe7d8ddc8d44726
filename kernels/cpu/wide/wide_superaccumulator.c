/* Superaccumulators on the CPU: arrays of numbers, and long double.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/wide/long_double.h"
#include "kernels/cpu/wide/wide_superaccumulator.h"

/* Elements between two notes.  */
#define RUN ((size_t) GT_SUPER_LIMIT / 2)

void
gt_super_add_array_f64 (struct gt_superaccumulator *acc, const double *x, size_t n, size_t stride)
{
  for (size_t i = 0, end; i < n; i = end)
    {
      end = n - i < RUN ? n : i + RUN;
      for (size_t k = i; k < end; k++)
        gt_super_put_f64 (acc, x[k * stride]);
      gt_super_noted (acc, (uint32_t) (end - i));
    }
}

/* ------------------------------------------------------------ Long double */

#define UNIT (GT_LDBL_LOWEST - GT_WIDE_LOWEST)

/* Of two words of a significand the digits fill one word together, and do not
   overlap there: a number changes a word by less than 2^32, as others do.  */
static inline void
put_long_double (struct gt_wide_superaccumulator *acc, const long double *x)
{
  const struct gt_long_factor factor = gt_long_factor_of (x);

  if (!factor.finite)
    acc->flags |= gt_super_flag (!gt_long_is_zero (&factor), factor.negative);
  else
    for (int i = 0; i < GT_LDBL_WORDS; i++)
      {
        const struct gt_super_digits digits
          = gt_super_cut (factor.significand[i], factor.negative,
                          factor.position + UNIT + 64 * i);

        for (int k = 0; k < 3; k++)
          acc->word[digits.first + k] += digits.digit[k];
      }
}

static void
noted (struct gt_wide_superaccumulator *acc, uint32_t k)
{
  gt_super_note (acc->word, GT_WIDE_WORDS, &acc->count, k);
}

void
gt_wide_add_array (struct gt_wide_superaccumulator *acc, const long double *x,
                   size_t n, size_t stride)
{
  for (size_t i = 0, end; i < n; i = end)
    {
      end = n - i < RUN ? n : i + RUN;
      for (size_t k = i; k < end; k++)
        put_long_double (acc, &x[k * stride]);
      noted (acc, (uint32_t) (end - i));
    }
}

long double
gt_wide_round_long_double (struct gt_wide_superaccumulator *acc)
{
  gt_super_carry (acc->word, GT_WIDE_WORDS);
  acc->count = 1;
  return gt_long_encode (acc->word, GT_WIDE_WORDS, acc->flags, UNIT);
}
