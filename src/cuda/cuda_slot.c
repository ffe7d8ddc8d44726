/* Slots: the stream and the memory for one sum at a time on a GPU.
   Their memory is scratch memory: it is allocated at first use, kept for the next sum, and
   limited on each GPU and, for pinned memory, on the host (gt_scratch_limit).  Before a sum is
   refused because of the limit, the memory of spare slots is freed.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_context.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/env.h"
#include "src/cuda/host_memory.h"
#include "src/device/gpus.h"

/* The number of blocks per SM for whose partial sums memory is allocated at first; more is
   allocated if needed.  */
#define BLOCKS_PER_SM 16

/* --------------------------------------------------------- Memory, bounded */

static _Atomic size_t pinned_bytes;

/* Adds BYTES to the counter if the limit permits it.  Refused bytes are never added, not even
   for a moment, because another thread would be refused because of them.  */
static int
take (_Atomic size_t *counter, size_t bytes)
{
  size_t limit = gt_scratch_limit, before = *counter;

  do
    if (bytes > limit || before > limit - bytes)
      return 0;
  while (!atomic_compare_exchange_weak (counter, &before, before + bytes));
  return 1;
}

/* The ring is ordinary memory near the GPU that is pinned afterwards, because the driver's own
   allocator does not consider the node.  */
static const enum gt_place place_of[GT_N_BUFFERS] = {
  [GT_BUFFER_MAILBOX] = GT_PLACE_PINNED,
  [GT_BUFFER_MEMORY] = GT_PLACE_DEVICE,
  [GT_BUFFER_PARTIALS] = GT_PLACE_DEVICE,
  [GT_BUFFER_STAGING] = GT_PLACE_DEVICE,
  [GT_BUFFER_RING] = GT_PLACE_HOST,
};

static _Atomic size_t *
counter_of (struct gt_open_gpu *gpu, enum gt_place place)
{
  return place == GT_PLACE_DEVICE ? &gpu->scratch_bytes : &pinned_bytes;
}

static CUresult
allocate_near (struct gt_open_gpu *gpu, size_t bytes, void **address)
{
  CUresult status;

  *address = gt_host_memory_near (gpu->device->gpu.pci, bytes);
  if (*address == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  status = gpu->driver->cuMemHostRegister (*address, bytes,
                                           CU_MEMHOSTREGISTER_PORTABLE);
  if (status != CUDA_SUCCESS)
    gt_host_memory_free (*address, bytes);
  return status;
}

static CUresult
try_once (struct gt_open_gpu *gpu, enum gt_place place, size_t bytes,
          void **address)
{
  _Atomic size_t *counter = counter_of (gpu, place);
  CUresult status;

  if (!take (counter, bytes))
    return CUDA_ERROR_OUT_OF_MEMORY;
  status = place == GT_PLACE_HOST
             ? allocate_near (gpu, bytes, address)
             : gt_cuda_allocate (gpu->driver, place, bytes, address);
  if (status != CUDA_SUCCESS)
    atomic_fetch_sub (counter, bytes);
  return status;
}

static void
give_back (struct gt_open_gpu *gpu, enum gt_place place,
           struct gt_cuda_buffer *buffer)
{
  void *address = (void *) buffer->address;

  if (address == NULL)
    return;
  if (place == GT_PLACE_HOST)
    {
      gpu->driver->cuMemHostUnregister (address);
      gt_host_memory_free (address, buffer->bytes);
    }
  else
    gt_cuda_discard (gpu->driver, place, address);
  atomic_fetch_sub (counter_of (gpu, place), buffer->bytes);
  *buffer = (struct gt_cuda_buffer) {0, 0};
}

/* ------------------------------------------------------------ Of one slot */

/* Memory that is too small is freed before more is allocated, so that both never exist at the
   same time.  */
CUresult
gt_cuda_reserve (struct gt_open_gpu *gpu, struct gt_slot *slot,
                 enum gt_buffer which, size_t bytes)
{
  struct gt_cuda_buffer *buffer = &slot->buffer[which];
  enum gt_place place = place_of[which];
  void *address;
  CUresult status;

  if (bytes <= buffer->bytes)
    return CUDA_SUCCESS;
  give_back (gpu, place, buffer);
  status = try_once (gpu, place, bytes, &address);
  if (status == CUDA_ERROR_OUT_OF_MEMORY)
    {
      if (place == GT_PLACE_DEVICE)
        gt_cuda_trim (gpu);
      else
        gt_gpu_trim_all ();
      status = try_once (gpu, place, bytes, &address);
    }
  if (status == CUDA_SUCCESS)
    *buffer = (struct gt_cuda_buffer) {(uintptr_t) address, bytes};
  return status;
}

static void
destroy_slot (struct gt_open_gpu *gpu, struct gt_slot *slot)
{
  const struct gt_cuda_driver *driver = gpu->driver;

  gt_cuda_prepared_clear (gpu, slot);
  if (slot->stream)
    driver->cuStreamDestroy (slot->stream);
  if (slot->begin)
    driver->cuEventDestroy (slot->begin);
  if (slot->end)
    driver->cuEventDestroy (slot->end);
  for (int k = 0; k < GT_N_BUFFERS; k++)
    give_back (gpu, place_of[k], &slot->buffer[k]);
  free (slot);
}

/* Waits because the next sum may be in a user's stream, and all words must be zero before
   it.  */
CUresult
gt_cuda_slot_clear (struct gt_open_gpu *gpu, struct gt_slot *slot)
{
  CUresult status = gpu->driver->cuMemsetD8Async (slot->memory, 0,
                                                  GT_ZERO_BYTES, slot->stream);

  GT_THEN (status, gpu->driver->cuStreamSynchronize (slot->stream));
  slot->spoilt = status != CUDA_SUCCESS;
  return status;
}

static CUresult
make_slot (struct gt_open_gpu *gpu, struct gt_slot **made)
{
  const struct gt_cuda_driver *driver = gpu->driver;
  struct gt_slot *slot = calloc (1, sizeof *slot);
  CUresult status;

  if (slot == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  status = driver->cuStreamCreate (&slot->stream, CU_STREAM_NON_BLOCKING);
  GT_THEN (status, gt_cuda_reserve (gpu, slot, GT_BUFFER_MAILBOX,
                                    sizeof *slot->mailbox));
  slot->mailbox = (void *) slot->buffer[GT_BUFFER_MAILBOX].address;
  GT_THEN (status, driver->cuMemHostGetDevicePointer (&slot->mailbox_address,
                                                      slot->mailbox, 0));
  GT_THEN (status, gt_cuda_reserve (gpu, slot, GT_BUFFER_MEMORY,
                                    sizeof (struct gt_slot_memory)));
  slot->memory = slot->buffer[GT_BUFFER_MEMORY].address;
  GT_THEN (status, gt_cuda_reserve (gpu, slot, GT_BUFFER_PARTIALS,
                                    (size_t) gpu->device->gpu.sms
                                      * BLOCKS_PER_SM
                                      * sizeof (union gt_partial)));
  GT_THEN (status, gt_cuda_slot_clear (gpu, slot));
  if (status != CUDA_SUCCESS)
    {
      destroy_slot (gpu, slot);
      return status;
    }
  memset (slot->mailbox, 0, sizeof *slot->mailbox);
  slot->tag = 1;
  *made = slot;
  return CUDA_SUCCESS;
}

/* -------------------------------------------------------------- Of all */

/* Removes a spare slot from the list, or returns null.  */
static struct gt_slot *
take_spare (struct gt_open_gpu *gpu, size_t most)
{
  struct gt_slot **link, *slot;

  pthread_mutex_lock (&gpu->lock);
  for (link = &gpu->spare; (slot = *link) != NULL; link = &slot->next)
    if (slot->buffer[GT_BUFFER_STAGING].bytes <= most
        && slot->buffer[GT_BUFFER_RING].bytes <= most)
      {
        *link = slot->next;
        break;
      }
  pthread_mutex_unlock (&gpu->lock);
  return slot;
}

int
gt_cuda_slot_acquire (struct gt_open_gpu *gpu, size_t most,
                      struct gt_slot **slot)
{
  CUresult status;

  *slot = take_spare (gpu, most);
  if (*slot)
    return 0;
  status = gt_cuda_enter (gpu);
  GT_THEN (status, make_slot (gpu, slot));
  return gt_cuda_leave (gpu, status, "preparing a stream");
}

int
gt_cuda_slot_reserve (struct gt_open_gpu *gpu, struct gt_slot *slot,
                      enum gt_way way, size_t bytes)
{
  CUresult status;

  if (way == GT_WAY_DIRECT)
    return 0;
  status = gt_cuda_enter (gpu);
  GT_THEN (status, gt_cuda_reserve (gpu, slot, GT_BUFFER_STAGING, bytes));
  if (status == CUDA_SUCCESS && way == GT_WAY_STAGED)
    status = gt_cuda_reserve (gpu, slot, GT_BUFFER_RING, bytes);
  return gt_cuda_leave (gpu, status, "preparing to copy");
}

void
gt_cuda_slot_release (struct gt_open_gpu *gpu, struct gt_slot *slot)
{
  pthread_mutex_lock (&gpu->lock);
  slot->next = gpu->spare;
  gpu->spare = slot;
  pthread_mutex_unlock (&gpu->lock);
}

static void
destroy_spares (struct gt_open_gpu *gpu)
{
  struct gt_slot *slot, *next;

  pthread_mutex_lock (&gpu->lock);
  slot = gpu->spare;
  gpu->spare = NULL;
  pthread_mutex_unlock (&gpu->lock);
  if (slot == NULL)
    return;
  gt_cuda_enter (gpu);
  for (; slot; slot = next)
    {
      next = slot->next;
      destroy_slot (gpu, slot);
    }
  gt_cuda_leave (gpu, CUDA_SUCCESS, NULL);
}

/* A thread that finds no spare slots because another thread is freeing them waits until their
   memory is free.  */
void
gt_cuda_trim (struct gt_open_gpu *gpu)
{
  static pthread_mutex_t trimming = PTHREAD_MUTEX_INITIALIZER;

  pthread_mutex_lock (&trimming);
  destroy_spares (gpu);
  pthread_mutex_unlock (&trimming);
}
