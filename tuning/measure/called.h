/* Calls a public function like a program, and times it: these functions compute a few elements
   without a plan.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CALLED_H
#define GT_CALLED_H

#include "tuning/measure/candidate.h"
#include "tuning/measure/listed.h"

/* Calls of FUNCTION, which is that of GSL or of gsltune in LISTED.  */
struct gt_calls_by_address
{
  const struct gt_listed *listed;
  void *function;
  struct gt_operands operands;
};

/* Makes COUNT of the calls at CLOSURE.  */
void gt_call_by_address (void *closure, unsigned count);

/* Longer vectors always have a plan, and the cost of the call itself is negligible.  */
#define GT_MOST_CALLED 4096

/* Returns whether a call for PROBLEM's ordinary elements on the host is computed without a
   plan.  No other thread may compute meanwhile.  */
int gt_called_on_the_spot (const struct gt_problem *problem);

/* Returns the seconds of a call for PROBLEM, whose elements are at DATA, with a plan that has
   WINNER's configuration, measured over AT_LEAST seconds.  Returns 0 if the problem is longer
   than GT_MOST_CALLED or no public function computes exactly it.  No other thread may compute
   meanwhile.  */
double gt_called_seconds (const struct gt_winner *winner, const void *data,
                          double at_least);

/* Returns the seconds of GSL's function for PROBLEM's elements at DATA: the median of three
   timings, each of at least AT_LEAST seconds; 0 if GSL has no such function.  */
double gt_time_gsl (const struct gt_problem *problem, const void *data, double at_least);

/* Returns the same for a winner; 0 if it has no kernel.  */
int gt_winner_on_the_spot (const struct gt_winner *winner);

/* Returns the seconds of a program's call of WINNER's problem: those of the public function if
   they were measured, otherwise those of the kernel; 0 if it is never called.  */
double gt_winner_call (const struct gt_winner *winner);

#endif
