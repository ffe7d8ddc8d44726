/* A run of the tuner over devices and problems.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TUNER_H
#define GT_TUNER_H

#include "tuning/sweep.h"

struct gt_tuner_options
{
  enum gt_effort effort;
  double time_limit;    /* seconds; 0: the effort's own; negative: none */
  unsigned arithmetics; /* 1 << GT_F64 | ... */
  unsigned modes;       /* 1 << GT_MODE_FAST | ... */
  int host;             /* tune the host */
  int gpus;             /* tune GPUs */
  int ordinal;          /* of the GPU; -1: all */
  int system_wide;      /* save for all users */
  int verbose;          /* tell of every excluded candidate */
};

/* What became of one device.  */
struct gt_tuned
{
  const struct gt_device *device;
  struct gt_profile profile;
  unsigned problems;       /* in all */
  unsigned done;           /* now in the profile */
  unsigned resumed;        /* of them, kept from an earlier run */
  unsigned failed;         /* problems for which no candidate works */
  unsigned excluded;       /* candidates found wrong or failing */
  int resuming;            /* the earlier run was not at its end */
  int unfinished;          /* crossovers are missing */
  unsigned timings;        /* of finalists */
  unsigned disturbed;      /* of them, by something else on the machine */
  char folder[4096];       /* to save in; "" when that is not possible */
  int saved;               /* there, not long before the end */
  char trouble[512];       /* why it could not be saved or tuned, or "" */
};

/* The problems of DEVICE that OPTIONS ask for, short ones first, so that a time
   limit leaves something useful; the caller frees them.  CAPACITY: the most
   bytes a problem may read.  Null when memory is short.  */
struct gt_problem *gt_tuner_problems (const struct gt_device *device,
                                      const struct gt_tuner_options *options,
                                      size_t capacity, unsigned *n);

/* Whether OPTIONS ask for P on DEVICE.  */
int gt_tuner_asked_for (const struct gt_tuner_options *options,
                        const struct gt_device *device,
                        const struct gt_problem *p);

/* The order in which modes are tuned: the default comes first.  */
extern const enum gt_mode gt_tuner_modes[GT_N_MODES];

/* "int/uint fast contiguous 2^20" */
void gt_problem_text (const struct gt_problem *problem, char *text,
                      size_t size);

/* Tunes every device asked for, and where both the host and GPUs were, the
   crossovers.  TUNED has room for one host and every GPU; returns how many it
   filled, 0 after a message.  The caller clears the profiles.  */
unsigned gt_tuner_run (const struct gt_tuner_options *options,
                       struct gt_tuned *tuned);

/* Whether an interrupt, or the time limit, ended a part of the run early.  */
int gt_tuner_interrupted (void);
int gt_tuner_out_of_time (void);

#endif
