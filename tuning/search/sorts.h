/* By what elements are sorted, indexed and selected fastest, from which length on.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SEARCH_SORTS_H
#define GT_SEARCH_SORTS_H

#include "src/profile/profile.h"
#include "tuning/search/problems.h"

/* How many kinds of sorts OPTIONS ask for that PROFILE, if RESUMING, has not; and about the
   seconds that each takes.  */
unsigned gt_sorts_left (const struct gt_tuner_options *options, const struct gt_profile *profile,
                        int resuming);
#define GT_SECONDS_A_SORT 0.15

/* Measures them on this host, GSL's functions beside ours, and puts what was found into
   PROFILE.  Returns whether it came to its end: STOP was not heeded, and memory was not
   short.  */
int gt_sorts_find (const struct gt_tuner_options *options, struct gt_profile *profile,
                   int resuming, int (*stop) (void));

#endif
