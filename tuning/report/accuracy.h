/* Error and speed of the ways to sum doubles, and to make a dot product, a norm or a
   variance of them, side by side.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_ACCURACY_H
#define GT_ACCURACY_H

#include <stddef.h>

#include "kernels/reductions.h"

/* Whether there is a report for REDUCTION: SUM, DOT (of a vector's halves), SUMSQ (the
   norm) or MOMENTS (the variance).  */
int gt_accuracy_knows (enum gt_reduction reduction);

/* Computes REDUCTION of N doubles of several kinds in all ways, and prints the errors, in
   units in the last place of the correctly rounded result, and the times: a table, or
   JSON.  Returns an exit status.  */
int gt_accuracy (enum gt_reduction reduction, size_t n, int json);

#endif
