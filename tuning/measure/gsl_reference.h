/* GSL's own sums, to compare with.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_GSL_REFERENCE_H
#define GT_GSL_REFERENCE_H

#include "src/profile/profile.h"

/* What serves ARITHMETIC: GSL's sum of the first element type that has it, e.g.
   "gsl_vector_int_sum".  */
const char *gt_gsl_name (enum gt_arithmetic arithmetic);

/* Its sum of PROBLEM's elements at DATA, into member [0].  */
void gt_gsl_sum (const struct gt_problem *problem, const void *data,
                 union gt_value *sum);

/* Seconds that it takes; a median of three timings, each of
   at least AT_LEAST seconds.  */
double gt_time_gsl (const struct gt_problem *problem, const void *data,
                    double at_least);

#endif
