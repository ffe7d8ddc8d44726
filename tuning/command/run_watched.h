/* A program that is watched: gsltune run --count and --report.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_RUN_WATCHED_H
#define GT_RUN_WATCHED_H

#include <stdio.h>

/* What env, nice and nohup exit with.  */
enum
{
  GT_EXIT_CANNOT_RUN = 126,
  GT_EXIT_NOT_FOUND = 127
};

struct gt_watched
{
  char **program;     /* its words, null at the end */
  const char *object; /* the path of what is preloaded */
  int is_report;      /* ours are called, not GSL's */
  FILE *json;         /* or null */
  const char *json_path;
};

/* Runs the program, waits for it, and prints the report on standard error.  Returns the
   exit status of the program; if a signal ended that, the same signal ends this process.
   All but the program's start is prepared: the environment is set.  */
int gt_run_watched (const struct gt_watched *watched);

#endif
