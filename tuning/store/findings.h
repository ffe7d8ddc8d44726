/* Findings of the tuner: a profile with figures, of which the profile that the library reads is made.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_FINDINGS_H
#define GT_FINDINGS_H

#include "src/profile/profile.h"
#include "tuning/measure/candidate.h"

/* Puts WINNER into FINDINGS, as the step of its kind from its length on; steps of that kind without
   figures go.  Returns 0, or -1 when memory is short.  */
int gt_findings_put (struct gt_profile *findings, const struct gt_winner *winner);

/* Makes WINNER what STEP of PROFILE, findings or not, says.  Returns whether it is the step of a
   reduction on the profile's device and names a kernel.  */
int gt_findings_winner (const struct gt_profile *profile, const struct gt_step *step,
                        struct gt_winner *winner);

/* Makes PROFILE the one that the library reads, for DEVICE.  A winner holds for the lengths to
   which its own is the nearest; where the estimate's configuration has won, the estimate serves.
   Of unfinished findings it also serves lengths that are far from all.  Like steps are one.
   Returns 0, or -1, with PROFILE clear, when memory is short.  */
int gt_findings_profile (const struct gt_profile *findings, const struct gt_device *device,
                         struct gt_profile *profile);

/* Plans DEVICE anew from FINDINGS.  When memory is short the plans stay as they are.  */
void gt_findings_adopt (const struct gt_profile *findings, const struct gt_device *device);

/* Reads the findings for DEVICE that are beside PROFILE.  */
enum gt_profile_status gt_findings_read_beside (const struct gt_profile *profile,
                                                const struct gt_device *device,
                                                struct gt_profile *findings);

/* Makes FINDINGS those of DEVICE that an earlier run left in FOLDER, and of kinds that only the
   profile there has its steps, without figures.  */
void gt_findings_take_up (const char *folder, const struct gt_device *device,
                          struct gt_profile *findings);

/* Saves FINDINGS in FOLDER, and the profile that is made of them.  As gt_profile_save.  */
int gt_findings_save (const struct gt_profile *findings, const struct gt_device *device,
                      const char *folder, int system_wide, char *why, size_t why_size);

#endif
