/* A kernel for exact sums of long doubles.  Its superaccumulator takes kilobytes, so that the
   kernel does not return it, but the rounded sum.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/catalog.h"
#include "kernels/cpu/finish/finish.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/isa/room.h"
#include "kernels/cpu/wide/long_double.h"
#include "kernels/statistics.h"

#define UNIT (GT_LDBL_LOWEST - GT_WIDE_LOWEST)

static void
exact_ldbl (const struct gt_task *task, union gt_value *sum)
{
  const long double *const x = task->x.data;
  uint32_t count = 0, flags = 0;
  void *heap;
  int64_t *const word = GT_ROOM (heap, GT_WIDE_WORDS * sizeof *word);

  memset (word, 0, GT_WIDE_WORDS * sizeof *word);
  for (size_t i = 0; i < task->problem.n; i++)
    {
      const struct gt_long_factor factor = gt_long_factor_of (&x[i * task->x.stride]);

      flags |= gt_long_flag (&factor);
      if (factor.finite)
        gt_long_put (word, factor.significand, GT_LDBL_WORDS, factor.position + UNIT,
                     factor.negative);
      gt_super_note (word, GT_WIDE_WORDS, &count, 1);
    }
  sum->ldbl[0] = gt_finish_long_double ((struct gt_power_sum) {word, GT_WIDE_WORDS, GT_WIDE_LOWEST},
                                         flags);
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
