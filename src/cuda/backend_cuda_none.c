/* In place of the files that reach the driver in a library built without
   CUDA: there is no GPU, so nothing but opening one is ever called.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/backend_cuda.h"

#include <stdlib.h>

#include "src/cuda/cuda_memory.h"
#include "src/cuda/cuda_place.h"

struct gt_cuda *
gt_cuda_open (int index, const char **why)
{
  (void) index;
  if (why)
    *why = "built without CUDA support";
  return NULL;
}

struct gt_cuda *
gt_cuda_chosen (const char **why)
{
  return gt_cuda_open (0, why);
}

struct gt_cuda *
gt_cuda_chosen_opened (void)
{
  return NULL;
}

struct gt_location
gt_cuda_locate (const void *data, size_t bytes)
{
  (void) data;
  (void) bytes;
  return (struct gt_location) {GT_PLACE_HOST, -1};
}

void
gt_cuda_trim_all (void)
{
}

int
gt_cuda_index_of_address (const void *address)
{
  (void) address;
  return -1;
}

/* The rest takes a GPU, and there is none to be had: reaching it is an error
   in gsltune itself.  */
#define NEVER(type, name, parameters) \
  type name parameters                \
  {                                   \
    abort ();                         \
  }
#pragma GCC diagnostic ignored "-Wunused-parameter"

NEVER (const struct gt_device *, gt_cuda_device_of, (const struct gt_cuda *gpu))
NEVER (int, gt_cuda_index_of, (const struct gt_cuda *gpu))
NEVER (const char *, gt_cuda_error, (int status))
NEVER (int, gt_cuda_usable, (const struct gt_cuda *gpu))
NEVER (int, gt_cuda_compute,
       (struct gt_cuda *gpu, const struct gt_plan *plan,
        const struct gt_task *task, void *stream, union gt_value *value))
NEVER (int, gt_cuda_begin,
       (struct gt_cuda *gpu, const struct gt_plan *plan,
        const struct gt_task *task, void *stream,
        struct gt_cuda_pending *pending))
NEVER (int, gt_cuda_end,
       (struct gt_cuda_pending *pending, union gt_value *value))
NEVER (const void *, gt_cuda_address,
       (struct gt_cuda *gpu, const void *data))
NEVER (uint64_t, gt_cuda_most,
       (const struct gt_cuda *gpu, const struct gt_plan *plan,
        const struct gt_problem *problem))
NEVER (int, gt_cuda_alloc, (struct gt_cuda *gpu, size_t bytes, void **address))
NEVER (int, gt_cuda_managed_alloc,
       (struct gt_cuda *gpu, size_t bytes, void **address))
NEVER (void, gt_cuda_free, (struct gt_cuda *gpu, void *address))
NEVER (int, gt_cuda_to_device,
       (struct gt_cuda *gpu, void *to, const void *from, size_t bytes))
NEVER (int, gt_cuda_to_host,
       (struct gt_cuda *gpu, void *to, const void *from, size_t bytes))
NEVER (int, gt_cuda_copy,
       (struct gt_cuda *gpu, void *to, const void *from, size_t bytes))
NEVER (int, gt_cuda_to_device_strided,
       (struct gt_cuda *gpu, void *to, size_t step, const void *from,
        size_t size, size_t n))
NEVER (int, gt_cuda_to_host_strided,
       (struct gt_cuda *gpu, void *to, const void *from, size_t step,
        size_t size, size_t n))
NEVER (int, gt_cuda_synchronize, (struct gt_cuda *gpu, void *stream))
NEVER (int, gt_cuda_captured, (struct gt_cuda *gpu, void *stream))
NEVER (int, gt_cuda_memory,
       (struct gt_cuda *gpu, size_t *free_bytes, size_t *total_bytes))
NEVER (int, gt_cuda_host_alloc,
       (struct gt_cuda *gpu, size_t bytes, void **address))
NEVER (void, gt_cuda_host_free, (struct gt_cuda *gpu, void *address))
NEVER (int, gt_cuda_host_register,
       (struct gt_cuda *gpu, const void *address, size_t bytes))
NEVER (int, gt_cuda_host_unregister,
       (struct gt_cuda *gpu, const void *address))
NEVER (int, gt_cuda_kernel_resources,
       (struct gt_cuda *gpu, const struct gt_plan *plan,
        const struct gt_problem *problem,
        struct gt_cuda_resources *resources))
NEVER (int, gt_cuda_slot_acquire,
       (struct gt_cuda *gpu, struct gt_cuda_slot **slot))
NEVER (void, gt_cuda_slot_release,
       (struct gt_cuda *gpu, struct gt_cuda_slot *slot))
NEVER (int, gt_cuda_launch,
       (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
        const struct gt_plan *plan, const struct gt_task *task))
NEVER (int, gt_cuda_result,
       (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
        const struct gt_task *task, union gt_value *value))
NEVER (int, gt_cuda_poison, (struct gt_cuda *gpu, struct gt_cuda_slot *slot))
NEVER (int, gt_cuda_time,
       (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
        const struct gt_plan *plan, const struct gt_task *task,
        unsigned count, unsigned windows, size_t step, double *seconds))
