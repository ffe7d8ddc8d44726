/* CUDA kernels: finding them, launching them and waiting for their results.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_launch.h"

#include <string.h>

#include "src/device/geometry.h"

/* The number of times that the result in mapped memory is polled before the driver is asked to
   wait.  One poll takes some nanoseconds, so this is about a millisecond; for longer sums the
   cost of the driver's wait does not matter.  */
#define LOOKS 100000

CUresult
gt_cuda_find (struct gt_open_gpu *gpu, const struct gt_plan *plan,
              const struct gt_problem *problem, CUlibrary *loaded,
              CUkernel *kernel, CUfunction *function)
{
  const struct gt_cuda_driver *driver = gpu->driver;
  char symbol[128];
  CUlibrary library;
  CUresult status = CUDA_SUCCESS;

  gt_kernel_symbol (plan->kernel, problem, plan->config.unroll,
                    plan->config.block, symbol, sizeof symbol);
  pthread_mutex_lock (&gpu->lock);
  if (*loaded == NULL)
    status = driver->cuLibraryLoadData (loaded, plan->kernel->image, NULL, NULL,
                                        0, NULL, NULL, 0);
  library = *loaded;
  pthread_mutex_unlock (&gpu->lock);
  GT_THEN (status, driver->cuLibraryGetKernel (kernel, library, symbol));
  GT_THEN (status, driver->cuKernelGetFunction (function, *kernel));
  return status;
}

/* Permits a kernel as much dynamic shared memory as the device has for one block.  More than
   48 KiB must be requested.  */
static CUresult
opt_in (struct gt_open_gpu *gpu, const struct gt_plan *plan,
        const struct gt_problem *problem, CUkernel kernel, CUfunction function)
{
  const struct gt_sm_limits *sm = &gpu->device->gpu.sm;
  size_t most = 1024 * gt_kernel_shared (plan->kernel, problem);
  int used = 0;
  CUresult status;

  if (most <= sm->shared_per_block)
    return CUDA_SUCCESS;
  status = gpu->driver->cuKernelGetAttribute (
    &used, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel, gpu->cu_device);
  GT_THEN (status, gpu->driver->cuFuncSetAttribute (
                     function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                     (int) sm->shared_per_block_optin - used));
  return status;
}

CUresult
gt_cuda_function_anew (struct gt_open_gpu *gpu, const struct gt_plan *plan,
                       const struct gt_problem *problem, CUfunction *function)
{
  CUkernel kernel;
  CUresult status
    = gt_cuda_find (gpu, plan, problem,
                    &gpu->library[plan->kernel - gt_catalog], &kernel,
                    function);

  GT_THEN (status, opt_in (gpu, plan, problem, kernel, *function));
  return status;
}

/* Two threads may look up the same function at the same time; both find the same one.  */
CUresult
gt_cuda_function (struct gt_open_gpu *gpu, const struct gt_plan *plan,
                  const struct gt_problem *problem, CUfunction *function)
{
  _Atomic (CUfunction) *cached
    = &gpu->function[plan->kernel - gt_catalog][problem->reduction]
                    [problem->arithmetic][problem->mode][problem->layout]
                    [__builtin_ctz (plan->config.unroll)];
  CUresult status;

  *function = *cached;
  if (*function)
    return CUDA_SUCCESS;
  status = gt_cuda_function_anew (gpu, plan, problem, function);
  if (status == CUDA_SUCCESS)
    *cached = *function;
  return status;
}

/* Returns the arguments of a launch.  The tag is usually the same from launch to launch, so
   that sums of the same elements have the same arguments (src/cuda/cuda_prepared.c).  It
   changes after a launch whose words may still arrive.  */
static struct gt_kernel_args
arguments (struct gt_slot *slot, const struct gt_task *task,
           CUdeviceptr mailbox)
{
  uintptr_t memory = (uintptr_t) slot->memory, to = (uintptr_t) mailbox;

  if (slot->expecting && ++slot->tag == 0)
    slot->tag = 1;
  slot->exact = gt_exact_words_of (&task->problem);
  slot->partials = gt_partials_of (&task->problem);
  return (struct gt_kernel_args) {
    .data = task->x.data,
    .n = task->problem.n,
    .stride = task->x.stride,
    .partials = (void *) slot->buffer[GT_BUFFER_PARTIALS].address,
    .ticket
    = (uint32_t *) (memory + offsetof (struct gt_slot_memory, ticket)),
    .result
    = (struct gt_result *) (to + offsetof (struct gt_mailbox, result)),
    .super = (int64_t *) (memory + offsetof (struct gt_slot_memory, super)),
    .exact
    = (struct gt_exact_result *) (to + offsetof (struct gt_mailbox, exact)),
    .order = gt_order_of (&task->problem),
    .y = task->y.data,
    .y_stride = task->y.stride,
    .shift = {task->shift[0], task->shift[1]},
    .scale = task->scale,
    .sequence = slot->tag
  };
}

/* A sum whose result the host awaits in the slot's mailbox is prepared, because its time is
   that from call to result.  If events measure the time, plain launches follow one another and
   keep the device busy, so that the time is that of the kernel alone.  */
static CUresult
launch_grid (struct gt_open_gpu *gpu, struct gt_slot *slot,
             CUfunction function, const struct gt_geometry *geometry,
             struct gt_kernel_args *args, CUstream stream)
{
  void *parameters[] = {args};
  gt_launch launch = {
    .func = function,
    .gridDimX = (unsigned) geometry->grid, .gridDimY = 1, .gridDimZ = 1,
    .blockDimX = geometry->block, .blockDimY = 1, .blockDimZ = 1,
    .sharedMemBytes = geometry->shared,
    .kernelParams = parameters
  };

  return slot->expecting
           ? gt_cuda_launch_prepared (gpu, slot, &launch, stream)
           : gt_cuda_launch_plain (gpu, &launch, stream);
}

CUresult
gt_cuda_launch_on (struct gt_open_gpu *gpu, struct gt_slot *slot,
                   const struct gt_plan *plan, const struct gt_task *task,
                   CUdeviceptr mailbox, CUstream stream)
{
  struct gt_geometry geometry
    = gt_geometry_of (plan->kernel, &plan->config, &task->problem,
                      gpu->device->gpu.sms);
  struct gt_kernel_args args;
  CUfunction function;
  CUresult status;

  status = gt_cuda_function (gpu, plan, &task->problem, &function);
  GT_THEN (status, gt_cuda_reserve (gpu, slot, GT_BUFFER_PARTIALS,
                                    geometry.scratch));
  if (slot->spoilt)
    GT_THEN (status, gt_cuda_slot_clear (gpu, slot));
  if (status != CUDA_SUCCESS)
    return status;
  args = arguments (slot, task, mailbox);
  slot->expecting = mailbox == slot->mailbox_address;
  status = launch_grid (gpu, slot, function, &geometry, &args, stream);
  slot->spoilt = status != CUDA_SUCCESS;
  return status;
}

uint64_t
gt_cuda_most (const struct gt_open_gpu *gpu, const struct gt_plan *plan,
              const struct gt_problem *problem)
{
  if (problem->mode != GT_MODE_EXACT)
    return UINT64_MAX;
  return gt_exact_most (&plan->config, gpu->device->gpu.sms,
                        gpu->exact_block);
}

/* The result of a launch, as it is read from the mailbox.  */
union delivery
{
  union gt_partial value[GT_PARTIALS];
  uint32_t half[4 * GT_PARTIALS]; /* of their words */
  int64_t super[GT_EXACT_MOST_WORDS];
};

/* Returns whether COUNT words have the tag TAG, and stores their other halves.  */
static int
read_words (const uint64_t *words, unsigned count, uint32_t tag,
            uint32_t *halves)
{
  for (unsigned k = 0; k < count; k++)
    {
      uint64_t word = __atomic_load_n (&words[k], __ATOMIC_RELAXED);

      if (word >> 32 != tag)
        return 0;
      halves[k] = (uint32_t) word;
    }
  return 1;
}

/* Returns whether all words of the slot's last sum have arrived (struct gt_result, struct
   gt_exact_result), and stores their contents.  */
static int
arrived (const struct gt_slot *slot, union delivery *delivery)
{
  const struct gt_mailbox *m = slot->mailbox;

  if (slot->exact)
    {
      uint32_t half[2 * GT_EXACT_MOST_WORDS];

      if (!read_words (m->exact.word, 2 * slot->exact, slot->tag, half))
        return 0;
      for (unsigned i = 0; i < slot->exact; i++)
        delivery->super[i]
          = (int64_t) ((uint64_t) half[2 * i + 1] << 32 | half[2 * i]);
      return 1;
    }
  return read_words (m->result.word, 4 * slot->partials, slot->tag,
                     delivery->half);
}

/* Clears the words of a sum, which have all arrived, because the next sum has the same tag.
   They were read just now, so this is fast; before a launch it would delay the launch.  */
static void
empty_mailbox (struct gt_slot *slot)
{
  struct gt_mailbox *m = slot->mailbox;

  if (slot->exact)
    memset (&m->exact, 0, 2 * slot->exact * sizeof *m->exact.word);
  else
    memset (&m->result, 0, sizeof m->result);
  slot->expecting = 0;
}

int
gt_cuda_arrived (const struct gt_slot *slot)
{
  union delivery delivery;

  return arrived (slot, &delivery);
}

/* Words that are not those of a sum are handled like missing ones.  */
static CUresult
take (struct gt_slot *slot, const struct gt_task *task,
      const union delivery *delivery, union gt_value *value)
{
  enum gt_taken taken = GT_TAKEN;

  if (slot->exact)
    taken = gt_cuda_take_exact (&task->problem, delivery->super, value);
  else
    gt_cuda_take (task, delivery->value, value);
  slot->gave_up = taken == GT_TAKEN_GAVE_UP;
  slot->spoilt |= taken == GT_TAKEN_NO_SUM;
  return taken == GT_TAKEN_NO_SUM ? CUDA_ERROR_UNKNOWN : CUDA_SUCCESS;
}

CUresult
gt_cuda_wait (struct gt_open_gpu *gpu, struct gt_slot *slot,
              const struct gt_task *task, CUstream stream,
              union gt_value *value)
{
  union delivery delivery;
  int there = 0;

  for (int look = 0; look < LOOKS && !there; look++)
    {
      there = arrived (slot, &delivery);
#if defined __x86_64__
      __builtin_ia32_pause ();
#endif
    }
  if (!there)
    {
      CUresult status = gpu->driver->cuStreamSynchronize (stream);

      slot->spoilt = 1;
      if (status != CUDA_SUCCESS)
        return status;
      if (!arrived (slot, &delivery))
        return CUDA_ERROR_UNKNOWN;
      slot->spoilt = 0;
    }
  empty_mailbox (slot);
  return take (slot, task, &delivery, value);
}
