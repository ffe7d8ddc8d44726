/* Launches the rungs of the ladder on a GPU.  Those that are kernels of the
   library are launched by it.  Functions that reach the driver return a CUresult
   as an int: 0 is success.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_RUNG_LAUNCH_H
#define GT_RUNG_LAUNCH_H

#include "kernels/ladder/rungs.h"
#include "src/cuda/backend_cuda.h"

/* What rungs need besides a slot: their images, loaded as they are needed, and
   scratch memory, as much as the longest sum so far took.  */
struct gt_rung_launcher;

/* Opens one for the stream of SLOT on GPU.  CUDA is the folder of a CUDA Toolkit,
   whose device runtime one rung needs; null: one is looked for.  Null when memory
   is short.  The caller closes it before the slot is released.  */
struct gt_rung_launcher *gt_rung_launcher_open (struct gt_cuda *gpu,
                                                struct gt_cuda_slot *slot,
                                                const char *cuda);
void gt_rung_launcher_close (struct gt_rung_launcher *launcher);

/* Whether this GPU and driver can run RUNG: 0, or -1 with WHY.  To be asked before
   it is used.  */
int gt_rung_available (struct gt_rung_launcher *launcher,
                       const struct gt_ladder_kernel *rung, char *why,
                       size_t size);

/* The kernel of a PLAN is one of the ladder's.  */

/* As gt_cuda_kernel_resources.  */
int gt_rung_resources (struct gt_rung_launcher *launcher,
                       const struct gt_plan *plan,
                       const struct gt_problem *problem,
                       struct gt_cuda_resources *resources);

/* Sums, after what lies between the data and the sum was filled with a pattern
   that no correct kernel leaves standing.  SUM is not finished.  */
int gt_rung_sum (struct gt_rung_launcher *launcher, const struct gt_plan *plan,
                 const struct gt_task *task, union gt_value *sum);

/* As gt_cuda_time; where the blocks' sums are the host's to add, sending them
   and adding them counts.  */
int gt_rung_time (struct gt_rung_launcher *launcher, const struct gt_plan *plan,
                  const struct gt_task *task, unsigned count, unsigned windows,
                  size_t step, double *seconds);

#endif
