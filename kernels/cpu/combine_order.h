/* The merging of extremes of one arithmetic: a template of
   kernels/cpu/each_arithmetic.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* Whether A, element I, wins against B, element J: the greater, the smaller if
   SMALLEST; NaN against every number; of equals and of NaN the first.  */
static int
NAMED (wins) (TYPE a, uint64_t i, TYPE b, uint64_t j, int smallest)
{
#if REAL
  if (a != a || b != b)
    return a != a && (b == b || i < j);
#endif
  return a == b ? i < j : smallest ? a < b : a > b;
}

#if REAL
/* The same of magnitudes, where NaN counts as nothing.  */
static int
NAMED (is_larger) (TYPE a, uint64_t i, TYPE b, uint64_t j)
{
  const TYPE p = a < 0 ? -a : a == a ? a : 0;
  const TYPE q = b < 0 ? -b : b == b ? b : 0;

  return p == q ? i < j : p > q;
}
#endif

static void
NAMED (merge) (enum gt_reduction reduction, union gt_value *into,
               const union gt_value *from)
{
  const int members = reduction == GT_MINMAX ? 2 : 1;

  for (int k = 0; k < members; k++)
    {
      const TYPE a = from->NAME[k], b = into->NAME[k];
      const uint64_t i = from->where.index[k], j = into->where.index[k];
      const int smallest = reduction != GT_MAX && k == 0;
      int won = NAMED (wins) (a, i, b, j, smallest);

#if REAL
      if (reduction == GT_AMAX)
        won = NAMED (is_larger) (a, i, b, j);
#endif
      if (!won)
        continue;
      memcpy (&into->NAME[k], &from->NAME[k], sizeof into->NAME[k]);
      into->where.index[k] = i;
    }
}
