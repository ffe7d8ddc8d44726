/* By what products of matrices are computed fastest, from which size on.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SEARCH_PROCEDURES_H
#define GT_SEARCH_PROCEDURES_H

#include "src/profile/profile.h"
#include "tuning/search/problems.h"

/* Measures the kinds of products that OPTIONS ask for and that PROFILE, if RESUMING, lacks
   on this host, GSL's function beside each engine by one and by several threads, and puts
   the results into PROFILE.  If GSL is the only engine, there is nothing to find.  Returns whether it came to its end: STOP was not heeded, and memory was
   not short.  */
int gt_procedures_find (const struct gt_tuner_options *options,
                        struct gt_profile *profile, int resuming, int (*stop) (void));

#endif
