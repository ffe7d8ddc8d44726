/* What the stages of a sweep share.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/sweep_state.h"

#include <stdlib.h>

const struct gt_effort_level gt_effort_levels[] = {
  [GT_EFFORT_QUICK] = {5e-5, 2e-4, 4, 5, 8, 6, 22, 4, 10, 26, 4, 27, 8},
  [GT_EFFORT_NORMAL] = {2e-4, 5e-4, 12, 9, 40, 4, 24, 2, 10, 28, 2, 31, 0},
  [GT_EFFORT_THOROUGH] = {1e-3, 2e-3, 16, 11, 50, 2, 26, 1, 8, 30, 1, 32, 0},
  [GT_EFFORT_EXHAUSTIVE]
  = {1e-3, 2e-3, 12, 11, 50, 12, 24, 4, 14, 30, 4, 32, 0}
};

void
gt_sweep_clear (struct gt_sweep *sweep)
{
  free (sweep->verified);
  free (sweep->verified_as);
  sweep->verified = NULL;
  sweep->verified_as = NULL;
  sweep->n_verified = sweep->room = 0;
}

void
gt_sweep_exclude (struct gt_sweep *sweep, struct gt_candidate *c)
{
  c->failed = 1;
  sweep->last_failed = c;
}

int
gt_sweep_over (const struct gt_sweep *sweep, const struct gt_target *target)
{
  return sweep->stop () || target->ops->lost (target);
}
