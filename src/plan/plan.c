/* Plans are made when a problem is first met, from the device's profile where there is
   one, and then only looked up.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/env.h"
#include "src/base/names.h"
#include "src/base/setup.h"
#include "src/cpu/backend_cpu.h"
#include "src/device/gpus.h"
#include "src/plan/steps.h"
#include "src/profile/step_kind.h"

/* --------------------------------------------------------------- Profiles */

int gt_findings_kept;

const struct gt_profile *
gt_plans_profile (const struct gt_plans *plans, unsigned k)
{
  if (k == 0)
    return plans->profile_found ? &plans->profile : NULL;
  return k <= atomic_load_explicit (&plans->n_more, memory_order_acquire)
           ? plans->more[k - 1] : NULL;
}

const struct gt_profile *
gt_plans_profile_of (const struct gt_plans *plans, const struct gt_step *step)
{
  const struct gt_profile *profile;

  for (unsigned k = 1; (profile = gt_plans_profile (plans, k)); k++)
    if (step >= profile->steps && step < profile->steps + profile->n_steps)
      return profile;
  return &plans->profile;
}

struct reading
{
  struct gt_plans *plans;
  enum gt_folder last;
};

static void
read_on_aside (void *closure)
{
  const struct reading *reading = closure;
  struct gt_plans *plans = reading->plans;
  struct gt_profile *profile = malloc (sizeof *profile);

  if (profile == NULL
      || gt_profile_search_on (plans->device, reading->last, profile,
                               &plans->search))
    {
      free (profile);
      return;
    }
  plans->more[plans->n_more] = profile;
  atomic_fetch_add_explicit (&plans->n_more, 1, memory_order_release);
}

/* Returns profile K of those that were looked for, up to those of folder LAST, or null.  It is read
   when it is first asked for.  */
static const struct gt_profile *
profile_up_to (struct gt_plans *plans, unsigned k, enum gt_folder last)
{
  struct reading reading = {plans, last};
  struct gt_setup setup;

  if (gt_plans_profile (plans, k) || !plans->profile_found || gt_setup_plain)
    return gt_plans_profile (plans, k);
  gt_setup_begin (&setup);
  if (gt_plans_profile (plans, k) == NULL && plans->search.n_steps > 0
      && plans->search.next <= last)
    gt_aside (read_on_aside, &reading);
  gt_setup_end (&setup);
  return gt_plans_profile (plans, k);
}

/* ------------------------------------------------------------------- Steps */

/* Returns the steps for KIND, and in N how many, of the first profile that has any, in the folders
   up to LAST; or of like devices alone, if that is GT_N_FOLDERS.  */
static const struct gt_step *
find_steps (struct gt_plans *plans, const char *kind, enum gt_folder last, unsigned *n)
{
  const struct gt_profile *profile;
  const struct gt_step *steps = NULL;

  *n = 0;
  for (unsigned k = 0; !steps && (profile = profile_up_to (plans, k, last)); k++)
    if ((profile->match != GT_MATCH_SILICON) == (last == GT_N_FOLDERS))
      steps = gt_profile_steps (profile, kind, n);
  return steps;
}

/* Changes PROBLEM to the integers of the other signedness, if the reduction distinguishes
   them.  */
static int
change_sign (struct gt_problem *problem)
{
  static const enum gt_arithmetic other[GT_N_ARITHMETICS]
    = {[GT_U64] = GT_I64, [GT_I64] = GT_U64, [GT_U32] = GT_I32, [GT_I32] = GT_U32,
       [GT_U16] = GT_I16, [GT_I16] = GT_U16, [GT_U8] = GT_I8, [GT_I8] = GT_U8};

  if (!gt_is_integer (problem->arithmetic) || !gt_reduction_has (problem->reduction, GT_I64))
    return 0;
  problem->arithmetic = other[problem->arithmetic];
  return 1;
}

int
gt_plan_serving (struct gt_problem *problem, int *sign_changed)
{
  const enum gt_reduction serves = gt_reductions[problem->reduction].serves;

  if (!*sign_changed && change_sign (problem))
    {
      *sign_changed = 1;
      return 1;
    }
  if (serves == problem->reduction)
    return 0;
  *sign_changed = 0;
  problem->reduction = serves;
  problem->arithmetic = gt_arithmetic_for (serves, problem->arithmetic);
  problem->mode = gt_mode_for (serves, problem->arithmetic,
                               problem->mode == GT_MODE_COMPENSATED ? GT_MODE_FAST : problem->mode);
  return 1;
}

static const struct gt_device *
device_of (const struct gt_plans *plans)
{
  static const struct gt_device one_thread
    = {.kind = GT_CPU, .host = {.threads = 1}};

  return plans->device ? plans->device : &one_thread;
}

/* Plans PROBLEM as STEP has it, which may be of another reduction.  Returns 0 when
   its kernel does not compute this one.  */
static int
take_step (const struct gt_plans *plans, const struct gt_step *step,
           const struct gt_problem *problem, struct gt_plan *plan)
{
  const struct gt_kernel *kernel = gt_catalog_find (step->way, problem->reduction);

  plan->step = step;
  if (strcmp (step->way, GT_STEP_ESTIMATE) == 0)
    {
      gt_estimate (device_of (plans), problem, &plan->kernel, &plan->config);
      return 1;
    }
  if (kernel == NULL || !gt_kernel_serves (kernel, problem))
    return 0;
  plan->kernel = kernel;
  plan->config = step->config;
  plan->config.unroll = gt_kernel_unroll (kernel, plan->config.unroll);
  return 1;
}

/* A kernel of one vector or two has 128 registers a thread at most, and a multiprocessor 65,536:
   every kernel runs in blocks of so many threads.  A larger block is known to run only for the
   reduction that was tuned.  */
#define BLOCK_OF_ALL 512

/* If the profiles of this silicon have no step at all, those of a like one may.  */
static int
plan_from_profiles (struct gt_plans *plans, const struct gt_problem *problem,
                    struct gt_plan *plan)
{
  unsigned any = 0;

  for (int approximate = 0; approximate < 2 && !any; approximate++)
    {
      struct gt_problem serving = *problem;
      int sign_changed = 0;

      do
        {
          char kind[GT_STEP_KIND_SIZE];
          const struct gt_step *steps;
          unsigned n;

          gt_step_kind_of_problem (&serving, kind);
          steps = find_steps (plans, kind, approximate ? GT_N_FOLDERS : GT_FOLDER_SHIPPED, &n);
          any |= n;
          if (steps && take_step (plans, gt_step_at (steps, n, problem->n), problem, plan))
            {
              if (serving.reduction != problem->reduction && plan->config.block > BLOCK_OF_ALL)
                plan->config.block = BLOCK_OF_ALL;
              return 1;
            }
        }
      while (gt_plan_serving (&serving, &sign_changed));
    }
  return 0;
}

static void
make_plan (struct gt_plans *plans, const struct gt_problem *problem,
           struct gt_plan *plan)
{
  if (!plan_from_profiles (plans, problem, plan))
    {
      plan->step = NULL;
      gt_estimate (device_of (plans), problem, &plan->kernel, &plan->config);
    }
  if (gt_env.threads && plan->config.threads > (unsigned) gt_env.threads)
    plan->config.threads = (unsigned) gt_env.threads;
  plan->function = NULL;
  if (plan->kernel && plan->kernel->device == GT_CPU)
    plan->function
      = gt_kernel_function (plan->kernel, problem, plan->config.unroll);
}

/* Looks for routes of PROBLEM in PLACE in the first file that has any; returns whether
   one has, and from which length on a GPU takes part.  Shipped ones have none.  */
static int
gpu_begins (struct gt_plans *plans, const struct gt_problem *problem,
            enum gt_place place, uint64_t *from)
{
  const struct gt_profile *profile;
  const struct gt_step *step = NULL;
  char kind[GT_STEP_KIND_SIZE];

  gt_step_kind_of_route (problem, place, "", kind);
  for (unsigned k = 0; !step && (profile = profile_up_to (plans, k, GT_FOLDER_SYSTEM)); k++)
    {
      step = gt_profile_first (profile, kind);
      for (const struct gt_step *s = step;
           s && s < profile->steps + profile->n_steps
           && strncmp (s->kind, kind, strlen (kind)) == 0; s++)
        if (s->from < *from && gt_step_route (s).way != GT_WAY_CPU)
          *from = s->from;
    }
  return step != NULL;
}

/* Finds from which length on a GPU takes part in PROBLEM, in each place and in any.  */
static void
take_routes (struct gt_plans *plans, const struct gt_problem *problem,
                 struct gt_planned *planned)
{
  for (int place = 0; place < GT_N_PLACES; place++)
    {
      struct gt_problem serving = *problem;
      uint64_t *from = &planned->gpu_from_at[place];
      int sign_changed = 0;

      while (!gpu_begins (plans, &serving, (enum gt_place) place, from)
             && gt_plan_serving (&serving, &sign_changed))
        continue;
      if (*from < planned->gpu_from)
        planned->gpu_from = *from;
    }
}

const struct gt_step *
gt_host_steps (const char *kind, unsigned *n)
{
  return find_steps ((struct gt_plans *) gt_host_plans (), kind, GT_FOLDER_SYSTEM, n);
}

int
gt_host_has_steps_by (const char *name)
{
  const struct gt_plans *plans = gt_host_plans ();
  const struct gt_profile *profile;
  int any = 0;

  for (unsigned k = 0; !any && (profile = gt_plans_profile (plans, k)); k++)
    for (unsigned i = 0; i < profile->n_steps && !any; i++)
      any = strncmp (profile->steps[i].way, name, strlen (name)) == 0;
  return any;
}

/* In a forked child, the state that another thread of the parent may have begun is
   discarded.  */
static int
find_profile (struct gt_plans *plans)
{
  if (!gt_setup_plain)
    return gt_profile_search (plans->device, &plans->profile, &plans->search)
           == 0;
  gt_log (GT_LOG_DEBUG, "a fork could not wait for planning: estimates are"
                        " used");
  gt_profile_empty (&plans->profile);
  plans->search.n_steps = 0;
  return 0;
}

static void
plan_device (struct gt_plans *plans, const struct gt_device *device)
{
  plans->device = device;
  plans->search.brief = !gt_findings_kept;
  plans->profile_found = find_profile (plans);
}

/* It begins with a page, so that the members that are written are in two pages.  */
_Alignas (4096) struct gt_plans gt_plans_host;

_Static_assert (GT_LONGEST (GT_N_QUICK - 1) < GT_CALLERS_ENV,
                "quick sums do not look after the environment");

/* Returns whether the plan's function alone computes problems of CLASS.  */
static int
is_quick (const struct gt_planned *planned, const struct gt_problem *problem,
          unsigned class)
{
  if (problem->mode == GT_MODE_EXACT || class >= GT_N_QUICK
      || planned->plan.config.threads > 1)
    return 0;
  return problem->layout != GT_CONTIGUOUS || gt_env.device == GT_CHOOSE_CPU
         || (gt_env.device != GT_CHOOSE_CUDA
             && GT_LONGEST (class) < planned->gpu_from);
}

static void
plan_problem (struct gt_plans *plans, const struct gt_problem *problem,
              struct gt_planned *planned)
{
  const unsigned class = gt_size_class (problem->n);
  struct gt_problem p = *problem;

  memset (planned, 0, sizeof *planned);
  planned->key = gt_problem_key (problem);
  planned->gpu_from = UINT64_MAX;
  memset (planned->gpu_from_at, 0xff, sizeof planned->gpu_from_at);
  p.mode = gt_mode_for (p.reduction, p.arithmetic, p.mode);
  if (!gt_device_computes (device_of (plans)->kind, &p))
    return;
  p.n = GT_CLASS_N (class);
  take_routes (plans, &p, planned);
  make_plan (plans, &p, &planned->plan);
  if (is_quick (planned, problem, class))
    planned->quick = planned->plan.function;
}

/* After a fork that ran no handlers, malloc's locks may be held in the child.  */
const struct gt_planned *
gt_planned_make (const struct gt_plans *to, const struct gt_problem *problem)
{
  static _Thread_local struct gt_planned spare;
  struct gt_plans *plans = (struct gt_plans *) to;
  const struct gt_planned *_Atomic *const slot
    = &plans->slot[gt_problem_slot (problem, GT_PLAN_SLOTS)];
  const struct gt_planned *known;
  struct gt_setup setup;

  gt_setup_begin (&setup);
  known = gt_planned_known (plans, problem);
  if (known == NULL)
    {
      struct gt_planned *fresh = gt_setup_plain ? NULL : malloc (sizeof *fresh);
      struct gt_planned *made = fresh ? fresh : &spare;

      plan_problem (plans, problem, made);
      made->next = atomic_load_explicit (slot, memory_order_relaxed);
      if (fresh)
        atomic_store_explicit (slot, fresh, memory_order_release);
      known = made;
    }
  gt_setup_end (&setup);
  return known;
}

void
gt_plans_forget (struct gt_plans *plans)
{
  for (unsigned i = 0; i < GT_PLAN_SLOTS; i++)
    for (const struct gt_planned *p = atomic_exchange (&plans->slot[i], NULL), *next;
         p; p = next)
      {
        next = p->next;
        free ((void *) p);
      }
}

static void
plan_host (void)
{
  plan_device (&gt_plans_host, gt_device_host ());
  gt_plans_host.made = 1;
}

const struct gt_plans *
gt_host_plans (void)
{
  static struct gt_once once;

  gt_once (&once, plan_host);
  return &gt_plans_host;
}

struct gt_planned *
gt_plan_to_change (const struct gt_problem *problem)
{
  return (struct gt_planned *) gt_planned_find (gt_host_plans (), problem);
}

/* ---------------------------------------------------------- Early estimates */

static int
has_same_bits_by_any_plan (const struct gt_problem *problem)
{
  const enum gt_algebra algebra = gt_reductions[problem->reduction].algebra;

  return problem->mode == GT_MODE_EXACT || algebra == GT_ALGEBRA_ORDER
         || !gt_arithmetics[problem->arithmetic].real;
}

/* One thread computes, by the same plan for any length: that is not slower for a few
   elements.  */
const struct gt_plan *
gt_plan_early_slowly (const struct gt_problem *problem, int any_will_do)
{
  static _Alignas (2048) struct gt_plans early; /* its slots lie in one page */
  static _Atomic uint64_t done;
  struct gt_problem some = *problem;
  const struct gt_plan *plan;

  if (gt_env.device == GT_CHOOSE_CUDA
      || !(any_will_do || has_same_bits_by_any_plan (problem))
      || !gt_is_early (&done, gt_problem_bytes (problem) + GT_EARLY_CALL, GT_EARLY_BYTES))
    return NULL;
  some.n = 4096;
  plan = gt_plan_find (&early, &some);
  return plan->function ? plan : NULL;
}

static struct gt_plans **gpu_plans;

static void
plan_gpus (void)
{
  int count = gt_gpu_count (NULL);

  gpu_plans = count ? calloc ((size_t) count, sizeof *gpu_plans) : NULL;
  for (int i = 0; gpu_plans && i < count; i++)
    {
      gpu_plans[i] = calloc (1, sizeof *gpu_plans[i]);
      if (gpu_plans[i])
        plan_device (gpu_plans[i], gt_gpu_device (i));
    }
}

const struct gt_plans *
gt_gpu_plans (int index)
{
  static struct gt_once once;

  /* This call is outside the setup, so that fork need not wait while a driver is loaded.  */
  gt_gpu_count (NULL);
  gt_once (&once, plan_gpus);
  return gpu_plans ? gpu_plans[index] : NULL;
}

const struct gt_plans *
gt_plans_of (const struct gt_open_gpu *gpu)
{
  return gt_gpu_plans (gt_gpu_index_of (gpu));
}

static void
plan_from (struct gt_plans *plans, struct gt_profile *profile)
{
  struct gt_setup setup;

  gt_setup_begin (&setup);
  gt_profile_clear (&plans->profile);
  plans->profile = *profile;
  gt_profile_empty (profile);
  plans->profile_found = 1;
  plans->search.n_steps = 0; /* the tuner's findings are all that counts */
  while (plans->n_more > 0)
    {
      struct gt_profile *last = plans->more[--plans->n_more];

      gt_profile_clear (last);
      free (last);
    }
  gt_plans_forget (plans);
  gt_steps_forget ();
  gt_setup_end (&setup);
}

void
gt_plans_adopt (const struct gt_device *device, struct gt_profile *profile)
{
  struct gt_plans *plans = NULL;

  gt_host_plans ();
  if (device->kind == GT_CPU)
    plans = &gt_plans_host;
  for (int i = 0; plans == NULL && i < gt_gpu_count (NULL); i++)
    if (gt_gpu_device (i) == device && gt_gpu_plans (i))
      plans = gpu_plans[i];
  if (plans)
    plan_from (plans, profile);
  gt_profile_clear (profile);
}
