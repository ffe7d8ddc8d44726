/* How a taken function calls ours or GSL's.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CALL_H
#define GT_CALL_H

#include <stddef.h>
#include <stdint.h>

#include "src/preload/bound.h"
#include "src/preload/counts.h"
#include "src/preload/seen.h"

/* The function that serves a call, and what is to be done when it returns; null: nothing.  */
struct gt_turn
{
  void *function;
  struct gt_call *call;
};

/* A call of a taken function, unless GSL's own is called at once.  */
struct gt_call
{
  enum
  {
    GT_TO_GSL,  /* there is nothing to do at the end */
    GT_TO_OURS, /* gt_inside is to be cleared */
    GT_SLOWLY   /* the members below are set */
  } way;
  char is_ours; /* whether ours is called, not GSL's own */
  char is_watched;
  char goes_back; /* whether it is ours that calls GSL's, which may call ours again */
  unsigned char own_mode; /* of the function: ours has it during the call */
  int mode_before;        /* of the thread */
  enum gt_taken_id id;
  size_t n;
  size_t stride[2]; /* of both operands, the same if there is one; of a product of matrices
                       its rows and columns */
  const void *caller; /* the address to which the function returns */
  enum gt_outcome outcome; /* why GSL's is called, if it is watched */
  /* These are of src/preload/watch.c.  */
  struct gt_counts_slot *slot;
  struct gt_counts_bucket *bucket;
  unsigned weight;
  uint64_t start;
  unsigned long planned;
};

/* The short ways of a function: what was found of it, if nobody watches.  */
struct gt_short_way
{
  void *gsl;   /* GSL's own if it is the same for all callers; null until the next is known */
  size_t from; /* the number of elements from which on ours is called */
  void *ours;  /* null until a call wants it, if it is not there, or if it has a mode of its
                  own */
};
extern struct gt_short_way gt_short_ways[GT_N_TAKEN] __attribute__ ((visibility ("hidden")));

/* Whether this thread is in a function of ours.  Ours calls none of GSL's that are
   taken; but a signal's handler may, and what was interrupted must not be entered
   again.  Who leaves the handler by a jump leaves this set, and the thread gets GSL's
   functions from then on.  */
extern _Thread_local char gt_inside
  __attribute__ ((tls_model ("initial-exec")));

/* The number of elements from which on ours is called, once it was found out, else 0.  */
size_t gt_taken_here_from (enum gt_taken_id id);

/* The rest of gt_enter, and gt_leave.  */
void *gt_enter_elsewhere (struct gt_call *call, enum gt_taken_id id, int defined, size_t n,
                          const size_t *stride, const size_t *other);
void gt_leave_elsewhere (struct gt_call *call);

/* Whether a factorisation of N multiplications is GSL's own because CALLER, which is not
   GSL, would see the signs of vectors.  */
int gt_shows_signs (enum gt_taken_id id, size_t n, const void *caller);

/* Whether a call of N elements is GSL's own where ours is called FROM so many on.  */
__attribute__ ((always_inline)) static inline int
gt_stays (size_t from, int defined, size_t n)
{
  return n < from || (defined > GT_DEFINED && from > 0);
}

/* Returns the function to call.  DEFINED is a finding of src/preload/seen.h.  OTHER is the
   stride of a second operand, or null.  The strides are read where they are needed: the short
   way would wait for them, read together with the length, if the vector was written just
   before.  What is here is compiled some nine hundred times.  */
__attribute__ ((always_inline)) static inline struct gt_turn
gt_enter (struct gt_call *call, enum gt_taken_id id, int defined, size_t n,
          const size_t *stride, const size_t *other, const void *caller)
{
  const struct gt_short_way *const way = &gt_short_ways[id];
  void *const gsl = __atomic_load_n (&way->gsl, __ATOMIC_ACQUIRE);

  if (gsl != NULL && gt_stays (way->from, defined, n))
    return (struct gt_turn) {gsl, NULL};
  call->caller = caller;
  return (struct gt_turn) {gt_enter_elsewhere (call, id, defined, n, stride, other), call};
}

/* The same for factorisations.  GSL's own ones of fewer multiplications than LEAST call GSL's
   own functions, unless these are exact: vectors are short there.  */
__attribute__ ((always_inline)) static inline struct gt_turn
gt_enter_factor (struct gt_call *call, size_t least, enum gt_taken_id id, int defined, size_t n,
                 const size_t *stride, const size_t *other, const void *caller)
{
  const struct gt_short_way *const way = &gt_short_ways[id];
  void *const gsl = __atomic_load_n (&way->gsl, __ATOMIC_ACQUIRE);

  if (gsl == NULL || n >= least || n >= way->from || way->from == SIZE_MAX || gt_inside)
    return gt_enter (call, id, defined, n, stride, other, caller);
  gt_inside = 1;
  call->way = GT_TO_OURS;
  return (struct gt_turn) {gsl, call};
}

/* Ends a call, when the function has returned.  */
__attribute__ ((always_inline)) static inline void
gt_leave (const struct gt_turn *turn)
{
  if (turn->call)
    gt_leave_elsewhere (turn->call);
}

#endif
