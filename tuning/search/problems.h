/* Lists the problems that follow from what a run of the tuner is asked for.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROBLEMS_H
#define GT_PROBLEMS_H

#include "src/profile/profile.h"
#include "tuning/measure/target.h"

/* How much is measured; one row for each enum gt_effort.  */
struct gt_effort_level
{
  double timing;       /* seconds that one lasts */
  unsigned room;       /* of a race */
  unsigned rounds;
  unsigned host_first, host_last, host_step; /* log2 of the lengths tuned */
  uint64_t host_bytes; /* that they span at most */
  unsigned gpu_first, gpu_last, gpu_step;
  unsigned route_last; /* log2 of the bytes of the longest vector for which
                          routes are compared */
  double time_limit;   /* seconds in all; 0: none */
};
extern const struct gt_effort_level gt_effort_levels[];

struct gt_tuner_options
{
  enum gt_effort effort;
  double time_limit;    /* seconds; 0: the effort's own; negative: none */
  uint64_t length;      /* the only one to tune; 0: those of the effort */
  unsigned reductions;  /* to tune: 1 << GT_SUM | ... */
  unsigned crossed;     /* of them, to look for the crossovers of */
  unsigned arithmetics; /* of element types, their own: 1 << GT_F64 | ... */
  unsigned modes;       /* 1 << GT_MODE_FAST | ... */
  int procedures;       /* look for what computes products of matrices */
  int host;             /* tune the host */
  uint64_t gpus;        /* 1 << its index, for each GPU to tune */
  int system_wide;      /* save for all users */
  int verbose;          /* tell of every excluded candidate */
};

/* Unless types are asked for, the signed integers represent the unsigned ones: sums are the
   same, and extremes are served by them.  */
#define GT_TUNED_ARITHMETICS                                              \
  (1u << GT_F64 | 1u << GT_F32 | 1u << GT_LDBL | 1u << GT_I64 | 1u << GT_I32 \
   | 1u << GT_I16 | 1u << GT_I8 | 1u << GT_CF64 | 1u << GT_CF32)

/* The reductions that are tuned unless others are asked for: those that serve
   others.  */
unsigned gt_tuner_leads (void);

/* All GPUs, also those that have no bit.  */
#define GT_ALL_GPUS UINT64_MAX

static inline int
gt_tuner_wants_gpu (const struct gt_tuner_options *options, int index)
{
  return index < 64 ? (int) (options->gpus >> index & 1)
                    : options->gpus == GT_ALL_GPUS;
}

/* The problems of DEVICE that OPTIONS ask for, one reduction after the other, so that a
   time limit leaves what serves the others, and of each kind the short ones first; the caller
   frees them.  CAPACITY: the most
   bytes a problem may read.  Null when memory is short.  */
struct gt_problem *gt_tuner_problems (const struct gt_device *device,
                                      const struct gt_tuner_options *options,
                                      size_t capacity, unsigned *n);

/* Returns whether OPTIONS ask for P on DEVICE.  */
int gt_tuner_asked_for (const struct gt_tuner_options *options,
                        const struct gt_device *device,
                        const struct gt_problem *p);

/* Modes are tuned in this order, the default first.  */
extern const enum gt_mode gt_tuner_modes[GT_N_MODES];

/* "int/uint fast contiguous 2^20", of others than sums "max int contiguous 2^20", in one
   of a few static buffers.  */
const char *gt_problem_text (const struct gt_problem *problem);

#endif
