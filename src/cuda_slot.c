/* Slots: the stream and the memory in which one sum at a time runs on a GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda_context.h"

#include <stdlib.h>
#include <string.h>

/* Partial sums of a single pass of 32 blocks on each of 512 SMs; more passes
   take more when they come.  */
#define SCRATCH_BYTES (512 * 32 * sizeof (union gt_partial))

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
