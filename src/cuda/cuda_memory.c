/* Memory of a GPU, copies to it and from it, and pinned memory of the host.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/base/env.h"
#include "src/cuda/cuda_context.h"

/* Kernels load this many bytes at once, so memory must be aligned to it.  Drivers allocate
   aligned memory; other memory is refused.  */
#define ALIGNMENT 16

void
gt_cuda_discard (const struct gt_cuda_driver *driver, enum gt_place place,
                 void *address)
{
  if (place == GT_PLACE_PINNED)
    driver->cuMemFreeHost (address);
  else
    driver->cuMemFree ((CUdeviceptr) (uintptr_t) address);
}

CUresult
gt_cuda_allocate (const struct gt_cuda_driver *driver, enum gt_place place,
                  size_t bytes, void **address)
{
  CUdeviceptr pointer = 0;
  CUresult status;

  *address = NULL;
  if (place == GT_PLACE_PINNED)
    status = driver->cuMemHostAlloc (address, bytes,
                                     CU_MEMHOSTALLOC_PORTABLE
                                       | CU_MEMHOSTALLOC_DEVICEMAP);
  else if (place == GT_PLACE_MANAGED)
    status = driver->cuMemAllocManaged (&pointer, bytes, CU_MEM_ATTACH_GLOBAL);
  else
    status = driver->cuMemAlloc (&pointer, bytes);
  if (pointer)
    *address = (void *) (uintptr_t) pointer;
  if (status != CUDA_SUCCESS || (uintptr_t) *address % ALIGNMENT == 0)
    return status;
  gt_cuda_discard (driver, place, *address);
  return CUDA_ERROR_OUT_OF_MEMORY;
}

int
gt_cuda_alloc (struct gt_open_gpu *gpu, enum gt_place place, size_t bytes,
               void **address)
{
  CUresult status = gt_cuda_enter (gpu);

  GT_THEN (status, gt_cuda_allocate (gpu->driver, place, bytes, address));
  return gt_cuda_leave (gpu, status, "allocating memory");
}

void
gt_cuda_free (struct gt_open_gpu *gpu, enum gt_place place, void *address)
{
  if (gt_in_child ())
    return;
  if (gt_cuda_enter (gpu) == CUDA_SUCCESS)
    gt_cuda_discard (gpu->driver, place, address);
  gt_cuda_leave (gpu, CUDA_SUCCESS, NULL);
}

int
gt_cuda_copy (struct gt_open_gpu *gpu, enum gt_direction direction, void *to,
              const void *from, size_t bytes)
{
  const struct gt_cuda_driver *driver = gpu->driver;
  CUdeviceptr to_device = (CUdeviceptr) (uintptr_t) to;
  CUdeviceptr from_device = (CUdeviceptr) (uintptr_t) from;
  CUresult status = gt_cuda_enter (gpu);

  if (status == CUDA_SUCCESS)
    {
      switch (direction)
        {
        case GT_TO_DEVICE:
          status = driver->cuMemcpyHtoD (to_device, from, bytes);
          break;
        case GT_TO_HOST:
          status = driver->cuMemcpyDtoH (to, from_device, bytes);
          break;
        case GT_ON_DEVICE:
          status = driver->cuMemcpyDtoDAsync (to_device, from_device, bytes,
                                              NULL);
          break;
        }
      /* The library's own streams do not wait for the default stream, in which a copy may
         still be running when its call returns.  */
      GT_THEN (status, driver->cuStreamSynchronize (NULL));
    }
  return gt_cuda_leave (gpu, status, "copying");
}

/* The largest distance of rows that every driver supports.  */
#define MOST_PITCH INT32_MAX

/* Copies each element as a row of a matrix; on one side the distance of rows is the stride.
   The driver determines the kind of memory itself.  */
static int
copy_rows (struct gt_open_gpu *gpu, int to_device, void *to, const void *from,
           size_t step, size_t size, size_t n)
{
  const CUmemorytype host = CU_MEMORYTYPE_HOST, device = CU_MEMORYTYPE_UNIFIED;
  const CUDA_MEMCPY2D rows = {
    .srcMemoryType = to_device ? host : device,
    .srcHost = from,
    .srcDevice = (CUdeviceptr) (uintptr_t) from,
    .srcPitch = to_device ? size : step,
    .dstMemoryType = to_device ? device : host,
    .dstHost = to,
    .dstDevice = (CUdeviceptr) (uintptr_t) to,
    .dstPitch = to_device ? step : size,
    .WidthInBytes = size,
    .Height = n
  };
  CUresult status = gt_cuda_enter (gpu);

  GT_THEN (status, gpu->driver->cuMemcpy2D (&rows));
  GT_THEN (status, gpu->driver->cuStreamSynchronize (NULL));
  return gt_cuda_leave (gpu, status, "copying");
}

int
gt_cuda_copy_strided (struct gt_open_gpu *gpu, enum gt_direction direction,
                      void *to, const void *from, size_t step, size_t size,
                      size_t n)
{
  const int to_device = direction == GT_TO_DEVICE;
  int failed = 0;

  if (step <= MOST_PITCH)
    return copy_rows (gpu, to_device, to, from, step, size, n);
  for (size_t i = 0; i < n && !failed; i++)
    failed = gt_cuda_copy (gpu, direction,
                           (char *) to + i * (to_device ? step : size),
                           (const char *) from + i * (to_device ? size : step),
                           size);
  return failed;
}

static CUstream
users_stream (void *stream)
{
  return stream == GT_DEFAULT_STREAM ? NULL : stream;
}

int
gt_cuda_synchronize (struct gt_open_gpu *gpu, void *stream)
{
  CUresult status = gt_cuda_enter (gpu);

  GT_THEN (status, gpu->driver->cuStreamSynchronize (users_stream (stream)));
  return gt_cuda_leave (gpu, status, "waiting for a stream");
}

/* An error is left to the functions that use the stream.  The default stream cannot be
   captured.  */
int
gt_cuda_captured (struct gt_open_gpu *gpu, void *stream)
{
  CUstreamCaptureStatus captured = CU_STREAM_CAPTURE_STATUS_NONE;

  if (stream == GT_DEFAULT_STREAM)
    return 0;
  if (gt_cuda_enter (gpu) == CUDA_SUCCESS
      && gpu->driver->cuStreamIsCapturing ((CUstream) stream, &captured)
           != CUDA_SUCCESS)
    captured = CU_STREAM_CAPTURE_STATUS_NONE;
  gt_cuda_leave (gpu, CUDA_SUCCESS, NULL);
  return captured != CU_STREAM_CAPTURE_STATUS_NONE;
}

int
gt_cuda_memory (struct gt_open_gpu *gpu, size_t *free_bytes,
                size_t *total_bytes)
{
  CUresult status = gt_cuda_enter (gpu);

  GT_THEN (status, gpu->driver->cuMemGetInfo (free_bytes, total_bytes));
  return gt_cuda_leave (gpu, status, "asking for its memory");
}

/* ------------------------------------------------- Memory that is pinned */

/* Returns the beginning of the pinned range that contains ADDRESS, or 0 if there is none.  */
static CUdeviceptr
pinned_from (const struct gt_cuda_driver *driver, const char *address)
{
  CUdeviceptr at = (CUdeviceptr) (uintptr_t) address, begin;
  unsigned type;

  if (driver->cuPointerGetAttribute (&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                     at) != CUDA_SUCCESS
      || type != CU_MEMORYTYPE_HOST
      || driver->cuPointerGetAttribute (&begin,
                                        CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                                        at) != CUDA_SUCCESS)
    return 0;
  return begin;
}

/* The driver refuses memory if a part of it is pinned: as already registered or, if it was
   allocated pinned, as an invalid value.  Here this is an error unless all of the memory is
   pinned.  */
static CUresult
pin (const struct gt_cuda_driver *driver, const char *address, size_t bytes)
{
  CUresult status = driver->cuMemHostRegister ((void *) address, bytes,
                                               CU_MEMHOSTREGISTER_PORTABLE
                                                 | CU_MEMHOSTREGISTER_DEVICEMAP);
  CUdeviceptr begin;

  if (status != CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED
      && status != CUDA_ERROR_INVALID_VALUE)
    return status;
  begin = pinned_from (driver, address);
  return begin && begin == pinned_from (driver, address + bytes - 1)
           ? CUDA_SUCCESS : status;
}

int
gt_cuda_pin (struct gt_open_gpu *gpu, const void *address, size_t bytes)
{
  CUresult status = gt_cuda_enter (gpu);

  GT_THEN (status, pin (gpu->driver, address, bytes));
  return gt_cuda_leave (gpu, status, "pinning memory");
}

int
gt_cuda_unpin (struct gt_open_gpu *gpu, const void *address)
{
  CUresult status = gt_cuda_enter (gpu);

  GT_THEN (status, gpu->driver->cuMemHostUnregister ((void *) address));
  return gt_cuda_leave (gpu, status, "unpinning memory");
}
