/* Opens GPUs and enters their contexts.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_context.h"

#include <fenv.h>
#include <stdlib.h>

#include "src/base/log.h"

/* -------------------------------------------------------------- Context */

/* The program may be capturing a stream into a graph, in this thread or another one.  By
   default, many calls of the library would end that capture, such as those that allocate
   memory, load a kernel or wait.  The relaxed mode of the thread permits these calls, which do
   not involve the captured stream.  If the driver refuses to change the mode, it stays as it
   was.  */
static _Thread_local struct
{
  unsigned depth;
  int refused;
  CUstreamCaptureMode before;
} relaxed;

/* Whether the last attempt to enter a context failed.  */
static _Thread_local int left_out;

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
gt_cuda_enter (struct gt_open_gpu *gpu)
{
  return gt_cuda_enter_context (gpu, gpu->context);
}

CUresult
gt_cuda_enter_context (struct gt_open_gpu *gpu, CUcontext context)
{
  CUresult status = gpu->driver->cuCtxPushCurrent (context);

  if (status == CUDA_SUCCESS)
    relax (gpu->driver);
  else
    left_out = 1;
  return status;
}

int
gt_cuda_leave (struct gt_open_gpu *gpu, CUresult status, const char *what)
{
  CUcontext context;

  if (!left_out)
    {
      unrelax (gpu->driver);
      gpu->driver->cuCtxPopCurrent (&context);
    }
  left_out = 0;
  if (status != CUDA_SUCCESS)
    gt_log (GT_LOG_DEBUG, "GPU %d: %s: %s", gpu->device->gpu.ordinal, what,
            gt_cuda_error ((int) status));
  if (!gt_cuda_passes (status))
    gpu->broken = 1;
  return (int) status;
}

/* -------------------------------------------------------------- Opening */

/* This executes much of the driver, whose code is not written for programs that trap
   floating-point exceptions.  */
static CUresult
retain_context (struct gt_open_gpu *gpu)
{
  fenv_t caller;
  CUresult status;

  fegetenv (&caller);
  fesetenv (FE_DFL_ENV);
  status = gpu->driver->cuDeviceGet (&gpu->cu_device,
                                     gpu->device->gpu.ordinal);
  GT_THEN (status, gpu->driver->cuDevicePrimaryCtxRetain (&gpu->context,
                                                          gpu->cu_device));
  fesetenv (&caller);
  return status;
}

struct gt_open_gpu *
gt_cuda_open (const struct gt_device *device, const char **why)
{
  const struct gt_cuda_driver *driver = gt_cuda_driver (why);
  struct gt_open_gpu *gpu;
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
  gpu->exact_block = GT_EXACT_BLOCK;
  gpu->keep_few = GT_KEEP_FEW;
  gpu->device = device;
  pthread_mutex_init (&gpu->lock, NULL);
  pthread_mutex_init (&gpu->blas_lock, NULL);
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

int
gt_cuda_usable (const struct gt_open_gpu *gpu)
{
  return !gpu->broken;
}

const struct gt_device *
gt_cuda_device_of (const struct gt_open_gpu *gpu)
{
  return gpu->device;
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

/* Follows the description of each result in the documentation of the CUDA driver API.  */
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
