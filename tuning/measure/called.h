/* Calls a public function as a program does, and times it: such functions have ways of their
   own for a few elements.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CALLED_H
#define GT_CALLED_H

#include "tuning/measure/candidate.h"

/* Longer vectors are always planned, and take so long that the cost of the call
   itself does not count.  */
#define GT_MOST_CALLED 4096

/* Whether a call for PROBLEM's ordinary elements on the host is computed on the spot,
   by no plan.  Nothing else may compute meanwhile.  */
int gt_called_on_the_spot (const struct gt_problem *problem);

/* The seconds of a call for PROBLEM, its elements at DATA, where plans have WINNER's
   configuration, as at_least seconds of calls tell; 0 where the problem is longer than
   GT_MOST_CALLED or no public function asks for just that.  Nothing else may compute
   meanwhile.  */
double gt_called_seconds (const struct gt_winner *winner, const void *data,
                          double at_least);

/* The same of a winner; 0 if it has no kernel.  */
int gt_winner_on_the_spot (const struct gt_winner *winner);

/* The seconds of a program's call of WINNER's problem: those of the public function where they
   were measured, else those of the kernel; 0 where that is never called.  */
double gt_winner_call (const struct gt_winner *winner);

#endif
