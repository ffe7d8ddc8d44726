/* Scratch memory, which the library keeps for later calls: its limit, and its release.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/base/env.h"
#include "src/cpu/threads.h"
#include "src/device/gpus.h"
#include "src/gsltune.h"

void
gsltune_set_scratch_limit (size_t bytes)
{
  gt_scratch_limit = bytes;
}

size_t
gsltune_get_scratch_limit (void)
{
  return gt_scratch_limit;
}

void
gsltune_release (void)
{
  if (gt_in_child ())
    return;
  gt_gpu_trim_all ();
  gt_team_release ();
}
