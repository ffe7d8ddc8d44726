/* In place of rung_launch.c in a command built without CUDA: there is no GPU, so
   nothing of this is ever called.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/rung_launch.h"

#include <stdlib.h>

struct gt_rung_launcher *
gt_rung_launcher_open (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
                       const char *cuda)
{
  (void) gpu;
  (void) slot;
  (void) cuda;
  return NULL;
}

void
gt_rung_launcher_close (struct gt_rung_launcher *launcher)
{
  (void) launcher;
}

#define NEVER(type, name, parameters) \
  type name parameters                \
  {                                   \
    abort ();                         \
  }
#pragma GCC diagnostic ignored "-Wunused-parameter"

NEVER (int, gt_rung_available,
       (struct gt_rung_launcher *launcher, const struct gt_ladder_kernel *rung,
        char *why, size_t size))
NEVER (int, gt_rung_resources,
       (struct gt_rung_launcher *launcher,
        const struct gt_plan *plan, const struct gt_problem *problem,
        struct gt_cuda_resources *resources))
NEVER (int, gt_rung_sum,
       (struct gt_rung_launcher *launcher,
        const struct gt_plan *plan, const struct gt_task *task,
        union gt_value *sum))
NEVER (int, gt_rung_time,
       (struct gt_rung_launcher *launcher,
        const struct gt_plan *plan, const struct gt_task *task,
        unsigned count,
        unsigned windows, size_t step, double *seconds))
