/* Calls of intercepted functions, which are passed to our function or to GSL's.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CALL_H
#define GT_CALL_H

#include <stddef.h>
#include <stdint.h>

#include "src/preload/bound.h"
#include "src/preload/counts.h"
#include "src/preload/seen.h"

/* The function to call, and the call that gt_leave must end; null if there is nothing to
   do.  */
struct gt_turn
{
  void *function;
  struct gt_call *call;
};

/* A call of an intercepted function, unless GSL's own function is called immediately.  */
struct gt_call
{
  enum
  {
    GT_TO_GSL,  /* nothing to do at the end */
    GT_TO_OURS, /* gt_inside must be cleared */
    GT_SLOWLY   /* the members below are set */
  } way;
  char is_ours; /* whether our function is called, not GSL's own */
  char is_watched;
  char goes_back; /* whether our function calls GSL's, which may call ours again */
  unsigned char own_mode; /* the function's own mode, which is set during the call */
  int mode_before;        /* the thread's mode before the call */
  enum gt_taken_id id;
  size_t n;
  size_t stride[2]; /* of both operands, equal if there is one; for a product of matrices, the
                       numbers of rows and columns */
  const void *caller; /* the return address of the function */
  enum gt_outcome outcome; /* why GSL's function is called, if the call is watched */
  /* The following members belong to src/preload/watch.c.  */
  struct gt_counts_slot *slot;
  struct gt_counts_bucket *bucket;
  unsigned weight;
  uint64_t start;
  unsigned long planned;
};

/* The results of the look-up of a function, if calls are not watched.  */
struct gt_short_way
{
  void *gsl;   /* GSL's own function if it is the same for all callers; if null, the other
                  members are not valid yet */
  size_t from; /* the smallest number of elements for which our function is called */
  void *ours;  /* null until a call needs it, if it does not exist, or if it has a mode of its
                  own */
};
extern struct gt_short_way gt_short_ways[GT_N_TAKEN] __attribute__ ((visibility ("hidden")));

/* Whether this thread is in one of our functions.  These do not call intercepted functions of
   GSL's; but a signal handler may, and must not enter the interrupted function again.  If a
   handler is left by a jump, this remains set, and the thread uses GSL's functions from then
   on.  */
extern _Thread_local char gt_inside
  __attribute__ ((tls_model ("initial-exec")));

/* Returns the smallest number of elements for which our function is called, or 0 if that is
   not known yet.  */
size_t gt_taken_here_from (enum gt_taken_id id);

/* The remaining parts of gt_enter and gt_leave.  */
void *gt_enter_elsewhere (struct gt_call *call, enum gt_taken_id id, int defined, size_t n,
                          const size_t *stride, const size_t *other);
void gt_leave_elsewhere (struct gt_call *call);

/* Returns whether a factorisation of N multiplications must be GSL's own because CALLER, which
   is not GSL, would see the signs of vectors.  */
int gt_shows_signs (enum gt_taken_id id, size_t n, const void *caller);

/* Returns whether a call of N elements is passed to GSL's own function; ours is called for
   FROM elements or more.  */
__attribute__ ((always_inline)) static inline int
gt_stays (size_t from, int defined, size_t n)
{
  return n < from || (defined > GT_DEFINED && from > 0);
}

/* Returns the function to call.  DEFINED is a finding of src/preload/seen.h.  OTHER is the
   stride of a second operand, or null.  The strides are read only if they are needed: if they
   were read together with the length and the vector had just been written, the short path
   would wait for them.  This code is compiled about nine hundred times.  */
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

/* Returns the function to call for a factorisation.  GSL's own factorisations of fewer than
   LEAST multiplications call GSL's own functions, unless those are exact, because their
   vectors are short.  */
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

/* Ends a call after the function has returned.  */
__attribute__ ((always_inline)) static inline void
gt_leave (const struct gt_turn *turn)
{
  if (turn->call)
    gt_leave_elsewhere (turn->call);
}

#endif
