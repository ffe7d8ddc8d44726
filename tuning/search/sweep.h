/* Finding the best configuration of one problem.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SWEEP_H
#define GT_SWEEP_H

#include "src/base/problem.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/target.h"
#include "tuning/search/space.h"

/* How much is measured; one row for each enum gt_effort.  */
struct gt_effort_level
{
  double brief;        /* seconds a timing of the first stage lasts */
  double longer;       /* of the race */
  unsigned entrants;   /* how many go from the first stage to the race */
  unsigned slow_entrants; /* and of sums that last milliseconds */
  unsigned rounds;     /* of the race */
  unsigned host_first, host_last, host_step; /* log2 of the lengths tuned */
  uint64_t host_bytes; /* that they span at most */
  unsigned gpu_first, gpu_last, gpu_step;
  unsigned route_last; /* log2 of the bytes of the longest vector for which
                          routes are compared */
  double time_limit;   /* seconds in all; 0: none */
};
extern const struct gt_effort_level gt_effort_levels[];

/* The state that the problems of a run of the tuner share.  */
struct gt_sweep
{
  enum gt_effort effort;
  /* Whether to stop now: an interrupt, or the time limit.  */
  int (*stop) (void);
  struct gt_verified /* at the awkward lengths */
  {
    const struct gt_kernel *kernel;
    struct gt_config config;
    struct gt_problem problem;
  } *verified;
  unsigned n_verified;
  /* How long plain loads take, by the bytes that problems span: by one thread, by all.  */
#define GT_MOST_READ 64
  struct gt_read
  {
    size_t bytes;
    double by_one, by_all;
  } read[GT_MOST_READ];
  unsigned n_read;
  /* What has won at the length before, and so is taken for the simplest; or null.  */
  const struct gt_kernel *before;
  struct gt_config before_config;
  /* The sweep at hand.  */
  struct gt_target *target;
  struct gt_space *space;
  const struct gt_candidate *last_failed;
  unsigned timings;   /* in races, in all */
  unsigned disturbed; /* of them */
};
void gt_sweep_clear (struct gt_sweep *sweep);

enum gt_sweep_status
{
  GT_SWEEP_DONE,
  GT_SWEEP_STOPPED, /* nothing to save */
  GT_SWEEP_FAILED,  /* no candidate is right, or memory is short */
  GT_SWEEP_LOST     /* the device can do nothing more */
};

/* Measures the kept candidates of SPACE on TARGET, which holds its data, and
   fills FOUND with the winner, or TARGET's `why'.  The candidates keep what was
   measured.  */
enum gt_sweep_status gt_sweep_run (struct gt_sweep *sweep,
                                   struct gt_target *target,
                                   struct gt_space *space,
                                   struct gt_winner *found);

#endif
