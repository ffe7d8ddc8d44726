/* Finds the CUDA GPUs of this process.  Asks the driver only for attributes, so that it
   creates no context and uses no memory of any GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/backend_cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/log.h"
#include "src/cuda/cuda_driver.h"

/* An attribute that an older driver does not know remains 0.  */
struct attribute
{
  CUdevice_attribute id;
  int is_size;   /* whether the member is a size_t */
  size_t offset; /* in struct gt_gpu */
};

#define INT(id, member) \
  {CU_DEVICE_ATTRIBUTE_##id, 0, offsetof (struct gt_gpu, member)}
#define SIZE(id, member) \
  {CU_DEVICE_ATTRIBUTE_##id, 1, offsetof (struct gt_gpu, member)}

static const struct attribute attributes[] = {
  INT (COMPUTE_CAPABILITY_MAJOR, sm.cc_major),
  INT (COMPUTE_CAPABILITY_MINOR, sm.cc_minor),
  INT (WARP_SIZE, sm.warp_size),
  INT (MAX_THREADS_PER_BLOCK, sm.max_threads_per_block),
  INT (MAX_THREADS_PER_MULTIPROCESSOR, sm.max_threads_per_sm),
  INT (MAX_BLOCKS_PER_MULTIPROCESSOR, sm.max_blocks_per_sm),
  INT (MAX_REGISTERS_PER_MULTIPROCESSOR, sm.registers_per_sm),
  INT (MAX_REGISTERS_PER_BLOCK, sm.registers_per_block),
  SIZE (MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, sm.shared_per_sm),
  SIZE (MAX_SHARED_MEMORY_PER_BLOCK, sm.shared_per_block),
  SIZE (MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, sm.shared_per_block_optin),
  SIZE (RESERVED_SHARED_MEMORY_PER_BLOCK, sm.shared_reserved_per_block),
  INT (MULTIPROCESSOR_COUNT, sms),
  INT (CLOCK_RATE, sm_clock_khz),
  INT (MEMORY_CLOCK_RATE, memory_clock_khz),
  INT (GLOBAL_MEMORY_BUS_WIDTH, memory_bus_bits),
  SIZE (L2_CACHE_SIZE, l2),
  INT (INTEGRATED, integrated),
  INT (PAGEABLE_MEMORY_ACCESS, pageable_access),
};

static void
read_attributes (const struct gt_cuda_driver *driver, CUdevice device,
                 struct gt_gpu *gpu)
{
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
    {
      char *at = (char *) gpu + attributes[i].offset;
      int value = 0;

      if (driver->cuDeviceGetAttribute (&value, attributes[i].id, device)
            != CUDA_SUCCESS
          || value < 0)
        value = 0;
      if (attributes[i].is_size)
        *(size_t *) at = (size_t) value;
      else
        *(int *) at = value;
    }
  if (driver->cuDeviceGetAttribute (&gpu->numa_node,
                                    CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID, device)
      != CUDA_SUCCESS)
    gpu->numa_node = -1;
}

/* The driver names a slice after its GPU: "NVIDIA H200 MIG 3g.71gb".  */
static void
find_mig (struct gt_gpu *gpu)
{
  const char *mig = strstr (gpu->name, " MIG ");

  if (mig != NULL)
    snprintf (gpu->mig, sizeof gpu->mig, "%.*s", (int) sizeof gpu->mig - 1,
              mig + strlen (" MIG "));
}

/* Writes the UUID in the format of nvidia-smi.  */
static void
format_uuid (const CUuuid *uuid, const char *prefix, char *text, size_t size)
{
  const unsigned char *b = (const unsigned char *) uuid->bytes;

  snprintf (text, size,
            "%s-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-"
            "%02x%02x%02x%02x%02x%02x",
            prefix, b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9],
            b[10], b[11], b[12], b[13], b[14], b[15]);
}

static void
read_identity (const struct gt_cuda_driver *driver, CUdevice device,
               struct gt_gpu *gpu)
{
  CUuuid uuid;

  if (driver->cuDeviceGetName (gpu->name, sizeof gpu->name, device)
        != CUDA_SUCCESS
      || gpu->name[0] == '\0')
    snprintf (gpu->name, sizeof gpu->name, "unnamed CUDA device");
  gpu->name[sizeof gpu->name - 1] = '\0';
  gt_make_ascii (gpu->name);
  find_mig (gpu);
  if (driver->cuDeviceGetPCIBusId (gpu->pci, sizeof gpu->pci, device)
      != CUDA_SUCCESS)
    gpu->pci[0] = '\0';
  gt_make_ascii (gpu->pci);
  if (driver->cuDeviceGetUuid (&uuid, device) == CUDA_SUCCESS)
    format_uuid (&uuid, gpu->mig[0] != '\0' ? "MIG" : "GPU", gpu->uuid,
                 sizeof gpu->uuid);
  if (driver->cuDriverGetVersion (&gpu->driver_version) != CUDA_SUCCESS)
    gpu->driver_version = 0;
}

/* Returns 0, or -1 if a value without a possible default is not available.  */
static int
describe (const struct gt_cuda_driver *driver, int ordinal,
          struct gt_device *described)
{
  struct gt_gpu *gpu = &described->gpu;
  CUdevice device;

  memset (described, 0, sizeof *described);
  described->kind = GT_CUDA;
  gpu->ordinal = ordinal;
  if (driver->cuDeviceGet (&device, ordinal) != CUDA_SUCCESS)
    return -1;
  read_attributes (driver, device, gpu);
  if (gpu->sm.cc_major < 1 || gpu->sms < 1
      || driver->cuDeviceTotalMem (&gpu->memory, device) != CUDA_SUCCESS
      || gpu->memory == 0)
    return -1;
  gt_sm_limits_complete (&gpu->sm);
  read_identity (driver, device, gpu);
  return 0;
}

int
gt_cuda_discover (struct gt_device **devices, const char **why)
{
  const struct gt_cuda_driver *driver = gt_cuda_driver (why);
  int count = 0, usable = 0;

  if (driver == NULL)
    return 0;
  if (driver->cuDeviceGetCount (&count) != CUDA_SUCCESS || count < 1)
    {
      *why = "the driver offers this process none: see nvidia-smi and"
             " CUDA_VISIBLE_DEVICES";
      return 0;
    }
  *devices = calloc ((size_t) count, sizeof **devices);
  if (*devices == NULL)
    {
      *why = "not enough memory to list them";
      return 0;
    }
  for (int ordinal = 0; ordinal < count; ordinal++)
    usable += describe (driver, ordinal, *devices + usable) == 0;
  if (usable == 0)
    *why = "the driver does not describe them: try nvidia-smi";
  return usable;
}
