/* Tasks on a GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/backend_cuda.h"

#include <string.h>

#include "kernels/cpu/isa/room.h"
#include "kernels/cpu/sums/combine.h"
#include "src/cuda/cuda_launch.h"
#include "src/device/geometry.h"

/* Replaces PLAN's kernel by the one for numbers of any range, unless PLAN has that
   already.  */
static void
take_any_range (struct gt_open_gpu *gpu, const struct gt_problem *problem,
                struct gt_plan *plan)
{
  const struct gt_kernel *kernel;
  struct gt_config config;

  gt_any_range (gpu->device, problem, &kernel, &config);
  if (kernel == plan->kernel)
    return;
  plan->kernel = kernel;
  plan->config = config;
}

/* Returns the part of the task that begins at element DONE and fits into one launch.  */
static struct gt_task
part_from (const struct gt_pending *pending, uint64_t done)
{
  const uint64_t left = pending->task.problem.n - done;

  return gt_task_part (&pending->task, done,
                       left < pending->most ? left : pending->most);
}

static CUresult
launch (struct gt_pending *pending, const struct gt_task *part)
{
  struct gt_open_gpu *gpu = pending->gpu;
  const CUresult status
    = gt_cuda_launch_on (gpu, pending->slot, &pending->plan, part,
                         pending->slot->mailbox_address, pending->on);

  /* An earlier pass may still be writing to the memory that the next sum will use.  */
  if (status != CUDA_SUCCESS)
    gpu->driver->cuStreamSynchronize (pending->on);
  return status;
}

/* Waits for a launch.  If the kernel gave up because the range of the data is too wide,
   launches the kernel for any range, which then serves later calls as well.  */
static CUresult
await (struct gt_pending *pending, const struct gt_task *part,
       union gt_value *value)
{
  struct gt_open_gpu *gpu = pending->gpu;
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

/* Launches the first part: the whole task unless it is too long for one launch.  */
static CUresult
launch_first (struct gt_pending *pending)
{
  const struct gt_problem *problem = &pending->task.problem;
  struct gt_open_gpu *gpu = pending->gpu;
  struct gt_task part;

  if (problem->mode == GT_MODE_EXACT
      && gt_ranges_wide (&gpu->ranges, &pending->task))
    take_any_range (gpu, problem, &pending->plan);
  pending->most = gt_cuda_most (gpu, &pending->plan, problem);
  part = part_from (pending, 0);
  return launch (pending, &part);
}

/* Waits for the first part, computes the others, and merges the values.  */
static CUresult
await_all (struct gt_pending *pending, union gt_value *value)
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
      GT_THEN (status, await (pending, &part, of_launch));
      if (status == CUDA_SUCCESS)
        gt_value_merge (problem, value, of_launch);
      done += part.problem.n;
    }
  free (heap);
  return status;
}

/* Begins TASK in a slot of its own; if VALUE is not null, also waits for all of it.  */
static int
launch_task (struct gt_open_gpu *gpu, const struct gt_plan *plan,
             const struct gt_task *task, void *stream,
             struct gt_pending *pending, union gt_value *value)
{
  CUresult status;
  int failed = gt_cuda_slot_acquire (gpu, SIZE_MAX, &pending->slot);

  if (failed)
    return failed;
  pending->gpu = gpu;
  pending->plan = *plan;
  pending->task = *task;
  pending->on = stream == NULL ? pending->slot->stream
                : stream == GT_DEFAULT_STREAM ? NULL : (CUstream) stream;
  status = gt_cuda_enter (gpu);
  GT_THEN (status, launch_first (pending));
  if (status == CUDA_SUCCESS && value)
    status = await_all (pending, value);
  failed = gt_cuda_leave (gpu, status, "computing");
  if (failed || value)
    gt_cuda_slot_release (gpu, pending->slot);
  return failed;
}

int
gt_cuda_compute (struct gt_open_gpu *gpu, const struct gt_plan *plan,
                 const struct gt_task *task, void *stream,
                 union gt_value *value)
{
  struct gt_pending pending;

  return launch_task (gpu, plan, task, stream, &pending, value);
}

int
gt_cuda_begin (struct gt_open_gpu *gpu, const struct gt_plan *plan,
               const struct gt_task *task, void *stream,
               struct gt_pending *pending)
{
  return launch_task (gpu, plan, task, stream, pending, NULL);
}

int
gt_cuda_end (struct gt_pending *pending, union gt_value *value)
{
  struct gt_open_gpu *gpu = pending->gpu;
  CUresult status = gt_cuda_enter (gpu);
  int failed;

  GT_THEN (status, await_all (pending, value));
  failed = gt_cuda_leave (gpu, status, "computing");
  gt_cuda_slot_release (gpu, pending->slot);
  return failed;
}

/* ------------------------------------------------------------ In a slot */

/* Starts the copy of BYTES of INPUT to OFFSET in the slot's buffer from which the kernel
   reads.  */
static CUresult
transfer (struct gt_open_gpu *gpu, struct gt_slot *slot, enum gt_way way,
          struct gt_operand *input, size_t offset, size_t bytes)
{
  uintptr_t staging = slot->buffer[GT_BUFFER_STAGING].address + offset;
  uintptr_t ring = slot->buffer[GT_BUFFER_RING].address + offset;
  const void *from = input->data;

  if (way == GT_WAY_STAGED)
    from = memcpy ((void *) ring, from, bytes);
  input->data = (const void *) staging;
  return gpu->driver->cuMemcpyHtoDAsync (staging, from, bytes, slot->stream);
}

static CUresult
transfer_and_launch (struct gt_open_gpu *gpu, struct gt_slot *slot,
                     enum gt_way way, const struct gt_plan *plan,
                     const struct gt_task *task)
{
  const size_t size = gt_element_size (task->problem.arithmetic);
  struct gt_task there = *task;
  CUresult status = CUDA_SUCCESS;

  for (unsigned k = 0; k < gt_inputs (&task->problem); k++)
    if (way != GT_WAY_DIRECT && status == CUDA_SUCCESS)
      status = transfer (gpu, slot, way, gt_task_input (&there, k),
                         k * gt_slot_room (task->problem.n, size),
                         task->problem.n * size);
  GT_THEN (status, gt_cuda_launch_on (gpu, slot, plan, &there,
                                      slot->mailbox_address, slot->stream));
  /* A copy may still be reading from the ring, or from the caller's data.  */
  if (status != CUDA_SUCCESS)
    gpu->driver->cuStreamSynchronize (slot->stream);
  return status;
}

int
gt_cuda_start (struct gt_open_gpu *gpu, struct gt_slot *slot, enum gt_way way,
               const struct gt_plan *plan, const struct gt_task *task)
{
  CUresult status = gt_cuda_enter (gpu);

  GT_THEN (status, transfer_and_launch (gpu, slot, way, plan, task));
  return gt_cuda_leave (gpu, status, "launching");
}

int
gt_cuda_await (struct gt_open_gpu *gpu, struct gt_slot *slot,
               const struct gt_task *task, union gt_value *value)
{
  CUresult status = gt_cuda_enter (gpu);

  GT_THEN (status, gt_cuda_wait (gpu, slot, task, slot->stream, value));
  if (status == CUDA_SUCCESS && slot->gave_up)
    status = CUDA_ERROR_NOT_SUPPORTED;
  return gt_cuda_leave (gpu, status, "waiting");
}

extern const struct gt_backend gt_cuda; /* src/device/backend.c names it */
const struct gt_backend gt_cuda = {
#define X(name) .name = gt_cuda_##name,
  GT_CUDA_OPERATIONS (X)
#undef X
};
