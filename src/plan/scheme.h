/* The plan for one task on a route to GPUs: the devices, their elements, the kernels and the
   pieces.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SCHEME_H
#define GT_SCHEME_H

#include "src/plan/choose.h"
#include "src/plan/plan.h"

/* The number of streams that receive pieces in turn, so that one piece is transferred while
   another is summed.  */
#define GT_COPY_LANES 4   /* of each GPU */
#define GT_STAGED_LANES 2 /* of each thread that copies */

/* The maximum number of GPUs that share one task.  */
#define GT_MAX_GPUS 64

struct gt_scheme
{
  struct gt_choice choice;
  struct gt_open_gpu *gpu[GT_MAX_GPUS]; /* those that could be opened */
  unsigned n_gpus;
  const struct gt_plans *plans;     /* of the first GPU */
  int at_once;       /* the data is read directly, in one launch */
  size_t size;       /* bytes per element */
  uint64_t gpu_n;    /* the number of elements of the GPUs' share, which comes first */
  uint64_t piece;    /* elements that a GPU computes at a time */
  size_t lane_most;  /* bytes for the buffers of a lane, so that all lanes stay within the
                        limit of scratch memory */
  struct gt_plan gpu_plan; /* for a piece, or for the whole share in one launch */
  struct gt_plan cpu_plan; /* for the CPU's share, and for parts on which GPUs fail */
};

/* Plans PROBLEM, which is contiguous, on the route of CHOICE.  Returns 0, or -1 if no GPU can
   be used or memory is short.  */
int gt_scheme_make (const struct gt_choice *choice,
                    const struct gt_problem *problem,
                    struct gt_scheme *scheme);

#endif
