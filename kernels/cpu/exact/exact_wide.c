/* Exact sums of long doubles, as a kernel.  The accumulator of their range takes
   kilobytes: it stays here, and what leaves is rounded.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <string.h>

#include "kernels/catalog.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/isa/room.h"
#include "kernels/cpu/wide/wide_superaccumulator.h"

static void
exact_ldbl (const struct gt_task *task, union gt_value *sum)
{
  void *heap;
  struct gt_wide_superaccumulator *acc = GT_ROOM (heap, sizeof *acc);

  memset (acc, 0, sizeof *acc);
  gt_wide_add_array (acc, task->x.data, task->problem.n, task->x.stride);
  sum->ldbl[0] = gt_wide_round_long_double (acc);
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
