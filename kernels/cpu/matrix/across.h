/* Sums and extremes of each of many short or narrow lines at a time, a line a lane of vectors.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_ACROSS_H
#define GT_KERNELS_CPU_ACROSS_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/cpu/isa/isa.h"
#include "kernels/types.h"

/* The function of a line.  */
enum gt_line_result
{
  GT_LINE_SUM,
  GT_LINE_ASUM,
  GT_LINE_NRM2,
  GT_LINE_MAX,
  GT_LINE_MIN,
  GT_LINE_MAX_INDEX,
  GT_LINE_MIN_INDEX,
  GT_LINE_MEAN,
  GT_LINE_VARIANCE,
  GT_LINE_SD
};

static inline int
gt_line_is_index (enum gt_line_result of)
{
  return of == GT_LINE_MAX_INDEX || of == GT_LINE_MIN_INDEX;
}

static inline int
gt_line_is_extreme (enum gt_line_result of)
{
  return of == GT_LINE_MAX || of == GT_LINE_MIN || gt_line_is_index (of);
}

/* COUNT columns of N >= 1 elements, which are TDA elements apart.  There are as many columns
   as a vector of the instruction set has lanes, or more.  */
struct gt_columns
{
  const void *x;
  size_t tda, n, count;
  const double *shift; /* of each column */
};

/* Stores a result of each column in TO: for norms sums of squares, for variances sums of
   differences from the shift, whose squares' sums are stored in SQUARES.  Sums, magnitudes and
   extremes are of the elements' type, indexes unsigned longs, all else is doubles.  Sums of
   reals are rounded doubles: chains of GT_ACROSS_CHAIN additions are added up in twice the
   precision.  There are 64 columns at most: returns a bit for each whose result must not be
   used, because an element that is compared is NaN, or a sum or a mean is not finite.  */
typedef uint64_t gt_across_function (enum gt_line_result of, const struct gt_columns *c,
                                     void *to, double *squares);

#define GT_ACROSS_CHAIN ((size_t) 64)

/* The functions by arithmetic; null if an arithmetic has none.  */
struct gt_across_isa
{
  gt_across_function *of[GT_N_ARITHMETICS];
};

extern const struct gt_across_isa GT_OF_EACH_ISA (, gt_across);

#endif
