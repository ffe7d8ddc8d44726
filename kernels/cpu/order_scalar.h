/* Extremes of one arithmetic element by element, as GSL's loops find them, but
   with one comparison an element: it is true of what is better and of NaN, so
   that it soon decides the same each time, and nothing waits for it.
   A template of kernels/cpu/each_arithmetic.h, after inline.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* The best elements so far and where they are: the greatest, or that of the
   greatest magnitude, which is kept then; and the smallest.  */
#define BEST NAMED (best)
struct BEST
{
  TYPE most, least;
  size_t most_at, least_at;
};

/* X, element I, is NaN and ends a search of all but magnitudes.  */
INLINE int
NAMED (end_at_nan) (struct BEST *best, TYPE x, size_t i)
{
#if REAL
  if (x != x)
    {
      best->most_at = best->least_at = i;
      return 1;
    }
#endif
  (void) best, (void) x, (void) i;
  return 0;
}

/* Takes again what is at the places in BEST.  */
INLINE void
NAMED (recall) (struct BEST *best, const TYPE *x, size_t stride,
                const enum gt_reduction reduction)
{
  best->most = x[best->most_at * stride];
  best->least = x[best->least_at * stride];
#if REAL
  if (reduction == GT_AMAX)
    best->most = best->most == best->most ? NAMED (MAGNITUDE) (best->most) : 0;
#endif
  (void) reduction;
}

/* Begins with element 0; returns 1 if the search ends there.  */
INLINE int
NAMED (begin) (struct BEST *best, TYPE x, const enum gt_reduction reduction)
{
  best->most_at = best->least_at = 0;
  NAMED (recall) (best, &x, 1, reduction);
  return reduction != GT_AMAX && NAMED (end_at_nan) (best, x, 0);
}

/* Looks at X, element I; returns 1 if the search ends there.  */
INLINE int
NAMED (look) (struct BEST *best, TYPE x, size_t i,
              const enum gt_reduction reduction)
{
#if REAL
  if (reduction == GT_AMAX)
    {
      if (UNLIKELY (NAMED (MAGNITUDE) (x) > best->most))
        {
          best->most = NAMED (MAGNITUDE) (x);
          best->most_at = i;
        }
      return 0;
    }
#endif
  if (reduction != GT_MIN && UNLIKELY (!(x <= best->most)))
    {
      best->most = x;
      best->most_at = i;
      return NAMED (end_at_nan) (best, x, i);
    }
  if (reduction != GT_MAX && UNLIKELY (!(x >= best->least)))
    {
      best->least = x;
      best->least_at = i;
      return NAMED (end_at_nan) (best, x, i);
    }
  return 0;
}

/* Looks at COUNT elements from X on, which lie STRIDE apart and of which the
   first is element I; returns 1 if the search ends among them.  */
INLINE int
NAMED (scan) (struct BEST *best, const TYPE *x, size_t stride, size_t i,
              size_t count, const enum gt_reduction reduction)
{
  const size_t two = 2 * stride, three = 3 * stride;

  for (; count >= 4; count -= 4, i += 4, x += 4 * stride)
    if (NAMED (look) (best, x[0], i, reduction)
        || NAMED (look) (best, x[stride], i + 1, reduction)
        || NAMED (look) (best, x[two], i + 2, reduction)
        || NAMED (look) (best, x[three], i + 3, reduction))
      return 1;
  for (; count > 0; count--, i++, x += stride)
    if (NAMED (look) (best, *x, i, reduction))
      return 1;
  return 0;
}

/* The places that REDUCTION asks for.  */
INLINE void
NAMED (places) (const struct BEST *best, const enum gt_reduction reduction,
                size_t at[2])
{
  at[0] = reduction == GT_MIN || reduction == GT_MINMAX ? best->least_at
                                                        : best->most_at;
  at[1] = best->most_at;
}

/* Leaves the elements that BEST names in VALUE, bit for bit.  */
INLINE void
NAMED (deliver) (const struct gt_task *task, const struct BEST *best,
                 const enum gt_reduction reduction, union gt_value *value)
{
  const TYPE *const x = task->x.data;
  const int members = reduction == GT_MINMAX ? 2 : 1;
  size_t at[2];

  NAMED (places) (best, reduction, at);
  for (int k = 0; k < members; k++)
    {
      value->NAME[k] = x[at[k] * task->x.stride];
      value->where.index[k] = task->origin + at[k];
    }
}

/* All elements of TASK one by one.  */
INLINE void
NAMED (scan_all) (const struct gt_task *task,
                  const enum gt_reduction reduction, union gt_value *value)
{
  const TYPE *const x = task->x.data;
  struct BEST best;

  if (!NAMED (begin) (&best, *x, reduction))
    NAMED (scan) (&best, x, task->x.stride, 0, task->problem.n, reduction);
  NAMED (deliver) (task, &best, reduction, value);
}
