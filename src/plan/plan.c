/* Plans are made once for each device and reduction, from the device's profile where
   there is one, and then only looked up.
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

/* The integers of PROBLEM with the other sign, where the reduction tells them
   apart.  */
static int
change_sign (struct gt_problem *problem)
{
  enum gt_arithmetic a = problem->arithmetic;
  int sign = GT_I64 - GT_U64;

  if (a < GT_U64 || !gt_reduction_has (problem->reduction, GT_I64))
    return 0;
  problem->arithmetic = (enum gt_arithmetic) (a < GT_I64 ? a + sign : a - sign);
  return 1;
}

/* Exact terms are doubles that are added exactly, whatever integers they are made of:
   sums of those integers are another matter.  */
static int
adds_doubles (const struct gt_problem *problem)
{
  return gt_reductions[problem->reduction].algebra == GT_ALGEBRA_TERMS
         && problem->mode == GT_MODE_EXACT
         && !gt_arithmetics[problem->arithmetic].real;
}

int
gt_plan_serving (struct gt_problem *problem, int *sign_changed)
{
  const enum gt_reduction serves = gt_reductions[problem->reduction].serves;
  const enum gt_arithmetic arithmetic
    = adds_doubles (problem) ? GT_F64 : problem->arithmetic;

  if (!*sign_changed && change_sign (problem))
    {
      *sign_changed = 1;
      return 1;
    }
  if (serves == problem->reduction)
    return 0;
  *sign_changed = 0;
  problem->reduction = serves;
  problem->arithmetic = gt_arithmetic_for (serves, arithmetic);
  problem->mode = gt_mode_for (serves, problem->arithmetic, problem->mode);
  return 1;
}

/* Plans PROBLEM as ENTRY has it, which may be of another reduction.  Returns 0 when
   its kernel does not compute this one.  */
static int
take_entry (const struct gt_entry *entry, const struct gt_problem *problem,
            struct gt_plan *plan)
{
  const struct gt_kernel *kernel
    = gt_catalog_find (entry->kernel->name, problem->reduction);

  if (kernel == NULL || !gt_kernel_serves (kernel, problem))
    return 0;
  plan->entry = entry;
  plan->kernel = kernel;
  plan->config = entry->config;
  plan->config.unroll = gt_kernel_unroll (kernel, entry->config.unroll);
  return 1;
}

static int
plan_from_profile (const struct gt_profile *profile,
                   const struct gt_problem *problem, struct gt_plan *plan)
{
  struct gt_problem serving = *problem;
  int sign_changed = 0;

  do
    {
      const struct gt_entry *entry = find_entry (profile, &serving);

      if (entry && take_entry (entry, problem, plan))
        return 1;
    }
  while (gt_plan_serving (&serving, &sign_changed));
  return 0;
}

/* The profile of a CPU that has fewer threads than this one cannot tell when more of them
   pay: then no fewer take part than by the estimate.  */
static void
use_more_threads (const struct gt_plans *plans,
                  const struct gt_problem *problem, struct gt_plan *plan)
{
  const struct gt_kernel *kernel;
  struct gt_config estimated;
  struct gt_device tuned;

  if (plans->device->kind != GT_CPU
      || plans->profile.match == GT_MATCH_SILICON
      || !(plan->kernel->tunables & GT_TUNE_THREADS)
      || gt_device_from_silicon (plans->profile.silicon, &tuned)
      || tuned.host.threads >= plans->device->host.threads)
    return;
  gt_estimate (plans->device, problem, &kernel, &estimated);
  if (estimated.threads > plan->config.threads)
    plan->config.threads = estimated.threads;
}

static void
make_plan (const struct gt_plans *plans, const struct gt_problem *problem,
           struct gt_plan *plan)
{
  plan->entry = NULL;
  if (plans->profile_found
      && plan_from_profile (&plans->profile, problem, plan))
    use_more_threads (plans, problem, plan);
  else
    gt_estimate (plans->device, problem, &plan->kernel, &plan->config);
  if (gt_env.threads && plan->config.threads > (unsigned) gt_env.threads)
    plan->config.threads = (unsigned) gt_env.threads;
  plan->function = NULL;
  if (plan->kernel && plan->kernel->device == GT_CPU)
    plan->function
      = gt_cpu_function_of (plan->kernel, problem, &plan->config);
}

/* The plans of one arithmetic and mode.  */
static void
make_plans (const struct gt_plans *plans, struct gt_problem p,
            struct gt_plan plan[GT_N_LAYOUTS][GT_N_CLASSES])
{
  for (int l = 0; l < GT_N_LAYOUTS; l++)
    for (int k = 0; k < GT_N_CLASSES; k++)
      {
        p.layout = (enum gt_layout) l;
        p.n = k < 64 ? (uint64_t) 1 << k : UINT64_MAX;
        make_plan (plans, &p, &plan[l][k]);
      }
}

static void
lower (uint64_t *least, uint64_t value)
{
  if (value < *least)
    *least = value;
}

/* Looks for crossovers of PROBLEM in PLACE; returns whether there are any, and from
   which length on a GPU takes part.  */
static int
gpu_begins (const struct gt_profile *profile, const struct gt_problem *problem,
            enum gt_place place, uint64_t *from)
{
  int any = 0;

  for (unsigned i = 0; i < profile->n_crossovers; i++)
    {
      const struct gt_crossover *c = &profile->crossovers[i];

      if (c->reduction != problem->reduction
          || c->arithmetic != problem->arithmetic || c->mode != problem->mode
          || c->place != place)
        continue;
      any = 1;
      if (c->route.way != GT_WAY_CPU)
        lower (from, c->from);
    }
  return any;
}

/* From which length on a GPU takes part in PROBLEM, in each place and in any.  */
static void
take_crossovers (const struct gt_profile *profile,
                 const struct gt_problem *problem, uint64_t *any,
                 uint64_t at[GT_N_PLACES])
{
  *any = UINT64_MAX;
  for (int place = 0; place < GT_N_PLACES; place++)
    {
      struct gt_problem serving = *problem;
      int sign_changed = 0;

      at[place] = UINT64_MAX;
      while (!gpu_begins (profile, &serving, (enum gt_place) place, &at[place])
             && gt_plan_serving (&serving, &sign_changed))
        continue;
      lower (any, at[place]);
    }
}

/* Plans every problem of a reduction that the device can have.  */
static void
make_table (struct gt_plans *plans, enum gt_reduction reduction)
{
  struct gt_plan_table *table = &plans->table[reduction];

  memset (table->gpu_from, 0xff, sizeof table->gpu_from);
  memset (table->gpu_from_at, 0xff, sizeof table->gpu_from_at);
  for (int a = 0; a < GT_N_ARITHMETICS; a++)
    for (int m = 0; m < GT_N_MODES; m++)
      {
        struct gt_problem p = {.reduction = reduction,
                               .arithmetic = (enum gt_arithmetic) a};

        if (!gt_reduction_has (reduction, p.arithmetic)
            || (plans->device->kind == GT_CUDA && !gt_arithmetics[a].gpu))
          continue;
        p.mode = gt_mode_for (reduction, p.arithmetic, (enum gt_mode) m);
        take_crossovers (&plans->profile, &p, &table->gpu_from[a][m],
                         table->gpu_from_at[a][m]);
        make_plans (plans, p, table->plan[a][m]);
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
}

static struct gt_plans host_plans;
gt_cpu_function *gt_quick[GT_N_REDUCTIONS][GT_N_ARITHMETICS][GT_N_LAYOUTS]
                         [GT_N_QUICK];

/* The longest vector of a class.  */
#define LONGEST(k) ((((uint64_t) 3 << (k)) - 1) / 2)
_Static_assert (LONGEST (GT_N_QUICK - 1) < GT_CALLERS_ENV,
                "quick sums do not look after the environment");

static int
may_use_gpu (const struct gt_plan_table *table, enum gt_arithmetic arithmetic,
             enum gt_layout layout, unsigned class)
{
  return layout == GT_CONTIGUOUS && gt_env.device != GT_CHOOSE_CPU
         && (gt_env.device == GT_CHOOSE_CUDA
             || LONGEST (class) >= table->gpu_from[arithmetic][GT_MODE_FAST]);
}

static void
set_quick (enum gt_reduction reduction)
{
  const struct gt_plan_table *table = &host_plans.table[reduction];

  for (int a = 0; a < GT_N_ARITHMETICS; a++)
    for (int l = 0; l < GT_N_LAYOUTS; l++)
      for (unsigned k = 0; k < GT_N_QUICK; k++)
        {
          const struct gt_plan *plan = &table->plan[a][GT_MODE_FAST][l][k];
          int no = plan->config.threads > 1
                   || may_use_gpu (table, (enum gt_arithmetic) a,
                                   (enum gt_layout) l, k);

          __atomic_store_n (&gt_quick[reduction][a][l][k],
                            no ? NULL : plan->function, __ATOMIC_RELAXED);
        }
}

void
gt_plans_make (struct gt_plans *plans, enum gt_reduction reduction)
{
  struct gt_plan_table *table = &plans->table[reduction];
  struct gt_setup setup;

  gt_setup_begin (&setup);
  if (!atomic_load_explicit (&table->made, memory_order_relaxed))
    {
      make_table (plans, reduction);
      if (plans == &host_plans)
        set_quick (reduction);
      atomic_store_explicit (&table->made, 1, memory_order_release);
    }
  gt_setup_end (&setup);
}

static void
plan_host (void)
{
  plan_device (&host_plans, gt_device_host ());
}

const struct gt_plans *
gt_host_plans (void)
{
  static struct gt_once once;

  gt_once (&once, plan_host);
  return &host_plans;
}

struct gt_plan *
gt_plan_to_change (const struct gt_problem *problem)
{
  gt_plan_table (gt_host_plans (), problem->reduction);
  return &host_plans.table[problem->reduction]
            .plan[problem->arithmetic][problem->mode][problem->layout]
                 [gt_size_class (problem->n)];
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
  for (int r = 0; r < GT_N_REDUCTIONS; r++)
    if (atomic_exchange (&plans->table[r].made, 0))
      gt_plans_make (plans, (enum gt_reduction) r);
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
