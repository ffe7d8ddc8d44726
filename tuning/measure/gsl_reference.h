/* GSL's own functions, to compare with.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_GSL_REFERENCE_H
#define GT_GSL_REFERENCE_H

#include "src/profile/profile.h"

/* GSL's function of REDUCTION for the first element type that has ARITHMETIC, e.g.
   "gsl_vector_int_sum".  */
const char *gt_gsl_name (enum gt_reduction reduction,
                         enum gt_arithmetic arithmetic);

/* What it finds in PROBLEM's elements at DATA, into VALUE: its results one after the
   other, or where.index[0] of one that finds an index.  */
void gt_gsl_compute (const struct gt_problem *problem, const void *data,
                     union gt_value *value);

/* Seconds that it takes; a median of three timings, each of
   at least AT_LEAST seconds; 0 where GSL has none.  */
double gt_time_gsl (const struct gt_problem *problem, const void *data,
                    double at_least);

#endif
