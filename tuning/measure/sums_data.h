/* What is right for several sums at once (MOMENTS and TERMS of
   kernels/reductions.def), found element by element and without any rounding but that
   of the terms themselves.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SUMS_DATA_H
#define GT_SUMS_DATA_H

#include "tuning/measure/data.h"

/* What TASK's value is, its vectors lying in the repeated pattern of DATA that begins at
   BASE, where nothing is read.  Of sums of doubles and long doubles the leading
   parts are what is right, rounded to double.  */
union gt_value gt_data_sums (const struct gt_data *data, const void *base,
                             const struct gt_task *task);

/* The same of TASK's own elements.  */
union gt_value gt_sums_one_by_one (const struct gt_task *task);

/* Whether RESULT is what is EXPECTED of PROBLEM: integers and accumulators bit for bit,
   others when rounded to double.  */
int gt_sums_equal (const struct gt_problem *problem,
                   const union gt_value *result,
                   const union gt_value *expected);

/* The first sum in which the two differ, rounded to double, as texts; 0 is the
   first one.  Returns its number.  */
unsigned gt_sums_text (const struct gt_problem *problem,
                       const union gt_value *result,
                       const union gt_value *expected, char *is, char *should,
                       size_t size);

#endif
