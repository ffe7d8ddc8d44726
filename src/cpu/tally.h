/* The values of the pieces of a task, merged in the order of their elements, so that the
   result depends on the pieces alone and not on the timing.  Exact values give the same bits
   in any order and are merged at once.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TALLY_H
#define GT_TALLY_H

#include <pthread.h>

#include "kernels/task.h"

/* The longest member of a value, without those of exact mode; all members begin at the same
   address.  */
struct gt_kept_value
{
  struct gt_sums longest;
};
_Static_assert (sizeof (struct gt_kept_value) >= sizeof (struct gt_where)
                && sizeof (struct gt_kept_value)
                     >= sizeof (struct gt_integer_sums),
                "a value is cut short");

struct gt_tally
{
  const struct gt_problem *problem;
  size_t count;
  unsigned char *there;        /* whether the value with that number is there */
  struct gt_kept_value *value; /* by number; not in exact mode */
  union gt_value *exact;       /* the merged value; exact mode */
  pthread_mutex_t lock;        /* guards EXACT */
};

/* Allocates room for the values of COUNT pieces of PROBLEM, which outlives the tally.  In
   exact mode they are merged in TOTAL.  Returns 0, or -1 when memory is short.  */
int gt_tally_open (struct gt_tally *tally, const struct gt_problem *problem,
                   size_t count, union gt_value *total);
void gt_tally_close (struct gt_tally *tally);

/* Stores VALUE, the value of piece NUMBER. Thread-safe.  */
void gt_tally_take (struct gt_tally *tally, size_t number,
                    const union gt_value *value);

/* Returns the place where the caller stores the value of piece NUMBER; not in exact mode.
   Thread-safe.  */
union gt_value *gt_tally_place (struct gt_tally *tally, size_t number);

/* Merges VALUE, the value of several pieces, in exact mode; their numbers are not
   recorded.  */
void gt_tally_take_exact (struct gt_tally *tally, const union gt_value *value);

/* Checks whether the value of piece NUMBER is there.  */
int gt_tally_has (const struct gt_tally *tally, size_t number);

/* Merges all values in TOTAL.  */
void gt_tally_total (const struct gt_tally *tally, union gt_value *total);

#endif
