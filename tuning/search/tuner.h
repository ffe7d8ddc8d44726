/* A run of the tuner over devices and problems.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TUNER_H
#define GT_TUNER_H

#include "tuning/search/problems.h"

/* The outcome of tuning one device.  */
struct gt_tuned
{
  const struct gt_device *device;
  struct gt_profile findings;
  unsigned problems;       /* in all */
  unsigned done;           /* now in the findings */
  unsigned resumed;        /* of them, kept from an earlier run */
  unsigned failed;         /* problems for which no candidate works */
  unsigned excluded;       /* candidates found wrong or failing */
  int resuming;            /* the earlier run was not at its end */
  int unfinished;          /* crossovers or procedures are missing */
  int partial;             /* one length alone is tuned, without others before */
  unsigned timings;        /* of finalists */
  unsigned disturbed;      /* of them, by something else on the machine */
  char folder[4096];       /* to save in; "" when that is not possible */
  int saved;               /* there, not long before the end */
  char trouble[512];       /* why it could not be saved or tuned, or "" */
};

/* Tunes every device asked for, and where both the host and GPUs were, the
   crossovers.  TUNED has room for one host and every GPU; returns how many it
   filled, 0 after a message.  The caller clears the findings.  */
unsigned gt_tuner_run (const struct gt_tuner_options *options,
                       struct gt_tuned *tuned);

/* Whether an interrupt, or the time limit, ended a part of the run early.  */
int gt_tuner_interrupted (void);
int gt_tuner_out_of_time (void);

#endif
