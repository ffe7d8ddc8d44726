/* Runs CUDA kernels, through the driver.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BACKEND_CUDA_H
#define GT_BACKEND_CUDA_H

#include <stddef.h>

#include "kernels/args.h"
#include "src/base/configuration.h"
#include "src/cuda/cuda_slot.h"

struct gt_cuda_resources
{
  int registers;           /* a thread */
  size_t shared;           /* bytes a block, static */
  size_t local;            /* bytes a thread: spills and arrays */
  int max_threads_per_block;
  int active_blocks;       /* per SM, as the driver says, for the block asked */
};

/* Computes TASK, whose data is at an address that the GPU can read, with PLAN;
   VALUE is not finished.  STREAM is a CUstream, or null for a stream of the
   library's own.  A user's default stream is GT_CUDA_DEFAULT_STREAM.  Waits for
   the result.  */
#define GT_CUDA_DEFAULT_STREAM ((void *) 1)
int gt_cuda_compute (struct gt_cuda *gpu, const struct gt_plan *plan,
                     const struct gt_task *task, void *stream,
                     union gt_value *value);

/* The same in two steps, so that several GPUs compute at once: begin launches TASK, end
   waits for its result.  What was begun is to be ended, by the same thread, whatever
   happens to others; what could not be begun is not.  */
struct gt_cuda_pending
{
  struct gt_cuda *gpu;
  struct gt_cuda_slot *slot;
  struct gt_plan plan;
  struct gt_task task;
  void *on;      /* the CUstream */
  uint64_t most; /* elements of a launch */
};
int gt_cuda_begin (struct gt_cuda *gpu, const struct gt_plan *plan,
                   const struct gt_task *task, void *stream,
                   struct gt_cuda_pending *pending);
int gt_cuda_end (struct gt_cuda_pending *pending, union gt_value *value);

/* The most elements of PROBLEM that one launch of PLAN may take.  */
uint64_t gt_cuda_most (const struct gt_cuda *gpu, const struct gt_plan *plan,
                       const struct gt_problem *problem);

/* What the driver says of the kernel that PLAN has for PROBLEM.  */
int gt_cuda_kernel_resources (struct gt_cuda *gpu, const struct gt_plan *plan,
                              const struct gt_problem *problem,
                              struct gt_cuda_resources *resources);

/* For the tuner: launches on a slot without waiting, and measures with events.
   gt_cuda_result waits for the slot's last launch.  */
int gt_cuda_launch (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
                    const struct gt_plan *plan, const struct gt_task *task);
int gt_cuda_result (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
                    const struct gt_task *task, union gt_value *value);
/* Fills the slot's partial sums and result with a pattern that no correct
   kernel leaves standing.  */
int gt_cuda_poison (struct gt_cuda *gpu, struct gt_cuda_slot *slot);
/* Seconds on the device from the first of `count' launches to the end of the
   last, launch k over TASK with data moved by (k mod WINDOWS) * STEP bytes.  The
   results stay in device memory.  */
int gt_cuda_time (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
                  const struct gt_plan *plan, const struct gt_task *task,
                  unsigned count, unsigned windows, size_t step,
                  double *seconds);

#endif
