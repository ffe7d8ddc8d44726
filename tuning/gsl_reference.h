/* GSL's own sums, to compare with.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_GSL_REFERENCE_H
#define GT_GSL_REFERENCE_H

#include "src/profile.h"

/* Seconds that gsl_vector_TYPE_sum takes over PROBLEM's elements at DATA, for
   the first element type of its arithmetic; a median of three timings, each of
   at least AT_LEAST seconds.  */
double gt_time_gsl (const struct gt_problem *problem, const void *data,
                    double at_least);

#endif
