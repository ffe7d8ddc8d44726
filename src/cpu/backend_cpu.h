/* Runs CPU kernels.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BACKEND_CPU_H
#define GT_BACKEND_CPU_H

#include "src/base/configuration.h"
#include "src/cpu/parts.h"
#include "src/cpu/tally.h"

/* A fast sum of fewer elements is computed in the caller's floating-point environment, like
   gsl_vector_sum.  Reading the control word would wait for all preceding additions, so that
   short sums could not overlap.  */
#define GT_CALLERS_ENV 16384

/* Computes TASK with PLAN.  VALUE is not finished: the caller applies gt_value_finish.  Fewer
   threads than planned may compute (see gt_team_run), but the parts of the vector, and so the
   bits, are those of the plan.  */
void gt_cpu_compute (const struct gt_plan *plan, const struct gt_task *task,
                     union gt_value *value);

/* A task for the threads of a team.  */
struct gt_cpu_share
{
  const struct gt_plan *plan;
  const struct gt_task *task;
  struct gt_parts *parts;   /* the pieces of TASK, open */
  struct gt_tally *tally;   /* collects their values, */
  size_t first;             /* the number of the first of them */
};

/* Computes pieces as MEMBER of a team until no piece is left to claim.  Calls BETWEEN, if not
   null, with CLOSURE after each piece.  */
void gt_cpu_compute_share (const struct gt_cpu_share *share, unsigned member,
                           void (*between) (void *closure), void *closure);

/* Computes TASK, contiguous or strided as the plan's function requires, in the calling thread,
   in the floating-point environment of kernels.  */
void gt_cpu_compute_alone (const struct gt_plan *plan,
                           const struct gt_task *task, union gt_value *value);

/* Computes extremes of ROWS rows of problem.n neighbouring elements each, TDA elements from
   one row to the next; TASK is the first row, and contiguous.  Indexes are row * problem.n +
   column.  PLAN is the plan for a contiguous vector of all elements; its threads share the
   rows.  There is at least one element; gaps between the rows are not read.  */
void gt_cpu_compute_rows (const struct gt_plan *plan,
                          const struct gt_task *task, size_t rows, size_t tda,
                          union gt_value *value);

#endif
