/* The functions of simd_order.c for one arithmetic: a template of
   kernels/cpu/each_arithmetic.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cpu/order_scalar.h"
#if BY_VECTORS
#include "kernels/cpu/vector_type.h"
#include "kernels/cpu/order_compare.h"
#include "kernels/cpu/order_search.h"
#endif

INLINE void
NAMED (contiguous) (const struct gt_task *task,
                    const enum gt_reduction reduction, union gt_value *value)
{
#if BY_VECTORS
  static const struct form dense = {.dense = 1, .stride = 1};

  NAMED (search) (task, &dense, reduction, value);
#else
  NAMED (scan_all) (task, reduction, value);
#endif
}

/* Vectors are worth it that have two elements of the task and more.  */
INLINE void
NAMED (strided) (const struct gt_task *task,
                 const enum gt_reduction reduction, union gt_value *value)
{
#if BY_VECTORS
  const unsigned size = sizeof (TYPE);

  if ((task->x.stride == 2 && LANES >= 4)
      || (task->x.stride == 4 && LANES >= 8))
    {
      const struct form two = {0, 2, 1, sieve (size, 2)};
      const struct form four = {0, 4, 2, sieve (size, 4)};
      const struct form sparse = task->x.stride == 2 ? two : four;

      NAMED (search) (task, &sparse, reduction, value);
      return;
    }
#endif
  NAMED (scan_all) (task, reduction, value);
}

ENTRIES (max, GT_MAX)
ENTRIES (min, GT_MIN)
ENTRIES (minmax, GT_MINMAX)
#if REAL && VECTORS
ENTRIES (amax, GT_AMAX)
#endif

#undef BEST
#undef LANES
#undef VECTOR
#undef KEY
#undef KEYS
#undef HITS
#undef REGISTER
#undef FRONT
#undef FOUND
