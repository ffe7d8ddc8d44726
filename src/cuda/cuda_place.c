/* Finds the place of data by asking the CUDA driver.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"



#include "src/base/env.h"
#include "src/cuda/cuda_context.h"
#include "src/device/gpus.h"

/* The driver's information about one address.  */
struct known
{
  unsigned type; /* CUmemorytype; 0: unknown to the driver */
  unsigned managed;
  int ordinal;
  CUdeviceptr range; /* beginning of the memory that was allocated or pinned by one call */
};

/* Ordinary memory is no error: all members are then 0.  */
static struct known
ask (const struct gt_cuda_driver *driver, const void *data)
{
  struct known known = {0};
  CUpointer_attribute what[]
    = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
       CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
       CU_POINTER_ATTRIBUTE_RANGE_START_ADDR};
  void *to[] = {&known.type, &known.managed, &known.ordinal, &known.range};

  if (driver->cuPointerGetAttributes (sizeof what / sizeof *what, what, to,
                                      (CUdeviceptr) (uintptr_t) data)
      != CUDA_SUCCESS)
    known.type = 0;
  return known;
}

/* Returns the GPU that the program has preferred for managed memory: by advice, or else by the
   last prefetch.  */
static int
given_to (const struct gt_cuda_driver *driver, const void *data, size_t bytes)
{
  static const CUmem_range_attribute hints[]
    = {CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION,
       CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION};

  for (unsigned i = 0; i < sizeof hints / sizeof *hints; i++)
    {
      int location = CU_DEVICE_INVALID;

      if (driver->cuMemRangeGetAttribute (&location, sizeof location, hints[i],
                                          (CUdeviceptr) (uintptr_t) data,
                                          bytes)
            == CUDA_SUCCESS
          && location >= 0)
        return gt_gpu_index (location);
    }
  return -1;
}

static enum gt_place
place_of (const struct known *known)
{
  if (known->managed)
    return GT_PLACE_MANAGED;
  if (known->type == CU_MEMORYTYPE_HOST)
    return GT_PLACE_PINNED;
  return known->type == CU_MEMORYTYPE_DEVICE ? GT_PLACE_DEVICE
                                             : GT_PLACE_HOST;
}

/* Returns whether all memory between two addresses is of one kind.  Between two ranges of host
   or managed memory there may be memory that a GPU cannot read; reading it would make the
   context unusable.  For device memory the program is trusted: the CPU could not read it
   anyway, and one vector may be in several ranges that were mapped side by side.  */
static int
same_place (const struct known *first, const struct known *last)
{
  enum gt_place place = place_of (first);

  if (place != place_of (last))
    return 0;
  return place == GT_PLACE_HOST || place == GT_PLACE_DEVICE
         || first->range == last->range;
}

struct gt_location
gt_cuda_locate (const void *data, size_t bytes)
{
  struct gt_location at = {GT_PLACE_HOST, -1};
  const char *end = (const char *) data + bytes - 1;
  const struct gt_cuda_driver *driver;
  struct known first, last;

  if (bytes == 0 || !gt_cuda_driver_loaded ())
    return at;
  driver = gt_cuda_driver (NULL);
  if (driver == NULL)
    return at;
  first = ask (driver, data);
  last = ask (driver, end);
  if (!same_place (&first, &last))
    return at;
  at.place = place_of (&first);
  if (at.place == GT_PLACE_DEVICE)
    at.gpu = gt_gpu_index (first.ordinal);
  else if (at.place == GT_PLACE_MANAGED)
    at.gpu = given_to (driver, data, bytes);
  return at;
}

/* On systems with one address space, which all 64-bit systems have, this is nearly always DATA
   itself.  */
const void *
gt_cuda_address (struct gt_open_gpu *gpu, const void *data)
{
  CUdeviceptr address = (CUdeviceptr) (uintptr_t) data, other;

  if (gt_cuda_enter (gpu) == CUDA_SUCCESS
      && gpu->driver->cuPointerGetAttribute (&other,
                                             CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                             address)
           == CUDA_SUCCESS)
    address = other;
  gt_cuda_leave (gpu, CUDA_SUCCESS, NULL);
  return (const void *) (uintptr_t) address;
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
  return gt_gpu_index (ordinal);
}
