/* The public sums and extremes of vectors that stay on a GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <string.h>

#include "src/gsltune.h"
#include "src/reduce/device_vector_sum.h"
#include "src/reduce/dot_products.h"
#include "src/route/reduce.h"

/* Returns the task of REDUCTION in the mode in force.  */
static struct gt_task
task_of (const struct gsltune_device_memory *memory,
         enum gt_reduction reduction, enum gt_arithmetic arithmetic)
{
  enum gt_mode mode;

  arithmetic = gt_arithmetic_for (reduction, arithmetic);
  mode = gt_mode_for (reduction, arithmetic, gt_mode_now ());
  return gt_task_of (reduction, arithmetic, mode, memory->data, memory->n,
                     memory->stride);
}

/* Stores the result for an empty vector.  A sum is 0, and so is the index of the largest
   magnitude; there are no other extremes.  */
static int
reduce_nothing (enum gt_reduction reduction, union gt_value *value,
                const char **why)
{
  memset (value, 0, sizeof *value);
  if (reduction == GT_AMAX || gt_reductions[reduction].algebra == GT_ALGEBRA_ADD)
    return GSL_SUCCESS;
  *why = "there are no elements, so none is the largest or smallest";
  return GSL_EDOM;
}

int
gt_device_memory_reduce (const struct gsltune_device_memory *memory,
                         enum gt_reduction reduction,
                         enum gt_arithmetic arithmetic, union gt_value *value,
                         const char **why)
{
  const struct gt_task task = task_of (memory, reduction, arithmetic);
  const struct gsltune_device_memory *const both[2] = {memory, memory};
  int status;

  if (memory->n == 0)
    return reduce_nothing (reduction, value, why);
  if (gt_sum_on_gpu (memory, reduction, arithmetic, value))
    return GSL_SUCCESS;
  status = gt_device_memory_sums (both, &task, value, why);
  if (status == GSL_SUCCESS)
    gt_reduce_finish (&task.problem, value);
  return status;
}

#define GT_TEMPLATE "src/reduce/device_vector_sum.inc"
#include "src/each_type.h"
