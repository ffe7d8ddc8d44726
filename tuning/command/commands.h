/* The subcommands; each cmd_NAME.c ends with its object.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_COMMANDS_H
#define GT_COMMANDS_H

#include "tuning/text/cli.h"

/* What --operation names, but for sum, in the columns of --help.  */
#define GT_OPERATIONS_HELP                                              \
  "asum, max, min, minmax,\n"                                           \
  "                     amax, dot, sumsq, total, moments, comoments,\n" \
  "                     correlation, lag1, absdev, skew, kurtosis,\n"   \
  "                     wsum, wmoments, wabsdev, wskew or wkurtosis"

extern const struct gt_command gt_cmd_tune;
extern const struct gt_command gt_cmd_show;
extern const struct gt_command gt_cmd_explain;
extern const struct gt_command gt_cmd_devices;
extern const struct gt_command gt_cmd_profile;
extern const struct gt_command gt_cmd_occupancy;
extern const struct gt_command gt_cmd_sum;
extern const struct gt_command gt_cmd_stats;
extern const struct gt_command gt_cmd_run;
extern const struct gt_command gt_cmd_bench;
extern const struct gt_command gt_cmd_ladder;
extern const struct gt_command gt_cmd_plot;
extern const struct gt_command gt_cmd_doctor;

#endif
