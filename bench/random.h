/* Random problems: drawn, measured beside their peers, and judged.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BENCH_RANDOM_H
#define GT_BENCH_RANDOM_H

#include "bench/output.h"

struct gt_random_options
{
  unsigned count, first; /* problems, and the number of the first */
  uint64_t seed;
  const char *only; /* a regular expression that a problem's text matches, or null: all */
  int draws;        /* print the problems and measure nothing */
  int checks;       /* a miss is a failure */
  int as_json;
};

/* Measures and prints.  MACHINE is an object for JSON, which this frees.  Returns an exit
   status.  */
int gt_random_bench (const struct gt_random_options *options, json_t *machine);

/* Measures the problems that the parent of this process asks for, until it ends.  */
int gt_random_serve (void);
#define GT_RANDOM_SERVES "--serve"

#endif
