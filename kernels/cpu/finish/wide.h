/* Statistics of long doubles in exact mode.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_WIDE_H
#define GT_KERNELS_CPU_WIDE_H

#include "kernels/cpu/finish/comoments.h"
#include "kernels/cpu/wide/products.h"
#include "kernels/task.h"

/* Compute for N elements of X, or of X and Y, which are long doubles, what
   kernels/cpu/finish/finish.h does for doubles, infinities, NaN, no element and one
   element included, rounded once to double.  The data is read once, for a
   correlation three times, one element after the other, so this is slow.  It takes
   up to 60 KiB of the heap, or of the stack where the heap is short, so nothing
   fails.  */
double gt_wide_mean (struct gt_operand x, uint64_t n);
double gt_wide_spread (enum gt_spread what, struct gt_operand x,
                       struct gt_operand y, uint64_t n, const double *about);
double gt_wide_correlation (struct gt_operand x, struct gt_operand y,
                            uint64_t n);

/* The same of sums S and sums of squares Q that come from elsewhere, which are
   overwritten.  */
double gt_wide_finish_mean (struct gt_wide_superaccumulator *s, uint64_t n);
double gt_wide_finish_norm (struct gt_wide_products *q);
double gt_wide_finish_spread (enum gt_spread what,
                              const struct gt_wide_superaccumulator *s,
                              const struct gt_wide_products *q, uint64_t n);

#endif
