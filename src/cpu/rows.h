/* Extremes of matrices on the CPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_ROWS_H
#define GT_ROWS_H

#include "src/base/configuration.h"

/* Computes extremes of ROWS rows of problem.n neighbouring elements each, TDA
   elements from one row to the next; TASK is the first row, and contiguous.
   Indexes are row * problem.n + column.  PLAN is that of a contiguous vector
   of all elements, whose threads share the rows.  There is one element at
   least; nothing between the rows is read.  */
void gt_cpu_compute_rows (const struct gt_plan *plan,
                          const struct gt_task *task, size_t rows, size_t tda,
                          union gt_value *value);

#endif
