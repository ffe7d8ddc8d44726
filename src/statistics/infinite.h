/* Statistics of samples with infinite elements or NaN.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_INFINITE_H
#define GT_INFINITE_H

#include "src/statistics/terms.h"
#include "src/reduce/sample.h"

/* Returns TERM for N >= 1 elements with positive weights, about the GIVEN mean.  FLAGS name
   the infinities and NaN among the elements, and among their weights or a second sample.  */
double gt_special_statistic (const struct gt_term *term, const double given[2],
                             const uint32_t flags[2], uint64_t n);

/* Stores TERM of a task's elements in *TO if an element, or a GIVEN number, is not finite, or
   if the given deviation is 0.  Returns 0 otherwise.  */
int gt_is_special (const struct gt_task *task, const struct gt_term *term, const double given[2],
                   double *to);

#endif
