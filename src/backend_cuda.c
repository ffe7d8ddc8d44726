/* GPUs: opening them, their memory, and the slots in which sums run.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/backend_cuda.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/combine.h"
#include "src/backend_cuda_private.h"
#include "src/device_cuda.h"
#include "src/env.h"
#include "src/fpenv.h"
#include "src/names.h"

/* Partial sums of a single pass of 32 blocks on each of 512 SMs; more passes
   take more when they come.  */
#define SCRATCH_BYTES (512 * 32 * sizeof (union gt_partial))

/* Host data goes to the GPU in pieces of this size.  */
#define STAGING_BYTES ((size_t) 64 << 20)

/* -------------------------------------------------------------- Opening */

static struct gt_cuda **opened; /* by index; null: could not be opened */
static const char **why_not;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static struct gt_cuda *
open_device (int index, const char **why)
{
  const struct gt_cuda_driver *driver = gt_cuda_driver (why);
  struct gt_cuda *gpu;
  CUresult status;

  if (driver == NULL)
    return NULL;
  gpu = calloc (1, sizeof *gpu);
  if (gpu == NULL)
    {
      *why = "memory is short";
      return NULL;
    }
  gpu->driver = driver;
  gpu->index = index;
  gpu->device = gt_cuda_device (index);
  pthread_mutex_init (&gpu->lock, NULL);
  status = driver->cuDeviceGet (&gpu->cu_device, gpu->device->gpu.ordinal);
  if (status == CUDA_SUCCESS)
    status = driver->cuDevicePrimaryCtxRetain (&gpu->context, gpu->cu_device);
  if (status != CUDA_SUCCESS)
    {
      *why = gt_cuda_error ((int) status);
      free (gpu);
      return NULL;
    }
  return gpu;
}

static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;

static void
make_room (void)
{
  size_t count = (size_t) gt_cuda_device_count (NULL);

  opened = calloc (count + 1, sizeof *opened);
  why_not = calloc (count + 1, sizeof *why_not);
}

struct gt_cuda *
gt_cuda_open (int index, const char **why)
{
  const char *reason = NULL;
  struct gt_cuda *gpu = NULL;

  if (gt_forked)
    reason = "not used in a child of fork()";
  else if (index >= gt_cuda_device_count (&reason))
    reason = reason ? reason : "there is no GPU of that number";
  else
    {
      pthread_once (&once, make_room);
      if (opened && why_not)
        {
          pthread_mutex_lock (&open_lock);
          if (opened[index] == NULL && why_not[index] == NULL)
            opened[index] = open_device (index, &why_not[index]);
          gpu = opened[index];
          reason = why_not[index];
          pthread_mutex_unlock (&open_lock);
        }
    }
  if (gpu && gpu->broken)
    {
      reason = "an earlier error has ended its context";
      gpu = NULL;
    }
  if (why)
    *why = reason;
  return gpu;
}

struct gt_cuda *
gt_cuda_chosen (const char **why)
{
  if (gt_env.device == GT_CHOOSE_CPU)
    {
      if (why)
        *why = "GSLTUNE_DEVICE is cpu";
      return NULL;
    }
  return gt_cuda_open (gt_env.ordinal, why);
}

const struct gt_device *
gt_cuda_device_of (const struct gt_cuda *gpu)
{
  return gpu->device;
}

const struct gt_plans *
gt_cuda_plans_of (const struct gt_cuda *gpu)
{
  return gt_gpu_plans (gpu->index);
}

/* --------------------------------------------------------------- Errors */

const char *
gt_cuda_error (int status)
{
  const struct gt_cuda_driver *driver = gt_cuda_driver (NULL);
  const char *text;

  if (driver == NULL
      || driver->cuGetErrorName ((CUresult) status, &text) != CUDA_SUCCESS)
    return "unknown CUDA error";
  return text;
}

/* Errors after which the same call may succeed again.  Every other one ends
   the context, as the CUDA driver API's list of results says of each.  */
static int
passes (CUresult status)
{
  switch (status)
    {
    case CUDA_SUCCESS:
    case CUDA_ERROR_INVALID_VALUE:
    case CUDA_ERROR_OUT_OF_MEMORY:
    case CUDA_ERROR_NOT_FOUND:
    case CUDA_ERROR_NOT_SUPPORTED:
    case CUDA_ERROR_INVALID_HANDLE:
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_INVALID_PTX:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    case CUDA_ERROR_INVALID_IMAGE:
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
    case CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED:
      return 1;
    default:
      return 0;
    }
}

int
gt_cuda_note (struct gt_cuda *gpu, CUresult status, const char *what)
{
  if (status != CUDA_SUCCESS)
    gt_log (GT_LOG_DEBUG, "GPU %d: %s: %s", gpu->index, what,
            gt_cuda_error ((int) status));
  if (!passes (status))
    gpu->broken = 1;
  return (int) status;
}

/* -------------------------------------------------------------- Context */

CUresult
gt_cuda_enter (struct gt_cuda *gpu)
{
  return gpu->driver->cuCtxPushCurrent (gpu->context);
}

void
gt_cuda_leave (struct gt_cuda *gpu)
{
  CUcontext context;

  gpu->driver->cuCtxPopCurrent (&context);
}

/* ---------------------------------------------------------------- Slots */

CUresult
gt_cuda_reserve (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
                 uint64_t bytes)
{
  const struct gt_cuda_driver *driver = gpu->driver;
  CUdeviceptr larger;
  CUresult status;

  if (bytes <= slot->scratch_bytes)
    return CUDA_SUCCESS;
  status = driver->cuMemAlloc (&larger, bytes);
  if (status != CUDA_SUCCESS)
    return status;
  if (slot->scratch)
    driver->cuMemFree (slot->scratch);
  slot->scratch = larger;
  slot->scratch_bytes = bytes;
  return CUDA_SUCCESS;
}

static void
destroy_slot (struct gt_cuda *gpu, struct gt_cuda_slot *slot)
{
  const struct gt_cuda_driver *driver = gpu->driver;

  if (slot->stream)
    driver->cuStreamDestroy (slot->stream);
  if (slot->result)
    driver->cuMemFreeHost (slot->result);
  if (slot->ticket)
    driver->cuMemFree (slot->ticket);
  if (slot->scratch)
    driver->cuMemFree (slot->scratch);
  free (slot);
}

static CUresult
make_slot (struct gt_cuda *gpu, struct gt_cuda_slot **made)
{
  const struct gt_cuda_driver *driver = gpu->driver;
  struct gt_cuda_slot *slot = calloc (1, sizeof *slot);
  CUresult status;

  if (slot == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  status = driver->cuStreamCreate (&slot->stream, CU_STREAM_NON_BLOCKING);
  if (status == CUDA_SUCCESS)
    status = driver->cuMemHostAlloc ((void **) &slot->result,
                                     sizeof *slot->result,
                                     CU_MEMHOSTALLOC_DEVICEMAP
                                     | CU_MEMHOSTALLOC_PORTABLE);
  if (status == CUDA_SUCCESS)
    status = driver->cuMemHostGetDevicePointer (&slot->result_address,
                                                slot->result, 0);
  if (status == CUDA_SUCCESS)
    status = driver->cuMemAlloc (&slot->ticket, sizeof (uint32_t));
  if (status == CUDA_SUCCESS)
    status = gt_cuda_reserve (gpu, slot, SCRATCH_BYTES);
  if (status == CUDA_SUCCESS)
    status = driver->cuMemsetD8Async (slot->ticket, 0, sizeof (uint32_t),
                                      slot->stream);
  /* A user's stream may come first: the counter must be zero before.  */
  if (status == CUDA_SUCCESS)
    status = driver->cuStreamSynchronize (slot->stream);
  if (status != CUDA_SUCCESS)
    {
      destroy_slot (gpu, slot);
      return status;
    }
  memset (slot->result, 0, sizeof *slot->result);
  *made = slot;
  return CUDA_SUCCESS;
}

int
gt_cuda_slot_acquire (struct gt_cuda *gpu, struct gt_cuda_slot **slot)
{
  CUresult status;

  pthread_mutex_lock (&gpu->lock);
  *slot = gpu->spare;
  if (*slot)
    gpu->spare = (*slot)->next;
  pthread_mutex_unlock (&gpu->lock);
  if (*slot)
    return 0;
  status = gt_cuda_enter (gpu);
  if (status == CUDA_SUCCESS)
    {
      status = make_slot (gpu, slot);
      gt_cuda_leave (gpu);
    }
  return gt_cuda_note (gpu, status, "preparing a stream");
}

void
gt_cuda_slot_release (struct gt_cuda *gpu, struct gt_cuda_slot *slot)
{
  pthread_mutex_lock (&gpu->lock);
  slot->next = gpu->spare;
  gpu->spare = slot;
  pthread_mutex_unlock (&gpu->lock);
}

/* ----------------------------------------------------------------- Sums */

int
gt_cuda_sum (struct gt_cuda *gpu, const struct gt_cuda_problem *problem,
             void *stream, union gt_sum *sum)
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
      status = gt_cuda_launch_on (gpu, slot, problem, on);
      if (status == CUDA_SUCCESS)
        status = gt_cuda_wait (gpu, slot, problem->arithmetic, on, sum);
      gt_cuda_leave (gpu);
    }
  gt_cuda_slot_release (gpu, slot);
  return gt_cuda_note (gpu, status, "summing");
}

int
gt_cuda_sum_planned (struct gt_cuda *gpu, enum gt_arithmetic arithmetic,
                     enum gt_mode mode, const void *data, uint64_t n,
                     uint64_t stride, void *stream, union gt_sum *sum)
{
  const struct gt_plans *plans = gt_cuda_plans_of (gpu);
  const struct gt_plan *plan;

  if (plans == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  plan = gt_plan_find (plans, arithmetic, mode,
                       stride == 1 ? GT_CONTIGUOUS : GT_STRIDED, n);
  return gt_cuda_sum (gpu,
                      &(struct gt_cuda_problem) {plan->kernel, plan->config,
                                                 arithmetic, mode, data, n,
                                                 stride},
                      stream, sum);
}

/* The slot's buffer for host data.  */
static CUresult
staging (struct gt_cuda *gpu, struct gt_cuda_slot *slot)
{
  if (slot->staging)
    return CUDA_SUCCESS;
  return gpu->driver->cuMemAlloc (&slot->staging, STAGING_BYTES);
}

static CUresult
sum_pieces (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
            struct gt_cuda_problem *problem, const char *data, uint64_t n,
            union gt_sum *sum)
{
  size_t size = gt_arithmetics[problem->arithmetic].size;
  CUresult status = staging (gpu, slot);
  struct gt_fpenv env;

  problem->data = (const void *) (uintptr_t) slot->staging;
  memset (sum, 0, sizeof *sum);
  while (n > 0 && status == CUDA_SUCCESS)
    {
      union gt_sum piece;

      problem->n = n < STAGING_BYTES / size ? n : STAGING_BYTES / size;
      status = gpu->driver->cuMemcpyHtoDAsync (slot->staging, data,
                                               problem->n * size,
                                               slot->stream);
      if (status == CUDA_SUCCESS)
        status = gt_cuda_launch_on (gpu, slot, problem, slot->stream);
      if (status == CUDA_SUCCESS)
        status = gt_cuda_wait (gpu, slot, problem->arithmetic, slot->stream,
                               &piece);
      if (status == CUDA_SUCCESS)
        {
          gt_fpenv_enter (&env, problem->arithmetic);
          gt_sum_merge (problem->arithmetic, problem->mode, sum, &piece);
          gt_fpenv_leave (&env);
        }
      data += problem->n * size;
      n -= problem->n;
    }
  return status;
}

int
gt_cuda_sum_host (struct gt_cuda *gpu, enum gt_arithmetic arithmetic,
                  enum gt_mode mode, const void *data, uint64_t n,
                  union gt_sum *sum)
{
  const struct gt_plans *plans = gt_cuda_plans_of (gpu);
  uint64_t most = STAGING_BYTES / gt_arithmetics[arithmetic].size;
  const struct gt_plan *plan;
  struct gt_cuda_problem problem;
  struct gt_cuda_slot *slot;
  CUresult status;
  int failed;

  if (plans == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  plan = gt_plan_find (plans, arithmetic, mode, GT_CONTIGUOUS,
                       n < most ? n : most);
  problem = (struct gt_cuda_problem) {plan->kernel, plan->config, arithmetic,
                                      mode, NULL, 0, 1};
  failed = gt_cuda_slot_acquire (gpu, &slot);
  if (failed)
    return failed;
  status = gt_cuda_enter (gpu);
  if (status == CUDA_SUCCESS)
    {
      status = sum_pieces (gpu, slot, &problem, data, n, sum);
      gt_cuda_leave (gpu);
    }
  gt_cuda_slot_release (gpu, slot);
  return gt_cuda_note (gpu, status, "summing host data");
}

/* --------------------------------------------------------------- Memory */

int
gt_cuda_alloc (struct gt_cuda *gpu, size_t bytes, void **address)
{
  CUdeviceptr pointer = 0;
  CUresult status = gt_cuda_enter (gpu);

  if (status == CUDA_SUCCESS)
    {
      status = gpu->driver->cuMemAlloc (&pointer, bytes);
      gt_cuda_leave (gpu);
    }
  *address = (void *) (uintptr_t) pointer;
  return gt_cuda_note (gpu, status, "allocating memory");
}

void
gt_cuda_free (struct gt_cuda *gpu, void *address)
{
  if (gt_forked || gt_cuda_enter (gpu) != CUDA_SUCCESS)
    return;
  gpu->driver->cuMemFree ((CUdeviceptr) (uintptr_t) address);
  gt_cuda_leave (gpu);
}

enum direction
{
  TO_DEVICE,
  TO_HOST,
  ON_DEVICE
};

static int
copy (struct gt_cuda *gpu, enum direction direction, void *to,
      const void *from, size_t bytes)
{
  const struct gt_cuda_driver *driver = gpu->driver;
  CUdeviceptr to_device = (CUdeviceptr) (uintptr_t) to;
  CUdeviceptr from_device = (CUdeviceptr) (uintptr_t) from;
  CUresult status = gt_cuda_enter (gpu);

  if (status != CUDA_SUCCESS)
    return gt_cuda_note (gpu, status, "copying");
  switch (direction)
    {
    case TO_DEVICE:
      status = driver->cuMemcpyHtoD (to_device, from, bytes);
      break;
    case TO_HOST:
      status = driver->cuMemcpyDtoH (to, from_device, bytes);
      break;
    case ON_DEVICE:
      status = driver->cuMemcpyDtoDAsync (to_device, from_device, bytes, NULL);
      break;
    }
  /* The library's own streams do not wait for the default stream, on which a
     copy may still be under way when its call returns.  */
  if (status == CUDA_SUCCESS)
    status = driver->cuStreamSynchronize (NULL);
  gt_cuda_leave (gpu);
  return gt_cuda_note (gpu, status, "copying");
}

int
gt_cuda_to_device (struct gt_cuda *gpu, void *to, const void *from,
                   size_t bytes)
{
  return copy (gpu, TO_DEVICE, to, from, bytes);
}

int
gt_cuda_to_host (struct gt_cuda *gpu, void *to, const void *from,
                 size_t bytes)
{
  return copy (gpu, TO_HOST, to, from, bytes);
}

int
gt_cuda_copy (struct gt_cuda *gpu, void *to, const void *from, size_t bytes)
{
  return copy (gpu, ON_DEVICE, to, from, bytes);
}

int
gt_cuda_synchronize (struct gt_cuda *gpu, void *stream)
{
  CUresult status = gt_cuda_enter (gpu);

  if (status == CUDA_SUCCESS)
    {
      status = gpu->driver->cuStreamSynchronize (
        stream == GT_CUDA_DEFAULT_STREAM ? NULL : (CUstream) stream);
      gt_cuda_leave (gpu);
    }
  return gt_cuda_note (gpu, status, "waiting for a stream");
}

int
gt_cuda_memory (struct gt_cuda *gpu, size_t *free_bytes, size_t *total_bytes)
{
  CUresult status = gt_cuda_enter (gpu);

  if (status == CUDA_SUCCESS)
    {
      status = gpu->driver->cuMemGetInfo (free_bytes, total_bytes);
      gt_cuda_leave (gpu);
    }
  return gt_cuda_note (gpu, status, "asking for its memory");
}

int
gt_cuda_index_of_address (const void *address)
{
  const struct gt_cuda_driver *driver = gt_cuda_driver (NULL);
  int ordinal = -1;

  if (driver == NULL
      || driver->cuPointerGetAttribute (&ordinal,
                                        CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                        (CUdeviceptr) (uintptr_t) address)
           != CUDA_SUCCESS)
    return -1;
  for (int i = 0; i < gt_cuda_device_count (NULL); i++)
    if (gt_cuda_device (i)->gpu.ordinal == ordinal)
      return i;
  return -1;
}
