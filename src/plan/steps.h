/* The steps of functions whose way is chosen by size, ready for use: one lookup, one registry,
   one way to force a choice.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PLAN_STEPS_H
#define GT_PLAN_STEPS_H

#include <stdatomic.h>

#include "src/profile/profile.h"

/* Kinds with more steps are not used.  */
#define GT_MOST_STEPS 16

/* The steps of one kind of a function's calls, and the number of each step's way.  If there are
   none the choice is estimated.  */
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
  unsigned functions, kinds; /* their number; of kinds, for each function */
  /* Writes the kind as which KIND of FUNCTION is measured.  Returns 0 if there is no such kind, or
     way 0 is the only one.  */
  int (*text) (unsigned function, unsigned kind, char text[GT_STEP_KIND_SIZE]);
  /* Returns the number of the way that profiles call NAME, or -1 if there is none for FUNCTION.  */
  int (*way_called) (unsigned function, const char *name);
  const uint64_t *estimates; /* sizes from which another way than 0 is estimated */
  /* For each function: for smaller sizes way 0 is used, whatever the kind.  At first that is
     estimated; 0 says that the profiles are to be read.  */
  _Atomic uint64_t *from;
  struct gt_ready *_Atomic *ready;
  _Atomic int *begun; /* see gt_steps_begin */
};

/* The registry.  */
#define GT_N_CHOICES 3
extern const struct gt_choices gt_sorts, gt_products, gt_factors;
extern const struct gt_choices *const gt_all_choices[GT_N_CHOICES];

/* Returns the steps for the kinds of FUNCTION, read at the first call; null when memory is
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

/* Returns the number of the step for SIZE; there is at least one.  */
static inline unsigned
gt_ready_step (const struct gt_ready *ready, uint64_t size)
{
  unsigned k = ready->n - 1u;

  while (k > 0 && ready->steps[k].from > size)
    k--;
  return k;
}

/* Checks whether a profile has usable steps for KIND of FUNCTION.  */
int gt_is_measured (const struct gt_choices *choices, unsigned function, unsigned kind);

/* A process that has done little works by estimates: to look for profiles would cost more than it
   could gain.  Adds WORK to DONE; returns whether the sum is less than MOST.  The sums of two
   threads that add at the same time may be counted once.  */
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

/* Ends the time of estimates: profiles are read, each function's part at its first call.  */
void gt_steps_begin (const struct gt_choices *choices);

/* Reads profiles anew, since they have changed.  Nothing may be computed meanwhile.  */
void gt_steps_forget (void);

/* For the tuner and tests: makes all calls of CHOICES use one way; null ends that.  Nothing may be
   computed meanwhile.  */
struct gt_forced
{
  unsigned way, threads;
};
void gt_force (const struct gt_choices *choices, const struct gt_forced *forced);

extern const struct gt_choices *gt_forced_choices __attribute__ ((visibility ("hidden")));
extern struct gt_forced gt_forced_way __attribute__ ((visibility ("hidden")));

/* Returns the way that is forced for CHOICES, or null.  */
static inline const struct gt_forced *
gt_forced (const struct gt_choices *choices)
{
  return choices == gt_forced_choices ? &gt_forced_way : NULL;
}

#endif
