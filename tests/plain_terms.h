/* The terms of several sums at once, as the summaries of kernels/reductions.def say them.
   Tests compare kernels with these, which share no code with them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TESTS_PLAIN_TERMS_H
#define GT_TESTS_PLAIN_TERMS_H

#include <string.h>

#include "kernels/reductions.h"
#include "kernels/task.h"

/* The type of terms: double, each operation rounded, unless the includer wants another.  */
#ifndef PLAIN_TERM
#define PLAIN_TERM double
#endif
__extension__ typedef PLAIN_TERM plain_term;

/* Makes TERM the terms of the elements OF_X and OF_Y, and returns how many: none of what
   has no weight.  */
static inline unsigned
gt_plain_terms (const struct gt_task *task, double of_x, double of_y,
                plain_term term[GT_MOST_SUMS])
{
  const struct gt_problem *p = &task->problem;
  const struct gt_reduction_info *info = &gt_reductions[p->reduction];
  const int shifted = p->arithmetic <= GT_LDBL;
  const plain_term a = shifted ? task->shift[0] : 0;
  const plain_term b = shifted ? task->shift[1] : 0;
  const plain_term x = of_x, y = of_y, d = x - a, e = y - b, u = y - a;
  int counts = 1;

#define TERMS(...) \
  memcpy (term, (const plain_term[GT_MOST_SUMS]) {__VA_ARGS__}, \
          GT_MOST_SUMS * sizeof *term)
  switch (p->reduction)
    {
    case GT_SUM:
    case GT_TOTAL:       TERMS (x); break;
    case GT_ASUM:        TERMS (x < 0 ? -x : x); break;
    case GT_SUMSQ:       TERMS (x * x); break;
    case GT_SPAN:        TERMS (x, x < 0 ? -x : x); break;
    case GT_DOT:         TERMS (x * y); break;
    case GT_MOMENTS:     TERMS (d, d * d); break;
    case GT_COMOMENTS:   TERMS (d, e, d * e); break;
    case GT_CORRELATION: TERMS (d, e, d * e, d * d, e * e); break;
    case GT_WSUM:        TERMS (x, x * y); counts = x > 0; break;
    case GT_WMOMENTS:    TERMS (x, x * x, x * (u * u)); counts = x > 0; break;
    default:             counts = 0; break;
    }
#undef TERMS
  return counts ? info->plain + info->products : 0;
}

#endif
