/* Finding the extremes of N >= 1 elements of TYPE that lie STRIDE apart on the host:
   what the public functions are made of.  A template of src/public/each_type.h.

   Few elements are looked at in a loop like GSL's own, in less time than it takes to
   look up how to do better.  Only a strictly better element replaces the one found
   before, so that the first of equals wins, and a zero is no better than one of the
   other sign.  A NaN ends the search.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

static inline int
NAMED (better, ) (TYPE a, TYPE b, const enum gt_reduction reduction)
{
  return reduction == GT_MAX ? a > b : a < b;
}

static inline int
NAMED (is_nan, ) (TYPE a)
{
#if REAL
  return UNLIKELY (a != a);
#else
  (void) a;
  return 0;
#endif
}

/* The first NaN of elements among which there is one.  */
__attribute__ ((noinline)) static TYPE
NAMED (first_nan, ) (const TYPE *x, size_t stride)
{
  while (!NAMED (is_nan, ) (*x))
    x += stride;
  return *x;
}

/* In two chains of comparisons, of which the first one's element wins where both
   find equals: it has the first half of the elements.  */
static inline TYPE
NAMED (short_value, ) (const TYPE *x, size_t n, size_t stride,
                       const enum gt_reduction reduction)
{
  const size_t half = n / 2;
  const TYPE *first = x, *second = x + (n - half) * stride;
  TYPE best = x[0], other = x[0];

  for (size_t i = 0; i < half; i++, first += stride, second += stride)
    {
      best = NAMED (better, ) (*first, best, reduction) ? *first : best;
      other = NAMED (better, ) (*second, other, reduction) ? *second : other;
      if (NAMED (is_nan, ) (*first) | NAMED (is_nan, ) (*second))
        return NAMED (first_nan, ) (x, stride);
    }
  if (n & 1)
    {
      if (NAMED (is_nan, ) (*first))
        return *first;
      best = NAMED (better, ) (*first, best, reduction) ? *first : best;
    }
  return NAMED (better, ) (other, best, reduction) ? other : best;
}

/* Looks at A, element I, and keeps it if it is better than BEST, which is AT; returns
   1 if it is NaN.  That it is better is rare among many elements only; told to be
   likely, it costs no jump.  */
static inline int
NAMED (look, ) (TYPE a, size_t i, TYPE *best, size_t *at,
                const enum gt_reduction reduction)
{
  if (LIKELY (NAMED (better, ) (a, *best, reduction)))
    {
      *best = a;
      *at = i;
    }
  else if (NAMED (is_nan, ) (a))
    {
      *at = i;
      return 1;
    }
  return 0;
}

static inline size_t
NAMED (short_index, ) (const TYPE *x, size_t n, size_t stride,
                       const enum gt_reduction reduction)
{
  TYPE best = x[0];
  size_t at = 0, i = 0;

  for (; n - i >= 4; i += 4, x += 4 * stride)
    if (NAMED (look, ) (x[0], i, &best, &at, reduction)
        || NAMED (look, ) (x[stride], i + 1, &best, &at, reduction)
        || NAMED (look, ) (x[2 * stride], i + 2, &best, &at, reduction)
        || NAMED (look, ) (x[3 * stride], i + 3, &best, &at, reduction))
      return at;
  for (; i < n; i++, x += stride)
    if (NAMED (look, ) (*x, i, &best, &at, reduction))
      return at;
  return at;
}

struct NAMED (values, )
{
  TYPE min, max;
};

static inline struct NAMED (values, )
NAMED (short_values, ) (const TYPE *x, size_t n, size_t stride)
{
  struct NAMED (values, ) best = {x[0], x[0]};

  for (size_t i = 0; i < n; i++, x += stride)
    {
      best.min = *x < best.min ? *x : best.min;
      best.max = *x > best.max ? *x : best.max;
      if (NAMED (is_nan, ) (*x))
        return (struct NAMED (values, )) {*x, *x};
    }
  return best;
}

static inline struct indexes
NAMED (short_indexes, ) (const TYPE *x, size_t n, size_t stride)
{
  TYPE least = x[0], most = x[0];
  struct indexes at = {0, 0};

  for (size_t i = 0; i < n; i++, x += stride)
    {
      if (NAMED (look, ) (*x, i, &least, &at.min, GT_MIN))
        return (struct indexes) {i, i};
      NAMED (look, ) (*x, i, &most, &at.max, GT_MAX);
    }
  return at;
}

/* By the function of a plan where that alone is enough, else by the way that the
   plans and the routes give.  */
static void
NAMED (find, ) (enum gt_reduction reduction, const TYPE *x, size_t n,
                size_t stride, union gt_value *value)
{
  gt_cpu_function *const function
    = gt_quick_find (reduction, ARITHMETIC, gt_layout_of (stride), n);
  struct gt_task task;

  if (LIKELY (function != NULL))
    {
      /* What a kernel does not read is not worth the time to set it.  */
      task.problem.n = n;
      task.x = (struct gt_operand) {x, stride};
      task.origin = 0;
      function (&task, value);
      return;
    }
  task = gt_task_of (reduction, ARITHMETIC, GT_MODE_FAST, x, n, stride);
  gt_reduce_host (&task, value);
}
