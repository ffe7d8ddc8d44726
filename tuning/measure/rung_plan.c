/* The geometry of rungs that are not kernels of the library.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/rung_launch.h"

#include "src/base/names.h"

#if HAVE_CUDA
extern const struct gt_rungs gt_cuda_rungs;
const struct gt_rungs *const gt_rungs = &gt_cuda_rungs;
#else
const struct gt_rungs *const gt_rungs = NULL;
#endif

/* The alignment of each pass's sums; behind_sums of kernels/ladder/ladder.cuh uses the
   same.  */
#define ALIGNMENT 256

static uint64_t
divide_up (uint64_t a, uint64_t b)
{
  return a / b + (a % b != 0);
}

uint64_t
gt_rung_next_grid (const struct gt_config *config, uint64_t grid)
{
  return divide_up (grid, (uint64_t) config->block * config->unroll);
}

uint64_t
gt_rung_sums_bytes (enum gt_arithmetic arithmetic, uint64_t grid)
{
  return divide_up (grid * gt_arithmetics[arithmetic].size, ALIGNMENT)
         * ALIGNMENT;
}

struct gt_rung_plan
gt_rung_plan (const struct gt_ladder_kernel *rung,
              const struct gt_config *config, enum gt_arithmetic arithmetic,
              uint64_t n)
{
  uint64_t tile = (uint64_t) config->block * config->unroll;
  uint64_t grid = divide_up (n, tile);
  struct gt_rung_plan plan = {.grid = grid ? grid : 1};

  if (plan.grid > GT_MAX_GRID)
    return (struct gt_rung_plan) {0};
  plan.left = plan.grid;
  plan.scratch = gt_rung_sums_bytes (arithmetic, plan.grid);
  if (rung->shape == GT_RUNG_IN_PLACE)
    plan.scratch += plan.grid * tile * gt_arithmetics[arithmetic].size;
  if (rung->shape == GT_RUNG_MULTI_PASS || rung->shape == GT_RUNG_RECURSIVE)
    while (plan.left > 1)
      {
        plan.left_at = plan.scratch;
        plan.left = gt_rung_next_grid (config, plan.left);
        plan.scratch += gt_rung_sums_bytes (arithmetic, plan.left);
      }
  return plan;
}
