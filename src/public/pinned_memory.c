/* Host memory that a GPU reads by itself, where there is one.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/pinned_memory.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "src/device/gpus.h"

/* Of plain memory, bytes: a cache line.  Pinned memory begins with a page.  */
#define ALIGNMENT 64

/* The GPU for whose sake elements are pinned, or null.  No GPU has long double;
   gt_gpu_chosen knows of cpu, forked children and GPUs that have failed.  */
static struct gt_open_gpu *
gpu_for (enum gt_arithmetic arithmetic, size_t n)
{
  return n > 0 && gt_arithmetics[arithmetic].gpu ? gt_gpu_chosen (NULL) : NULL;
}

int
gt_pinned_memory_alloc (struct gt_pinned_memory *memory,
                        enum gt_arithmetic arithmetic, size_t n, int clear)
{
  size_t size = gt_arithmetics[arithmetic].size, bytes;

  if (__builtin_mul_overflow (n, size, &bytes))
    return -1;
  memory->gpu = gpu_for (arithmetic, n);
  if (memory->gpu
      && gt_gpus->alloc (memory->gpu, GT_PLACE_PINNED, bytes, &memory->data))
    memory->gpu = NULL;
  if (memory->gpu == NULL
      && posix_memalign (&memory->data, ALIGNMENT, bytes ? bytes : size))
    return -1;
  if (clear)
    memset (memory->data, 0, bytes);
  return 0;
}

void
gt_pinned_memory_free (const struct gt_pinned_memory *memory)
{
  if (memory->gpu)
    gt_gpus->free (memory->gpu, GT_PLACE_PINNED, memory->data);
  else
    free (memory->data);
}

int
gt_pinned_memory_pin (enum gt_arithmetic arithmetic, const void *data,
                      size_t n, size_t stride)
{
  struct gt_open_gpu *gpu = gpu_for (arithmetic, n);
  size_t bytes;

  if (gpu == NULL)
    return 0;
  if (gt_span (arithmetic, n, stride, &bytes))
    return -1;
  return gt_gpus->pin (gpu, data, bytes) ? -1 : 0;
}

/* A GPU that has failed since may have the memory still, and then a driver that is
   well gives it back.  */
int
gt_pinned_memory_unpin (enum gt_arithmetic arithmetic, const void *data,
                        size_t n)
{
  struct gt_open_gpu *gpu = gpu_for (arithmetic, n), *failed;

  if (gpu)
    return gt_gpus->unpin (gpu, data) ? -1 : 0;
  failed = n > 0 ? gt_gpu_chosen_opened () : NULL;
  if (failed)
    gt_gpus->unpin (failed, data);
  return 0;
}
