/* What a run of the tuner is asked for, and the problems that follow.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROBLEMS_H
#define GT_PROBLEMS_H

#include "src/profile/profile.h"
#include "tuning/search/sweep.h"

struct gt_tuner_options
{
  enum gt_effort effort;
  double time_limit;    /* seconds; 0: the effort's own; negative: none */
  unsigned arithmetics; /* 1 << GT_F64 | ... */
  unsigned modes;       /* 1 << GT_MODE_FAST | ... */
  int host;             /* tune the host */
  uint64_t gpus;        /* 1 << its index, for each GPU to tune */
  int system_wide;      /* save for all users */
  int verbose;          /* tell of every excluded candidate */
};

/* All GPUs, also those that have no bit.  */
#define GT_ALL_GPUS UINT64_MAX

static inline int
gt_tuner_wants_gpu (const struct gt_tuner_options *options, int index)
{
  return index < 64 ? (int) (options->gpus >> index & 1)
                    : options->gpus == GT_ALL_GPUS;
}

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

#endif
