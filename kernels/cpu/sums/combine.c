/* Merges values: adds sums, and keeps the better one of two extremes.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/sums/combine.h"

#include <string.h>

#include "kernels/cpu/finish/finish.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/sums/sums.h"

#define GT_TEMPLATE "kernels/cpu/order/combine_order.inc"
#include "kernels/cpu/isa/each_arithmetic.h"

static void
merge_order (const struct gt_problem *problem, union gt_value *into,
             const union gt_value *from)
{
  switch (gt_part_arithmetic (problem->arithmetic))
    {
#define X(id, name, ctype, real)                    \
    case GT_##id:                                   \
      merge_##name (problem->reduction, into, from); \
      break;
      GT_ARITHMETICS (X)
#undef X
    default:
      break;
    }
}

void
gt_value_merge (const struct gt_problem *problem, union gt_value *into,
                const union gt_value *from)
{
  if (gt_reductions[problem->reduction].algebra == GT_ALGEBRA_ORDER)
    {
      merge_order (problem, into, from);
      return;
    }
  if (problem->mode == GT_MODE_EXACT || gt_reduction_sums (problem->reduction))
    {
      gt_sums_merge (problem, into, from);
      return;
    }
  switch (problem->arithmetic)
    {
#define X(id, name, ctype, real)                                \
    case GT_##id:                                               \
      into->name[0] = (ctype) (into->name[0] + from->name[0]);  \
      break;
      GT_REAL_ARITHMETICS (X)
      GT_UNSIGNED_ARITHMETICS (X)
#undef X
    default:
      break;
    }
}

void
gt_value_finish (const struct gt_problem *problem, union gt_value *sum)
{
  if (gt_reductions[problem->reduction].algebra != GT_ALGEBRA_ADD || problem->mode != GT_MODE_EXACT)
    return;
  if (problem->arithmetic == GT_F64)
    sum->f64[0] = gt_finish_mean (&sum->super, 1).f64;
  else if (problem->arithmetic == GT_F32)
    sum->f32[0] = gt_finish_mean (&sum->super, 1).f32;
}
