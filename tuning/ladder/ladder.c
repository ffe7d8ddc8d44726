/* The reduction ladder: tunes each rung separately and sums with the winner.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/ladder/ladder.h"

#include <stdio.h>
#include <string.h>

#include "src/device/backend.h"
#include "src/profile/profile_private.h"
#include "tuning/search/question.h"

/* An in-place copy may take this fraction (one part in so many) of the memory that the two
   sets of data leave free.  */
#define SCRATCH_SHARE 2

static int
load (struct gt_ladder *ladder, struct gt_target *target, enum gt_data_kind kind)
{
  uint64_t bytes = gt_problem_span (&ladder->problem);

  if (bytes <= target->ops->capacity (target))
    return gt_target_fill (target, kind, ladder->problem.arithmetic, bytes);
  return gt_profile_fail (target->why, sizeof target->why,
                          "%ju elements do not fit into its free memory: give a"
                          " smaller -n", (uintmax_t) ladder->problem.n);
}

int
gt_ladder_open (struct gt_ladder *ladder, int index,
                enum gt_arithmetic arithmetic, uint64_t n,
                enum gt_effort effort, const char *toolkit)
{
  *ladder = (struct gt_ladder) {
    .problem = {GT_SUM, arithmetic, GT_MODE_FAST, GT_CONTIGUOUS, n},
    .effort = effort
  };
  if (gt_target_gpu (&ladder->gpu, index))
    return -1;
  ladder->gpu.launcher
    = gt_rungs->open (ladder->gpu.gpu, ladder->gpu.slot, toolkit);
  ladder->uniform = ladder->gpu; /* shares its stream */
  if (ladder->gpu.launcher == NULL)
    snprintf (ladder->gpu.why, sizeof ladder->gpu.why, "memory is short");
  else if (load (ladder, &ladder->gpu, GT_DATA_WHOLE) == 0)
    {
      if (load (ladder, &ladder->uniform, GT_DATA_UNIFORM) == 0)
        return 0;
      memcpy (ladder->gpu.why, ladder->uniform.why, sizeof ladder->gpu.why);
    }
  gt_ladder_close (ladder);
  return -1;
}

void
gt_ladder_close (struct gt_ladder *ladder)
{
  ladder->uniform.slot = NULL; /* the slot belongs to the other target */
  gt_target_close (&ladder->uniform);
  gt_rungs->close (ladder->gpu.launcher);
  gt_target_close (&ladder->gpu);
}

static int
sum_uniform (struct gt_ladder *ladder, const struct gt_candidate *candidate,
             union gt_value *sum)
{
  struct gt_task task
    = {.problem = ladder->problem, .x = {ladder->uniform.buffer, 1}};

  return ladder->uniform.ops->compute (&ladder->uniform, candidate, &task, sum);
}

static int
list_space (const struct gt_ladder *ladder,
            const struct gt_ladder_kernel *kernel, struct gt_space *space)
{
  size_t free_bytes = 0, total;

  gt_gpus->memory (ladder->gpu.gpu, &free_bytes, &total);
  return gt_space_init_rung (space, &ladder->problem, ladder->gpu.device,
                             ladder->gpu.gpu, ladder->gpu.launcher, kernel,
                             free_bytes / SCRATCH_SHARE);
}

int
gt_ladder_measure (struct gt_ladder *ladder,
                   const struct gt_ladder_kernel *kernel, struct gt_rung *rung)
{
  *rung = (struct gt_rung) {.kernel = kernel};
  if (list_space (ladder, kernel, &rung->space))
    return gt_profile_fail (rung->why, sizeof rung->why,
                            "memory is short, or the GPU has failed");
  if (gt_space_count (&rung->space, GT_KEPT) == 0)
    {
      const struct gt_candidate *first = &rung->space.candidate[0];

      snprintf (rung->why, sizeof rung->why, "%s",
                first->verdict == GT_PRUNED_UNAVAILABLE
                  ? first->why : gt_verdict_text[first->verdict]);
      return 0;
    }
  rung->winner = gt_space_search (ladder->effort, &ladder->gpu, &rung->space);
  if (rung->winner == NULL)
    {
      memcpy (rung->why, ladder->gpu.why, sizeof rung->why);
      return ladder->gpu.ops->lost (&ladder->gpu) ? -1 : 0;
    }
  if (sum_uniform (ladder, rung->winner, &rung->sum))
    return gt_profile_fail (rung->why, sizeof rung->why, "%s",
                            ladder->uniform.why);
  rung->error = gt_data_error (&ladder->uniform.data, ladder->problem.n,
                               &rung->sum);
  return 0;
}
