/* Everything that is planned for one task on a route to GPUs: which devices
   compute which elements, with which kernels, in which pieces.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SCHEME_H
#define GT_SCHEME_H

#include "src/plan/choose.h"
#include "src/plan/plan.h"

/* Streams that take pieces in turn, so that one piece is on the bus while
   another is summed.  */
#define GT_COPY_LANES 4   /* of each GPU */
#define GT_STAGED_LANES 2 /* of each thread that copies */

/* GPUs that may share one task.  */
#define GT_MAX_GPUS 64

struct gt_scheme
{
  struct gt_choice choice;
  struct gt_open_gpu *gpu[GT_MAX_GPUS]; /* those that could be opened */
  unsigned n_gpus;
  const struct gt_plans *plans;     /* of the first of them */
  int at_once;       /* one launch, where the data lies */
  size_t size;       /* bytes of an element */
  uint64_t gpu_n;    /* elements of the GPUs' share: the first ones */
  uint64_t piece;    /* elements that a GPU computes at a time */
  size_t lane_most;  /* bytes that a lane's buffers may have, so that those of all
                        lanes are within the limit of scratch memory */
  struct gt_plan gpu_plan; /* of a piece, or of the whole at once */
  struct gt_plan cpu_plan; /* of the rest, and of what GPUs fail at */
};

/* Plans PROBLEM, contiguous, on the route of CHOICE.  Returns 0, or -1 when no
   GPU can be used or memory is short.  */
int gt_scheme_make (const struct gt_choice *choice,
                    const struct gt_problem *problem,
                    struct gt_scheme *scheme);

#endif
