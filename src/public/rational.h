/* Statistics in whole numbers, of whatever sums there are.

   Elements are whole numbers in units of a power of two, weights in units of another.
   With W, Q and S, the sums of the weights, of their squares and of w y, what is left of an
   element about the mean is W y - S, which is W times as much; about a given mean m it is
   y - m.  All statistics are quotients of products of these and of sums of w d^p, or roots
   of such, in which the weights' unit cancels but for that of the sum of squares.  Where
   there are no weights, all are 1: then W^2 - Q is n (n - 1).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_RATIONAL_H
#define GT_RATIONAL_H

#include <float.h>

#include "kernels/cpu/finish/whole.h"
#include "src/public/kinds.h"

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
  A, B, C, D, N_ROOMS
};

struct gt_rational
{
  struct gt_sample *sample;
  const struct gsltune_moments_struct *moments; /* sums of the sample, or null */
  const struct gt_term *term;
  struct reach x, w;
  size_t counted;  /* elements of a weight above zero */
  int differ;      /* whether they do */
  size_t words;    /* of a room */
  uint64_t *rooms;
  struct gt_whole weights, squares, sum, given, deviation, before;
  /* Sums of w |d|, w d^2 and so on; and of products of neighbours.  Of two samples [2] is
     that of products d e, and what follows those of d^2 and of e^2.  */
  struct gt_whole power[5];
};

#define NEIGHBOURS 0

/* Words of numbers that reach so far, and of sums of many.  */
static inline size_t
words_of (const struct reach *reach)
{
  return (size_t) ((reach->high - reach->low) / 64 + 4);
}

/* Words of a room for weights and elements that reach so far.  */
#define ROOM_WORDS(of_weights, of_elements) (14 * (of_weights) + 6 * (of_elements))

/* The most of a long double's that words_of returns, its units being those of
   accumulators (kernels/cpu/wide/wide_superaccumulator.h).  */
#define MOST_WORDS ((LDBL_MAX_EXP - LDBL_MIN_EXP + 3 * LDBL_MANT_DIG) / 64 + 4)

static inline uint64_t *
room (const struct gt_rational *r, unsigned which)
{
  return r->rooms + which * r->words;
}

/* X - Y, in room TO, which neither is in.  */
static inline struct gt_whole
less (const struct gt_rational *r, unsigned to, struct gt_whole x, struct gt_whole y)
{
  return gt_whole_difference (room (r, to), &x, &y);
}

/* X Y likewise.  */
static inline struct gt_whole
times (const struct gt_rational *r, unsigned to, struct gt_whole x, struct gt_whole y)
{
  return gt_whole_product (room (r, to), &x, &y);
}

/* Computes R's term of the sums that ADD_UP makes, once it has rooms.  */
double gt_rational_compute (struct gt_rational *r, void add_up (struct gt_rational *));

/* Of none that counts, as GSL has it.  */
double gt_rational_of_none (const struct gt_term *term);

#endif
