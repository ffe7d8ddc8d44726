/* Sums of host data by a route that a test has chosen.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_ROUTED_H
#define GT_TEST_ROUTED_H

#include <string.h>

#include "src/route/reduce.h"

/* A route, and the place whose data it is for.  */
struct routed
{
  enum gt_place place;
  struct gt_route route;
};

/* Computes TASK by the route, on the first N_GPUS.  Returns what gt_reduce_routed
   does; VALUE is poisoned before.  */
static inline int
reduce_by (const struct routed *by, unsigned n_gpus,
           const struct gt_task *task, union gt_value *value)
{
  struct gt_choice choice = {.route = by->route, .at = {by->place, -1},
                             .gpu = 0, .n_gpus = n_gpus};

  memset (value, 0xcb, sizeof *value);
  return gt_reduce_routed (&choice, task, value);
}

/* Sums DATA by the route, on the first N_GPUS.  Returns what gt_reduce_routed does.  */
static inline int
sum_routed (const struct routed *by, unsigned n_gpus,
            enum gt_arithmetic arithmetic, enum gt_mode mode, const void *data,
            size_t n, union gt_value *sum)
{
  struct gt_task task = gt_task_of (GT_SUM, arithmetic, mode, data, n, 1);

  return reduce_by (by, n_gpus, &task, sum);
}

#endif
