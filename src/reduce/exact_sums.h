/* Exact sums of the elements of one or two vectors on the host, rounded once, if sums in twice
   the precision decide the rounding.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_EXACT_SUMS_H
#define GT_EXACT_SUMS_H

#include "kernels/cpu/finish/ball.h"
#include "kernels/task.h"

/* Stores a ball that contains START plus the task's sum of elements, magnitudes, squares or
   products, for N >= 1 doubles or floats.  For complex numbers it is the sum over both parts,
   or the two parts of the sum of products.  If the radius is 0 the sum is exact.  Returns 0 if
   the sum has no bound, or must be computed in another way.  */
int gt_exact_ball (const struct gt_task *task, double start, struct gt_ball *sum);

/* Stores the sum of a task and START if it is infinite or NaN because elements are; otherwise
   returns 0.  */
int gt_exact_special (const struct gt_task *task, double start, double *to);

/* Rounds a sum divided by BY, or its ROOT.  Returns 0 if the rounding is undecided.  */
int gt_exact_to_double (struct gt_ball sum, double by, int root, double *to);
int gt_exact_to_float (struct gt_ball sum, int root, float *to);

/* Compute a task's sum and round it; a sum of floats includes START.  Return 0 as above.  */
int gt_exact_double (const struct gt_task *task, double by, int root, double *to);
int gt_exact_float (const struct gt_task *task, float start, int root, float *to);

/* Returns whether these functions are tried first for PROBLEM.  */
int gt_exact_serves (const struct gt_problem *problem);

#endif
