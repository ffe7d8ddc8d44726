/* By what elements are sorted, indexed and selected fastest, from which length on.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SEARCH_SORTS_H
#define GT_SEARCH_SORTS_H

#include "src/profile/profile.h"
#include "tuning/search/problems.h"

/* Measures the kinds of sorts that OPTIONS ask for and that PROFILE, if RESUMING, lacks on
   this host, GSL's functions beside ours, and puts what was found into PROFILE.  Returns whether it came to its end: STOP was not heeded, and memory was not
   short.  */
int gt_sorts_find (const struct gt_tuner_options *options, struct gt_profile *profile,
                   int resuming, int (*stop) (void));

#endif
