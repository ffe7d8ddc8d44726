/* The index of the largest magnitude of a host vector of TYPE, which belongs to the
   arithmetic ID; LIFT (x) is the magnitude.  Included by blas.c for each.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* The longest vectors that are looked at in a loop like GSL's own, in less time
   than it takes to look up how to do better.  */
#ifndef FEW
#define FEW 32
#endif

/* Nothing is larger than NaN, and NaN is not larger than anything.  */
static inline size_t
NAMED (largest_short) (const TYPE *x, size_t n, size_t stride)
{
  TYPE most = 0;
  size_t at = 0;

  for (size_t i = 0; i < n; i++, x += stride)
    if (LIKELY (LIFT (*x) > most))
      {
        most = LIFT (*x);
        at = i;
      }
  return at;
}

/* By the function of a plan where that alone is enough, else by the way that the
   plans and the routes give.  */
__attribute__ ((noinline)) static size_t
NAMED (largest_of_many) (const TYPE *x, size_t n, size_t stride)
{
  gt_cpu_function *const function
    = gt_quick_find (GT_AMAX, NAMED (GT), gt_layout_of (stride), n);
  const struct gt_task task
    = gt_task_of (GT_AMAX, NAMED (GT), GT_MODE_FAST, x, n, stride);
  union gt_value value;

  if (LIKELY (function != NULL))
    function (&task, &value);
  else
    gt_reduce_host (&task, &value);
  return value.where.index[0];
}

static inline size_t
NAMED (largest) (const TYPE *x, size_t n, size_t stride)
{
  return LIKELY (n <= FEW) ? NAMED (largest_short) (x, n, stride)
                             : NAMED (largest_of_many) (x, n, stride);
}
