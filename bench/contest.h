/* Sums of host vectors timed in turn, so that all meet the same disturbances.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BENCH_CONTEST_H
#define GT_BENCH_CONTEST_H

#include <gsl/gsl_vector.h>

#include "bench/output.h"
#include "src/plan/plan.h"
#include "tuning/measure/listed.h"

/* The plans that a function of N elements may take: of every reduction.  */
struct gt_bench_plans
{
  struct gt_plan *plan[GT_N_REDUCTIONS];
  unsigned threads[GT_N_REDUCTIONS];
  unsigned n, most; /* threads */
};
void gt_bench_find_plans (enum gt_arithmetic arithmetic, enum gt_mode mode, size_t n,
                          struct gt_bench_plans *plans);

struct gt_contender
{
  const char *name;
  double (*sum) (const gsl_vector *v); /* of VECTOR; or null: */
  const gsl_vector *vector;
  const struct gt_listed *listed; /* FUNCTION, which is called so */
  void *function;
  const struct gt_operands *operands;
  enum gt_mode mode; /* set before each timing */
  unsigned threads;  /* that it wakes */
  const struct gt_bench_plans *alone; /* these have one thread while it is timed; or
                                         null */
  unsigned calls;    /* in a timing; at first 1 */
  double seconds;    /* of one call: first as it came, then the median */
  double best;       /* of one call: the least */
};

struct gt_schedule
{
  double sample;  /* seconds a timing lasts at least */
  double budget;  /* seconds for all of it */
  unsigned least; /* rounds, however long they last */
  unsigned most;
};

struct gt_contest
{
  int awake; /* the sum before had several threads */
};

/* One call, whose time becomes the contender's first; returns its value.  */
double gt_contest_call (struct gt_contest *contest,
                        struct gt_contender *contender);

/* Times the contenders of the N in WHICH, a set of 1 << contender, in turn.  */
void gt_contest_time (struct gt_contest *contest, struct gt_contender *contender,
                      unsigned n, unsigned which,
                      const struct gt_schedule *schedule);

#endif
