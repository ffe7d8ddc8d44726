/* Statistics in whole numbers, of whatever sums there are: for the host, and for a kernel
   that finishes them on a device.

   Elements are whole numbers in units of a power of two, weights in units of another.
   With W, Q and S, the sums of the weights, of their squares and of w y, what is left of an
   element about the mean is W y - S, which is W times as much; about a given mean m it is
   y - m.  All statistics are quotients of products of these and of sums of w d^p, or roots
   of such, in which the weights' unit cancels but for that of the sum of squares.  Where
   there are no weights, all are 1: then W^2 - Q is n (n - 1).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_RATIONAL_H
#define GT_KERNELS_RATIONAL_H

#include <float.h>

#include "kernels/statistics.h"

/* The exponents of what there is: of the highest bit, and of the lowest that may be
   set.  */
struct reach
{
  int low, high;
};

/* The rooms of numbers that live on, and of those that do not.  */
enum room
{
  WEIGHTS, SQUARES, SUM, GIVEN, DEVIATION, POWERS, BEFORE = POWERS + 5, WEIGHT, LEFT,
  A, B, C, D, ONE, N_ROOMS
};

struct gt_rational
{
  struct gt_formula formula;
  double about[2];                /* what is given */
  const struct gt_power_sum *sum_of; /* those of enum gt_moment, or null; of N elements */
  uint64_t n;
  struct reach x, w, y;
  size_t words;    /* of a room */
  uint64_t *rooms;
  struct gt_whole weights, squares, sum, given, deviation, before;
  /* Sums of w |d|, w d^2 and so on; and of products of neighbours.  Of two samples [2] is
     that of products d e, and what follows those of d^2 and of e^2.  */
  struct gt_whole power[5];
};

#define NEIGHBOURS 0

/* Words of numbers that reach so far, and of sums of many.  */
GT_SUPER size_t
words_of (const struct reach *reach)
{
  return (size_t) ((reach->high - reach->low) / 64 + 4);
}

/* Words of a room for weights and elements that reach so far.  */
#define ROOM_WORDS(of_weights, of_elements) (14 * (of_weights) + 6 * (of_elements))

/* The reach of doubles, or of ones alone, and the words of a room for these.  */
GT_SUPER struct reach
gt_reach_of_doubles (int any)
{
  struct reach reach;

  reach.low = any ? GT_SUPER_LOWEST : 0;
  reach.high = DBL_MAX_EXP;
  return reach;
}
GT_SUPER size_t
gt_room_of_doubles (int weighted)
{
  const struct reach w = gt_reach_of_doubles (weighted), x = gt_reach_of_doubles (1);

  return ROOM_WORDS (words_of (&w), words_of (&x));
}

GT_FINISH_PART uint64_t *
room (const struct gt_rational *r, unsigned which)
{
  return r->rooms + which * r->words;
}

/* X - Y, in room TO, which neither is in.  */
GT_FINISH_PART struct gt_whole
less (const struct gt_rational *r, unsigned to, struct gt_whole x, struct gt_whole y)
{
  return gt_whole_difference (room (r, to), &x, &y);
}

/* X Y likewise.  */
GT_FINISH_PART struct gt_whole
times (const struct gt_rational *r, unsigned to, struct gt_whole x, struct gt_whole y)
{
  return gt_whole_product (room (r, to), &x, &y);
}

/* Makes what R's formula wants of R's power sums.  */
GT_FINISH_FUNCTION void gt_rational_add_up (struct gt_rational *r);

/* The value of R's formula, of what has been added up, rounded once.  */
GT_FINISH_FUNCTION double gt_rational_finish (const struct gt_rational *r);

#endif
