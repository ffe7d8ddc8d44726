/* A kernel for exact sums of long doubles.  Its superaccumulator has the words that the elements
   need, up to kilobytes, so that the kernel does not return it, but the rounded sum.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/catalog.h"
#include "kernels/cpu/finish/finish.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/isa/room.h"
#include "kernels/cpu/wide/long_double.h"
#include "kernels/statistics.h"

/* Words below the elements' last digits, for rounding, and words above their first digits, for
   carries.  */
#define WORDS_BELOW 3
#define WORDS_ABOVE (LDBL_MANT_DIG / 32 + 4)

static void
exact_ldbl (const struct gt_task *task, union gt_value *sum)
{
  const long double *const x = task->x.data;
  const size_t n = task->problem.n, stride = task->x.stride;
  uint32_t count = 0, flags = 0;
  int least = GT_LDBL_HIGHEST, most = 0, first, words;
  void *heap;
  int64_t *word;

  for (size_t i = 0; i < n; i++)
    {
      const struct gt_long_factor factor = gt_long_factor_of (&x[i * stride]);

      flags |= gt_long_flag (&factor);
      if (factor.finite && !gt_long_is_zero (&factor))
        {
          least = factor.position < least ? factor.position : least;
          most = factor.position > most ? factor.position : most;
        }
    }
  first = (least < most ? least : most) / 32 - WORDS_BELOW;
  words = (most / 32 - first + WORDS_ABOVE) / 2 * 2;
  word = GT_ROOM (heap, (size_t) words * sizeof *word);
  memset (word, 0, (size_t) words * sizeof *word);
  for (size_t i = 0; flags == 0 && i < n; i++)
    {
      const struct gt_long_factor factor = gt_long_factor_of (&x[i * stride]);

      if (!gt_long_is_zero (&factor))
        gt_long_put (word, factor.significand, GT_LDBL_WORDS, factor.position - 32 * first,
                     factor.negative);
      gt_super_note (word, words, &count, 1);
    }
  sum->ldbl[0] = gt_finish_long_double (
    (struct gt_power_sum) {word, words, GT_LDBL_LOWEST + 32 * first}, flags);
  sum->ldbl[1] = 0;
  free (heap);
}

gt_cpu_function *
GT_FOR_ISA (gt_cpu_exact_wide) (const struct gt_problem *problem,
                                unsigned unroll)
{
  (void) problem;
  (void) unroll;
  return exact_ldbl;
}
