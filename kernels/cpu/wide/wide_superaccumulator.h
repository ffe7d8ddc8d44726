/* Superaccumulators on the CPU: arrays of numbers, and long double.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_WIDE_SUPERACCUMULATOR_H
#define GT_KERNELS_CPU_WIDE_SUPERACCUMULATOR_H

#include <stddef.h>

#include "kernels/superaccumulator.h"

/* Adds the N elements x[i * stride].  */
void gt_super_add_array_f64 (struct gt_superaccumulator *acc, const double *x,
                             size_t n, size_t stride);

/* A superaccumulator of the range of IEEE 754's binary128, which is that of
   x87's numbers too and includes all others: the value is the sum over i of
   word[i] * 2^(32 i - 16498).  The largest is less than bit 32882, a sum of 2^64
   of them less than bit 32946, and the last word begins at bit 32928.  What is
   said of words and count in kernels/superaccumulator.h holds here too.  */
#define GT_WIDE_WORDS 1030
#define GT_WIDE_LOWEST (-16498)

struct gt_wide_superaccumulator
{
  int64_t word[GT_WIDE_WORDS];
  uint32_t count;
  uint32_t flags;
};

void gt_wide_add_array (struct gt_wide_superaccumulator *acc,
                        const long double *x, size_t n, size_t stride);

/* The sum, correctly rounded, as gt_super_round does.  This normalises.  */
long double gt_wide_round_long_double (struct gt_wide_superaccumulator *acc);

#endif
