/* Exact sums of the terms of short samples, without an accumulator.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SHORT_TERMS_H
#define GT_SHORT_TERMS_H

#include "src/public/sample.h"

/* The most integers: they are copied.  */
#define GT_SHORT_INTEGERS 256

struct gt_short_copy
{
  struct gt_task task;
  double x[GT_SHORT_INTEGERS], y[GT_SHORT_INTEGERS];
};

/* The task of a sample on the host as kernels of short ones take it: of doubles or
   floats, integers as the nearest doubles, which are in COPY then.  Returns NULL where
   that cannot be had.  */
const struct gt_task *gt_short_task (const struct gt_sample *sample,
                                     struct gt_short_copy *copy);

/* Stores in SUM the sums of REDUCTION's terms of a sample on the host, with the task's
   shift and scale, rounded once as the exact ones are, FIRST added to the second;
   and returns 1.  Or it returns 0, when it cannot tell.  Of long doubles it never
   can.  Needs the environment that exact statistics are computed in.  */
int gt_short_terms (struct gt_sample *sample, enum gt_reduction reduction,
                    double first, double sum[GT_MOST_SUMS]);

#endif
