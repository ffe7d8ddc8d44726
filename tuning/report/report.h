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

/* Returns the measurements of PROFILE, which was read for DEVICE, from the file beside it, or
   PROFILE itself if there is none.  They remain valid until the next call.  */
const struct gt_profile *gt_report_findings (const struct gt_device *device,
                                             const struct gt_profile *profile);

/* Prints a row for each winner: length, configuration, time, bandwidth, share of the
   theoretical bandwidth (GPUs) or of a loading loop's (CPUs), gain over GSL and over the
   estimate.  BRIEF prints only the longest contiguous one of each operation, type and
   mode.  */
void gt_report_winners (const struct gt_device *device, const struct gt_profile *profile,
                        const struct gt_report_filter *filter, int brief);
/* Prints a row for each step of routes.  Prints nothing and returns 0 if there is none.  */
unsigned gt_report_routes (const struct gt_profile *profile,
                           const struct gt_report_filter *filter);
/* Prints a row for each kind of other calls, and returns their number.  */
unsigned gt_report_calls (const struct gt_profile *profile);
unsigned gt_count_calls (const struct gt_profile *profile);

/* Prints the steps of KIND in PROFILE, with measurements from FINDINGS, and marks the step for
   SIZE.  */
void gt_report_sequence (const struct gt_profile *profile, const struct gt_profile *findings,
                         const char *kind, uint64_t size);

/* Returns RATIO as JSON, or null if it was not measured; see gt_format_ratio.  */
json_t *gt_ratio_json (double ratio);

/* Prints the places that a search examined for profiles, and its findings.  */
void gt_report_search (const struct gt_search *search);
/* Returns the same as JSON.  */
json_t *gt_report_search_json (const struct gt_search *search);
/* Returns the steps of PROFILE, for winners with derived quantities; only those of KIND unless
   that is null.  */
json_t *gt_report_steps_json (const struct gt_device *device, const struct gt_profile *profile,
                              const struct gt_report_filter *filter, const char *kind);

#endif
