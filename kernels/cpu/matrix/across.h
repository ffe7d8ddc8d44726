/* Sums and extremes of each of many short or narrow lines at a time, a line a lane of vectors.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_ACROSS_H
#define GT_KERNELS_CPU_ACROSS_H

#include <stddef.h>

#include "kernels/cpu/isa/isa.h"
#include "kernels/types.h"

enum gt_across
{
  GT_ACROSS_NOTHING,
  GT_ACROSS_SUM,
  GT_ACROSS_SIZES, /* sums of magnitudes */
  GT_ACROSS_MEAN,
  GT_ACROSS_SQUARES,
  GT_ACROSS_SPREAD, /* sums of differences from a shift, and of their squares */
  GT_ACROSS_MAX,
  GT_ACROSS_MIN,
  GT_ACROSS_MAX_INDEX,
  GT_ACROSS_MIN_INDEX
};

/* COUNT columns of N >= 1 elements, which are TDA elements apart.  There are as many columns
   as a vector of the instruction set has lanes, or more.  */
struct gt_columns
{
  const void *x;
  size_t tda, n, count;
  const double *shift; /* of each column */
};

/* Stores a result of each column in TO, and sums of squares of differences in SQUARES: sums,
   magnitudes and extremes are of the elements' type, indexes unsigned longs, all else is
   doubles.  Sums of reals are rounded doubles: chains of GT_ACROSS_CHAIN additions are added
   up in twice the precision.  Returns 0 if an element that is compared, a sum or a mean is not
   finite.  */
typedef int gt_across_function (enum gt_across of, const struct gt_columns *c, void *to,
                                double *squares);

#define GT_ACROSS_CHAIN ((size_t) 64)

/* By arithmetic; null for those without.  */
struct gt_across_isa
{
  gt_across_function *of[GT_N_ARITHMETICS];
};

extern const struct gt_across_isa GT_OF_EACH_ISA (, gt_across);

#endif
