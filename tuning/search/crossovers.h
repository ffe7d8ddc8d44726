/* Crossovers: looking for the routes of every type, mode and place.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CROSSOVERS_H
#define GT_CROSSOVERS_H

#include "tuning/search/problems.h"

#define GT_MOST_CROSSINGS (GT_N_REDUCTIONS * GT_N_ARITHMETICS * GT_N_MODES)

/* Lists the problems whose crossovers gt_crossovers_find will look for, and returns how
   many.  */
unsigned gt_crossovers_list (const struct gt_tuner_options *options,
                             struct gt_target *gpu, struct gt_profile *profile,
                             int resuming,
                             struct gt_problem list[GT_MOST_CROSSINGS]);

/* Finds the crossovers of the pair HOST and GPU that OPTIONS ask for, with the
   plans now in force, and puts them into PROFILE, the host's; RESUMING: but for
   those that are there.  What cannot be found is told of and left out.  Returns
   whether all were looked for.  */
int gt_crossovers_find (const struct gt_tuner_options *options,
                        struct gt_target *host, struct gt_target *gpu,
                        struct gt_profile *profile, int resuming,
                        int (*stop) (void));

#endif
