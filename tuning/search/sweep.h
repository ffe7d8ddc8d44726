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
  unsigned short_rounds; /* of the race, at least, where nobody else can be much faster */
  unsigned rounds;     /* and otherwise */
  unsigned most_rounds; /* and at most: GT_MOST_ROUNDS */
  unsigned host_first, host_last, host_step; /* log2 of the lengths tuned */
  uint64_t host_bytes; /* that they span at most */
  unsigned gpu_first, gpu_last, gpu_step;
  unsigned route_last; /* log2 of the bytes of the longest vector for which
                          routes are compared */
  double time_limit;   /* seconds in all; 0: none */
};
extern const struct gt_effort_level gt_effort_levels[];
#define GT_MOST_ROUNDS 64

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
  /* The sweep at hand.  */
  struct gt_target *target;
  struct gt_space *space;
  const struct gt_candidate *last_failed;
  unsigned timings;   /* of winners, in all */
  unsigned disturbed; /* of them, left out */
};
void gt_sweep_clear (struct gt_sweep *sweep);

/* Times C, at least AT_LEAST seconds long, and gives the SECONDS of one sum.  Returns 0, or
   -1: C has failed, and is excluded.  */
int gt_sweep_time (struct gt_sweep *sweep, struct gt_candidate *c,
                   double at_least, double *seconds);

/* Whether to measure no more.  */
int gt_sweep_over (const struct gt_sweep *sweep);

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

/* ------------------------------------ Which of a few candidates is the fastest: race.c */

#define GT_MOST_ENTRANTS 16
/* No pause makes a difference to sums longer than this, in seconds.  */
#define GT_NO_PAUSE 5e-3

struct gt_race
{
  struct gt_candidate *entrant[GT_MOST_ENTRANTS];
  unsigned n;
  const struct gt_candidate *chosen; /* the default; may be no entrant */
};

/* Times the entrants in rounds until the winner is certain, and then, unless
   these are all or the default has won, the winner and the default again; their `seconds' and `spread' are
   of the last rounds.  Returns the winner; null when none is sound, or the sweep is to
   stop.  */
struct gt_candidate *gt_race_run (struct gt_race *race,
                                  struct gt_sweep *sweep);

#endif
