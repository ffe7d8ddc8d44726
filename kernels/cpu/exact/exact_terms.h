/* The terms of the reductions whose terms are doubles (kernels/reductions.def), of
   vectors of elements: operations of IEEE 754, each rounded, none fused, in the
   order of the summaries there.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_EXACT_TERMS_H
#define GT_KERNELS_CPU_EXACT_TERMS_H

#include "kernels/cpu/exact/exact_lanes.h"
#include "kernels/task.h"

#define MOST_TERMS 3

/* V where the weight W is above zero, else +0, which adds nothing.  */
INLINE vector
weighed (vector w, vector v)
{
  return (vector) ((words) (w > 0) & (words) v);
}

INLINE void
terms_of_one (vector *term, vector x, const struct gt_task *task,
              const enum gt_reduction reduction)
{
  const vector d = x - task->shift[0];
  const vector t = d * task->scale;

  switch (reduction)
    {
    case GT_ABSDEV:
      term[0] = MAGNITUDES (LANES, d);
      break;
    case GT_SKEW:
      term[0] = t * t * t;
      break;
    default:
      term[0] = (t * t) * (t * t);
      break;
    }
}

/* What is multiplied by the weight.  */
INLINE vector
weighed_by (vector y, const struct gt_task *task,
            const enum gt_reduction reduction)
{
  const vector d = y - task->shift[0];
  const vector t = d * task->scale;

  switch (reduction)
    {
    case GT_WSUM:
      return y;
    case GT_WMOMENTS:
      return d * d;
    case GT_WABSDEV:
      return MAGNITUDES (LANES, d);
    case GT_WSKEW:
      return t * t * t;
    default:
      return (t * t) * (t * t);
    }
}

/* The terms of X and Y; the latter is not looked at where there is one vector.  */
INLINE void
terms_of (vector *term, vector x, vector y, const struct gt_task *task,
          const enum gt_reduction reduction)
{
  const vector d = x - task->shift[0], e = y - task->shift[0];

  if (reduction == GT_LAG1)
    {
      term[0] = d * e;
      term[1] = e * e;
    }
  else if (reduction >= GT_WSUM)
    {
      term[0] = weighed (x, x);
      if (reduction == GT_WMOMENTS)
        term[1] = weighed (x, x * x);
      term[reduction == GT_WMOMENTS ? 2 : 1]
        = weighed (x, x * weighed_by (y, task, reduction));
    }
  else
    terms_of_one (term, x, task, reduction);
}

#endif
