/* How a taken function calls ours or GSL's.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CALL_H
#define GT_CALL_H

#include <stddef.h>
#include <stdint.h>

#include "src/preload/counts.h"

/* A call of a taken function.  Of one that goes the short way the first member alone is
   set.  */
struct gt_call
{
  char is_short;
  char is_ours; /* whether ours is called, not GSL's own */
  char is_watched;
  enum gt_taken_id id;
  size_t n, stride;
  const void *caller; /* the address to which the function returns */
  enum gt_outcome outcome; /* why GSL's is called, if it is watched */
  /* These are of src/preload/watch.c.  */
  struct gt_counts_slot *slot;
  struct gt_counts_bucket *bucket;
  unsigned weight;
  uint64_t start;
  unsigned long planned;
};

/* Ours for each function, where nothing is in the way of calling it: it was found, it
   is wanted, and nobody watches.  Else null.  */
extern void *gt_short_way[GT_N_TAKEN];

/* Whether this thread is in a function of ours.  Ours calls none of GSL's that are
   taken; but a signal's handler may, and what was interrupted must not be entered
   again.  Who leaves the handler by a jump leaves this set, and the thread gets GSL's
   functions from then on.  */
extern _Thread_local char gt_inside
  __attribute__ ((tls_model ("initial-exec")));

/* The rest of gt_enter and of gt_leave.  */
void *gt_enter_slowly (struct gt_call *call, int defined);
void gt_leave_slowly (const struct gt_call *call);

/* The function to call.  DEFINED is 0 where GSL itself must deal with the operands,
   since it reports an error or leaves the answer open.  The stride is read where it is
   needed: the short way would wait for it, read together with the length, if the
   vector was written just before.  */
__attribute__ ((always_inline)) static inline void *
gt_enter (struct gt_call *call, enum gt_taken_id id, int defined, size_t n,
          const size_t *stride, const void *caller)
{
  void *ours = __atomic_load_n (&gt_short_way[id], __ATOMIC_ACQUIRE);

  call->is_short = ours != NULL && !gt_inside && defined;
  if (__builtin_expect (call->is_short, 1))
    {
      gt_inside = 1;
      return ours;
    }
  call->id = id;
  call->n = n;
  call->stride = *stride;
  call->caller = caller;
  return gt_enter_slowly (call, defined);
}

/* To be called when the function has returned.  */
__attribute__ ((always_inline)) static inline void
gt_leave (const struct gt_call *call)
{
  if (__builtin_expect (call->is_short, 1))
    gt_inside = 0;
  else
    gt_leave_slowly (call);
}

#endif
