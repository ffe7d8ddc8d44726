/* The search space: every configuration that a problem could be solved with,
   and why some are not worth measuring.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SPACE_H
#define GT_SPACE_H

#include "src/device/backend.h"
#include "tuning/measure/candidate.h"
#include "tuning/measure/rung_launch.h"

struct gt_space
{
  struct gt_problem problem;
  double bytes_needed;     /* in flight, by Little's law; CUDA only */
  struct gt_candidate *candidate;
  unsigned n;
  unsigned chosen_default; /* index of the default configuration */
};

/* Lists the space of PROBLEM on the host (GPU null), whose threads are HOST's,
   or on GPU.  Returns 0; -1 when memory is short or the GPU does not answer.
   The default is always among the kept candidates.  */
int gt_space_init (struct gt_space *space, const struct gt_problem *problem,
                   const struct gt_device *device, struct gt_open_gpu *gpu);

/* The same for RUNG of the ladder alone, which LAUNCHER launches on GPU, to see
   all of it: nothing is ruled out for being slow, and scratch memory may be as
   large as SCRATCH bytes.  The
   default is the kept candidate that the occupancy model would choose; none may
   be left, and then the first one's verdict says why.  */
int gt_space_init_rung (struct gt_space *space,
                        const struct gt_problem *problem,
                        const struct gt_device *device, struct gt_open_gpu *gpu,
                        struct gt_rung_launcher *launcher,
                        const struct gt_ladder_kernel *rung, uint64_t scratch);

/* The kept candidate, not failed, of the highest theoretical occupancy, the
   first among ties; null when there is none.  */
const struct gt_candidate *
gt_space_model_choice (const struct gt_space *space);
void gt_space_clear (struct gt_space *space);

/* How many candidates have a verdict.  */
unsigned gt_space_count (const struct gt_space *space,
                         enum gt_verdict verdict);

#endif
