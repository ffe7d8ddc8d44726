/* The operations of CUDA as a backend, as struct gt_backend has them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BACKEND_CUDA_H
#define GT_BACKEND_CUDA_H

#include "src/device/backend.h"

/* device_cuda.c */
int gt_cuda_discover (struct gt_device **devices, const char **why);

/* cuda_context.c */
struct gt_open_gpu *gt_cuda_open (const struct gt_device *device,
                                  const char **why);
const struct gt_device *gt_cuda_device_of (const struct gt_open_gpu *gpu);
int gt_cuda_usable (const struct gt_open_gpu *gpu);
const char *gt_cuda_error (int status);

/* cuda_place.c */
struct gt_location gt_cuda_locate (const void *data, size_t bytes);
int gt_cuda_index_of_address (const void *address);
const void *gt_cuda_address (struct gt_open_gpu *gpu, const void *data);

/* cuda_memory.c */
int gt_cuda_alloc (struct gt_open_gpu *gpu, enum gt_place place, size_t bytes,
                   void **address);
void gt_cuda_free (struct gt_open_gpu *gpu, enum gt_place place,
                   void *address);
int gt_cuda_memory (struct gt_open_gpu *gpu, size_t *free_bytes,
                    size_t *total_bytes);
int gt_cuda_pin (struct gt_open_gpu *gpu, const void *address, size_t bytes);
int gt_cuda_unpin (struct gt_open_gpu *gpu, const void *address);
int gt_cuda_copy (struct gt_open_gpu *gpu, enum gt_direction direction,
                  void *to, const void *from, size_t bytes);
int gt_cuda_copy_strided (struct gt_open_gpu *gpu, enum gt_direction direction,
                          void *to, const void *from, size_t step, size_t size,
                          size_t n);
int gt_cuda_synchronize (struct gt_open_gpu *gpu, void *stream);
int gt_cuda_captured (struct gt_open_gpu *gpu, void *stream);

/* cuda_slot.c */
int gt_cuda_slot_acquire (struct gt_open_gpu *gpu, size_t most,
                          struct gt_slot **slot);
void gt_cuda_slot_release (struct gt_open_gpu *gpu, struct gt_slot *slot);
int gt_cuda_slot_reserve (struct gt_open_gpu *gpu, struct gt_slot *slot,
                          enum gt_way way, size_t bytes);
void gt_cuda_trim (struct gt_open_gpu *gpu);

/* cuda_launch.c */
uint64_t gt_cuda_most (const struct gt_open_gpu *gpu,
                       const struct gt_plan *plan,
                       const struct gt_problem *problem);
int gt_cuda_arrived (const struct gt_slot *slot);

/* cuda_measure.c */
int gt_cuda_kernel_resources (struct gt_open_gpu *gpu,
                              const struct gt_plan *plan,
                              const struct gt_problem *problem,
                              struct gt_resources *resources);
int gt_cuda_poison (struct gt_open_gpu *gpu, struct gt_slot *slot);
int gt_cuda_time (struct gt_open_gpu *gpu, struct gt_slot *slot,
                  const struct gt_plan *plan, const struct gt_task *task,
                  unsigned count, unsigned windows, size_t step,
                  double *seconds);

#endif
