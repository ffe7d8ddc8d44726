/* Chooses the route of a task's elements.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CHOOSE_H
#define GT_CHOOSE_H

#include "kernels/task.h"
#include "src/base/route.h"
#include "src/device/device.h"

struct gt_choice
{
  struct gt_route route;
  struct gt_location at;  /* the location of the data */
  int gpu;                /* the index of the first GPU that takes part; -1: none */
  unsigned n_gpus;        /* the number of GPUs that take part, from that one on */
  const struct gt_step *step; /* the measured step that decided; null: the environment decided,
                                 or there are no measurements */
};

/* Chooses the route for PROBLEM if only the location of its data is known.  Opens no GPU.  */
void gt_choose (const struct gt_problem *problem,
                const struct gt_location *at, struct gt_choice *choice);

/* Chooses the route for a task on the host.  PLANNED is its plan; the place of its data is
   looked up only if it might matter.  Returns 0 if the CPU computes, which is by far the most
   frequent case and needs no driver unless a profile assigns the problem to a GPU; otherwise
   1, with CHOICE.  */
struct gt_planned;
int gt_choose_host (const struct gt_planned *planned, const struct gt_task *task,
                    struct gt_choice *choice);

/* Returns the steps of routes for problems of this kind, for the host and the GPU that the
   environment chooses, and stores their number in N; null and 0 if there are none.  */
const struct gt_step *
gt_choose_sequence (const struct gt_problem *problem, enum gt_place place,
                    unsigned *n);

/* Returns the route that is used without measurements if a GPU must be used.  */
struct gt_route gt_route_default (const struct gt_device *gpu,
                                  enum gt_place place, uint64_t bytes);

#endif
