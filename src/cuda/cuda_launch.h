/* Launching kernels and awaiting them, for the CUDA backend and for the launcher
   of the ladder's rungs.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_LAUNCH_H
#define GT_CUDA_LAUNCH_H

#include "src/cuda/cuda_context.h"

/* Launches TASK with PLAN on STREAM, its result to go to the device address
   MAILBOX, a struct gt_mailbox: the slot's mapped memory if it is to be awaited.
   An exact task has no more elements than gt_cuda_most.  The context is
   current.  */
CUresult gt_cuda_launch_on (struct gt_open_gpu *gpu, struct gt_slot *slot,
                            const struct gt_plan *plan,
                            const struct gt_task *task, CUdeviceptr mailbox,
                            CUstream stream);

/* Waits for the slot's last launch, of TASK, on STREAM.  The context is
   current.  */
CUresult gt_cuda_wait (struct gt_open_gpu *gpu, struct gt_slot *slot,
                       const struct gt_task *task, CUstream stream,
                       union gt_value *value);

/* What the driver says of KERNEL and its FUNCTION, which PLAN has for PROBLEM.  The
   context is current.  */
CUresult gt_cuda_ask_resources (struct gt_open_gpu *gpu,
                                const struct gt_plan *plan,
                                const struct gt_problem *problem,
                                CUkernel kernel, CUfunction function,
                                struct gt_resources *resources);

#endif
