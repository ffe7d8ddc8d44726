/* Profiles, runs of the tuner and errors of sums as tables for people and as JSON for
   programs.
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

/* A row for each entry: problem, winner, time, bandwidth, share of the
   device's theoretical bandwidth (GPUs), gain over GSL and over the default,
   and how many of how many candidates were measured.  BRIEF leaves the longest contiguous
   one of each operation, type and mode.  */
void gt_report_entries (const struct gt_device *device,
                        const struct gt_profile *profile,
                        const struct gt_report_filter *filter, int brief);
/* A row for each crossover; nothing, and 0, when there is none.  */
unsigned gt_report_crossovers (const struct gt_profile *profile,
                               const struct gt_report_filter *filter);
/* How often occupancy alone would have chosen the winner.  */
void gt_report_predictions (const struct gt_profile *profile);

/* As gt_format_ratio, for programs: null where that has a dash.  */
json_t *gt_ratio_json (double ratio);

/* Where a profile was looked for.  */
json_t *gt_report_search_json (const struct gt_search *search);
json_t *gt_report_entry_json (const struct gt_device *device,
                              const struct gt_entry *entry);
json_t *gt_report_entries_json (const struct gt_device *device,
                                const struct gt_profile *profile,
                                const struct gt_report_filter *filter);
json_t *gt_report_crossovers_json (const struct gt_profile *profile,
                                   const struct gt_report_filter *filter);

#endif
