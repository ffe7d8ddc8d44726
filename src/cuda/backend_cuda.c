/* Tasks on a GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/backend_cuda.h"

#include <string.h>

#include "kernels/cpu/combine.h"
#include "src/base/fpenv.h"
#include "src/cuda/cuda_launch.h"
#include "src/cuda/geometry.h"

static CUresult
compute_launch (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
                const struct gt_plan *plan, const struct gt_task *task,
                CUstream on, union gt_value *value)
{
  CUresult status = gt_cuda_launch_on (gpu, slot, plan, task,
                                       slot->mailbox_address, on);

  if (status == CUDA_SUCCESS)
    return gt_cuda_wait (gpu, slot, task, on, value);
  /* An earlier pass may still be writing where the next sum will.  */
  gpu->driver->cuStreamSynchronize (on);
  return status;
}

/* Gives PLAN the kernel that sums numbers of any range, unless that has it
   already.  */
static void
take_any_range (struct gt_cuda *gpu, const struct gt_problem *problem,
                struct gt_plan *plan)
{
  const struct gt_kernel *kernel;
  struct gt_config config;

  gt_any_range (gt_cuda_device_of (gpu), problem, &kernel, &config);
  if (kernel == plan->kernel)
    return;
  plan->kernel = kernel;
  plan->config = config;
}

/* Computes TASK on stream ON: in one launch or, if it is too long for that, in
   several, whose values are merged.  A kernel that gives up has found data for
   another one, which takes over, and begins the next time.  */
static CUresult
compute_launches (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
                  struct gt_plan plan, const struct gt_task *task, CUstream on,
                  union gt_value *value)
{
  const struct gt_problem *problem = &task->problem;
  uint64_t done = 0, most;
  union gt_value of_launch, *to = value;
  CUresult status;

  if (problem->mode == GT_MODE_EXACT && gt_ranges_wide (&gpu->ranges, task))
    take_any_range (gpu, problem, &plan);
  most = gt_cuda_most (gpu, &plan, problem);
  do
    {
      uint64_t left = problem->n - done;
      struct gt_task part
        = gt_task_part (task, done, left < most ? left : most);

      status = compute_launch (gpu, slot, &plan, &part, on, to);
      if (status == CUDA_SUCCESS && slot->gave_up)
        {
          gt_ranges_note (&gpu->ranges, task);
          take_any_range (gpu, problem, &plan);
          status = compute_launch (gpu, slot, &plan, &part, on, to);
        }
      if (status == CUDA_SUCCESS && to != value)
        gt_value_merge (problem, value, to);
      to = &of_launch;
      done += part.problem.n;
    }
  while (done < problem->n && status == CUDA_SUCCESS);
  return status;
}

int
gt_cuda_compute (struct gt_cuda *gpu, const struct gt_plan *plan,
                 const struct gt_task *task, void *stream,
                 union gt_value *value)
{
  struct gt_cuda_slot *slot;
  CUstream on;
  CUresult status;
  int failed = gt_cuda_slot_acquire (gpu, &slot);

  if (failed)
    return failed;
  on = stream == NULL ? slot->stream
       : stream == GT_CUDA_DEFAULT_STREAM ? NULL : (CUstream) stream;
  status = gt_cuda_enter (gpu);
  if (status == CUDA_SUCCESS)
    {
      status = compute_launches (gpu, slot, *plan, task, on, value);
      gt_cuda_leave (gpu);
    }
  gt_cuda_slot_release (gpu, slot);
  return gt_cuda_note (gpu, status, "computing");
}
