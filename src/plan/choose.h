/* Which route the elements of a task take.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CHOOSE_H
#define GT_CHOOSE_H

#include "kernels/task.h"
#include "src/base/route.h"
#include "src/device/device.h"

struct gt_choice
{
  struct gt_route route;
  struct gt_location at;  /* of the data */
  int gpu;                /* index of the first GPU that takes part; -1 */
  unsigned n_gpus;        /* how many do, from that one on; 0 */
  const struct gt_step *step; /* what was measured and decided; null:
                                      the environment, or nothing, did */
};

/* Decides for PROBLEM, of whose data is known only where they lie.  Opens no GPU.  */
void gt_choose (const struct gt_problem *problem,
                const struct gt_location *at, struct gt_choice *choice);

/* The same for a task on the host, of which PLANNED is what is planned, and whose place is
   looked up where that could matter.  Returns 0 when the CPU computes, by far the most
   frequent answer and given without a look at a driver for what no profile gives to a
   GPU; else 1 with CHOICE.  */
struct gt_planned;
int gt_choose_host (const struct gt_planned *planned, const struct gt_task *task,
                    struct gt_choice *choice);

/* Returns the steps of routes that count for problems of this kind, of the
   host and of the GPU that the environment chooses, and in N how many; null and 0 if there
   are none.  */
const struct gt_step *
gt_choose_sequence (const struct gt_problem *problem, enum gt_place place,
                    unsigned *n);

/* The route that serves where nothing was measured but a GPU is to be used.  */
struct gt_route gt_route_default (const struct gt_device *gpu,
                                  enum gt_place place, uint64_t bytes);

#endif
