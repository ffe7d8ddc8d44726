/* Calls of kernels that are no rows of the catalogue.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_ORDER_H
#define GT_CUDA_ORDER_H

#include "src/cuda/cuda_context.h"

/* One call under way.  The context is current.  */
struct gt_ordering
{
  struct gt_open_gpu *gpu;
  struct gt_slot *slot;
  CUstream on;
  int elsewhere;        /* the context is not the primary one */
  CUdeviceptr scratch;  /* memory that was taken for this call alone, or 0 */
  CUdeviceptr given;    /* the user's, instead of it, or 0 */
  struct gt_kernel_args args;
};

/* Takes a slot, and enters the context.  What is begun is ended, whatever STATUS is; WHAT says
   what failed.  */
CUresult gt_cuda_order_begin (struct gt_open_gpu *gpu, void *stream, struct gt_ordering *o);
int gt_cuda_order_end (struct gt_ordering *o, CUresult status, const char *what);

/* BYTES on the device: the slot's, up to the limit of scratch memory, else memory that is given
   back when the call ends.  */
CUresult gt_cuda_order_room (struct gt_ordering *o, size_t bytes, uintptr_t *room);

/* The entry point KIND for elements of the type AT (enum gt_lines_type, else 0), in the current context, the primary one or another.  */
CUresult gt_cuda_named (struct gt_open_gpu *gpu, enum gt_named kind, unsigned at,
                        int is_primary, CUfunction *function);

/* Launches an entry point, KIND for elements of the type AT, with the arguments of O.  */
CUresult gt_cuda_order_launch (struct gt_ordering *o, enum gt_named kind, unsigned at,
                               uint64_t grid, unsigned block);

/* The blocks of a grid for N elements, EACH at a time, which goes round where the GPU cannot have
   all of them at once.  */
uint64_t gt_cuda_order_grid (const struct gt_ordering *o, uint64_t n, uint64_t each);

/* Before a launch that tells words, and after it: takes COUNT of them.  Those of one BLOCK are
   watched for, others have all come when the stream's work ends.  */
void gt_cuda_order_ask (struct gt_ordering *o);
CUresult gt_cuda_order_await (struct gt_ordering *o, int block, unsigned count, uint32_t *word);

/* Puts what computes LINES into STREAM (src/cuda/cuda_lines.c), of the current context, with so
   many bytes that are GIVEN, or 0: from the stream's own pool.  */
CUresult gt_cuda_keep_lines (struct gt_open_gpu *gpu, CUstream stream, int is_primary,
                             const struct gt_device_lines *lines, CUdeviceptr given);
size_t gt_cuda_lines_bytes (const struct gt_open_gpu *gpu);

#endif
