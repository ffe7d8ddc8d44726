/* Slots: the stream and the memory in which one sum at a time runs on a GPU.

   Their memory is scratch: taken when it is needed, kept for the next sum, and
   bounded on each GPU and, pinned, on the host (gt_scratch_limit).  Before a
   sum is refused for want of it, spare slots give back theirs.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda_prepared.h"

#include <stdlib.h>
#include <string.h>

#include "src/env.h"
#include "src/host_memory.h"

/* Partial sums of so many blocks on each SM; more take more when they come.  */
#define BLOCKS_PER_SM 16

/* --------------------------------------------------------- Memory, bounded */

static _Atomic size_t pinned_bytes;

/* Counts BYTES more, if the limit allows it.  */
static int
take (_Atomic size_t *counter, size_t bytes)
{
  size_t limit = gt_scratch_limit, before = atomic_fetch_add (counter, bytes);

  if (bytes <= limit && before <= limit - bytes)
    return 1;
  atomic_fetch_sub (counter, bytes);
  return 0;
}

static CUresult
try_device (struct gt_cuda *gpu, size_t bytes, CUdeviceptr *address)
{
  CUresult status;

  if (!take (&gpu->scratch_bytes, bytes))
    return CUDA_ERROR_OUT_OF_MEMORY;
  status = gpu->driver->cuMemAlloc (address, bytes);
  if (status != CUDA_SUCCESS)
    atomic_fetch_sub (&gpu->scratch_bytes, bytes);
  return status;
}

static CUresult
take_device (struct gt_cuda *gpu, size_t bytes, CUdeviceptr *address)
{
  CUresult status = try_device (gpu, bytes, address);

  if (status != CUDA_ERROR_OUT_OF_MEMORY)
    return status;
  gt_cuda_trim (gpu);
  return try_device (gpu, bytes, address);
}

static void
give_device (struct gt_cuda *gpu, CUdeviceptr address, size_t bytes)
{
  if (address == 0)
    return;
  gpu->driver->cuMemFree (address);
  atomic_fetch_sub (&gpu->scratch_bytes, bytes);
}

static CUresult
try_pinned (struct gt_cuda *gpu, size_t bytes, unsigned flags, void **address)
{
  CUresult status;

  if (!take (&pinned_bytes, bytes))
    return CUDA_ERROR_OUT_OF_MEMORY;
  status = gpu->driver->cuMemHostAlloc (address, bytes, flags);
  if (status != CUDA_SUCCESS)
    atomic_fetch_sub (&pinned_bytes, bytes);
  return status;
}

static CUresult
take_pinned (struct gt_cuda *gpu, size_t bytes, unsigned flags, void **address)
{
  CUresult status = try_pinned (gpu, bytes, flags, address);

  if (status != CUDA_ERROR_OUT_OF_MEMORY)
    return status;
  gt_cuda_trim_all ();
  return try_pinned (gpu, bytes, flags, address);
}

static void
give_pinned (struct gt_cuda *gpu, void *address, size_t bytes)
{
  if (address == NULL)
    return;
  gpu->driver->cuMemFreeHost (address);
  atomic_fetch_sub (&pinned_bytes, bytes);
}

/* Pinned memory near the GPU: the driver's own allocator does not know where
   that is.  */
static CUresult
try_ring (struct gt_cuda *gpu, size_t bytes, void **address)
{
  CUresult status;

  if (!take (&pinned_bytes, bytes))
    return CUDA_ERROR_OUT_OF_MEMORY;
  *address = gt_host_memory_near (gpu->device->gpu.pci, bytes);
  if (*address == NULL)
    status = CUDA_ERROR_OUT_OF_MEMORY;
  else
    {
      status = gpu->driver->cuMemHostRegister (*address, bytes,
                                               CU_MEMHOSTREGISTER_PORTABLE);
      if (status == CUDA_SUCCESS)
        return status;
      gt_host_memory_free (*address, bytes);
    }
  atomic_fetch_sub (&pinned_bytes, bytes);
  return status;
}

static CUresult
take_ring (struct gt_cuda *gpu, size_t bytes, void **address)
{
  CUresult status = try_ring (gpu, bytes, address);

  if (status != CUDA_ERROR_OUT_OF_MEMORY)
    return status;
  gt_cuda_trim_all ();
  return try_ring (gpu, bytes, address);
}

static void
give_ring (struct gt_cuda *gpu, void *address, size_t bytes)
{
  if (address == NULL)
    return;
  gpu->driver->cuMemHostUnregister (address);
  gt_host_memory_free (address, bytes);
  atomic_fetch_sub (&pinned_bytes, bytes);
}

/* ------------------------------------------------------------ Of one slot */

CUresult
gt_cuda_reserve (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
                 uint64_t bytes)
{
  CUdeviceptr larger;
  CUresult status;

  if (bytes <= slot->scratch_bytes)
    return CUDA_SUCCESS;
  status = take_device (gpu, bytes, &larger);
  if (status != CUDA_SUCCESS)
    return status;
  give_device (gpu, slot->scratch, slot->scratch_bytes);
  slot->scratch = larger;
  slot->scratch_bytes = bytes;
  return CUDA_SUCCESS;
}

CUresult
gt_cuda_reserve_block_sums (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
                            uint64_t bytes)
{
  void *larger;
  CUresult status;

  if (bytes <= slot->block_sums_bytes)
    return CUDA_SUCCESS;
  status = take_pinned (gpu, bytes, CU_MEMHOSTALLOC_PORTABLE, &larger);
  if (status != CUDA_SUCCESS)
    return status;
  give_pinned (gpu, slot->block_sums, slot->block_sums_bytes);
  slot->block_sums = larger;
  slot->block_sums_bytes = bytes;
  return CUDA_SUCCESS;
}

/* What is too small holds nothing that is wanted: it goes first, so that both
   need not be there at once.  */
CUresult
gt_cuda_reserve_staging (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
                         size_t bytes)
{
  CUresult status;

  if (bytes <= slot->staging_bytes)
    return CUDA_SUCCESS;
  give_device (gpu, slot->staging, slot->staging_bytes);
  slot->staging = 0;
  slot->staging_bytes = 0;
  status = take_device (gpu, bytes, &slot->staging);
  if (status == CUDA_SUCCESS)
    slot->staging_bytes = bytes;
  return status;
}

CUresult
gt_cuda_reserve_ring (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
                      size_t bytes)
{
  CUresult status;

  if (bytes <= slot->ring_bytes)
    return CUDA_SUCCESS;
  give_ring (gpu, slot->ring, slot->ring_bytes);
  slot->ring = NULL;
  slot->ring_bytes = 0;
  status = take_ring (gpu, bytes, &slot->ring);
  if (status == CUDA_SUCCESS)
    slot->ring_bytes = bytes;
  return status;
}

static void
destroy_slot (struct gt_cuda *gpu, struct gt_cuda_slot *slot)
{
  const struct gt_cuda_driver *driver = gpu->driver;

  gt_cuda_prepared_clear (gpu, slot);
  if (slot->stream)
    driver->cuStreamDestroy (slot->stream);
  if (slot->begin)
    driver->cuEventDestroy (slot->begin);
  if (slot->end)
    driver->cuEventDestroy (slot->end);
  give_pinned (gpu, slot->mailbox, sizeof *slot->mailbox);
  give_pinned (gpu, slot->block_sums, slot->block_sums_bytes);
  give_device (gpu, slot->memory, sizeof (struct gt_slot_memory));
  give_device (gpu, slot->scratch, slot->scratch_bytes);
  give_device (gpu, slot->staging, slot->staging_bytes);
  give_ring (gpu, slot->ring, slot->ring_bytes);
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
    status = take_pinned (gpu, sizeof *slot->mailbox,
                          CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE,
                          (void **) &slot->mailbox);
  if (status == CUDA_SUCCESS)
    status = driver->cuMemHostGetDevicePointer (&slot->mailbox_address,
                                                slot->mailbox, 0);
  if (status == CUDA_SUCCESS)
    status = take_device (gpu, sizeof (struct gt_slot_memory), &slot->memory);
  if (status == CUDA_SUCCESS)
    status = gt_cuda_reserve (gpu, slot,
                              (uint64_t) gpu->device->gpu.sms * BLOCKS_PER_SM
                                * sizeof (union gt_partial));
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

/* -------------------------------------------------------------- Of all */

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

void
gt_cuda_trim (struct gt_cuda *gpu)
{
  struct gt_cuda_slot *slot, *next;
  int entered;

  pthread_mutex_lock (&gpu->lock);
  slot = gpu->spare;
  gpu->spare = NULL;
  pthread_mutex_unlock (&gpu->lock);
  if (slot == NULL)
    return;
  entered = gt_cuda_enter (gpu) == CUDA_SUCCESS;
  for (; slot; slot = next)
    {
      next = slot->next;
      destroy_slot (gpu, slot);
    }
  if (entered)
    gt_cuda_leave (gpu);
}

void
gt_cuda_trim_all (void)
{
  struct gt_cuda *gpu;
  size_t index = 0;

  while (!gt_forked && (gpu = gt_cuda_next_opened (&index)) != NULL)
    gt_cuda_trim (gpu);
}
