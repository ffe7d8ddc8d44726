/* Plans: which kernel, in which configuration, computes a problem.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PLAN_H
#define GT_PLAN_H

#include <stdatomic.h>

#include "src/base/configuration.h"
#include "src/base/problem.h"
#include "src/device/backend.h"
#include "src/profile/profile.h"

/* The plan for one problem and all that have its key.  Immutable.  */
struct gt_planned
{
  uint64_t key;
  gt_cpu_function *quick;        /* see gt_quick_find */
  const struct gt_planned *next; /* of the same slot */
  struct gt_plan plan;
  /* Of the host: the least length at which some route of the profile is not the
     CPU's, for data in any place, and in each; UINT64_MAX.  */
  uint64_t gpu_from, gpu_from_at[GT_N_PLACES];
};

/* Everything planned for one device: by its key, when it is first asked for.  */
#define GT_PLAN_SLOTS 256
struct gt_plans
{
  const struct gt_planned *_Atomic slot[GT_PLAN_SLOTS];
  const struct gt_device *device; /* null: a CPU of one thread */
  _Atomic int made;               /* the host's: whether it is */
  int profile_found;
  _Atomic unsigned n_more;
  /* Those that were read for what the ones before them lack: of this silicon, in the
     order of the folders, and at last of a like device.  */
  struct gt_profile *more[GT_N_FOLDERS];
  struct gt_profile profile;  /* the first; empty when none was found */
  struct gt_search search;    /* how profiles were looked for; long, hence the last */
};

/* For the command, which tells of it: how profiles were looked for is kept with the plans.  To be
   set before the first of them.  */
extern int gt_findings_kept;

/* The plans of the host, or of a GPU (index as in gt_gpu_device); made at the
   first call, then the same object.  Thread-safe.  gt_gpu_plans gives null
   when memory is short.  */
extern struct gt_plans gt_plans_host __attribute__ ((visibility ("hidden")));
const struct gt_plans *gt_host_plans (void);
const struct gt_plans *gt_gpu_plans (int index);

/* Profile K of those that PLANS come of, from 0, as far as they were read; or null.  */
const struct gt_profile *gt_plans_profile (const struct gt_plans *plans,
                                           unsigned k);

/* The one that has STEP; the first, where STEP is null.  */
const struct gt_profile *gt_plans_profile_of (const struct gt_plans *plans,
                                              const struct gt_step *step);

/* Returns the steps that profiles of this machine have for calls of KIND, and in N how many; null
   and 0 if none was measured.  They stay where they are until a tuner's profile is adopted.  */
const struct gt_step *gt_host_steps (const char *kind, unsigned *n);

/* Checks whether a step of this machine's profiles has a way that begins with NAME.  */
int gt_host_has_steps_by (const char *name);

/* The plans of an opened GPU.  */
const struct gt_plans *gt_plans_of (const struct gt_open_gpu *gpu);

/* For the tuner: plans DEVICE anew from PROFILE, which becomes the plans', and is made one of
   nothing.  No sum may run meanwhile.  */
void gt_plans_adopt (const struct gt_device *device, struct gt_profile *profile);

/* Forgets what was planned.  Nothing may be computed meanwhile.  */
void gt_plans_forget (struct gt_plans *plans);

/* The plan for PROBLEM, or null if there is none yet.  */
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

/* The same, planned if it was not.  Where memory is short what is returned is this
   thread's until it asks for another problem.  */
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

/* For the benchmark: what is planned of PROBLEM on the host, to be changed while nothing
   computes and put right again.  */
struct gt_planned *gt_plan_to_change (const struct gt_problem *problem);

/* Before the host's plans are made, finding out about the machine may cost more than a
   short program can gain: its processors, a profile.  So what has the same bits by
   whatever plan is computed by one thread, as estimated, until this process has done so
   much work: what one thread reads in the time that finding out takes.  A call counts
   for its bytes and as much as it costs itself.  */
#define GT_EARLY_BYTES ((uint64_t) 32 << 20)
#define GT_EARLY_CALL 1024
const struct gt_plan *gt_plan_early_slowly (const struct gt_problem *problem,
                                            int any_will_do);

/* The plan of PROBLEM for the time before, or null: the host's plans are to be used.
   ANY_WILL_DO says that the caller's result does not depend on the plan.  */
static inline const struct gt_plan *
gt_plan_early (const struct gt_problem *problem, int any_will_do)
{
  return __builtin_expect (atomic_load_explicit (&gt_plans_host.made,
                                                 memory_order_relaxed), 1)
           ? NULL : gt_plan_early_slowly (problem, any_will_do);
}

/* Makes PROBLEM the one whose winners serve where it has none of its own: the same
   of integers with the other sign, or another reduction (kernels/reductions.def).
   Returns 0 when nobody's do.  SIGN_CHANGED is 0 at first, then the last call's.  */
int gt_plan_serving (struct gt_problem *problem, int *sign_changed);

/* Fast and compensated reductions of host vectors of the first classes are worth a shorter way than
   gt_reduce_host: the function of their plan.  Null where the plan has several
   threads, where a GPU may be asked, and until it is made.  Compensated ones want the
   environment that kernels do.  */
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

/* The configuration that a profile must beat, and that serves where there is
   none: from the length and the device's properties alone (src/plan/estimate.c).
   The kernel is null where the catalogue has none for the problem.  */
void gt_estimate (const struct gt_device *device,
                  const struct gt_problem *problem,
                  const struct gt_kernel **kernel, struct gt_config *config);

#endif
