/* Error and speed of the ways to sum doubles, side by side.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_ACCURACY_H
#define GT_ACCURACY_H

#include <stddef.h>

/* Sums N doubles of several kinds in all ways, and prints the errors, in units
   in the last place of the correctly rounded sum, and the times: a table, or
   JSON.  Returns an exit status.  */
int gt_accuracy (size_t n, int json);

#endif
