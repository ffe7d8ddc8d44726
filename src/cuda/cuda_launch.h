/* Launching kernels, awaiting, reading and measuring them, for the CUDA backend and for the
   launcher of the ladder's rungs.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_LAUNCH_H
#define GT_CUDA_LAUNCH_H

#include "src/cuda/cuda_context.h"

/* The kernel that PLAN has for PROBLEM, and its function.  LOADED is the library of its
   image, null before the first time.  The context is current.  */
CUresult gt_cuda_find (struct gt_open_gpu *gpu, const struct gt_plan *plan,
                       const struct gt_problem *problem, CUlibrary *loaded,
                       CUkernel *kernel, CUfunction *function);

/* The function of one of the library's kernels, to be launched.  The context is
   current.  */
CUresult gt_cuda_function (struct gt_open_gpu *gpu, const struct gt_plan *plan,
                           const struct gt_problem *problem,
                           CUfunction *function);

/* The same, found anew, in whatever context is current.  */
CUresult gt_cuda_function_anew (struct gt_open_gpu *gpu,
                                const struct gt_plan *plan,
                                const struct gt_problem *problem,
                                CUfunction *function);

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

/* Asks the driver what KERNEL and its FUNCTION take, which PLAN has for PROBLEM.  The
   context is current.  */
CUresult gt_cuda_ask_resources (struct gt_open_gpu *gpu,
                                const struct gt_plan *plan,
                                const struct gt_problem *problem,
                                CUkernel kernel, CUfunction function,
                                struct gt_resources *resources);

/* Seconds on the device from the first of COUNT launches to the end of the last, of
   which LAUNCH puts number k into the slot's stream.  The context is current.  */
CUresult gt_cuda_time_launches (struct gt_open_gpu *gpu, struct gt_slot *slot,
                                CUresult (*launch) (void *closure, unsigned k),
                                void *closure, unsigned count,
                                double *seconds);

/* How the entry points of MAX, or of MINMAX, compare the elements of PROBLEM, in the host's
   terms (src/cuda/cuda_take.c).  Of a problem of other reductions FLIP alone is set, where
   integers have a sign.  */
struct gt_order gt_order_of (const struct gt_problem *problem);

/* Reads what a launch of TASK, not in exact mode, has delivered.  */
void gt_cuda_take (const struct gt_task *task,
                   const union gt_partial *delivered, union gt_value *value);

/* Reads the accumulators of an exact value.  */
enum gt_taken
{
  GT_TAKEN,
  GT_TAKEN_GAVE_UP, /* the kernel has */
  GT_TAKEN_NO_SUM   /* no sum has such words: something has gone wrong */
};
enum gt_taken gt_cuda_take_exact (const struct gt_problem *problem,
                                  const int64_t *delivered,
                                  union gt_value *value);

#endif
