/* What a run of the tuner was good for, in a few lines.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_OUTCOME_H
#define GT_OUTCOME_H

#include "src/profile/profile.h"

/* How fast a sum has become, of doubles in exact mode where these were tuned, else of
   what comes first; in how many problems tuning gained; and of a host whose routes were
   measured, when a GPU takes part.  */
void gt_report_outcome (const struct gt_device *device,
                        const struct gt_profile *profile);

#endif
