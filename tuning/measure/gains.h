/* Measures the gain of a program: GSL's functions and those that `gsltune run' uses instead,
   timed on similar data.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_GAINS_H
#define GT_GAINS_H

#include "kernels/types.h"
#include "src/preload/taken.h"

/* The functions of the object, as a program calls them.  */
struct gt_gains;

/* Loads the object at PATH that is preloaded into programs, and makes it serve all calls here
   by setting GSLTUNE_PRELOAD.  Returns null if the object, or the library that it calls,
   cannot be loaded.  */
struct gt_gains *gt_gains_open (const char *path);
void gt_gains_close (struct gt_gains *gains);

/* Seconds of a call.  */
struct gt_gain
{
  double gsl;
  double ours[GT_N_CHOSEN_MODES];
  double spread; /* (GSL's median time - GSL's best time) / `gsl', its best time */
};

/* Measures a function for about SECONDS on N elements with these strides of its operands.  For
   a product of matrices, N is the number of multiplications, and the numbers of rows and
   columns replace the strides.  If the length needs too much memory, only a part is measured,
   and both times are scaled up.  With ONLY_GSL, gsltune's functions are not measured.  Returns
   0, or -1 if it cannot be measured.  */
int gt_gain_measure (const struct gt_gains *gains, enum gt_taken_id id,
                     uint64_t n, const uint64_t stride[2], double seconds, int only_gsl,
                     struct gt_gain *gain);

#endif
