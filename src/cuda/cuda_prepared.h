/* Prepared launches, for the CUDA backend alone.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_PREPARED_H
#define GT_CUDA_PREPARED_H

#include "src/cuda/cuda_context.h"

/* The launch of a kernel, in the words of the driver's graphs.  */
typedef CUDA_KERNEL_NODE_PARAMS gt_launch;

/* Launches by cuLaunchKernel.  The context is current.  */
CUresult gt_cuda_launch_plain (struct gt_open_gpu *gpu, const gt_launch *launch,
                               CUstream stream);

/* Launches by a graph when the slot has launched the like lately.  The caller waits
   for the result before it launches again from this slot.  */
CUresult gt_cuda_launch_prepared (struct gt_open_gpu *gpu,
                                  struct gt_slot *slot,
                                  const gt_launch *launch, CUstream stream);

/* Destroys the slot's graphs.  The context is current.  */
void gt_cuda_prepared_clear (struct gt_open_gpu *gpu, struct gt_slot *slot);

#endif
