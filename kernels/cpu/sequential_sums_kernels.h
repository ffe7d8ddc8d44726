/* The functions of sequential_sums.c for one arithmetic: a template of
   kernels/cpu/each_arithmetic.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* Long doubles are added up in long double, all else in double.  */
#if REAL && !VECTORS
#define NUMBER long double
#define SPLITTER GT_LDBL_SPLITTER
#define SUMS long_sums
#else
#define NUMBER double
#define SPLITTER 0x8000001p0
#define SUMS sums
#if defined __FMA__
#define FUSED(p, q, s) __builtin_fma (p, q, s)
#endif
#endif

INLINE NUMBER
NAMED (magnitude) (NUMBER x)
{
  return sizeof x > sizeof (double) ? (NUMBER) __builtin_fabsl (x)
                                    : (NUMBER) __builtin_fabs ((double) x);
}

INLINE NUMBER
NAMED (keep_weighed) (NUMBER w, NUMBER x)
{
  return w > 0 ? x : 0;
}

#include "kernels/cpu/two_product.h"
#include "kernels/cpu/sums_terms.h"

INLINE void
NAMED (sums) (const struct gt_task *task, union gt_value *value, FOR)
{
  const struct PARAMETERS by = {(NUMBER) task->shift[0],
                                (NUMBER) task->shift[1],
                                (NUMBER) task->scale,
                                (NUMBER) task->rest};
  const unsigned count = sums_of (reduction);
  const struct gt_operand *second
    = inputs_of (reduction) == 2 ? &task->y : &task->x;
  const TYPE *x = task->x.data, *y = second->data;
  NUMBER s[GT_MOST_SUMS] = {0}, c[GT_MOST_SUMS] = {0};

  for (size_t i = 0; i < task->problem.n; i++)
    {
      struct TERMS_OF t;

      NAMED (make_terms) (&t, (NUMBER) x[i * task->x.stride],
                          (NUMBER) y[i * second->stride], &by, FOR_IT);
      UNROLL
      for (unsigned k = 0; k < count; k++)
        NAMED (add_term) (&s[k], &c[k], &t, k, FOR_IT);
    }
  for (unsigned k = 0; k < count; k++)
    {
      value->SUMS.s[k] = s[k];
      value->SUMS.c[k] = c[k];
    }
}

#if !REAL
/* As wide as a sum, its sign extended.  */
INLINE wide
NAMED (widened) (TYPE x)
{
  return SIGNED ? (wide) (int64_t) x : (wide) x;
}

/* Nothing is rounded, and nothing wraps.  */
INLINE void
NAMED (integers) (const struct gt_task *task, union gt_value *value,
                  const enum gt_reduction reduction)
{
  const struct gt_operand *second
    = reduction == GT_COMOMENTS ? &task->y : &task->x;
  const TYPE *x = task->x.data, *y = second->data;
  struct gt_integer_sums sums = {{{0}}, {0}};

  for (size_t i = 0; i < task->problem.n; i++)
    {
      const wide u = NAMED (widened) (x[i * task->x.stride]);
      const wide v = NAMED (widened) (y[i * second->stride]), product = u * v;

      add_integer (sums.plain[0], u);
      if (reduction == GT_COMOMENTS)
        add_integer (sums.plain[1], v);
      if (reduction != GT_TOTAL)
        add_long (sums.product, product,
                  SIGNED && product >> 127 ? UINT64_MAX : 0);
    }
  value->integers = sums;
}
#endif

#if REAL
#define LOOP_MOMENTS(reduction) NAMED (sums) (task, value, reduction, mode)
#else
#define LOOP_MOMENTS(reduction) NAMED (integers) (task, value, reduction)
#endif
#define LOOP_TERMS(reduction) NAMED (sums) (task, value, reduction, mode)

/* A loop for each reduction that there is of the arithmetic.  */
INLINE void
NAMED (compute) (const struct gt_task *task, union gt_value *value,
                 const enum gt_mode mode)
{
  switch (task->problem.reduction)
    {
#define REDUCTION(id, name, algebra, inputs, plain, products, of, ...) \
    case GT_##id:                                                      \
      if ((of) & NAMED (BIT))                                          \
        LOOP_##algebra (GT_##id);                                      \
      break;
#include "kernels/reductions.def"
#undef REDUCTION
    default:
      break;
    }
}

static void
NAMED (fast) (const struct gt_task *task, union gt_value *value)
{
  NAMED (compute) (task, value, GT_MODE_FAST);
}

static void
NAMED (compensated) (const struct gt_task *task, union gt_value *value)
{
  NAMED (compute) (task, value, GT_MODE_COMPENSATED);
}

#undef LOOP_MOMENTS
#undef LOOP_TERMS
#undef NUMBER
#undef SPLITTER
#undef SUMS
#undef FUSED
