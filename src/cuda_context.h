/* An opened GPU and its slots, for the files of the CUDA backend alone.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_CONTEXT_H
#define GT_CUDA_CONTEXT_H

#include <pthread.h>
#include <stdatomic.h>

#include "src/backend_cuda.h"
#include "src/cuda_driver.h"

#define GT_MAX_KERNELS 64 /* lines of the catalogue */

#define GT_RESULT_OFFSET 128

struct gt_cuda_slot
{
  struct gt_cuda_slot *next;  /* of the spare ones */
  CUstream stream;
  CUevent begin, end;         /* for the tuner; made at first need */
  struct gt_result *result;   /* mapped host memory */
  CUdeviceptr result_address; /* the same, as the device sees it */
  uint32_t sequence;          /* of the last launch */
  CUdeviceptr ticket;         /* one 32-bit counter, zero between launches;
                                 GT_RESULT_OFFSET bytes on, a gt_result for
                                 sums that stay on the device */
  CUdeviceptr scratch;        /* partial sums */
  size_t scratch_bytes;
  void *block_sums;           /* those that the host adds; pinned memory */
  size_t block_sums_bytes;
  uint64_t pending;           /* how many the last launch sends */
  CUdeviceptr staging;        /* where host data is copied to */
};

/* Block sizes that a kernel may be compiled for: none, 64, ..., 1024.  */
#define GT_N_STATIC_BLOCKS 6

typedef _Atomic (CUfunction) gt_function_cache[GT_N_ARITHMETICS][GT_N_MODES]
                                              [GT_N_LAYOUTS][GT_N_UNROLLS]
                                              [GT_N_STATIC_BLOCKS];

struct gt_cuda
{
  const struct gt_cuda_driver *driver;
  const struct gt_device *device;
  int index;
  CUdevice cu_device;
  CUcontext context;
  _Atomic int broken;   /* the context has failed for good */
  pthread_mutex_t lock; /* guards what follows */
  struct gt_cuda_slot *spare;
  CUlibrary library[GT_MAX_KERNELS];
  gt_function_cache function[GT_MAX_KERNELS];
};

/* Makes the GPU's context current, and puts the caller's back.  */
CUresult gt_cuda_enter (struct gt_cuda *gpu);
void gt_cuda_leave (struct gt_cuda *gpu);

/* Notes STATUS, marks the GPU broken when it is an error that lasts, and
   returns it.  */
int gt_cuda_note (struct gt_cuda *gpu, CUresult status, const char *what);

/* Makes the slot's scratch hold BYTES, or its block_sums.  The context is
   current.  */
CUresult gt_cuda_reserve (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
                          uint64_t bytes);
CUresult gt_cuda_reserve_block_sums (struct gt_cuda *gpu,
                                     struct gt_cuda_slot *slot,
                                     uint64_t bytes);

#endif
