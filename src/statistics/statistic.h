/* The statistics of a sample.

   Exact mode, and means and squares of integers in any mode: the exact value, rounded once
   (exact_statistics.c, integer_statistics.c).

   Fast mode for reals (fast_statistics.c): the formulas of exact mode in double, from rounded
   sums of powers of x - a.  The shift a removes the common part of the elements; about the
   mean the sum of squares is Q - S^2 / n.  This subtraction loses digits if a is far from the
   mean, compared with the spread.  The first shift is the mean of eight elements, or for long
   vectors on a GPU the first element.  If S^2 / n is more than half of Q, on a GPU more than
   15/16, a second pass uses the mean that the first one found (T. F. Chan, G. H. Golub and R.
   J. LeVeque, "Algorithms for computing the sample variance", The American Statistician 37,
   1983).  An accumulator of k numbers has an error of at most k u of their magnitudes, u =
   2^-53; with the rounding of differences and squares the relative error of Q - S^2 / n is
   less than 6 (k + 3) u, on a GPU 48 (k + 3) u, and about the mean less than 3 (k + 3) u.  If
   rounded sums do not determine the value, for instance because squares are out of the range
   of doubles, the exact value is computed.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_STATISTIC_H
#define GT_STATISTIC_H

#include "src/statistics/terms.h"
#include "src/reduce/sample.h"

/* Returns the value of the sample's statistic in its mode.  */
gt_statistic gt_statistic_value;

/* Returns the exact value, rounded once. */
gt_statistic gt_exact_statistic;

/* Computes the exact value of a sample on the host with whole numbers, slowly.  Infinities and
   NaN have the same effect as in GSL.  */
gt_statistic gt_rational;

/* Stores the exact value, rounded once, in *TO.  Returns 0 if sums in twice the precision do
   not decide its rounding.  */
int gt_quick_statistic (struct gt_sample *sample, double *to);

/* Stores the sums of a sample on a GPU of the elements minus SHIFT, as many as the formula
   needs, with error bounds.  Returns 0 if they are out of range.  */
struct gt_enclosed;
int gt_device_sums (struct gt_sample *sample, double shift[2], struct gt_enclosed *e);

#endif
