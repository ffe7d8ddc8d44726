/* Extremes on a GPU.

   Every kernel looks for largest unsigned integers or reals.  Flipping all bits of
   an unsigned integer turns the order round, flipping the first makes the order of
   signed integers that of unsigned ones; of a real the first bit is its sign, so
   that flipping it turns the order round and clearing it leaves the magnitude.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_order.h"

#include <string.h>

#include "src/device/geometry.h"

/* The first bit of an element of SIZE bytes, repeated for a mask of 64 bits.  */
static uint64_t
first_bits (size_t size)
{
  uint64_t bits = 0;

  for (unsigned end = (unsigned) (8 * size); end <= 64;
       end += (unsigned) (8 * size))
    bits |= (uint64_t) 1 << (end - 1);
  return bits;
}

struct gt_order
gt_order_of (const struct gt_problem *problem)
{
  struct gt_order order = {0};
  const uint64_t first = first_bits (gt_element_size (problem->arithmetic));

  if (problem->arithmetic >= GT_N_SIGNLESS)
    order.flip = first;
  if (gt_reductions[problem->reduction].algebra != GT_ALGEBRA_ORDER)
    return order;
  order.keep = UINT64_MAX;
  if (problem->reduction == GT_MIN)
    order.flip ^= problem->arithmetic <= GT_LDBL ? first : UINT64_MAX;
  if (problem->reduction == GT_AMAX)
    {
      order.keep = ~first;
      order.pass_nan = 1;
    }
  return order;
}

/* Elements travel as the lowest bytes of a word, and hosts of CUDA keep these
   first.  */
void
gt_order_take (const struct gt_task *task, const union gt_partial *delivered,
               union gt_value *value)
{
  const size_t size = gt_element_size (task->problem.arithmetic);

  for (unsigned k = 0; k < gt_partials_of (&task->problem); k++)
    {
      memcpy ((char *) value + k * size, &delivered[k].u64[0], size);
      value->where.index[k] = delivered[k].u64[1] + task->origin;
    }
}
