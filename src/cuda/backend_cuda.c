/* Sums on a GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/backend_cuda.h"

#include <string.h>

#include "kernels/cpu/combine.h"
#include "src/base/fpenv.h"
#include "src/base/names.h"
#include "src/cuda/cuda_launch.h"
#include "src/cuda/geometry.h"

static CUresult
sum_launch (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
            const struct gt_cuda_problem *problem, CUstream on,
            union gt_value *sum)
{
  CUresult status = gt_cuda_launch_on (gpu, slot, problem,
                                       slot->mailbox_address, on);

  if (status == CUDA_SUCCESS)
    return gt_cuda_wait (gpu, slot, problem->arithmetic, on, sum);
  /* An earlier pass may still be writing where the next sum will.  */
  gpu->driver->cuStreamSynchronize (on);
  return status;
}

/* Gives PROBLEM the kernel that sums numbers of any range, unless that has it
   already.  */
static void
take_any_range (struct gt_cuda *gpu, struct gt_cuda_problem *problem)
{
  const struct gt_kernel *kernel;
  struct gt_config config;

  gt_any_range (gt_cuda_device_of (gpu), problem->arithmetic, &kernel,
                &config);
  if (kernel == problem->kernel)
    return;
  problem->kernel = kernel;
  problem->config = config;
}

/* Sums what PROBLEM says, on stream ON: in one launch or, if it is too long for
   that, in several, whose sums are merged.  A kernel that gives up has found data
   for another one, which takes over, and begins the next time.  */
static CUresult
sum_launches (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
              struct gt_cuda_problem problem, CUstream on, union gt_value *sum)
{
  const struct gt_cuda_problem whole = problem;
  size_t step = gt_arithmetics[problem.arithmetic].size * problem.stride;
  uint64_t left = problem.n, most;
  const char *data = problem.data;
  union gt_value of_launch, *to = sum;
  CUresult status;

  if (problem.mode == GT_MODE_EXACT && gt_ranges_wide (&gpu->ranges, &whole))
    take_any_range (gpu, &problem);
  most = gt_cuda_most (gpu, &problem);
  do
    {
      problem.data = data;
      problem.n = left < most ? left : most;
      status = sum_launch (gpu, slot, &problem, on, to);
      if (status == CUDA_SUCCESS && slot->gave_up)
        {
          gt_ranges_note (&gpu->ranges, &whole);
          take_any_range (gpu, &problem);
          status = sum_launch (gpu, slot, &problem, on, to);
        }
      if (status == CUDA_SUCCESS && to != sum)
        gt_value_merge (problem.arithmetic, problem.mode, sum, to);
      to = &of_launch;
      data += problem.n * step;
      left -= problem.n;
    }
  while (left > 0 && status == CUDA_SUCCESS);
  return status;
}

int
gt_cuda_sum (struct gt_cuda *gpu, const struct gt_cuda_problem *problem,
             void *stream, union gt_value *sum)
{
  struct gt_cuda_slot *slot;
  CUstream on;
  CUresult status;
  int failed = gt_cuda_slot_acquire (gpu, &slot);

  if (failed)
    return failed;
  on = stream == NULL ? slot->stream
       : stream == GT_CUDA_DEFAULT_STREAM ? NULL : (CUstream) stream;
  status = gt_cuda_enter (gpu);
  if (status == CUDA_SUCCESS)
    {
      status = sum_launches (gpu, slot, *problem, on, sum);
      gt_cuda_leave (gpu);
    }
  gt_cuda_slot_release (gpu, slot);
  return gt_cuda_note (gpu, status, "summing");
}
