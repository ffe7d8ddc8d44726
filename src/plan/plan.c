/* Plans are made once for each device, from its profile where there is one,
   and then only looked up.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/env.h"
#include "src/base/names.h"
#include "src/base/setup.h"
#include "src/cpu/backend_cpu.h"
#include "src/cuda/device_cuda.h"

/* A profile of an unfinished run may end at short vectors; these say nothing
   of much longer ones.  */
#define FAR 16 /* times as long, or as short */

static const struct gt_entry *
find_entry (const struct gt_profile *profile, const struct gt_problem *problem)
{
  const struct gt_entry *entry = gt_profile_find (profile, problem);

  if (entry == NULL || !profile->unfinished)
    return entry;
  return entry->problem.n / FAR > problem->n
             || problem->n / FAR > entry->problem.n ? NULL : entry;
}

static void
make_plan (const struct gt_plans *plans, const struct gt_problem *problem,
           struct gt_plan *plan)
{
  plan->entry = plans->profile_found
                  ? find_entry (&plans->profile, problem) : NULL;
  if (plan->entry)
    {
      plan->kernel = plan->entry->kernel;
      plan->config = plan->entry->config;
    }
  else
    gt_estimate (plans->device, problem, &plan->kernel, &plan->config);
  if (gt_env.threads && plan->config.threads > (unsigned) gt_env.threads)
    plan->config.threads = (unsigned) gt_env.threads;
  if (plan->kernel->device == GT_CPU)
    plan->function
      = gt_cpu_function_of (plan->kernel, problem, &plan->config);
}

/* Plans every problem that the device can have.  */
static void
make_all (struct gt_plans *plans)
{
  struct gt_problem p;

  for (int a = 0; a < GT_N_ARITHMETICS; a++)
    for (int m = 0; m < GT_N_MODES; m++)
      for (int l = 0; l < GT_N_LAYOUTS; l++)
        for (int k = 0; k < GT_N_CLASSES; k++)
          {
            p.arithmetic = (enum gt_arithmetic) a;
            p.mode = gt_effective_mode (p.arithmetic, (enum gt_mode) m);
            p.layout = (enum gt_layout) l;
            p.n = k < 64 ? (uint64_t) 1 << k : UINT64_MAX;
            if (plans->device->kind == GT_CUDA && !gt_arithmetics[a].gpu)
              continue;
            make_plan (plans, &p, &plans->plan[a][m][l][k]);
          }
}

static void
lower (uint64_t *least, uint64_t value)
{
  if (value < *least)
    *least = value;
}

static void
take_crossovers (struct gt_plans *plans)
{
  memset (plans->gpu_from, 0xff, sizeof plans->gpu_from);
  memset (plans->gpu_from_at, 0xff, sizeof plans->gpu_from_at);
  for (unsigned i = 0; i < plans->profile.n_crossovers; i++)
    {
      const struct gt_crossover *c = &plans->profile.crossovers[i];

      if (c->route.way == GT_WAY_CPU)
        continue;
      lower (&plans->gpu_from[c->arithmetic][c->mode], c->from);
      lower (&plans->gpu_from_at[c->arithmetic][c->mode][c->place], c->from);
    }
}

/* What another thread of the parent may have begun is not gone on with.  */
static int
find_profile (struct gt_plans *plans)
{
  if (!gt_setup_plain)
    return gt_profile_search (plans->device, &plans->profile, &plans->search)
           == 0;
  gt_log (GT_LOG_DEBUG, "a fork could not wait for planning: estimates are"
                        " used");
  memset (&plans->profile, 0, sizeof plans->profile);
  plans->search.n_steps = 0;
  return 0;
}

static void
plan_device (struct gt_plans *plans, const struct gt_device *device)
{
  plans->device = device;
  plans->profile_found = find_profile (plans);
  take_crossovers (plans);
  make_all (plans);
}

static struct gt_plans host_plans;
gt_cpu_function *gt_quick[GT_N_ARITHMETICS][GT_N_LAYOUTS][GT_N_QUICK];

/* The longest vector of a class.  */
#define LONGEST(k) ((((uint64_t) 3 << (k)) - 1) / 2)
_Static_assert (LONGEST (GT_N_QUICK - 1) < GT_CALLERS_ENV,
                "quick sums do not look after the environment");

static int
may_use_gpu (enum gt_arithmetic arithmetic, enum gt_layout layout,
             unsigned class)
{
  return layout == GT_CONTIGUOUS && gt_env.device != GT_CHOOSE_CPU
         && (gt_env.device == GT_CHOOSE_CUDA
             || LONGEST (class)
                  >= host_plans.gpu_from[arithmetic][GT_MODE_FAST]);
}

static void
set_quick (void)
{
  for (int a = 0; a < GT_N_ARITHMETICS; a++)
    for (int l = 0; l < GT_N_LAYOUTS; l++)
      for (unsigned k = 0; k < GT_N_QUICK; k++)
        {
          const struct gt_plan *plan
            = &host_plans.plan[a][GT_MODE_FAST][l][k];
          int no = plan->config.threads > 1
                   || may_use_gpu ((enum gt_arithmetic) a,
                                   (enum gt_layout) l, k);

          __atomic_store_n (&gt_quick[a][l][k], no ? NULL : plan->function,
                            __ATOMIC_RELAXED);
        }
}

static void
plan_host (void)
{
  plan_device (&host_plans, gt_device_host ());
  set_quick ();
}

const struct gt_plans *
gt_host_plans (void)
{
  static struct gt_once once;

  gt_once (&once, plan_host);
  return &host_plans;
}

static struct gt_plans **gpu_plans;

static void
plan_gpus (void)
{
  int count = gt_cuda_device_count (NULL);

  gpu_plans = count ? calloc ((size_t) count, sizeof *gpu_plans) : NULL;
  for (int i = 0; gpu_plans && i < count; i++)
    {
      gpu_plans[i] = calloc (1, sizeof *gpu_plans[i]);
      if (gpu_plans[i])
        plan_device (gpu_plans[i], gt_cuda_device (i));
    }
}

const struct gt_plans *
gt_gpu_plans (int index)
{
  static struct gt_once once;

  /* Not within: fork need not wait for a driver that is being loaded.  */
  gt_cuda_device_count (NULL);
  gt_once (&once, plan_gpus);
  return gpu_plans ? gpu_plans[index] : NULL;
}

const struct gt_plans *
gt_plans_of (const struct gt_cuda *gpu)
{
  return gt_gpu_plans (gt_cuda_index_of (gpu));
}

static void
plan_from (struct gt_plans *plans, const struct gt_profile *profile)
{
  struct gt_setup setup;

  gt_setup_begin (&setup);
  gt_profile_clear (&plans->profile);
  plans->profile = *profile;
  plans->profile_found = 1;
  take_crossovers (plans);
  make_all (plans);
  if (plans == &host_plans)
    set_quick ();
  gt_setup_end (&setup);
}

void
gt_plans_adopt (const struct gt_device *device,
                const struct gt_profile *profile)
{
  struct gt_profile *copy = malloc (sizeof *copy);
  struct gt_plans *plans = NULL;

  gt_host_plans ();
  if (device->kind == GT_CPU)
    plans = &host_plans;
  for (int i = 0; plans == NULL && i < gt_cuda_device_count (NULL); i++)
    if (gt_cuda_device (i) == device && gt_gpu_plans (i))
      plans = gpu_plans[i];
  if (plans && copy && gt_profile_copy (copy, profile) == 0)
    plan_from (plans, copy);
  free (copy);
}
