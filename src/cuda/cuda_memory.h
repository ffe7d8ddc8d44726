/* Memory of GPUs, and memory of the host that they reach.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_MEMORY_H
#define GT_CUDA_MEMORY_H

#include <stddef.h>

#include "src/cuda/cuda_gpu.h"

/* Device memory.  */
int gt_cuda_alloc (struct gt_cuda *gpu, size_t bytes, void **address);
/* Managed memory, which the CPU reads too; freed like device memory.  */
int gt_cuda_managed_alloc (struct gt_cuda *gpu, size_t bytes,
                           void **address);
void gt_cuda_free (struct gt_cuda *gpu, void *address);
int gt_cuda_to_device (struct gt_cuda *gpu, void *to, const void *from,
                       size_t bytes);
int gt_cuda_to_host (struct gt_cuda *gpu, void *to, const void *from,
                     size_t bytes);
int gt_cuda_copy (struct gt_cuda *gpu, void *to, const void *from,
                  size_t bytes);
/* The first two of N elements of SIZE bytes that lie STEP bytes apart on the device,
   and next to each other on the host.  */
int gt_cuda_to_device_strided (struct gt_cuda *gpu, void *to, size_t step,
                               const void *from, size_t size, size_t n);
int gt_cuda_to_host_strided (struct gt_cuda *gpu, void *to, const void *from,
                             size_t step, size_t size, size_t n);
/* Waits for the work in STREAM, as given to gt_cuda_compute.  */
int gt_cuda_synchronize (struct gt_cuda *gpu, void *stream);
int gt_cuda_memory (struct gt_cuda *gpu, size_t *free_bytes,
                    size_t *total_bytes);

/* Host memory that stays where it is, "pinned", so that every GPU reads it at
   the host's address and copies it at full speed.  Allocating is not
   initialising.  Registering pins BYTES of the caller's memory, which may be
   pinned already, as a whole; unregistering takes the address that was
   registered.  In a forked child freeing does nothing.  */
int gt_cuda_host_alloc (struct gt_cuda *gpu, size_t bytes, void **address);
void gt_cuda_host_free (struct gt_cuda *gpu, void *address);
int gt_cuda_host_register (struct gt_cuda *gpu, const void *address,
                           size_t bytes);
int gt_cuda_host_unregister (struct gt_cuda *gpu, const void *address);

/* Whether STREAM, as given to gt_cuda_compute, is being captured into a graph: then
   nothing that is put into it now would run, and waiting for it would end the
   capture.  */
int gt_cuda_captured (struct gt_cuda *gpu, void *stream);

/* The index of the GPU that can read ADDRESS, or -1.  */
int gt_cuda_index_of_address (const void *address);

#endif
