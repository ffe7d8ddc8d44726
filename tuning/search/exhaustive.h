/* Measuring every candidate of a problem, again and again.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_EXHAUSTIVE_H
#define GT_EXHAUSTIVE_H

#include "tuning/search/sweep.h"
#include "tuning/store/measurements.h"

/* Times every candidate of SPACE that can be launched and is right, GT_REPEATS times each
   way, into TABLE, which is clear.  The candidates' `seconds' are their scores, and
   all that were timed count as kept.  Returns 0; -1 when memory is short.  Stops early
   when the sweep is to stop.  */
int gt_exhaustive_run (struct gt_sweep *sweep, struct gt_target *target,
                       struct gt_space *space, struct gt_measurements *table);

#endif
