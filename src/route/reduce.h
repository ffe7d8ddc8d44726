/* Tasks of any element type: the one way from a public function to a backend.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_REDUCE_H
#define GT_REDUCE_H

#include "src/device/backend.h"
#include "src/plan/choose.h"

/* The first four leave VALUE finished: member [0] of the arithmetic is the
   result.  */

/* Computes a task on the host.  Cannot fail.  */
void gt_reduce_host (const struct gt_task *task, union gt_value *value);

/* The same on the CPU, whatever the environment and the profile say.  */
void gt_reduce_cpu (const struct gt_task *task, union gt_value *value);

/* Extremes of ROWS rows, TDA elements apart, of which ROW is the first and at least 2
   of at least 2 elements; on the CPU.  Indexes are row * ROW's length + column.  */
void gt_reduce_rows (const struct gt_task *row, size_t rows, size_t tda,
                     union gt_value *value);

/* Computes a contiguous task on the host by the route of CHOICE.  Whatever the
   GPUs fail at, the CPU does.  Returns 0, or -1 when nothing is computed: no GPU
   can be used, or memory is short.  */
int gt_reduce_routed (const struct gt_choice *choice,
                      const struct gt_task *task, union gt_value *value);

/* The same, unfinished: compensations are not applied, and exact values not
   rounded, so that something else can be made of them first.  What the caller rounds
   correctly has the same bits by any plan, so it need not wait for the machine to be
   known.  On a GPU the task lies in memory that it can read, STREAM is as for
   gt_gpus->compute, and where this fails VALUE is unchanged.  */
void gt_reduce_host_unfinished (const struct gt_task *task,
                                union gt_value *value);
void gt_reduce_host_by_any_plan (const struct gt_task *task,
                                 union gt_value *value);
void gt_reduce_cpu_unfinished (const struct gt_task *task,
                               union gt_value *value);
int gt_reduce_gpu_unfinished (struct gt_open_gpu *gpu, const struct gt_task *task,
                              void *stream, union gt_value *value);

/* The first step of the last of these; the second is gt_gpus->end.  */
int gt_reduce_gpu_begin (struct gt_open_gpu *gpu, const struct gt_task *task,
                         void *stream, struct gt_pending *pending);

/* How many threads the CPU computes PROBLEM by, on the host; 0 where the user wants a GPU.
   ANY_PLAN says that the result is the same by any plan.  */
unsigned gt_reduce_threads (const struct gt_problem *problem, int any_plan);

/* Whether a GPU may be better for PROBLEM, whose result is the same by any plan.  */
int gt_reduce_asks_gpus (const struct gt_problem *problem);

/* The last reduction that this thread computed by any of these.  */
struct gt_reduce_last
{
  const char *route;     /* as gt_route_name, or null: nothing yet */
  unsigned long planned; /* how many it has computed */
  uint64_t additions;    /* those of a sum, each rounded, that an element has gone
                            through at most, where one backend computed it */
};
struct gt_reduce_last gt_reduce_last (void);

/* Something that is no reduction went this way.  */
void gt_reduce_note (const char *route);

/* Finishes a value of those, in the environment that kernels need.  */
void gt_reduce_finish (const struct gt_problem *problem,
                       union gt_value *value);

#endif
