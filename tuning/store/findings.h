/* Findings of the tuner: a profile with figures, from which the profile for the library is
   made.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_FINDINGS_H
#define GT_FINDINGS_H

#include "src/profile/profile.h"
#include "tuning/measure/candidate.h"

/* Puts WINNER into FINDINGS, as the step of its kind from its length on; removes steps of that
   kind without figures.  Returns 0, or -1 if memory is short.  */
int gt_findings_put (struct gt_profile *findings, const struct gt_winner *winner);

/* Sets WINNER to the contents of STEP of PROFILE, findings or not.  Returns whether it is the
   step of a reduction on the profile's device and names a kernel.  */
int gt_findings_winner (const struct gt_profile *profile, const struct gt_step *step,
                        struct gt_winner *winner);

/* Returns the figures of PROBLEM, if it was measured itself, or null.  */
const struct gt_measured *gt_findings_of (const struct gt_profile *findings,
                                          const struct gt_problem *problem);

/* Makes PROFILE the one that the library reads, for DEVICE.  A winner applies to the lengths
   nearest to its own; if the estimate's configuration has won, the estimate is used.  If the
   findings are incomplete, the estimate is also used for lengths that are far from all.  Equal
   consecutive steps become one.  Returns 0, or -1 with an empty PROFILE if memory is short.  */
int gt_findings_profile (const struct gt_profile *findings, const struct gt_device *device,
                         struct gt_profile *profile);

/* Plans DEVICE anew from FINDINGS.  If memory is short, the plans stay as they are.  */
void gt_findings_adopt (const struct gt_profile *findings, const struct gt_device *device);

/* Reads the findings for DEVICE that are beside PROFILE.  */
enum gt_profile_status gt_findings_read_beside (const struct gt_profile *profile,
                                                const struct gt_device *device,
                                                struct gt_profile *findings);

/* Sets FINDINGS to those of DEVICE that an earlier run left in FOLDER.  Kinds that only the
   profile there has are added without figures.  */
void gt_findings_take_up (const char *folder, const struct gt_device *device,
                          struct gt_profile *findings);

/* Saves FINDINGS in FOLDER, and the profile made from them, like gt_profile_save.  */
int gt_findings_save (const struct gt_profile *findings, const struct gt_device *device,
                      const char *folder, int system_wide, char *why, size_t why_size);

#endif
