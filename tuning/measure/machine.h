/* Whether a machine is fit for tuning: what disturbs timings, or makes the winners of
   today those of today alone.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MACHINE_H
#define GT_MACHINE_H

#include <stddef.h>

#include "src/device/device.h"

enum gt_fitness
{
  GT_FITNESS_GOOD,    /* nothing to do */
  GT_FITNESS_NOTE,    /* worth knowing; timings may still be right */
  GT_FITNESS_CARE,    /* winners are likely to be wrong: follow the advice */
  GT_FITNESS_UNKNOWN, /* the machine does not tell */
  GT_N_FITNESS
};
/* "good", "note", "care", "unknown".  */
const char *gt_fitness_name (enum gt_fitness fitness);

struct gt_finding
{
  const char *subject;  /* "frequency governor" */
  enum gt_fitness fitness;
  char found[160];      /* what the machine tells, or why it does not */
  const char *advice;   /* what to do, a sentence; null: nothing */
};

/* Fills FINDING, except its subject, and leaves ADVICE out where there is nothing to
   do.  Returns FITNESS.  */
enum gt_fitness gt_machine_tell (struct gt_finding *finding,
                                 enum gt_fitness fitness, const char *advice,
                                 const char *format, ...)
  __attribute__ ((format (printf, 4, 5)));

#define GT_MOST_FINDINGS 16

/* Judges the host by /proc and /sys.  ROOT is put before every path: "" but for tests.
   Returns how many of FINDINGS were filled.  */
size_t gt_machine_host (const char *root, const struct gt_host *host,
                        struct gt_finding findings[GT_MOST_FINDINGS]);

/* Whether half of HOST's threads or more were busy in the last minute.  Call it before
   anything is measured, or this process's own work counts.  0 where the machine does
   not tell.  */
int gt_machine_busy (const char *root, const struct gt_host *host);

/* Judges GPU by nvidia-smi, which comes with the driver and is looked for in PATH.
   Returns how many of FINDINGS were filled: one, that it cannot be asked, where there is
   no nvidia-smi or it does not know the GPU.  */
size_t gt_machine_gpu (const struct gt_gpu *gpu,
                       struct gt_finding findings[GT_MOST_FINDINGS]);

#endif
