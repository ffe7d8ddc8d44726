/* Finding the best configuration of one problem.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SWEEP_H
#define GT_SWEEP_H

#include "tuning/search/space.h"
#include "tuning/search/sweep_state.h"

enum gt_sweep_status
{
  GT_SWEEP_DONE,
  GT_SWEEP_STOPPED, /* nothing to save */
  GT_SWEEP_FAILED,  /* no candidate is right, or memory is short: WHY */
  GT_SWEEP_LOST     /* the device can do nothing more, since WHY */
};

/* Measures the kept candidates of SPACE on TARGET, which holds its data, and
   fills ENTRY with the winner.  The candidates keep what was measured.  */
enum gt_sweep_status gt_sweep_run (struct gt_sweep *sweep,
                                   struct gt_target *target,
                                   struct gt_space *space,
                                   struct gt_entry *entry, char *why,
                                   size_t why_size);

#endif
