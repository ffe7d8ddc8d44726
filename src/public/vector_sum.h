/* Sums of host vectors of TYPE, which belongs to the arithmetic ID: what the
   public functions are made of.  REDUCTION is what is computed, LIFT (x) what it
   adds of an element.  EXACT_SHORT is defined where exact sums of short vectors
   have a way of their own.  Included for each arithmetic by vector_sum.c, and by
   blas.c for sums of magnitudes.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* All ones where sums are fast, else 0.  */
static inline size_t
NAMED (fast_mask) (void)
{
  return NAMED (GT_REAL) ? __atomic_load_n (&gt_fast_mask, __ATOMIC_RELAXED)
                         : SIZE_MAX;
}

/* In two chains of additions, which up to GT_SHORT_... takes less time than
   looking up how to do better.  Up to three elements one chain is quickest.  */
static inline TYPE
NAMED (sum_short) (const TYPE *x, size_t n, size_t stride)
{
  TYPE s = 0, t = 0;

  if (LIKELY (n < 4))
    {
      if (UNLIKELY (n == 0))
        return 0;
      s = (TYPE) (s + LIFT (x[0]));
      if (LIKELY (n == 1))
        return s;
      s = (TYPE) (s + LIFT (x[stride]));
      if (UNLIKELY (n == 3))
        s = (TYPE) (s + LIFT (x[2 * stride]));
      return s;
    }
  for (; n >= 4; n -= 4, x += 4 * stride)
    {
      s = (TYPE) (s + LIFT (x[0]));
      t = (TYPE) (t + LIFT (x[stride]));
      s = (TYPE) (s + LIFT (x[2 * stride]));
      t = (TYPE) (t + LIFT (x[3 * stride]));
    }
  if (n & 2)
    {
      s = (TYPE) (s + LIFT (x[0]));
      t = (TYPE) (t + LIFT (x[stride]));
      x += 2 * stride;
    }
  if (n & 1)
    s = (TYPE) (s + LIFT (x[0]));
  return (TYPE) (s + t);
}

/* By the way that the mode, the plans and the routes give.  */
__attribute__ ((noinline)) static TYPE
NAMED (sum_planned) (const TYPE *x, size_t n, size_t stride)
{
  const enum gt_mode mode
    = gt_mode_for (REDUCTION, NAMED (GT), (enum gt_mode) gt_mode_now);
  const struct gt_task task
    = gt_task_of (REDUCTION, NAMED (GT), mode, x, n, stride);
  union gt_value value;

  gt_reduce_host (&task, &value);
  return GT_LEADING (value, TYPE);
}

/* By the function of a plan, where that alone is enough.  */
__attribute__ ((noinline)) static TYPE
NAMED (sum_quick) (const TYPE *x, size_t n, size_t stride)
{
  gt_cpu_function *const function
    = gt_quick_find (REDUCTION, NAMED (GT), gt_layout_of (stride), n);
  struct gt_task task;
  union gt_value value;

  if (UNLIKELY (function == NULL))
    return NAMED (sum_planned) (x, n, stride);
  /* What a kernel does not read is not worth the time to set it.  */
  task.problem.n = n;
  task.x = (struct gt_operand) {x, stride};
  function (&task, &value);
  return GT_LEADING (value, TYPE);
}

#ifdef EXACT_SHORT
/* A short vector in exact mode, where the caller's floating-point environment and
   the elements are not out of the ordinary.  Up to two elements are added
   exactly by one rounding; the zero before them makes a single -0 to +0.  */
__attribute__ ((noinline)) static TYPE
NAMED (sum_exact) (const TYPE *x, size_t n, size_t stride)
{
  TYPE sum = 0;

  if (UNLIKELY (n > __atomic_load_n (&gt_exact_length, __ATOMIC_RELAXED)
                || !gt_fpenv_is_default (NAMED (GT))))
    return NAMED (sum_planned) (x, n, stride);
  if (LIKELY (n > 2))
    return EXACT_SHORT (x, n, stride, &sum)
             ? sum : NAMED (sum_planned) (x, n, stride);
  if (n > 0)
    sum += LIFT (x[0]);
  if (n > 1)
    sum += LIFT (x[stride]);
  return sum == sum ? sum : (TYPE) NAN;
}
#endif

static inline TYPE
NAMED (sum) (const TYPE *x, size_t n, size_t stride)
{
  const size_t fast = NAMED (fast_mask) ();

  if (LIKELY (n <= (NAMED (GT_SHORT) & fast)))
    return NAMED (sum_short) (x, n, stride);
  if (LIKELY (fast))
    return NAMED (sum_quick) (x, n, stride);
#ifdef EXACT_SHORT
  return NAMED (sum_exact) (x, n, stride);
#else
  return NAMED (sum_planned) (x, n, stride);
#endif
}

#undef ID
#undef TYPE
#undef EXACT_SHORT
