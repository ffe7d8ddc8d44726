/* Plans: which kernel, in which configuration, computes a problem.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PLAN_H
#define GT_PLAN_H

#include "src/base/configuration.h"
#include "src/cuda/backend_cuda.h"
#include "src/profile/profile.h"

/* Lengths are planned by class: the class of n is log2 n, rounded.  */
#define GT_N_CLASSES 65
static inline unsigned
gt_size_class (uint64_t n)
{
  unsigned k;

  if (n < 2)
    return 0;
  k = 63 - (unsigned) __builtin_clzll (n);
  return k + (unsigned) (n >> (k - 1) & 1);
}

/* Everything planned for one device.  Immutable once made.  */
struct gt_plans
{
  const struct gt_device *device;
  struct gt_search search;    /* how the profile was looked for */
  struct gt_profile profile;  /* empty when none was found */
  int profile_found;
  /* Host only: the least length at which some route of the profile is not the
     CPU's, for data in any place and in each; UINT64_MAX.  */
  uint64_t gpu_from[GT_N_ARITHMETICS][GT_N_MODES];
  uint64_t gpu_from_at[GT_N_ARITHMETICS][GT_N_MODES][GT_N_PLACES];
  struct gt_plan plan[GT_N_ARITHMETICS][GT_N_MODES][GT_N_LAYOUTS]
                     [GT_N_CLASSES];
};

/* The plans of the host, or of a GPU (index as in gt_cuda_device); made at the
   first call, then the same object.  Thread-safe.  gt_gpu_plans gives null
   when memory is short.  */
const struct gt_plans *gt_host_plans (void);
const struct gt_plans *gt_gpu_plans (int index);

/* The plans of an opened GPU.  */
const struct gt_plans *gt_plans_of (const struct gt_cuda *gpu);

/* For the tuner: plans DEVICE anew from PROFILE, in which it has just put its
   findings and which stays the tuner's.  No sum may run meanwhile.  When memory is
   short the plans stay as they are.  */
void gt_plans_adopt (const struct gt_device *device,
                     const struct gt_profile *profile);

/* The plan of one problem.  */
static inline const struct gt_plan *
gt_plan_find (const struct gt_plans *plans, const struct gt_problem *problem)
{
  return &plans->plan[problem->arithmetic][problem->mode][problem->layout]
                     [gt_size_class (problem->n)];
}

/* Fast sums of host vectors of the first classes are worth a shorter way than
   gt_reduce_host: the function of their plan.  Null where the plan has several
   threads, where a GPU may be asked, and until plans are made.  */
#define GT_N_QUICK 14
extern gt_cpu_function *gt_quick[GT_N_ARITHMETICS][GT_N_LAYOUTS][GT_N_QUICK]
  __attribute__ ((visibility ("hidden")));

static inline gt_cpu_function *
gt_quick_find (enum gt_arithmetic arithmetic, enum gt_layout layout,
               uint64_t n)
{
  unsigned k = gt_size_class (n);

  return k < GT_N_QUICK ? __atomic_load_n (&gt_quick[arithmetic][layout][k],
                                           __ATOMIC_RELAXED)
                        : NULL;
}

/* The configuration that a profile must beat, and that serves where there is
   none: from the length and the device's properties alone (src/plan/estimate.c). */
void gt_estimate (const struct gt_device *device,
                  const struct gt_problem *problem,
                  const struct gt_kernel **kernel, struct gt_config *config);

#endif
