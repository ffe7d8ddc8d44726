/* The searches of order_rows.c for one arithmetic: a template of
   kernels/cpu/each_arithmetic.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cpu/order_scalar.h"

/* Rows of N elements one by one.  */
INLINE void
NAMED (scan_rows) (const struct gt_rows *rows, const size_t n, struct BEST *best,
                   const enum gt_reduction reduction)
{
  const TYPE *x = rows->first.x.data;
  size_t i = 0;

  for (size_t row = 0; row < rows->count; row++, i += n, x += rows->tda)
    if (NAMED (scan) (best, x, 1, i, n, reduction))
      return;
}

/* Rows that are worth a call of a kernel each, which leaves what is best
   there.  */
INLINE void
NAMED (visit_rows) (const struct gt_rows *rows, struct BEST *best,
                    const enum gt_reduction reduction)
{
  struct gt_task task = rows->first;
  const TYPE *x = task.x.data;
  union gt_value value;

  task.origin = 0;
  for (size_t row = 0; row < rows->count; row++, x += rows->tda)
    {
      task.x.data = x;
      rows->function (&task, &value);
      if (NAMED (look) (best, value.NAME[0], value.where.index[0], reduction)
          || (reduction == GT_MINMAX
              && NAMED (look) (best, value.NAME[1], value.where.index[1],
                               reduction)))
        return;
      task.origin += task.problem.n;
    }
}

/* Where rows are short their length is made a constant.  */
INLINE void
NAMED (search_rows) (const struct gt_rows *rows, struct BEST *best,
                     const enum gt_reduction reduction)
{
  const TYPE *const x = rows->first.x.data;
  const size_t n = rows->first.problem.n;

  if (NAMED (begin) (best, *x, reduction))
    return;
  if (n >= SHORT_ROW)
    NAMED (visit_rows) (rows, best, reduction);
  else if (n == 1)
    NAMED (scan) (best, x, rows->tda, 0, rows->count, reduction);
  else if (n == 2)
    NAMED (scan_rows) (rows, 2, best, reduction);
  else if (n == 3)
    NAMED (scan_rows) (rows, 3, best, reduction);
  else if (n == 4)
    NAMED (scan_rows) (rows, 4, best, reduction);
  else
    NAMED (scan_rows) (rows, n, best, reduction);
}

static void
NAMED (rows) (const struct gt_rows *rows, union gt_value *value)
{
  const TYPE *const x = rows->first.x.data;
  const size_t n = rows->first.problem.n;
  const enum gt_reduction reduction = rows->first.problem.reduction;
  struct BEST best;
  size_t at[2];

  if (reduction == GT_MAX)
    NAMED (search_rows) (rows, &best, GT_MAX);
  else if (reduction == GT_MIN)
    NAMED (search_rows) (rows, &best, GT_MIN);
  else if (reduction == GT_MINMAX)
    NAMED (search_rows) (rows, &best, GT_MINMAX);
  else
    NAMED (search_rows) (rows, &best, GT_AMAX);
  NAMED (places) (&best, reduction, at);
  for (int k = 0; k < (reduction == GT_MINMAX ? 2 : 1); k++)
    {
      value->NAME[k] = x[at[k] / n * rows->tda + at[k] % n];
      value->where.index[k] = rows->first.origin + at[k];
    }
}

#undef BEST
