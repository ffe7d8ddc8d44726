/* Statistics of elements of which some are not finite.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SPECIAL_H
#define GT_SPECIAL_H

#include "src/public/kinds.h"
#include "src/public/sample.h"

/* Returns the first element from I on that is not finite, of x or of TWO vectors, or n.  */
size_t gt_next_special (const struct gt_task *task, int two, size_t i);

/* Returns TERM of N >= 1 elements, of which those count that have a weight, about the GIVEN mean.
   FLAGS tell which infinities and NaN are among them, and among their weights or a second
   sample.  */
double gt_special_statistic (const struct gt_term *term, const double given[2],
                             const uint32_t flags[2], uint64_t n);

/* Stores TERM of a task's elements in *TO if one of them, or of what is GIVEN, is not finite, or
   the deviation that is given is 0.  Returns 0 otherwise.  */
int gt_is_special (const struct gt_task *task, const struct gt_term *term, const double given[2],
                   double *to);

#endif
