/* GPUs: opening them, and their contexts.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_context.h"

#include <fenv.h>
#include <stdlib.h>

#include "src/base/env.h"
#include "src/cuda/device_cuda.h"

/* -------------------------------------------------------------- Context */

/* The program may be capturing a stream into a graph, in this thread or another.
   Much of what the library does would end that capture, such as to allocate memory,
   to load a kernel or to wait, unless the thread says that it knows what it does:
   nothing of it has to do with that stream.  A driver that refuses leaves the mode
   as it was, and so do we.  */
static _Thread_local struct
{
  unsigned depth;
  int refused;
  CUstreamCaptureMode before;
} relaxed;

static void
relax (const struct gt_cuda_driver *driver)
{
  if (relaxed.depth++ > 0)
    return;
  relaxed.before = CU_STREAM_CAPTURE_MODE_RELAXED;
  relaxed.refused = driver->cuThreadExchangeStreamCaptureMode (&relaxed.before)
                    != CUDA_SUCCESS;
}

static void
unrelax (const struct gt_cuda_driver *driver)
{
  if (--relaxed.depth == 0 && !relaxed.refused)
    driver->cuThreadExchangeStreamCaptureMode (&relaxed.before);
}

CUresult
gt_cuda_enter (struct gt_cuda *gpu)
{
  CUresult status = gpu->driver->cuCtxPushCurrent (gpu->context);

  if (status == CUDA_SUCCESS)
    relax (gpu->driver);
  return status;
}

void
gt_cuda_leave (struct gt_cuda *gpu)
{
  CUcontext context;

  unrelax (gpu->driver);
  gpu->driver->cuCtxPopCurrent (&context);
}

/* -------------------------------------------------------------- Opening */

static struct gt_cuda **opened; /* by index; null: could not be opened */
static const char **why_not;
static size_t room; /* of both */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Much of a driver runs here, and none is written for programs that trap.  */
static CUresult
retain_context (struct gt_cuda *gpu)
{
  fenv_t caller;
  CUresult status;

  fegetenv (&caller);
  fesetenv (FE_DFL_ENV);
  status = gpu->driver->cuDeviceGet (&gpu->cu_device,
                                     gpu->device->gpu.ordinal);
  if (status == CUDA_SUCCESS)
    status = gpu->driver->cuDevicePrimaryCtxRetain (&gpu->context,
                                                    gpu->cu_device);
  fesetenv (&caller);
  return status;
}

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
  relax (driver);
  status = retain_context (gpu);
  unrelax (driver);
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

  pthread_mutex_lock (&open_lock);
  opened = calloc (count + 1, sizeof *opened);
  why_not = calloc (count + 1, sizeof *why_not);
  room = opened && why_not ? count : 0;
  pthread_mutex_unlock (&open_lock);
}

struct gt_cuda *
gt_cuda_open (int index, const char **why)
{
  const char *reason = NULL;
  struct gt_cuda *gpu = NULL;

  if (gt_in_child ())
    reason = "not used in a child of fork()";
  else if (index >= gt_cuda_device_count (&reason) || index < 0)
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
gt_cuda_next_opened (size_t *index)
{
  struct gt_cuda *gpu = NULL;

  pthread_mutex_lock (&open_lock);
  while (gpu == NULL && *index < room)
    gpu = opened[(*index)++];
  pthread_mutex_unlock (&open_lock);
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
  return gt_cuda_open (gt_cuda_chosen_index (), why);
}

struct gt_cuda *
gt_cuda_chosen_opened (void)
{
  struct gt_cuda *gpu = NULL;
  int index;

  if (gt_in_child () || gt_env.device == GT_CHOOSE_CPU)
    return NULL;
  index = gt_cuda_chosen_index ();
  pthread_mutex_lock (&open_lock);
  if (index >= 0 && (size_t) index < room)
    gpu = opened[index];
  pthread_mutex_unlock (&open_lock);
  return gpu;
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

int
gt_cuda_index_of (const struct gt_cuda *gpu)
{
  return gpu->index;
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

/* As the CUDA driver API's list of results says of each.  */
int
gt_cuda_passes (CUresult status)
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
    case CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED:
    case CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED:
    case CUDA_ERROR_NOT_PERMITTED:
    case CUDA_ERROR_OPERATING_SYSTEM:
    case CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED:
    case CUDA_ERROR_STREAM_CAPTURE_INVALIDATED:
    case CUDA_ERROR_STREAM_CAPTURE_ISOLATION:
    case CUDA_ERROR_STREAM_CAPTURE_IMPLICIT:
      return 1;
    default:
      return 0;
    }
}

int
gt_cuda_note (struct gt_cuda *gpu, CUresult status, const char *what)
{
  if (status != CUDA_SUCCESS)
    gt_log (GT_LOG_DEBUG, "GPU %d: %s: %s", gpu->device->gpu.ordinal, what,
            gt_cuda_error ((int) status));
  if (!gt_cuda_passes (status))
    gpu->broken = 1;
  return (int) status;
}
