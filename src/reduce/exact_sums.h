/* Exact sums of the elements of one or two vectors on the host, rounded once, if sums in twice
   the precision decide the rounding.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_EXACT_SUMS_H
#define GT_EXACT_SUMS_H

#include "kernels/cpu/finish/ball.h"
#include "kernels/task.h"

/* Round a sum divided by BY, or its ROOT.  Return 0 if the rounding is undecided.  */
int gt_exact_to_double (struct gt_ball sum, double by, int root, double *to);
int gt_exact_to_float (struct gt_ball sum, int root, float *to);

/* Compute the sum of a task with N >= 1 doubles or floats, or the two parts of a sum of complex
   products, and round it once: the sum divided by BY, or its ROOT; a sum of floats includes
   START.  Return 0 if the sum has no bound, if its rounding is undecided, or if GPUs must be
   considered.  */
int gt_exact_double (const struct gt_task *task, double by, int root, double *to);
int gt_exact_float (const struct gt_task *task, float start, int root, float *to);

/* Returns whether these functions are tried first for PROBLEM.  */
int gt_exact_serves (const struct gt_problem *problem);

#endif
