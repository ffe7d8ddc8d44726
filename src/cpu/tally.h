/* The values that the pieces of a task come to, merged in the order of their
   elements, whoever computed them and whenever: so bits depend on the pieces
   alone.  Exact values give the same bits in any order and are merged as they
   come.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TALLY_H
#define GT_TALLY_H

#include <pthread.h>

#include "kernels/task.h"

/* The longest of a value's members but those of exact mode, which begins where all
   of them do.  */
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
  unsigned char *there;        /* whether the value of a number has come */
  struct gt_kept_value *value; /* by number; not in exact mode */
  union gt_value *exact;       /* of all that came; exact mode */
  pthread_mutex_t lock;        /* guards EXACT */
};

/* Makes room for the values of COUNT pieces of PROBLEM, which outlives the tally.  In exact mode they are merged in
   TOTAL.  Returns 0, or -1 when memory is short.  */
int gt_tally_open (struct gt_tally *tally, const struct gt_problem *problem,
                   size_t count, union gt_value *total);
void gt_tally_close (struct gt_tally *tally);

/* Takes VALUE, that of piece NUMBER.  Thread-safe.  */
void gt_tally_take (struct gt_tally *tally, size_t number,
                    const union gt_value *value);

/* Returns the place of the value of piece NUMBER, which the caller stores there: not in exact mode.
   Thread-safe.  */
union gt_value *gt_tally_place (struct gt_tally *tally, size_t number);

/* The same in exact mode for VALUE, which is that of several pieces: their
   numbers are not noted.  */
void gt_tally_take_exact (struct gt_tally *tally, const union gt_value *value);

/* Whether the value of piece NUMBER has come.  */
int gt_tally_has (const struct gt_tally *tally, size_t number);

/* Merges all that came, in TOTAL.  */
void gt_tally_total (const struct gt_tally *tally, union gt_value *total);

#endif
