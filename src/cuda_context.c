/* GPUs: opening them, their contexts, and the slots in which sums run.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda_context.h"

#include <stdlib.h>
#include <string.h>

#include "src/device_cuda.h"
#include "src/env.h"

/* Partial sums of a single pass of 32 blocks on each of 512 SMs; more passes
   take more when they come.  */
#define SCRATCH_BYTES (512 * 32 * sizeof (union gt_partial))

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
  gpu->exact_block = GT_EXACT_BLOCK;
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

int
gt_cuda_usable (const struct gt_cuda *gpu)
{
  return !gpu->broken;
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

CUresult
gt_cuda_reserve_block_sums (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
                            uint64_t bytes)
{
  const struct gt_cuda_driver *driver = gpu->driver;
  void *larger;
  CUresult status;

  if (bytes <= slot->block_sums_bytes)
    return CUDA_SUCCESS;
  status = driver->cuMemHostAlloc (&larger, bytes, CU_MEMHOSTALLOC_PORTABLE);
  if (status != CUDA_SUCCESS)
    return status;
  if (slot->block_sums)
    driver->cuMemFreeHost (slot->block_sums);
  slot->block_sums = larger;
  slot->block_sums_bytes = bytes;
  return CUDA_SUCCESS;
}

static void
destroy_slot (struct gt_cuda *gpu, struct gt_cuda_slot *slot)
{
  const struct gt_cuda_driver *driver = gpu->driver;

  if (slot->stream)
    driver->cuStreamDestroy (slot->stream);
  if (slot->mailbox)
    driver->cuMemFreeHost (slot->mailbox);
  if (slot->block_sums)
    driver->cuMemFreeHost (slot->block_sums);
  if (slot->memory)
    driver->cuMemFree (slot->memory);
  if (slot->scratch)
    driver->cuMemFree (slot->scratch);
  free (slot);
}

/* The next sum may be on a user's stream: all must be zero before.  */
CUresult
gt_cuda_slot_clear (struct gt_cuda *gpu, struct gt_cuda_slot *slot)
{
  CUresult status = gpu->driver->cuMemsetD8Async (slot->memory, 0,
                                                  GT_ZERO_BYTES, slot->stream);

  if (status == CUDA_SUCCESS)
    status = gpu->driver->cuStreamSynchronize (slot->stream);
  slot->spoilt = status != CUDA_SUCCESS;
  return status;
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
    status = driver->cuMemHostAlloc ((void **) &slot->mailbox,
                                     sizeof *slot->mailbox,
                                     CU_MEMHOSTALLOC_DEVICEMAP
                                     | CU_MEMHOSTALLOC_PORTABLE);
  if (status == CUDA_SUCCESS)
    status = driver->cuMemHostGetDevicePointer (&slot->mailbox_address,
                                                slot->mailbox, 0);
  if (status == CUDA_SUCCESS)
    status = driver->cuMemAlloc (&slot->memory,
                                 sizeof (struct gt_slot_memory));
  if (status == CUDA_SUCCESS)
    status = gt_cuda_reserve (gpu, slot, SCRATCH_BYTES);
  if (status == CUDA_SUCCESS)
    status = gt_cuda_slot_clear (gpu, slot);
  if (status != CUDA_SUCCESS)
    {
      destroy_slot (gpu, slot);
      return status;
    }
  memset (slot->mailbox, 0, sizeof *slot->mailbox);
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
