/* Running a subcommand in this process.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_FUZZ_COMMAND_H
#define GT_FUZZ_COMMAND_H

#include "tuning/text/cli.h"

/* Runs COMMAND with these words, of which the last is followed by a null pointer.  Returns
   its exit status.  */
int gt_fuzz_run_command (const struct gt_command *command, int argc,
                         char **argv);

#endif
