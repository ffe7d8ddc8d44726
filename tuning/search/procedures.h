/* By what products of matrices are computed fastest, from which size on.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SEARCH_PROCEDURES_H
#define GT_SEARCH_PROCEDURES_H

#include "src/profile/profile.h"
#include "tuning/search/problems.h"

/* How many kinds of products OPTIONS ask for that PROFILE, if RESUMING, has not.  */
unsigned gt_procedures_left (const struct gt_tuner_options *options,
                             const struct gt_profile *profile, int resuming);

/* About the seconds that each takes.  */
#define GT_SECONDS_A_KIND 0.07

/* Measures them on this host, GSL's function beside each engine by one and by several
   threads, and puts what was found into PROFILE.  Where there is no engine but GSL there is
   nothing to find.  Returns whether it came to its end: STOP was not heeded, and memory was
   not short.  */
int gt_procedures_find (const struct gt_tuner_options *options,
                        struct gt_profile *profile, int resuming, int (*stop) (void));

#endif
