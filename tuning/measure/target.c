/* All targets share test data.  This file determines the place of problems in it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/target.h"

#include <string.h>

#include "src/base/names.h"
#include "src/device/backend.h"
#include "src/profile/profile_private.h"

#define ALIGNMENT 256 /* bytes, of a second vector */

/* ------------------------------------------------------------- Test data */

static void
clear_data (struct gt_target *target)
{
  if (target->loaded)
    gt_data_clear (&target->data);
  target->loaded = 0;
}

int
gt_target_fill (struct gt_target *target, enum gt_data_kind kind,
                enum gt_arithmetic arithmetic, size_t bytes)
{
  const size_t least = GT_AWKWARD_N * gt_arithmetics[arithmetic].size;

  clear_data (target);
  memset (&target->known, 0, sizeof target->known);
  if (gt_data_init (&target->data, arithmetic, kind))
    return gt_profile_fail (target->why, sizeof target->why,
                            "no memory for test data");
  target->loaded = 1;
  if (target->ops->load (target, bytes < least ? least : bytes) == 0)
    return 0;
  target->ops->unload (target);
  clear_data (target);
  return -1;
}

int
gt_target_load (struct gt_target *target, const struct gt_problem *problem,
                uint64_t bytes)
{
  const enum gt_data_kind kind = gt_data_kind_for (problem);
  const enum gt_arithmetic part = gt_part_arithmetic (problem->arithmetic);
  const uint64_t least = GT_AWKWARD_N * gt_element_size (problem->arithmetic);

  bytes = bytes < least ? least : bytes;
  return target->loaded && target->data.arithmetic == part
             && target->data.kind == kind && target->readable >= bytes
           ? 0 : gt_target_fill (target, kind, part, bytes);
}

void
gt_target_close (struct gt_target *target)
{
  target->ops->unload (target);
  clear_data (target);
  if (target->slot)
    gt_gpus->slot_release (target->gpu, target->slot);
}

/* -------------------------------------------------------------- Problems */

static uint64_t
stride_of (const struct gt_problem *problem)
{
  return problem->layout == GT_CONTIGUOUS ? 1 : GT_TUNED_STRIDE;
}

/* Returns the bytes of one of PROBLEM's vectors.  */
static uint64_t
vector_span (const struct gt_problem *problem)
{
  if (problem->n == 0)
    return 0;
  return ((problem->n - 1) * stride_of (problem) + 1)
         * gt_arithmetics[problem->arithmetic].size;
}

/* Returns the offset of the second vector.  */
static uint64_t
second_at (const struct gt_problem *problem)
{
  return (vector_span (problem) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

uint64_t
gt_problem_span (const struct gt_problem *problem)
{
  const int two = gt_inputs (problem) == 2;

  return vector_span (problem) + (two ? second_at (problem) : 0);
}

/* Shifts are whole numbers, so that the terms of whole numbers are exact.  Exact mode has no
   shifts; here they are fractions, so that their use would be noticed.  */
struct gt_task
gt_problem_task (const struct gt_problem *problem, const void *from)
{
  const uint64_t stride = stride_of (problem);
  const int exact = problem->mode == GT_MODE_EXACT;
  struct gt_task task
    = gt_task_of (problem->reduction, problem->arithmetic, problem->mode, from,
                  problem->n, stride);

  task.problem.layout = problem->layout;
  task.single = problem->reduction == GT_DOT && problem->mode == GT_MODE_FAST
                && problem->arithmetic == GT_F32;
  if (gt_inputs (problem) == 2)
    task.y = (struct gt_operand) {(const char *) from + second_at (problem),
                                  stride};
  if (gt_reduction_sums (problem->reduction))
    {
      task.shift[0] = exact ? 0.12345678901234567 : 2;
      task.shift[1] = exact ? -0.9876543210987654 : -4;
      task.scale = problem->n % 2 ? -1 : 1;
    }
  return task;
}
