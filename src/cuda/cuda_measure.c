/* Measures CUDA kernels, for the command gsltune.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_launch.h"

#include <string.h>

int
gt_cuda_poison (struct gt_open_gpu *gpu, struct gt_slot *slot)
{
  const struct gt_cuda_driver *driver = gpu->driver;
  const struct gt_cuda_buffer *partials = &slot->buffer[GT_BUFFER_PARTIALS];
  CUresult status = gt_cuda_enter (gpu);

  if (status == CUDA_SUCCESS && partials->bytes > 0)
    status = driver->cuMemsetD8Async (partials->address, 0xcb,
                                      partials->bytes, slot->stream);
  GT_THEN (status, driver->cuStreamSynchronize (slot->stream));
  memset (slot->mailbox, 0xcb, sizeof *slot->mailbox);
  return gt_cuda_leave (gpu, status, "poisoning");
}

static CUresult
make_events (struct gt_open_gpu *gpu, struct gt_slot *slot)
{
  CUresult status = CUDA_SUCCESS;

  if (slot->begin == NULL)
    status = gpu->driver->cuEventCreate (&slot->begin, CU_EVENT_DEFAULT);
  if (status == CUDA_SUCCESS && slot->end == NULL)
    status = gpu->driver->cuEventCreate (&slot->end, CU_EVENT_DEFAULT);
  return status;
}

CUresult
gt_cuda_time_launches (struct gt_open_gpu *gpu, struct gt_slot *slot,
                       CUresult (*launch) (void *closure, unsigned k),
                       void *closure, unsigned count, double *seconds)
{
  const struct gt_cuda_driver *driver = gpu->driver;
  float milliseconds = 0;
  CUresult status = make_events (gpu, slot);

  GT_THEN (status, driver->cuEventRecord (slot->begin, slot->stream));
  for (unsigned k = 0; k < count && status == CUDA_SUCCESS; k++)
    status = launch (closure, k);
  GT_THEN (status, driver->cuEventRecord (slot->end, slot->stream));
  GT_THEN (status, driver->cuEventSynchronize (slot->end));
  GT_THEN (status, driver->cuEventElapsedTime (&milliseconds, slot->begin,
                                               slot->end));
  *seconds = milliseconds * 1e-3;
  return status;
}

/* The launches of gt_cuda_time.  */
struct timed
{
  struct gt_open_gpu *gpu;
  struct gt_slot *slot;
  const struct gt_plan *plan;
  const struct gt_task *task;
  unsigned windows;
  size_t step;
};

static CUresult
launch_window (void *closure, unsigned k)
{
  const struct timed *t = closure;
  struct gt_task moved = *t->task;

  for (unsigned input = 0; input < 2; input++)
    gt_task_move (&moved, input, k % t->windows * t->step);
  return gt_cuda_launch_on (t->gpu, t->slot, t->plan, &moved,
                            t->slot->memory
                              + offsetof (struct gt_slot_memory, kept),
                            t->slot->stream);
}

int
gt_cuda_time (struct gt_open_gpu *gpu, struct gt_slot *slot,
              const struct gt_plan *plan, const struct gt_task *task,
              unsigned count, unsigned windows, size_t step, double *seconds)
{
  struct timed timed = {gpu, slot, plan, task, windows, step};
  CUresult status = gt_cuda_enter (gpu);

  GT_THEN (status, gt_cuda_time_launches (gpu, slot, launch_window, &timed,
                                          count, seconds));
  return gt_cuda_leave (gpu, status, "timing");
}

CUresult
gt_cuda_ask_resources (struct gt_open_gpu *gpu, const struct gt_plan *plan,
                       const struct gt_problem *problem, CUkernel kernel,
                       CUfunction function,
                       struct gt_resources *resources)
{
  const struct gt_cuda_driver *driver = gpu->driver;
  unsigned shared = plan->config.block
                    * (unsigned) gt_kernel_shared (plan->kernel, problem);
  int value[4] = {0};
  static const CUfunction_attribute attribute[4] = {
    CU_FUNC_ATTRIBUTE_NUM_REGS, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK
  };
  CUresult status = CUDA_SUCCESS;

  for (int i = 0; i < 4 && status == CUDA_SUCCESS; i++)
    status = driver->cuKernelGetAttribute (&value[i], attribute[i], kernel,
                                           gpu->cu_device);
  *resources = (struct gt_resources) {
    .registers = value[0],
    .shared = (size_t) value[1],
    .local = (size_t) value[2],
    .max_threads_per_block = value[3]
  };
  if (status == CUDA_SUCCESS && plan->config.block <= (unsigned) value[3])
    status = driver->cuOccupancyMaxActiveBlocksPerMultiprocessor (
      &resources->active_blocks, function, (int) plan->config.block,
      shared);
  return status;
}

int
gt_cuda_resources (struct gt_open_gpu *gpu, const struct gt_plan *plan,
                   const struct gt_problem *problem,
                   struct gt_resources *resources)
{
  CUkernel kernel;
  CUfunction function;
  CUresult status = gt_cuda_enter (gpu);

  GT_THEN (status, gt_cuda_function (gpu, plan, problem, &function));
  GT_THEN (status, gt_cuda_find (gpu, plan, problem,
                                 &gpu->library[plan->kernel - gt_catalog],
                                 &kernel, &function));
  GT_THEN (status, gt_cuda_ask_resources (gpu, plan, problem, kernel, function,
                                          resources));
  return gt_cuda_leave (gpu, status, "asking for a kernel");
}
