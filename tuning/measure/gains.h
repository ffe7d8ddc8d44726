/* Measures what a program would gain: GSL's functions and those that `gsltune run' gives it
   instead, timed on data like its own.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_GAINS_H
#define GT_GAINS_H

#include "kernels/types.h"
#include "src/preload/taken.h"

/* The functions of the object, as a program has them.  */
struct gt_gains;

/* Loads the object at PATH that programs get preloaded, which takes all calls here,
   whatever GSLTUNE_PRELOAD was: that is set.  Null if it or the library that it calls
   cannot be loaded.  */
struct gt_gains *gt_gains_open (const char *path);
void gt_gains_close (struct gt_gains *gains);

/* Seconds of a call.  */
struct gt_gain
{
  double gsl;
  double ours[GT_N_CHOSEN_MODES];
  double spread; /* the distance of GSL's median time from its best one, which GSL is, as a share
                    of that */
};

/* Measures a function on N elements of these strides of its operands, about SECONDS long;
   a product of matrices of so many multiplications, whose rows and columns take the place
   of strides.  Where the length needs too much memory, only a part is measured, and
   the times of both are scaled up.  ONLY_GSL leaves ours out.  Returns 0, or -1 if it
   cannot be measured.  */
int gt_gain_measure (const struct gt_gains *gains, enum gt_taken_id id,
                     uint64_t n, const uint64_t stride[2], double seconds, int only_gsl,
                     struct gt_gain *gain);

#endif
