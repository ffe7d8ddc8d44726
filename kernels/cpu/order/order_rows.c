/* Extremes of all rows of a matrix in one search, so that short rows cause little
   overhead.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/order/order_rows.h"

#include "kernels/inline.h"

/* Rows of fewer elements are not worth a kernel call for each row.  */
#define SHORT_ROW 48

#define GT_TEMPLATE "kernels/cpu/order/order_rows_kernels.inc"
#include "kernels/cpu/isa/each_arithmetic.h"

void
gt_order_rows (const struct gt_rows *rows, union gt_value *value)
{
  switch (rows->first.problem.arithmetic)
    {
#define X(id, name, ctype, real) \
    case GT_##id:                \
      rows_##name (rows, value); \
      break;
      GT_ARITHMETICS (X)
#undef X
    default:
      break;
    }
}
