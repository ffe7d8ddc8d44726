/* Tasks on a GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/backend_cuda.h"

#include <string.h>

#include "kernels/cpu/sums/combine.h"
#include "kernels/cpu/isa/room.h"
#include "src/base/fpenv.h"
#include "src/cuda/cuda_launch.h"
#include "src/cuda/geometry.h"

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

/* What one launch takes of what is left when DONE elements are done.  */
static struct gt_task
part_from (const struct gt_cuda_pending *pending, uint64_t done)
{
  const uint64_t left = pending->task.problem.n - done;

  return gt_task_part (&pending->task, done,
                       left < pending->most ? left : pending->most);
}

static CUresult
launch (struct gt_cuda_pending *pending, const struct gt_task *part)
{
  struct gt_cuda *gpu = pending->gpu;
  const CUresult status
    = gt_cuda_launch_on (gpu, pending->slot, &pending->plan, part,
                         pending->slot->mailbox_address, pending->on);

  /* An earlier pass may still be writing where the next sum will.  */
  if (status != CUDA_SUCCESS)
    gpu->driver->cuStreamSynchronize (pending->on);
  return status;
}

/* Waits for a launch.  A kernel that gives up has found data for another one, which
   takes over, and begins the next time.  */
static CUresult
await (struct gt_cuda_pending *pending, const struct gt_task *part,
       union gt_value *value)
{
  struct gt_cuda *gpu = pending->gpu;
  CUresult status
    = gt_cuda_wait (gpu, pending->slot, part, pending->on, value);

  if (status != CUDA_SUCCESS || !pending->slot->gave_up)
    return status;
  gt_ranges_note (&gpu->ranges, &pending->task);
  take_any_range (gpu, &pending->task.problem, &pending->plan);
  status = launch (pending, part);
  return status == CUDA_SUCCESS
           ? gt_cuda_wait (gpu, pending->slot, part, pending->on, value)
           : status;
}

/* Launches the first part, which is all unless it is too long for that.  */
static CUresult
launch_first (struct gt_cuda_pending *pending)
{
  const struct gt_problem *problem = &pending->task.problem;
  struct gt_cuda *gpu = pending->gpu;
  struct gt_task part;

  if (problem->mode == GT_MODE_EXACT
      && gt_ranges_wide (&gpu->ranges, &pending->task))
    take_any_range (gpu, problem, &pending->plan);
  pending->most = gt_cuda_most (gpu, &pending->plan, problem);
  part = part_from (pending, 0);
  return launch (pending, &part);
}

/* Awaits the first part, launches and awaits the others, and merges their values.  */
static CUresult
await_all (struct gt_cuda_pending *pending, union gt_value *value)
{
  const struct gt_problem *problem = &pending->task.problem;
  struct gt_task part = part_from (pending, 0);
  CUresult status = await (pending, &part, value);
  uint64_t done = part.problem.n;
  union gt_value *of_launch;
  void *heap;

  if (done >= problem->n || status != CUDA_SUCCESS)
    return status;
  of_launch = GT_ROOM (heap, sizeof *of_launch);
  while (done < problem->n && status == CUDA_SUCCESS)
    {
      part = part_from (pending, done);
      status = launch (pending, &part);
      if (status == CUDA_SUCCESS)
        status = await (pending, &part, of_launch);
      if (status == CUDA_SUCCESS)
        gt_value_merge (problem, value, of_launch);
      done += part.problem.n;
    }
  free (heap);
  return status;
}

/* Takes a slot for TASK.  */
static int
prepare (struct gt_cuda *gpu, const struct gt_plan *plan,
         const struct gt_task *task, void *stream,
         struct gt_cuda_pending *pending)
{
  const int failed = gt_cuda_slot_acquire (gpu, &pending->slot);

  if (failed)
    return failed;
  pending->gpu = gpu;
  pending->plan = *plan;
  pending->task = *task;
  pending->on = stream == NULL ? pending->slot->stream
                : stream == GT_CUDA_DEFAULT_STREAM ? NULL : (CUstream) stream;
  return 0;
}

int
gt_cuda_compute (struct gt_cuda *gpu, const struct gt_plan *plan,
                 const struct gt_task *task, void *stream,
                 union gt_value *value)
{
  struct gt_cuda_pending pending;
  CUresult status;
  int failed = prepare (gpu, plan, task, stream, &pending);

  if (failed)
    return failed;
  status = gt_cuda_enter (gpu);
  if (status == CUDA_SUCCESS)
    {
      status = launch_first (&pending);
      if (status == CUDA_SUCCESS)
        status = await_all (&pending, value);
      gt_cuda_leave (gpu);
    }
  gt_cuda_slot_release (gpu, pending.slot);
  return gt_cuda_note (gpu, status, "computing");
}

int
gt_cuda_begin (struct gt_cuda *gpu, const struct gt_plan *plan,
               const struct gt_task *task, void *stream,
               struct gt_cuda_pending *pending)
{
  CUresult status;
  int failed = prepare (gpu, plan, task, stream, pending);

  if (failed)
    return failed;
  status = gt_cuda_enter (gpu);
  if (status == CUDA_SUCCESS)
    {
      status = launch_first (pending);
      gt_cuda_leave (gpu);
    }
  if (status != CUDA_SUCCESS)
    gt_cuda_slot_release (gpu, pending->slot);
  return gt_cuda_note (gpu, status, "computing");
}

int
gt_cuda_end (struct gt_cuda_pending *pending, union gt_value *value)
{
  struct gt_cuda *gpu = pending->gpu;
  CUresult status = gt_cuda_enter (gpu);

  if (status == CUDA_SUCCESS)
    {
      status = await_all (pending, value);
      gt_cuda_leave (gpu);
    }
  gt_cuda_slot_release (gpu, pending->slot);
  return gt_cuda_note (gpu, status, "computing");
}
