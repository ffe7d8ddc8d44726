/* The statistics of few elements, correctly rounded without whole numbers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_EXACT_STATISTICS_H
#define GT_KERNELS_CPU_EXACT_STATISTICS_H

#include <stddef.h>

#include "kernels/cutoffs.h"
#include "kernels/statistics.h"
#include "kernels/task.h"

/* Vectors may have so many lanes: behind the last element zeros fill them.  */
#define GT_FEW_LANES 4
#define GT_FEW_ROOM GT_CUTOFF_STATISTICS

static inline size_t
gt_few_filled (size_t n)
{
  return (n + GT_FEW_LANES - 1) / GT_FEW_LANES * GT_FEW_LANES;
}

/* A sample of N elements, 1 at least, and its weights, or a second sample: each element in two
   doubles, whose sum it is, the first of them being what it rounds to.  Of narrow ones, which
   doubles hold, the second need not be there.  What is computed overwrites them.  */
struct gt_few_sample
{
  enum gt_term_what what;
  int weighted, given, root; /* as the rows STATISTIC of kernels/statistics.def */
  int wide;
  size_t n;
  double about[2]; /* what is given */
  _Alignas (32) double x[2][GT_FEW_ROOM];
  double y[2][GT_FEW_ROOM];
};

/* Puts N elements of X, XS apart, into both parts of TO, and zeros behind these; the second part is
   left alone where doubles hold all elements.  Returns 0 where one is not finite, or is so small
   or large that no way for a few elements serves.  */
typedef int gt_split_function (enum gt_arithmetic arithmetic, const void *x, size_t xs, size_t n,
                               double to[2][GT_FEW_ROOM]);

/* Stores the exact value of the sample's statistic, rounded once, in *TO and returns 1; or
   returns 0, when it cannot tell: if the value is not finite, far from 1 in size, not
   defined, or too near the middle between two doubles.  Wants the environment that exact
   kernels do.  */
typedef int gt_few_function (struct gt_few_sample *sample, double *to);

#endif
