/* Computes the tasks of public functions on a backend.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/route/reduce.h"

#include "kernels/cpu/sums/combine.h"
#include "src/base/env.h"
#include "src/base/fpenv.h"
#include "src/cpu/backend_cpu.h"
#include "src/device/backend.h"
#include "src/device/geometry.h"
#include "src/route/share.h"

/* The last reduction of this thread.  */
static _Thread_local struct gt_reduce_last last;

struct gt_reduce_last
gt_reduce_last (void)
{
  return last;
}

static void
note (const char *route, uint64_t additions)
{
  last.route = route;
  last.planned++;
  last.additions = additions;
}

void
gt_reduce_note (const char *route)
{
  note (route, 0);
}

/* The compensation is computed and applied in the same floating-point environment.  Exact
   sums are rounded by integer code, in any environment.  */
void
gt_reduce_finish (const struct gt_problem *problem, union gt_value *value)
{
  struct gt_fpenv env;

  if (problem->mode == GT_MODE_EXACT)
    {
      gt_value_finish (problem, value);
      return;
    }
  gt_fpenv_enter (&env, problem->arithmetic);
  gt_value_finish (problem, value);
  gt_fpenv_leave (&env);
}

static const struct gt_plan *
host_plan (const struct gt_problem *problem)
{
  const struct gt_plan *early = gt_plan_early (problem, 0);

  return early ? early : gt_plan_find (gt_host_plans (), problem);
}

static void
compute_planned (const struct gt_plan *plan, const struct gt_task *task,
                 union gt_value *value)
{
  note (gt_way_names[GT_WAY_CPU], task->problem.n);
  gt_cpu_compute (plan, task, value);
}

void
gt_reduce_cpu_unfinished (const struct gt_task *task, union gt_value *value)
{
  compute_planned (host_plan (&task->problem), task, value);
}

void
gt_reduce_cpu (const struct gt_task *task, union gt_value *value)
{
  gt_reduce_cpu_unfinished (task, value);
  gt_reduce_finish (&task->problem, value);
}

void
gt_reduce_rows (const struct gt_task *row, size_t rows, size_t tda,
                union gt_value *value)
{
  struct gt_problem whole = row->problem;

  whole.n *= rows;
  note (gt_way_names[GT_WAY_CPU], whole.n);
  gt_cpu_compute_rows (host_plan (&whole), row, rows, tda, value);
}

int
gt_reduce_gpu_unfinished (struct gt_open_gpu *gpu, const struct gt_task *task,
                          void *stream, union gt_value *value)
{
  const struct gt_plans *plans = gt_plans_of (gpu);
  const struct gt_plan *plan;
  struct gt_geometry geometry;

  if (plans == NULL)
    return -1;
  plan = gt_plan_find (plans, &task->problem);
  if (gt_gpus->compute (gpu, plan, task, stream, value))
    return -1;
  geometry = gt_geometry_of (plan->kernel, &plan->config, &task->problem,
                             gt_gpus->device_of (gpu)->gpu.sms);
  note (gt_way_names[GT_WAY_DIRECT],
        gt_geometry_additions (&geometry, &plan->config, task->problem.n));
  return 0;
}

int
gt_reduce_gpu_begin (struct gt_open_gpu *gpu, const struct gt_task *task,
                     void *stream, struct gt_pending *pending)
{
  const struct gt_plans *plans = gt_plans_of (gpu);

  if (plans == NULL
      || gt_gpus->begin (gpu, gt_plan_find (plans, &task->problem), task, stream,
                         pending))
    return -1;
  note (gt_way_names[GT_WAY_DIRECT], UINT64_MAX);
  return 0;
}

/* If one launch computes the data in place, no pieces or lanes are needed.  */
static int
compute_at_once (const struct gt_scheme *scheme, const struct gt_task *task,
                 union gt_value *value)
{
  const struct gt_task on_gpu = gt_share_in_place (scheme->gpu[0], task);

  return gt_gpus->compute (scheme->gpu[0], &scheme->gpu_plan, &on_gpu, NULL,
                           value);
}

static int
reduce_routed (const struct gt_choice *choice, const struct gt_task *task,
               union gt_value *value)
{
  struct gt_scheme scheme;
  struct gt_fpenv env;
  int failed;

  gt_fpenv_enter (&env, task->problem.arithmetic);
  failed = gt_scheme_make (choice, &task->problem, &scheme)
           || (scheme.at_once ? compute_at_once (&scheme, task, value)
                              : gt_share_compute (&scheme, task, value));
  gt_fpenv_leave (&env);
  if (failed)
    return -1;
  note (gt_route_name (&choice->route), UINT64_MAX);
  return 0;
}

int
gt_reduce_routed (const struct gt_choice *choice, const struct gt_task *task,
                  union gt_value *value)
{
  if (reduce_routed (choice, task, value))
    return -1;
  gt_reduce_finish (&task->problem, value);
  return 0;
}

static int
asks_gpus (const struct gt_planned *planned, const struct gt_problem *problem)
{
  return gt_env.device == GT_CHOOSE_CUDA || problem->n >= planned->gpu_from;
}

int
gt_reduce_asks_gpus (const struct gt_problem *problem)
{
  return !gt_plan_early (problem, 1)
         && asks_gpus (gt_planned_find (gt_host_plans (), problem), problem);
}

unsigned
gt_reduce_threads (const struct gt_problem *problem, int any_plan)
{
  if (gt_plan_early (problem, any_plan))
    return 1;
  return gt_env.device == GT_CHOOSE_CUDA
           ? 0 : gt_plan_find (gt_host_plans (), problem)->config.threads;
}

static void
reduce_host (const struct gt_task *task, int any_plan, union gt_value *value)
{
  const struct gt_problem *problem = &task->problem;
  const struct gt_plan *plan = gt_plan_early (problem, any_plan);
  const struct gt_planned *planned
    = plan ? NULL : gt_planned_find (gt_host_plans (), problem);
  struct gt_choice choice;

  if (planned && asks_gpus (planned, problem) && gt_choose_host (planned, task, &choice))
    {
      if (reduce_routed (&choice, task, value) == 0)
        return;
      planned = gt_planned_find (gt_host_plans (), problem);
    }
  compute_planned (planned ? &planned->plan : plan, task, value);
}

void
gt_reduce_host_unfinished (const struct gt_task *task, union gt_value *value)
{
  reduce_host (task, 0, value);
}

void
gt_reduce_host_by_any_plan (const struct gt_task *task, union gt_value *value)
{
  reduce_host (task, 1, value);
}

void
gt_reduce_host (const struct gt_task *task, union gt_value *value)
{
  gt_reduce_host_unfinished (task, value);
  gt_reduce_finish (&task->problem, value);
}
