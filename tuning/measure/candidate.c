/* Names candidates.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/candidate.h"

#include <stdio.h>

#include "src/base/mode.h"
#include "src/base/names.h"

const char *const gt_verdict_text[GT_N_VERDICTS] = {
  [GT_KEPT] = "measured",
  [GT_PRUNED_LAUNCH] = "cannot launch: too large a block or grid",
  [GT_PRUNED_SAME] = "same launch as a simpler configuration at this length",
  [GT_PRUNED_IN_FLIGHT]
  = "under a quarter of the bytes in flight that cover the memory's latency",
  [GT_PRUNED_WAVES] = "more than two waves of blocks",
  [GT_PRUNED_UNAVAILABLE] = "not available on this GPU, driver or build"
};

const char *
gt_mode_name_for (enum gt_reduction reduction, enum gt_mode mode)
{
  return gt_mode_names[gt_reductions[reduction].modes & 1u << GT_MODE_EXACT
                         ? mode : gt_mode_of_vectors (mode)];
}

const char *
gt_mode_text (enum gt_reduction reduction, enum gt_mode mode, const char *before)
{
  static char text[32];

  if (gt_reductions[reduction].algebra == GT_ALGEBRA_ORDER)
    return "";
  snprintf (text, sizeof text, "%s%s", before, gt_mode_name_for (reduction, mode));
  return text;
}

const char *
gt_config_text (const struct gt_kernel *kernel, const struct gt_config *config)
{
  enum { SIZE = 96 };
  static char ring[8][SIZE];
  static unsigned turn;
  char *text = ring[turn++ % 8];
  int at = snprintf (text, SIZE, "%s", kernel->name);

  if (kernel->tunables & GT_TUNE_BLOCK)
    at += snprintf (text + at, SIZE - (size_t) at, " %u", config->block);
  if (kernel->tunables & GT_TUNE_UNROLL)
    at += snprintf (text + at, SIZE - (size_t) at, " u%u", config->unroll);
  if (kernel->tunables & GT_TUNE_GRID)
    at += snprintf (text + at, SIZE - (size_t) at, " %u/SM",
                    config->blocks_per_sm);
  if (kernel->tunables & GT_TUNE_THREADS)
    snprintf (text + at, SIZE - (size_t) at, ", %u thread%s", config->threads,
              config->threads == 1 ? "" : "s");
  return text;
}
