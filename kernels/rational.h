/* Statistics in whole numbers, from any sums, for the host and for a kernel that finishes them
   on a device.
   Elements are whole numbers in units of a power of two; weights are in units of another one.
   W, Q and S are the sums of the weights, of their squares and of w y.  The deviation d of an
   element from the mean, times W, is W y - S; from a given mean m it is y - m.  All statistics
   are quotients of products of these and of sums of w d^p, or roots of such quotients.  The
   weights' unit cancels in these quotients, except in the sum of squares.  Without weights, all
   weights are 1; then W^2 - Q is n (n - 1).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_RATIONAL_H
#define GT_KERNELS_RATIONAL_H

#include "kernels/statistics.h"
#include "kernels/whole.h"

/* LOW is the exponent of the lowest bit that may be set.  */
struct unit
{
  int low;
};

/* The rooms of numbers, those that are kept first and then temporary ones.  */
enum room
{
  WEIGHTS, SQUARES, SUM, GIVEN, DEVIATION, POWERS, BEFORE = POWERS + 5, WEIGHT, LEFT,
  A, B, C, D, ONE, N_ROOMS
};

struct gt_rational
{
  struct gt_formula formula;
  double about[2];                /* the given numbers */
  const struct gt_power_sum *sum_of; /* the sums of enum gt_moment, or null; of N elements */
  uint64_t n;
  struct unit x, w, y;
  size_t words; /* of a room */
  uint64_t *rooms;
  struct gt_whole weights, squares, sum, given, deviation, before;
  /* The sums of w |d|, w d^2 and so on, and of products of neighbours.  For two samples, [2]
     is the sum of the products d e, followed by those of d^2 and e^2.  */
  struct gt_whole power[5];
};

#define NEIGHBOURS 0

/* The words of a room for elements whose bits are from 2^LOWEST to below 2^HIGHEST and for
   sums of many of these.  Weights have the same range, or are a count.  */
#define GT_ROOM_WORDS(weighted, lowest, highest)               \
  ((size_t) (((highest) - (lowest)) / 64 + 4) * 6              \
   + (size_t) ((weighted) ? ((highest) - (lowest)) / 64 + 4 : 4) * 14)

/* A room of sums on a GPU.  */
#define GT_POWERS_ROOM GT_ROOM_WORDS (1, GT_SUPER_LOWEST, DBL_MAX_EXP)

GT_FINISH_PART uint64_t *
room (const struct gt_rational *r, unsigned which)
{
  return r->rooms + which * r->words;
}

/* Returns X - Y in room TO, which must contain neither.  */
GT_FINISH_PART struct gt_whole
less (const struct gt_rational *r, unsigned to, struct gt_whole x, struct gt_whole y)
{
  return gt_whole_difference (room (r, to), &x, &y);
}

/* Returns X Y, likewise.  */
GT_FINISH_PART struct gt_whole
times (const struct gt_rational *r, unsigned to, struct gt_whole x, struct gt_whole y)
{
  return gt_whole_product (room (r, to), &x, &y);
}

/* Returns SUM as a whole number in units of 2^UNIT.  ROOM needs half as many words, plus
   two.  */
GT_FINISH_VALUE struct gt_whole
gt_power_sum_whole (uint64_t *room, const struct gt_power_sum *sum, int unit);

/* Returns the value of R's formula for R's power sums, rounded once.  */
GT_FINISH_FUNCTION double gt_rational_value (struct gt_rational *r);

#endif
