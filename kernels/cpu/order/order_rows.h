/* Extremes of the rows of a matrix.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_ORDER_ROWS_H
#define GT_KERNELS_CPU_ORDER_ROWS_H

#include "kernels/catalog.h"

/* COUNT rows of contiguous elements, TDA elements apart.  FIRST is the first row; all have its
   length.  */
struct gt_rows
{
  struct gt_task first;
  size_t count, tda;
  gt_cpu_function *function; /* a kernel's function for such a row */
};

/* Computes the extremes of ROWS, on the calling thread.  The index is row * n + column, added
   to the origin.  There is at least one element.  */
void gt_order_rows (const struct gt_rows *rows, union gt_value *value);

#endif
