/* Plans: the kernel, and its configuration, that computes a problem.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PLAN_H
#define GT_PLAN_H

#include <stdatomic.h>

#include "src/base/configuration.h"
#include "src/base/problem.h"
#include "src/device/backend.h"
#include "src/profile/profile.h"

/* The plan for one problem and all others with its key.  Immutable.  */
struct gt_planned
{
  uint64_t key;
  gt_cpu_function *quick;        /* see gt_quick_find */
  const struct gt_planned *next; /* in the same slot */
  struct gt_plan plan;
  /* For the host: the least length for which a route of the profile is not the CPU's, for data
     in any place, and in each; UINT64_MAX if there is none.  */
  uint64_t gpu_from, gpu_from_at[GT_N_PLACES];
};

/* All plans for one device, by key; a plan is made when it is first needed.  */
#define GT_PLAN_SLOTS 256
struct gt_plans
{
  const struct gt_planned *_Atomic slot[GT_PLAN_SLOTS];
  const struct gt_device *device; /* null: a CPU with one thread */
  _Atomic int made;               /* for the host: whether the plans exist */
  int profile_found;
  _Atomic unsigned n_more;
  /* Profiles that were read because the ones before lack something: first those of this
     silicon, in the order of the folders, then one of a similar device.  */
  struct gt_profile *more[GT_N_FOLDERS];
  struct gt_profile profile;  /* the first profile; empty if none was found */
  struct gt_search search;    /* the steps of the search for profiles; large, and therefore the
                                 last member */
};

/* Whether the steps of the search for profiles are kept with the plans, for the command, which
   reports them.  Set it before the first plan is made.  */
extern int gt_findings_kept;

/* Return the plans of the host, or of a GPU (INDEX as in gt_gpu_device), which are made by the
   first call.  Thread-safe.  gt_gpu_plans returns null if memory is short.  */
extern struct gt_plans gt_plans_host __attribute__ ((visibility ("hidden")));
const struct gt_plans *gt_host_plans (void);
const struct gt_plans *gt_gpu_plans (int index);

/* Returns profile K, from 0, of those that PLANS are made from, as far as they have been read;
   or null.  */
const struct gt_profile *gt_plans_profile (const struct gt_plans *plans,
                                           unsigned k);

/* Returns the profile that contains STEP, or the first profile if STEP is null.  */
const struct gt_profile *gt_plans_profile_of (const struct gt_plans *plans,
                                              const struct gt_step *step);

/* Returns the steps in profiles of this machine for calls of KIND, and stores their number in
   N; null and 0 if there are none.  The steps remain valid until a tuner's profile
   is adopted.  */
const struct gt_step *gt_host_steps (const char *kind, unsigned *n);

/* Returns whether a step of this machine's profiles has a way whose name begins with NAME.  */
int gt_host_has_steps_by (const char *name);

/* Returns the plans of an opened GPU.  */
const struct gt_plans *gt_plans_of (const struct gt_open_gpu *gpu);

/* For the tuner: discards the plans of DEVICE and takes over PROFILE for new ones; PROFILE
   becomes empty.  No sum may run meanwhile.  */
void gt_plans_adopt (const struct gt_device *device, struct gt_profile *profile);

/* Discards all plans.  Nothing may be computed meanwhile.  */
void gt_plans_forget (struct gt_plans *plans);

/* Returns the plan for PROBLEM, or null if there is none yet.  */
static inline const struct gt_planned *
gt_planned_known (const struct gt_plans *plans, const struct gt_problem *problem)
{
  const uint64_t key = gt_problem_key (problem);
  const struct gt_planned *planned = atomic_load_explicit (
    &plans->slot[gt_problem_slot (problem, GT_PLAN_SLOTS)], memory_order_acquire);

  while (planned && __builtin_expect (planned->key != key, 0))
    planned = planned->next;
  return planned;
}

/* Returns the plan for PROBLEM, which is made if necessary.  If memory is short, the plan is
   valid only in this thread, until its next call.  */
const struct gt_planned *gt_planned_make (const struct gt_plans *plans,
                                          const struct gt_problem *problem);

static inline const struct gt_planned *
gt_planned_find (const struct gt_plans *plans, const struct gt_problem *problem)
{
  const struct gt_planned *planned = gt_planned_known (plans, problem);

  return __builtin_expect (planned != NULL, 1) ? planned
                                               : gt_planned_make (plans, problem);
}

static inline const struct gt_plan *
gt_plan_find (const struct gt_plans *plans, const struct gt_problem *problem)
{
  return &gt_planned_find (plans, problem)->plan;
}

/* For the benchmark: returns the host's plan for PROBLEM, which may be changed, and must be
   restored, while nothing is computed.  */
struct gt_planned *gt_plan_to_change (const struct gt_problem *problem);

/* Making the host's plans may cost more than a short program can gain, because the processors
   and a profile have to be read.  Until the process has processed GT_EARLY_BYTES, which is
   what one thread reads in the time that making plans takes, problems whose result does not
   depend on the plan are computed by one thread, with estimated plans.  A call counts for its
   bytes plus GT_EARLY_CALL.  */
#define GT_EARLY_BYTES ((uint64_t) 32 << 20)
#define GT_EARLY_CALL 1024
const struct gt_plan *gt_plan_early_slowly (const struct gt_problem *problem,
                                            int any_will_do);

/* Returns the early plan for PROBLEM, or null if the host's plans must be used.  ANY_WILL_DO
   means that the caller's result does not depend on the plan.  */
static inline const struct gt_plan *
gt_plan_early (const struct gt_problem *problem, int any_will_do)
{
  return __builtin_expect (atomic_load_explicit (&gt_plans_host.made,
                                                 memory_order_relaxed), 1)
           ? NULL : gt_plan_early_slowly (problem, any_will_do);
}

/* Replaces PROBLEM by one whose winners are used if it has none of its own: the same problem
   for integers of the other signedness, or another reduction (kernels/reductions.def).
   Returns 0 if there is no such problem.  SIGN_CHANGED must be 0 at first, and then the value
   of the last call.  */
int gt_plan_serving (struct gt_problem *problem, int *sign_changed);

/* Returns the function of a plan, which is a shorter path than gt_reduce_host, for fast and
   compensated reductions of host vectors of the first size classes.  Returns null if the plan
   has several threads, if a GPU may be considered, or if the plan has not been made yet.
   Compensated reductions need the kernels' floating-point environment.  */
#define GT_N_QUICK 14

static inline gt_cpu_function *
gt_quick_find_in (enum gt_mode mode, enum gt_reduction reduction,
                  enum gt_arithmetic arithmetic, enum gt_layout layout,
                  uint64_t n)
{
  const struct gt_problem problem = {reduction, arithmetic, mode, layout, n};
  const struct gt_planned *planned = gt_planned_known (&gt_plans_host, &problem);

  return __builtin_expect (planned != NULL, 1) ? planned->quick : NULL;
}

static inline gt_cpu_function *
gt_quick_find (enum gt_reduction reduction, enum gt_arithmetic arithmetic,
               enum gt_layout layout, uint64_t n)
{
  return gt_quick_find_in (GT_MODE_FAST, reduction, arithmetic, layout, n);
}

/* Stores the configuration that a profile must beat, and that is used without a profile,
   computed only from the length and the device's properties (src/plan/estimate.c).  The kernel
   is null if the catalogue has none for the problem.  */
void gt_estimate (const struct gt_device *device,
                  const struct gt_problem *problem,
                  const struct gt_kernel **kernel, struct gt_config *config);

#endif
