/* Memory that stays on a GPU, or on the host where there is none; untyped.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_DEVICE_MEMORY_H
#define GT_DEVICE_MEMORY_H

#include "kernels/types.h"
#include "src/cuda/cuda_gpu.h"

struct gt_device_memory
{
  void *data;          /* a device address when `gpu' is not null */
  size_t n;            /* elements */
  struct gt_cuda *gpu; /* null: host memory */
};

/* Null, through no error handler, when even host memory is short.  */
struct gt_device_memory *gt_device_memory_alloc (enum gt_arithmetic arithmetic,
                                                 size_t n);
void gt_device_memory_free (struct gt_device_memory *memory);

/* Copies all elements from (to) host elements STRIDE apart.  0, or -1: set,
   when the GPU fails and host memory, to which the elements then move, is
   short; get, when the GPU fails or memory for packing is short.  */
int gt_device_memory_set (struct gt_device_memory *memory,
                          enum gt_arithmetic arithmetic, const void *source,
                          size_t stride);
int gt_device_memory_get (const struct gt_device_memory *memory,
                          enum gt_arithmetic arithmetic, void *destination,
                          size_t stride);

/* 0, or -1 when the elements cannot be had any more.  */
int gt_device_memory_sum (const struct gt_device_memory *memory,
                          enum gt_arithmetic arithmetic, union gt_value *sum);

/* Sums at a raw device address on STREAM.  0; a GSL error code otherwise, with
   the reason in WHY.  */
int gt_device_address_sum (enum gt_arithmetic arithmetic, const void *address,
                           size_t n, size_t stride, void *stream,
                           union gt_value *sum, const char **why);

#endif
