/* The lengths up to which short vectors are computed without a plan: cutoffs.def.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUTOFFS_H
#define GT_KERNELS_CUTOFFS_H

#include <float.h>
#include <stdint.h>

enum
{
#define CUTOFF(id, most, ...) GT_CUTOFF_##id = (most),
#include "kernels/cutoffs.def"
#undef CUTOFF
};

/* MOST, or 0 if a long double is no more than a double, whose powers would overflow.  */
#define GT_IN_LONG_DOUBLE(most) (LDBL_MAX_EXP > DBL_MAX_EXP ? (most) : 0)

struct gt_problem;

/* Returns the way of short calls of PROBLEM on host data, which need no plan; null if there is
   none.  */
const char *gt_cutoff_way (const struct gt_problem *problem);

#endif
