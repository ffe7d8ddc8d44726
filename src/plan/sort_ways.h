/* Decides by what elements are sorted, indexed and selected, from which length on: as
   the tuner measured it, else as estimated.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PLAN_SORT_WAYS_H
#define GT_PLAN_SORT_WAYS_H

#include <stdatomic.h>

#include "src/cpu/sort.h"
#include "src/base/problem.h"
#include "src/profile/profile.h"

enum gt_sort_job
{
  GT_SORT_JOB_SORT,
  GT_SORT_JOB_INDEX,
  GT_SORT_JOB_SELECT,
  GT_N_SORT_JOBS
};

/* The least numbers of elements for which our way replaces GSL's function, and for which THREADS
   share a sort; UINT64_MAX if there are none.  THREADS is 0 for all that the process may have.  */
struct gt_sort_from
{
  _Atomic uint64_t ours, shared;
  _Atomic unsigned threads;
};
extern struct gt_sort_from gt_sort_from[GT_N_SORT_JOBS][GT_N_ARITHMETICS]
  __attribute__ ((visibility ("hidden")));

/* Of an index fewer are not sorted by ours: a sample tells of ties.  */
#define GT_SORT_LEAST_INDEX 64

/* A process that sorts few elements gains nothing by looking for a profile.  So many have been
   asked for, until the profile has been read.  */
#define GT_SORT_EARLY ((uint64_t) 1 << 18)
extern _Atomic uint64_t gt_sort_asked __attribute__ ((visibility ("hidden")));
void gt_sort_prepare (void);

/* Checks whether such calls can be ours at all.  */
static inline int
gt_sort_can_be_ours (enum gt_sort_job job, enum gt_arithmetic arithmetic)
{
  return job == GT_SORT_JOB_SELECT
         || gt_sort_has_vqsort (job == GT_SORT_JOB_SORT ? (unsigned) arithmetic : GT_SORT_WIDE);
}

/* Checks whether N elements are not GSL's to do.  */
static inline int
gt_sort_is_ours (enum gt_sort_job job, enum gt_arithmetic arithmetic, size_t n)
{
  const uint64_t asked = atomic_load_explicit (&gt_sort_asked, memory_order_relaxed);

  /* The sums of two threads that add at once may be counted once.  */
  if (asked < GT_SORT_EARLY)
    {
      atomic_store_explicit (&gt_sort_asked, asked + n, memory_order_relaxed);
      if (n >= GT_SORT_EARLY - asked)
        gt_sort_prepare ();
    }
  return n >= atomic_load_explicit (&gt_sort_from[job][arithmetic].ours, memory_order_relaxed)
         && gt_sort_can_be_ours (job, arithmetic);
}

/* Returns how many threads sort N elements, or of an index numbers.  */
unsigned gt_sort_threads (enum gt_sort_job job, enum gt_arithmetic arithmetic, size_t n);

/* How many threads this process may have.  */
unsigned gt_sort_most_threads (void);

/* ------------------------------------------- For the tuner and what explains */

/* The arithmetic whose measurements serve ARITHMETIC.  */
enum gt_arithmetic gt_sort_leader (enum gt_sort_job job, enum gt_arithmetic arithmetic);

/* Returns the least number of elements that are not GSL's to do; UINT64_MAX if there is none.  */
uint64_t gt_sort_begins (enum gt_sort_job job, enum gt_arithmetic arithmetic);

/* "sort f64": the kind of the steps (src/profile/profile.h) of such calls.  */
void gt_sort_kind_text (enum gt_sort_job job, enum gt_arithmetic arithmetic,
                        char text[GT_STEP_KIND_SIZE]);
#define GT_STEP_VQSORT "vqsort"

/* Whether a profile has what serves such calls.  */
int gt_sort_is_measured (enum gt_sort_job job, enum gt_arithmetic arithmetic);

/* From now on calls are done as FROM says, or with null again as planned.  Nothing may be
   sorted meanwhile.  */
void gt_sort_force (enum gt_sort_job job, enum gt_arithmetic arithmetic,
                    const struct gt_sort_from *from);

#endif
