/* Launches and measures kernels and reads their results, for the CUDA backend and for the
   program that launches the ladder's rungs.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_LAUNCH_H
#define GT_CUDA_LAUNCH_H

#include "src/cuda/cuda_context.h"

/* Finds PLAN's kernel for PROBLEM, and its function.  LOADED is the library of its image, null
   before the first use.  The context is current.  */
CUresult gt_cuda_find (struct gt_open_gpu *gpu, const struct gt_plan *plan,
                       const struct gt_problem *problem, CUlibrary *loaded,
                       CUkernel *kernel, CUfunction *function);

/* Finds the function of one of the library's kernels, ready to be launched.  The context is
   current.  */
CUresult gt_cuda_function (struct gt_open_gpu *gpu, const struct gt_plan *plan,
                           const struct gt_problem *problem,
                           CUfunction *function);

/* Does the same without the cache, in the current context, which need not be the primary
   one.  */
CUresult gt_cuda_function_anew (struct gt_open_gpu *gpu,
                                const struct gt_plan *plan,
                                const struct gt_problem *problem,
                                CUfunction *function);

/* Launches TASK with PLAN on STREAM.  The result is written to the device address MAILBOX, a
   struct gt_mailbox: the slot's mapped memory if the host waits for it.  An exact task has at
   most gt_cuda_most elements.  The context is current.  */
CUresult gt_cuda_launch_on (struct gt_open_gpu *gpu, struct gt_slot *slot,
                            const struct gt_plan *plan,
                            const struct gt_task *task, CUdeviceptr mailbox,
                            CUstream stream);

/* Waits for the slot's last launch, of TASK, on STREAM.  The context is
   current.  */
CUresult gt_cuda_wait (struct gt_open_gpu *gpu, struct gt_slot *slot,
                       const struct gt_task *task, CUstream stream,
                       union gt_value *value);

/* Asks the driver for the resources of KERNEL and its FUNCTION, which are PLAN's for PROBLEM.
   The context is current.  */
CUresult gt_cuda_ask_resources (struct gt_open_gpu *gpu,
                                const struct gt_plan *plan,
                                const struct gt_problem *problem,
                                CUkernel kernel, CUfunction function,
                                struct gt_resources *resources);

/* Measures the seconds on the device from the beginning of the first of COUNT launches to the
   end of the last.  LAUNCH puts number k into the slot's stream.  The context is current.  */
CUresult gt_cuda_time_launches (struct gt_open_gpu *gpu, struct gt_slot *slot,
                                CUresult (*launch) (void *closure, unsigned k),
                                void *closure, unsigned count,
                                double *seconds);

/* Returns the order in which the entry points of MAX or MINMAX compare the elements of PROBLEM
   (src/cuda/cuda_take.c).  For other reductions only FLIP is set, for signed integers.  */
struct gt_order gt_order_of (const struct gt_problem *problem);

/* Reads the result of a launch of TASK that is not in exact mode.  */
void gt_cuda_take (const struct gt_task *task,
                   const union gt_partial *delivered, union gt_value *value);

/* Reads the accumulators of an exact value.  */
enum gt_taken
{
  GT_TAKEN,
  GT_TAKEN_GAVE_UP, /* the kernel gave up */
  GT_TAKEN_NO_SUM   /* no sum has such words: there was an error */
};
enum gt_taken gt_cuda_take_exact (const struct gt_problem *problem,
                                  const int64_t *delivered,
                                  union gt_value *value);

#endif
