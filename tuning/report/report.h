/* Profiles and runs of the tuner as tables for people and as JSON for programs.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_REPORT_H
#define GT_REPORT_H

#include <jansson.h>

#include "src/profile/profile.h"

/* The rows to show; a null filter shows all.  */
struct gt_report_filter
{
  unsigned operations; /* 1 << GT_SUM | ...; 0: all */
  int type; /* enum gt_element_type; -1: all */
  int mode; /* enum gt_mode; -1: all */
};

/* Returns the figures of PROFILE, which was read for DEVICE, from the file beside it, else PROFILE
   itself.  They stay until the next call.  */
const struct gt_profile *gt_report_findings (const struct gt_device *device,
                                             const struct gt_profile *profile);

/* Prints a row for each winner: length, configuration, time, bandwidth, share of the
   device's theoretical bandwidth (GPUs) or of what a loop reads, gain over GSL and over the
   estimate.  BRIEF leaves the longest contiguous one of each operation, type and mode.  */
void gt_report_winners (const struct gt_device *device, const struct gt_profile *profile,
                        const struct gt_report_filter *filter, int brief);
/* Prints a row for each step of routes; nothing, and returns 0, if there is none.  */
unsigned gt_report_routes (const struct gt_profile *profile,
                           const struct gt_report_filter *filter);
/* Prints a row for each kind of other calls, and returns how many there are.  */
unsigned gt_report_calls (const struct gt_profile *profile);
unsigned gt_count_calls (const struct gt_profile *profile);

/* Prints the steps of KIND in PROFILE, with figures of FINDINGS, and marks the step for SIZE.  */
void gt_report_sequence (const struct gt_profile *profile, const struct gt_profile *findings,
                         const char *kind, uint64_t size);

/* As gt_format_ratio, for programs: null where that has a dash.  */
json_t *gt_ratio_json (double ratio);

/* Where a profile was looked for.  */
json_t *gt_report_search_json (const struct gt_search *search);
/* The steps of PROFILE, of winners with what follows from their figures; of KIND alone unless that
   is null.  */
json_t *gt_report_steps_json (const struct gt_device *device, const struct gt_profile *profile,
                              const struct gt_report_filter *filter, const char *kind);

#endif
