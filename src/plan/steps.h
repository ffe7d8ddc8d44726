/* The steps of functions whose way depends on the size, ready for use: one look-up, one
   registry, one method to force a way.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PLAN_STEPS_H
#define GT_PLAN_STEPS_H

#include <stdatomic.h>

#include "src/profile/profile.h"

/* Kinds with more steps are not used.  */
#define GT_MOST_STEPS 16

/* The steps for one kind of a function's calls, and the number of each step's way.  If there
   are none, the way is estimated.  */
struct gt_ready
{
  const struct gt_step *steps;
  uint8_t n, way[GT_MOST_STEPS];
};

/* A row of the registry: functions with the same ways.  Way 0 is GSL's function, or that of the
   BLAS that the program is bound to.  */
struct gt_choices
{
  const char *name;
  unsigned functions, kinds; /* the number of functions, and of kinds for each function */
  /* Writes the kind under which KIND of FUNCTION is measured.  Returns 0 if there is no such
     kind, or if way 0 is the only one.  */
  int (*text) (unsigned function, unsigned kind, char text[GT_STEP_KIND_SIZE]);
  /* Returns the number of the way that profiles call NAME, or -1 if FUNCTION has no such
     way.  */
  int (*way_called) (unsigned function, const char *name);
  const uint64_t *estimates; /* the estimated sizes from which on way 0 is not used */
  /* For each function: the size below which way 0 is used for all kinds.  It is estimated at
     first; 0 means that the profiles must be read.  */
  _Atomic uint64_t *from;
  struct gt_ready *_Atomic *ready;
  _Atomic int *begun; /* see gt_steps_begin */
};

/* The registry.  */
#define GT_N_CHOICES 3
extern const struct gt_choices gt_sorts, gt_products, gt_factors;
extern const struct gt_choices *const gt_all_choices[GT_N_CHOICES];

/* Returns the steps for all kinds of FUNCTION, which the first call reads; null if memory is
   short.  */
const struct gt_ready *gt_ready_slowly (const struct gt_choices *choices, unsigned function);

/* Returns the steps for KIND of FUNCTION, or null.  */
static inline const struct gt_ready *
gt_ready (const struct gt_choices *choices, unsigned function, unsigned kind)
{
  const struct gt_ready *ready
    = atomic_load_explicit (&choices->ready[function], memory_order_acquire);

  if (__builtin_expect (ready == NULL, 0))
    ready = gt_ready_slowly (choices, function);
  return ready ? ready + kind : NULL;
}

/* Returns the number of the step for SIZE; there must be at least one step.  */
static inline unsigned
gt_ready_step (const struct gt_ready *ready, uint64_t size)
{
  unsigned k = ready->n - 1u;

  while (k > 0 && ready->steps[k].from > size)
    k--;
  return k;
}

/* Returns whether a profile has usable steps for KIND of FUNCTION.  */
int gt_is_measured (const struct gt_choices *choices, unsigned function, unsigned kind);

/* Returns whether the process has done so little that reading profiles would cost more than it
   could gain; then estimates are used.  Adds WORK to DONE and returns whether the sum is less
   than MOST.  If two threads add at the same time, one addition may be lost.  */
static inline int
gt_is_early (_Atomic uint64_t *done, uint64_t work, uint64_t most)
{
  const uint64_t before = atomic_load_explicit (done, memory_order_relaxed);

  if (before >= most)
    return 0;
  atomic_store_explicit (done, work < most - before ? before + work : most,
                         memory_order_relaxed);
  return work < most - before;
}

/* Ends the use of estimates: profiles are read, each function's part at its first call.  */
void gt_steps_begin (const struct gt_choices *choices);

/* Discards the steps because the profiles have changed.  Nothing may be computed
   meanwhile.  */
void gt_steps_forget (void);

/* For the tuner and tests: makes all calls of CHOICES use one way; null ends that.  Nothing
   may be computed meanwhile.  */
struct gt_forced
{
  unsigned way, threads;
};
void gt_force (const struct gt_choices *choices, const struct gt_forced *forced);

extern const struct gt_choices *gt_forced_choices __attribute__ ((visibility ("hidden")));
extern struct gt_forced gt_forced_way __attribute__ ((visibility ("hidden")));

/* Returns the forced way of CHOICES, or null.  */
static inline const struct gt_forced *
gt_forced (const struct gt_choices *choices)
{
  return choices == gt_forced_choices ? &gt_forced_way : NULL;
}

#endif
