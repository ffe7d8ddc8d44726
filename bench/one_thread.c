/* The library's sums by one thread, whatever the plans say.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "bench/one_thread.h"

#include "src/base/env.h"
#include "src/base/names.h"
#include "src/cpu/backend_cpu.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"

/* A contiguous task in the mode in force.  */
static struct gt_task
task_of (enum gt_arithmetic arithmetic, const void *data, uint64_t n)
{
  enum gt_mode mode
    = gt_mode_for (GT_SUM, arithmetic, (enum gt_mode) gt_mode_now);

  return gt_task_of (GT_SUM, arithmetic, mode, data, n, 1);
}

unsigned
gt_planned_threads (enum gt_arithmetic arithmetic, uint64_t n)
{
  struct gt_task task = task_of (arithmetic, NULL, n);

  return gt_plan_find (gt_host_plans (), &task.problem)->config.threads;
}

/* The sum that the plan with one thread leaves, as the library's way would come
   to it.  */
static void
sum_alone (enum gt_arithmetic arithmetic, const void *data, size_t n,
           union gt_value *sum)
{
  struct gt_task task = task_of (arithmetic, data, n);
  struct gt_plan plan = *gt_plan_find (gt_host_plans (), &task.problem);

  plan.config.threads = 1;
  gt_cpu_compute (&plan, &task, sum);
}

double
gt_one_thread_f64 (const gsl_vector *v)
{
  union gt_value sum;

  if (gt_planned_threads (GT_F64, v->size) == 1)
    return gsltune_vector_sum (v);
  sum_alone (GT_F64, v->data, v->size, &sum);
  return sum.f64[0];
}

float
gt_one_thread_f32 (const gsl_vector_float *v)
{
  union gt_value sum;

  if (gt_planned_threads (GT_F32, v->size) == 1)
    return gsltune_vector_float_sum (v);
  sum_alone (GT_F32, v->data, v->size, &sum);
  return sum.f32[0];
}

int
gt_one_thread_u32 (const gsl_vector_int *v)
{
  union gt_value sum;

  if (gt_planned_threads (GT_U32, v->size) == 1)
    return gsltune_vector_int_sum (v);
  sum_alone (GT_U32, v->data, v->size, &sum);
  return (int) sum.u32[0];
}
