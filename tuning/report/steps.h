/* Tells people and programs what was measured of procedures (src/profile/profile.h, struct
   gt_step).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_STEPS_H
#define GT_STEPS_H

#include <jansson.h>

#include "src/profile/profile.h"

/* A line for each kind of calls: what serves from which size on.  Returns how many.  */
unsigned gt_report_steps (const struct gt_profile *profile);

/* How many kinds there are.  */
unsigned gt_count_kinds (const struct gt_profile *profile);

/* Those of one kind, a line a step, with what was measured; CHOSEN is marked.  */
void gt_report_sequence (const struct gt_step *steps, unsigned n,
                         const struct gt_step *chosen);

/* New references, to lists.  */
json_t *gt_report_steps_json (const struct gt_profile *profile);
json_t *gt_report_sequence_json (const struct gt_step *steps, unsigned n);

#endif
