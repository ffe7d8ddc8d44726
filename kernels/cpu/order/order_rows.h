/* Extremes of the rows of a matrix.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_ORDER_ROWS_H
#define GT_KERNELS_CPU_ORDER_ROWS_H

#include "kernels/catalog.h"

/* COUNT rows of contiguous elements.  Rows begin TDA elements apart.  FIRST describes the
   first row; all rows have the same length.  */
struct gt_rows
{
  struct gt_task first;
  size_t count, tda;
  gt_cpu_function *function; /* a kernel's function for one row */
};

/* Computes the extremes of ROWS on the calling thread.  An index is row * n + column, plus the
   origin.  There must be at least one element.  */
void gt_order_rows (const struct gt_rows *rows, union gt_value *value);

#endif
