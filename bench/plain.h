/* The speed of a plain loop over vectors of the machine's width, which is the
   limit of fast sums.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BENCH_PLAIN_H
#define GT_BENCH_PLAIN_H

#include "kernels/types.h"

/* The sum of contiguous elements by one thread, a function as GSL's of vectors of F64,
   F32 or U32 (int) are: the loop for the instruction set that the library uses,
   gt_isa ().  */
void *gt_plain_sum (enum gt_arithmetic arithmetic);

#endif
