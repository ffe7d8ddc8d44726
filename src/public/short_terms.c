/* Exact sums of the terms of short samples, without an accumulator.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/short_terms.h"

#include "kernels/cpu/exact_short_sums.h"

/* Kernels sum terms of doubles and floats; integers become doubles here, as all terms
   take them.  */
static int
sum_of_integers (const struct gt_sample *sample, const struct gt_task *task,
                 double first, double *sum)
{
  double x[GT_SHORT_INTEGERS], y[GT_SHORT_INTEGERS];
  struct gt_task of_doubles = *task;

  if (task->problem.n > GT_SHORT_INTEGERS)
    return 0;
  gt_sample_load (sample, 0, x);
  if (gt_reductions[task->problem.reduction].inputs == 2)
    gt_sample_load (sample, 1, y);
  of_doubles.problem.arithmetic = GT_F64;
  of_doubles.x = (struct gt_operand) {x, 1};
  of_doubles.y = (struct gt_operand) {y, 1};
  return gt_short ()->terms (&of_doubles, first, sum);
}

int
gt_short_terms (struct gt_sample *sample, enum gt_reduction reduction,
                double first, double sum[GT_MOST_SUMS])
{
  struct gt_task *task = &sample->task;
  const enum gt_arithmetic arithmetic = task->problem.arithmetic;

  task->problem.reduction = reduction;
  if (sample->memory[0] || task->problem.n > GT_EXACT_SHORT
      || arithmetic == GT_LDBL)
    return 0;
  return arithmetic == GT_F64 || arithmetic == GT_F32
           ? gt_short ()->terms (task, first, sum)
           : sum_of_integers (sample, task, first, sum);
}
