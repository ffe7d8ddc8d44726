/* Memory of a GPU, copies to it and from it, and pinned memory of the host.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_memory.h"

#include "src/base/env.h"
#include "src/cuda/cuda_context.h"
#include "src/cuda/device_cuda.h"

static int
allocate (struct gt_cuda *gpu, size_t bytes, int managed, void **address)
{
  CUdeviceptr pointer = 0;
  CUresult status = gt_cuda_enter (gpu);

  if (status == CUDA_SUCCESS)
    {
      status = managed ? gpu->driver->cuMemAllocManaged (&pointer, bytes,
                                                         CU_MEM_ATTACH_GLOBAL)
                       : gpu->driver->cuMemAlloc (&pointer, bytes);
      if (status == CUDA_SUCCESS && gt_cuda_misplaced ((uintptr_t) pointer))
        {
          gpu->driver->cuMemFree (pointer);
          status = CUDA_ERROR_OUT_OF_MEMORY;
        }
      gt_cuda_leave (gpu);
    }
  *address = (void *) (uintptr_t) pointer;
  return gt_cuda_note (gpu, status, "allocating memory");
}

int
gt_cuda_alloc (struct gt_cuda *gpu, size_t bytes, void **address)
{
  return allocate (gpu, bytes, 0, address);
}

int
gt_cuda_managed_alloc (struct gt_cuda *gpu, size_t bytes, void **address)
{
  return allocate (gpu, bytes, 1, address);
}

void
gt_cuda_free (struct gt_cuda *gpu, void *address)
{
  if (gt_in_child () || gt_cuda_enter (gpu) != CUDA_SUCCESS)
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

/* What a driver takes as the distance of rows, at least.  */
#define MOST_PITCH INT32_MAX

/* Elements of a size are rows here, which lie as far apart as their stride has it on
   one side.  The driver finds out itself what kind of memory the GPU reads there.  */
static int
copy_rows (struct gt_cuda *gpu, CUDA_MEMCPY2D *rows)
{
  CUresult status = gt_cuda_enter (gpu);

  if (status == CUDA_SUCCESS)
    {
      status = gpu->driver->cuMemcpy2D (rows);
      if (status == CUDA_SUCCESS)
        status = gpu->driver->cuStreamSynchronize (NULL);
      gt_cuda_leave (gpu);
    }
  return gt_cuda_note (gpu, status, "copying");
}

/* Copies N elements of SIZE bytes one by one, with MOVE.  */
static int
copy_elements (struct gt_cuda *gpu, char *to, size_t to_step,
               const char *from, size_t from_step, size_t size, size_t n,
               int (*move) (struct gt_cuda *, void *, const void *, size_t))
{
  int failed = 0;

  for (size_t i = 0; i < n && !failed; i++)
    failed = move (gpu, to + i * to_step, from + i * from_step, size);
  return failed;
}

int
gt_cuda_to_device_strided (struct gt_cuda *gpu, void *to, size_t step,
                           const void *from, size_t size, size_t n)
{
  CUDA_MEMCPY2D rows = {
    .srcMemoryType = CU_MEMORYTYPE_HOST,
    .srcHost = from,
    .srcPitch = size,
    .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
    .dstDevice = (CUdeviceptr) (uintptr_t) to,
    .dstPitch = step,
    .WidthInBytes = size,
    .Height = n
  };

  return step <= MOST_PITCH
           ? copy_rows (gpu, &rows)
           : copy_elements (gpu, to, step, from, size, size, n,
                            gt_cuda_to_device);
}

int
gt_cuda_to_host_strided (struct gt_cuda *gpu, void *to, const void *from,
                         size_t step, size_t size, size_t n)
{
  CUDA_MEMCPY2D rows = {
    .srcMemoryType = CU_MEMORYTYPE_UNIFIED,
    .srcDevice = (CUdeviceptr) (uintptr_t) from,
    .srcPitch = step,
    .dstMemoryType = CU_MEMORYTYPE_HOST,
    .dstHost = to,
    .dstPitch = size,
    .WidthInBytes = size,
    .Height = n
  };

  return step <= MOST_PITCH
           ? copy_rows (gpu, &rows)
           : copy_elements (gpu, to, size, from, step, size, n,
                            gt_cuda_to_host);
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

/* An error is left to those that use the stream.  The default stream cannot be
   captured.  */
int
gt_cuda_captured (struct gt_cuda *gpu, void *stream)
{
  CUstreamCaptureStatus captured = CU_STREAM_CAPTURE_STATUS_NONE;

  if (stream == GT_CUDA_DEFAULT_STREAM || gt_cuda_enter (gpu) != CUDA_SUCCESS)
    return 0;
  if (gpu->driver->cuStreamIsCapturing ((CUstream) stream, &captured)
      != CUDA_SUCCESS)
    captured = CU_STREAM_CAPTURE_STATUS_NONE;
  gt_cuda_leave (gpu);
  return captured != CU_STREAM_CAPTURE_STATUS_NONE;
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

/* ----------------------------------------------------------- Pinned memory */

int
gt_cuda_host_alloc (struct gt_cuda *gpu, size_t bytes, void **address)
{
  CUresult status = gt_cuda_enter (gpu);

  *address = NULL;
  if (status == CUDA_SUCCESS)
    {
      status = gpu->driver->cuMemHostAlloc (address, bytes,
                                            CU_MEMHOSTALLOC_PORTABLE
                                              | CU_MEMHOSTALLOC_DEVICEMAP);
      if (status == CUDA_SUCCESS && gt_cuda_misplaced ((uintptr_t) *address))
        {
          gpu->driver->cuMemFreeHost (*address);
          status = CUDA_ERROR_OUT_OF_MEMORY;
        }
      gt_cuda_leave (gpu);
    }
  return gt_cuda_note (gpu, status, "allocating pinned memory");
}

void
gt_cuda_host_free (struct gt_cuda *gpu, void *address)
{
  if (gt_in_child () || gt_cuda_enter (gpu) != CUDA_SUCCESS)
    return;
  gpu->driver->cuMemFreeHost (address);
  gt_cuda_leave (gpu);
}

/* Where the pinned range that holds ADDRESS begins; 0 for no such range.  */
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

/* The driver refuses memory of which a part is pinned, as registered already or,
   where it was allocated pinned, as an invalid value; here that is an error unless
   all of it is.  */
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
gt_cuda_host_register (struct gt_cuda *gpu, const void *address, size_t bytes)
{
  CUresult status = gt_cuda_enter (gpu);

  if (status == CUDA_SUCCESS)
    {
      status = pin (gpu->driver, address, bytes);
      gt_cuda_leave (gpu);
    }
  return gt_cuda_note (gpu, status, "pinning memory");
}

int
gt_cuda_host_unregister (struct gt_cuda *gpu, const void *address)
{
  CUresult status = gt_cuda_enter (gpu);

  if (status == CUDA_SUCCESS)
    {
      status = gpu->driver->cuMemHostUnregister ((void *) address);
      gt_cuda_leave (gpu);
    }
  return gt_cuda_note (gpu, status, "unpinning memory");
}

/* --------------------------------------------------------------- Addresses */

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
  return gt_cuda_index (ordinal);
}
