/* Statistics of long doubles in exact mode.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_WIDE_H
#define GT_KERNELS_CPU_WIDE_H

#include "kernels/cpu/finish/comoments.h"
#include "kernels/cpu/wide/products.h"
#include "kernels/task.h"

/* Of N elements of X, or of X and Y, which are long doubles: the same as of
   doubles (kernels/cpu/finish/finish.h), infinities and NaN, none and one included,
   rounded once to double.  The data is read once, but three times for a
   correlation.  One element after the other, so slow; they take up to 60 KiB of
   the heap, or where that is short of the stack: nothing fails.  */
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
