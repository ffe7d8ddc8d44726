/* Chooses how elements are sorted, indexed and selected, depending on their number: as the
   tuner measured, otherwise as estimated.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PLAN_SORT_WAYS_H
#define GT_PLAN_SORT_WAYS_H

#include <stdatomic.h>

#include "src/cpu/sort.h"
#include "src/base/problem.h"
#include "src/plan/steps.h"

enum gt_sort_job
{
  GT_SORT_JOB_SORT,
  GT_SORT_JOB_INDEX,
  GT_SORT_JOB_SELECT,
  GT_N_SORT_JOBS
};

/* The functions of gt_sorts (steps.h).  Way 0 is GSL's function, way 1 ours.  */
#define GT_SORT_FUNCTION(job, arithmetic) ((unsigned) (job) * GT_N_ARITHMETICS + (arithmetic))
#define GT_SORT_OURS 1
extern _Atomic uint64_t gt_sort_from[GT_N_SORT_JOBS * GT_N_ARITHMETICS]
  __attribute__ ((visibility ("hidden")));

/* Indexes of fewer elements are left to GSL, because a sample of the keys must show ties.  */
#define GT_SORT_LEAST_INDEX 64

/* Estimates are used until the process has sorted this many elements.  */
#define GT_SORT_EARLY ((uint64_t) 1 << 18)
extern _Atomic uint64_t gt_sort_asked __attribute__ ((visibility ("hidden")));
void gt_sort_prepare (void);

/* Returns whether our functions support such calls.  */
static inline int
gt_sort_can_be_ours (enum gt_sort_job job, enum gt_arithmetic arithmetic)
{
  return job == GT_SORT_JOB_SELECT
         || gt_sort_has_vqsort (job == GT_SORT_JOB_SORT ? (unsigned) arithmetic : GT_SORT_WIDE);
}

/* Returns the least number of elements that our function sorts; UINT64_MAX if there is
   none.  */
uint64_t gt_sort_begins (enum gt_sort_job job, enum gt_arithmetic arithmetic);

/* Returns whether our function sorts N elements.  */
static inline int
gt_sort_is_ours (enum gt_sort_job job, enum gt_arithmetic arithmetic, size_t n)
{
  const _Atomic uint64_t *const place = &gt_sort_from[GT_SORT_FUNCTION (job, arithmetic)];
  uint64_t from;

  if (atomic_load_explicit (&gt_sort_asked, memory_order_relaxed) < GT_SORT_EARLY
      && !gt_is_early (&gt_sort_asked, n, GT_SORT_EARLY))
    gt_sort_prepare ();
  from = atomic_load_explicit (place, memory_order_relaxed);
  if (from == 0)
    from = gt_sort_begins (job, arithmetic);
  return n >= from && (job != GT_SORT_JOB_INDEX || n >= GT_SORT_LEAST_INDEX)
         && gt_sort_can_be_ours (job, arithmetic);
}

/* Returns the number of threads that sort N elements, or packed keys for an index.  */
unsigned gt_sort_threads (enum gt_sort_job job, enum gt_arithmetic arithmetic, size_t n);

/* ------------------------------------------------ For the tuner and `explain' */

/* Returns the arithmetic whose measurements are used for ARITHMETIC.  */
enum gt_arithmetic gt_sort_leader (enum gt_sort_job job, enum gt_arithmetic arithmetic);

/* Writes the kind of the steps (src/profile/profile.h) for such calls, e.g. "sort f64".  */
void gt_sort_kind_text (enum gt_sort_job job, enum gt_arithmetic arithmetic,
                        char text[GT_STEP_KIND_SIZE]);
#define GT_STEP_VQSORT "vqsort"

#endif
