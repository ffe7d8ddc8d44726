/* The subcommands; each cmd_NAME.c defines its object at the end.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_COMMANDS_H
#define GT_COMMANDS_H

#include "tuning/text/cli.h"

/* The names for --operation, except sum, in the columns of --help.  */
#define GT_OPERATIONS_HELP                                              \
  "asum, max, min, minmax,\n"                                           \
  "                     amax, dot, sumsq, total, moments, comoments,\n" \
  "                     correlation, wsum or wmoments"

extern const struct gt_command gt_cmd_tune;
extern const struct gt_command gt_cmd_show;
extern const struct gt_command gt_cmd_explain;
extern const struct gt_command gt_cmd_devices;
extern const struct gt_command gt_cmd_profile;
extern const struct gt_command gt_cmd_occupancy;
extern const struct gt_command gt_cmd_sum;
extern const struct gt_command gt_cmd_run;
extern const struct gt_command gt_cmd_bench;
extern const struct gt_command gt_cmd_ladder;
extern const struct gt_command gt_cmd_plot;
extern const struct gt_command gt_cmd_doctor;

/* The exit statuses of env, nice and nohup.  */
enum
{
  GT_EXIT_CANNOT_RUN = 126,
  GT_EXIT_NOT_FOUND = 127
};

/* Runs the program with these WORDS, waits for it, and prints the report on standard error,
   and in the file JSON unless that is null.  Returns the program's exit status; if a signal
   ended the program, the same signal ends this process.  The environment is set already;
   OBJECT is the path of the preloaded object, whose functions are called if IS_REPORT;
   otherwise GSL's are called.  */
int gt_run_watched (char **words, const char *object, int is_report,
                    const char *json);

/* Reports that PROGRAM cannot be run because exec failed with ERROR.  Returns the exit
   status.  */
int gt_cannot_run (const char *program, int error);

/* Returns the reason why no object can be preloaded into the program NAME, if its file shows
   one, or null.  */
const char *gt_run_unloadable (const char *name);

#endif
