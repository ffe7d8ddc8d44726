/* Calls of kernels that are not in the catalogue.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_ORDER_H
#define GT_CUDA_ORDER_H

#include "src/cuda/cuda_context.h"

/* Returns N divided by BY, rounded up.  */
static inline uint64_t
gt_cuda_divided (uint64_t n, uint64_t by)
{
  return n / by + (n % by != 0);
}

/* One call in progress.  The context is current.  */
struct gt_ordering
{
  struct gt_open_gpu *gpu;
  struct gt_slot *slot;
  CUstream on;
  int elsewhere;        /* whether the context is not the primary one */
  CUdeviceptr scratch;  /* memory that was allocated for this call alone, or 0 */
  CUdeviceptr given;    /* the user's memory, used instead, or 0 */
  int launched;         /* whether a kernel has been launched */
  struct gt_kernel_args args;
};

/* Takes a slot and enters the context.  Each call must be followed by one of
   gt_cuda_order_end, for any STATUS; WHAT names the operation for error messages.  */
CUresult gt_cuda_order_begin (struct gt_open_gpu *gpu, void *stream, struct gt_ordering *o);
int gt_cuda_order_end (struct gt_ordering *o, CUresult status, const char *what);

/* Provides BYTES on the device: the slot's memory, up to the limit of scratch memory;
   otherwise memory that is freed at the end of the call.  */
CUresult gt_cuda_order_room (struct gt_ordering *o, size_t bytes, uintptr_t *room);

/* Finds the entry point KIND for elements of the type AT (enum gt_lines_type, or 0), in the
   current context, the primary one or another.  */
CUresult gt_cuda_named (struct gt_open_gpu *gpu, enum gt_named kind, unsigned at,
                        int is_primary, CUfunction *function);

/* Launches the entry point KIND for elements of the type AT with the arguments of O.  */
CUresult gt_cuda_order_launch (struct gt_ordering *o, enum gt_named kind, unsigned at,
                               uint64_t grid, unsigned block);

/* Puts the computation of LINES into STREAM (src/cuda/cuda_lines.c), which belongs to the
   current context.  GIVEN is the user's memory, or 0 to use the stream's own pool.  */
CUresult gt_cuda_keep_lines (struct gt_open_gpu *gpu, CUstream stream, int is_primary,
                             const struct gt_device_lines *lines, CUdeviceptr given);
size_t gt_cuda_lines_bytes (const struct gt_open_gpu *gpu);

#endif
