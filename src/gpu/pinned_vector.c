/* The public vectors in pinned memory: host memory that a GPU can read directly.  If there is
   no GPU, the memory is not pinned.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "src/device/gpus.h"
#include "src/gsltune.h"

/* Host memory, pinned if there is a GPU.  */
struct pinned_memory
{
  void *data;              /* 64-byte aligned, never null */
  struct gt_open_gpu *gpu; /* the GPU through which it was pinned; null: the memory is not
                              pinned */
};

/* The alignment of memory that is not pinned, in bytes: a cache line.  Pinned memory begins at
   a page.  */
#define ALIGNMENT 64

/* Returns the GPU for which elements are pinned, or null.  GPUs do not support long double;
   gt_gpu_chosen returns null after fork, if the device is "cpu", and for GPUs that have
   failed.  */
static struct gt_open_gpu *
gpu_for (enum gt_arithmetic arithmetic, size_t n)
{
  return n > 0 && gt_arithmetics[arithmetic].gpu ? gt_gpu_chosen (NULL) : NULL;
}

/* Allocates N elements, set to zero if CLEAR.  Returns -1 if host memory is short.  */
static int
allocate (struct pinned_memory *memory, enum gt_arithmetic arithmetic, size_t n,
          int clear)
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

static void
give_back (const struct pinned_memory *memory)
{
  if (memory->gpu)
    gt_gpus->free (memory->gpu, GT_PLACE_PINNED, memory->data);
  else
    free (memory->data);
}

/* Pins the caller's N elements, which are STRIDE apart, and the memory between them.  Returns
   GSL_SUCCESS, too, if there is nothing to pin or no GPU.  */
static int
pin (enum gt_arithmetic arithmetic, const void *data, size_t n, size_t stride)
{
  struct gt_open_gpu *gpu = gpu_for (arithmetic, n);
  size_t bytes;

  if (gpu == NULL)
    return GSL_SUCCESS;
  return gt_span (arithmetic, n, stride, &bytes)
             || gt_gpus->pin (gpu, data, bytes)
           ? GSL_EFAILED : GSL_SUCCESS;
}

/* Unpins the memory.  If the GPU has failed in the meantime, the memory may still be pinned,
   and the driver may still be able to unpin it.  */
static int
unpin (enum gt_arithmetic arithmetic, const void *data, size_t n)
{
  struct gt_open_gpu *gpu = gpu_for (arithmetic, n), *failed;

  if (gpu)
    return gt_gpus->unpin (gpu, data) ? GSL_EFAILED : GSL_SUCCESS;
  failed = n > 0 ? gt_gpu_chosen_opened () : NULL;
  if (failed)
    gt_gpus->unpin (failed, data);
  return GSL_SUCCESS;
}

#define GT_TEMPLATE "src/gpu/pinned_vector.inc"
#include "src/each_type.h"
