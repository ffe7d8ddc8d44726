/* Exact sums of the terms of short samples, without an accumulator.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/short_terms.h"

#include "kernels/cpu/exact_short_sums.h"

const struct gt_task *
gt_short_task (const struct gt_sample *sample, struct gt_short_copy *copy)
{
  const struct gt_task *task = &sample->task;

  if (task->problem.arithmetic == GT_F64 || task->problem.arithmetic == GT_F32)
    return task;
  if (task->problem.arithmetic == GT_LDBL
      || task->problem.n > GT_SHORT_INTEGERS)
    return NULL;
  gt_sample_load (sample, 0, copy->x);
  gt_sample_load (sample, 1, copy->y);
  copy->task = *task;
  copy->task.problem.arithmetic = GT_F64;
  copy->task.x = (struct gt_operand) {copy->x, 1};
  copy->task.y = (struct gt_operand) {copy->y, 1};
  return &copy->task;
}

int
gt_short_terms (struct gt_sample *sample, enum gt_reduction reduction,
                double first, double sum[GT_MOST_SUMS])
{
  struct gt_short_copy copy;
  const struct gt_task *task;

  if (sample->memory[0] || sample->task.problem.n > GT_EXACT_SHORT)
    return 0;
  sample->task.problem.reduction = reduction;
  task = gt_short_task (sample, &copy);
  return task && gt_short ()->terms (task, first, sum);
}
