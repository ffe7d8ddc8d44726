/* Tasks of any element type: the one way from a public function to a backend.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_REDUCE_H
#define GT_REDUCE_H

#include "src/device/backend.h"
#include "src/plan/choose.h"

/* The first four return a finished VALUE: member [0] of the arithmetic is the result.  */

/* Computes a task on the host.  Cannot fail.  */
void gt_reduce_host (const struct gt_task *task, union gt_value *value);

/* Computes a task on the CPU, for any environment and profile.  */
void gt_reduce_cpu (const struct gt_task *task, union gt_value *value);

/* Computes extremes of ROWS rows, TDA elements apart, on the CPU.  ROW is the first of at
   least 2 rows of at least 2 elements.  Indexes are row * length of ROW + column.  */
void gt_reduce_rows (const struct gt_task *row, size_t rows, size_t tda,
                     union gt_value *value);

/* Computes a contiguous task on the host by the route of CHOICE.  If a GPU fails, the CPU
   computes its pieces.  Returns 0, or -1 if nothing is computed: no GPU can be used, or memory
   is short.  */
int gt_reduce_routed (const struct gt_choice *choice,
                      const struct gt_task *task, union gt_value *value);

/* Do the same without finishing: compensations are not applied, and exact values not rounded,
   so that the caller can combine them first.  A result that the caller rounds correctly has
   the same bits with any plan, so it does not wait until the machine is known.  On a GPU the
   task is in memory that the GPU can read, and STREAM is as for gt_gpus->compute; if this
   fails VALUE is unchanged.  */
void gt_reduce_host_unfinished (const struct gt_task *task,
                                union gt_value *value);
void gt_reduce_host_by_any_plan (const struct gt_task *task,
                                 union gt_value *value);
void gt_reduce_cpu_unfinished (const struct gt_task *task,
                               union gt_value *value);
int gt_reduce_gpu_unfinished (struct gt_open_gpu *gpu, const struct gt_task *task,
                              void *stream, union gt_value *value);

/* Begins the last of these; gt_gpus->end ends it.  */
int gt_reduce_gpu_begin (struct gt_open_gpu *gpu, const struct gt_task *task,
                         void *stream, struct gt_pending *pending);

/* Returns the number of CPU threads for PROBLEM on the host; 0 if the user demands a GPU.
   With ANY_PLAN the result is the same with any plan.  */
unsigned gt_reduce_threads (const struct gt_problem *problem, int any_plan);

/* Checks whether a GPU may be faster for PROBLEM, whose result is the same with any plan.  */
int gt_reduce_asks_gpus (const struct gt_problem *problem);

/* The last reduction that this thread computed with any of these.  */
struct gt_reduce_last
{
  const char *route;     /* as gt_route_name, or null: nothing yet */
  unsigned long planned; /* number of reductions so far */
  uint64_t additions;    /* the maximum number of rounded additions that an element
                            took part in, if one backend computed the sum */
};
struct gt_reduce_last gt_reduce_last (void);

/* Records ROUTE for an operation that is no reduction.  */
void gt_reduce_note (const char *route);

/* Finishes such a value in the floating-point environment of kernels.  */
void gt_reduce_finish (const struct gt_problem *problem,
                       union gt_value *value);

#endif
