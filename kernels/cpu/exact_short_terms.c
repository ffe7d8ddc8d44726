/* Exact sums of the terms of short vectors, rounded without an accumulator.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>

#include "kernels/cpu/exact_cascades.h"
#include "kernels/cpu/exact_short_sums.h"
#include "kernels/cpu/exact_terms.h"

/* Terms are doubles, so their sums are those of kernels/cpu/exact_short.c, with its
   two tests: each sum of a reduction has a cascade, and all are filled in one pass.
   Fewer elements than a vector has lanes go through the lanes' work one by one.  */

#define LOAD GT_PASTE (load, LANES)
#define ADD_TERM GT_PASTE (add, LANES)
#define FOLDED GT_PASTE (folded, LANES)
#define FOLDS (LANES == 8 ? 3 : LANES == 4 ? 2 : 1)
typedef struct GT_PASTE (cascade, LANES) cascade;

/* ---------------------------------------------------------------- Terms */

INLINE unsigned
count_of (const enum gt_reduction reduction)
{
  return reduction == GT_WMOMENTS                       ? 3
         : reduction == GT_LAG1 || reduction >= GT_WSUM ? 2
                                                        : 1;
}

/* Those of the elements from I on.  Y is x where there is one vector.  */
INLINE void
load_terms (vector *term, const struct gt_task *task, size_t i,
            const enum gt_reduction reduction, const int form)
{
  const vector x = LOAD (task->x.data, i, task->x.stride, form);
  const vector y = count_of (reduction) > 1
                     ? LOAD (task->y.data, i, task->y.stride, form) : x;

  terms_of (term, x, y, task, reduction);
}

INLINE double
element (const struct gt_operand *operand, size_t i, const int form)
{
  i *= operand->stride;
  return form & F32 ? (double) ((const float *) operand->data)[i]
                    : ((const double *) operand->data)[i];
}

/* The third or the fourth power, as kernels/cpu/exact_terms.h has it.  */
INLINE double
power (double t, const int fourth)
{
  return fourth ? (t * t) * (t * t) : t * t * t;
}

/* What is multiplied by the weight.  */
INLINE double
weighed_one (double y, const struct gt_task *task,
             const enum gt_reduction reduction)
{
  const double d = y - task->shift[0];

  return reduction == GT_WSUM       ? y
         : reduction == GT_WMOMENTS ? d * d
         : reduction == GT_WABSDEV
           ? fabs (d) : power (d * task->scale, reduction == GT_WKURTOSIS);
}

/* Those of element I alone.  */
INLINE void
load_terms_of_one (double *term, const struct gt_task *task, size_t i,
                   const enum gt_reduction reduction, const int form)
{
  const double x = element (&task->x, i, form), d = x - task->shift[0];
  const double y
    = count_of (reduction) > 1 ? element (&task->y, i, form) : x;

  if (reduction == GT_LAG1)
    {
      term[0] = d * (y - task->shift[0]);
      term[1] = (y - task->shift[0]) * (y - task->shift[0]);
    }
  else if (reduction >= GT_WSUM)
    {
      const int counts = x > 0;

      term[0] = counts ? x : 0;
      term[1] = counts ? x * x : 0;
      term[count_of (reduction) - 1]
        = counts ? x * weighed_one (y, task, reduction) : 0;
    }
  else
    term[0] = reduction == GT_ABSDEV
                ? fabs (d)
                : power (d * task->scale, reduction == GT_KURTOSIS);
}

/* ----------------------------------------------------------------- Sums */

/* Of N >= LANES elements.  The last vector may begin with elements of the one
   before.  */
INLINE void
add_all (struct cascade_1 *to, const struct gt_task *task,
         const enum gt_reduction reduction, const int form)
{
  const size_t n = task->problem.n;
  cascade a[MOST_TERMS];
  vector term[MOST_TERMS];
  size_t i = LANES;

  load_terms (term, task, 0, reduction, form);
  UNROLL
  for (unsigned k = 0; k < count_of (reduction); k++)
    a[k] = (cascade) {term[k], {0}, {0}};
  for (; n - i >= LANES; i += LANES)
    {
      load_terms (term, task, i, reduction, form);
      UNROLL
      for (unsigned k = 0; k < count_of (reduction); k++)
        ADD_TERM (&a[k], term[k]);
    }
  if (i < n)
    {
      load_terms (term, task, n - LANES, reduction, form);
      UNROLL
      for (unsigned k = 0; k < count_of (reduction); k++)
        ADD_TERM (&a[k], LANES_FROM (LANES, i - (n - LANES), term[k]));
    }
  UNROLL
  for (unsigned k = 0; k < count_of (reduction); k++)
    to[k] = FOLDED (a[k]);
}

/* Of fewer.  */
INLINE void
add_few (struct cascade_1 *to, const struct gt_task *task,
         const enum gt_reduction reduction, const int form)
{
  double term[MOST_TERMS];

  load_terms_of_one (term, task, 0, reduction, form);
  UNROLL
  for (unsigned k = 0; k < count_of (reduction); k++)
    to[k] = (struct cascade_1) {term[k], 0, 0};
  for (size_t i = 1; i < task->problem.n; i++)
    {
      load_terms_of_one (term, task, i, reduction, form);
      UNROLL
      for (unsigned k = 0; k < count_of (reduction); k++)
        add_1 (&to[k], term[k]);
    }
}

/* Whether no term of sum K but zeros is smaller than M.  */
INLINE int
terms_are_exact (const struct gt_task *task, unsigned k, double first,
                 double m, const enum gt_reduction reduction, const int form)
{
  double term[MOST_TERMS];

  if (!(m <= DBL_MAX) || (k == 1 && first != 0 && !(fabs (first) >= m)))
    return 0;
  for (size_t i = 0; i < task->problem.n; i++)
    {
      load_terms_of_one (term, task, i, reduction, form);
      if (term[k] != 0 && !(fabs (term[k]) >= m))
        return 0;
    }
  return 1;
}

/* An error goes through as many additions as that of an element
   (kernels/cpu/exact_cascade.h), and through one where FIRST is added.  */
INLINE int
sum_terms (const struct gt_task *task, double first, double *sum,
           const enum gt_reduction reduction, const int form)
{
  const size_t n = task->problem.n;
  const int few = n < LANES;
  const double additions
    = (double) (few ? n : n / LANES - 1 + 2 * (size_t) FOLDS) + 1;
  struct cascade_1 a[MOST_TERMS];

  if (few)
    add_few (a, task, reduction, form);
  else
    add_all (a, task, reduction, form);
  if (reduction == GT_LAG1)
    add_1 (&a[1], first);
  UNROLL
  for (unsigned k = 0; k < count_of (reduction); k++)
    if (!LIKELY (decide_f64 (&a[k], a[k].m * ((additions + 2) * 0x1p-53),
                             &sum[k])))
      {
        if (!terms_are_exact (task, k, first, a[k].m, reduction, form))
          return 0;
        sum[k] = a[k].s + a[k].c;
      }
  return 1;
}

INLINE int
sum_terms_of (const struct gt_task *task, double first, double *sum,
              const enum gt_reduction reduction)
{
  const int strided = task->x.stride != 1
                      || (count_of (reduction) > 1 && task->y.stride != 1);

  if (task->problem.arithmetic == GT_F64)
    return strided ? sum_terms (task, first, sum, reduction, F64 | STRIDED)
                   : sum_terms (task, first, sum, reduction, F64);
  return strided ? sum_terms (task, first, sum, reduction, F32 | STRIDED)
                 : sum_terms (task, first, sum, reduction, F32);
}

int
GT_FOR_ISA (gt_exact_short_terms) (const struct gt_task *task, double first,
                                   double *sum)
{
  switch (task->problem.reduction)
    {
#define X(id) \
    case GT_##id: return sum_terms_of (task, first, sum, GT_##id);
      X (LAG1)
      X (ABSDEV)
      X (SKEW)
      X (KURTOSIS)
      X (WSUM)
      X (WMOMENTS)
      X (WABSDEV)
      X (WSKEW)
      X (WKURTOSIS)
#undef X
    default:
      return 0;
    }
}
