/* Exact sums of long doubles, as a kernel.  The accumulator of their range takes
   kilobytes: it stays here, and what leaves is rounded.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <string.h>

#include "kernels/catalog.h"
#include "kernels/cpu/isa.h"
#include "kernels/cpu/superaccumulator.h"

static void
exact_ldbl (const void *data, size_t n, size_t stride, union gt_value *sum)
{
  struct gt_wide_superaccumulator acc;

  memset (&acc, 0, sizeof acc);
  gt_wide_add_array (&acc, data, n, stride);
  sum->ldbl[0] = gt_wide_round_long_double (&acc);
  sum->ldbl[1] = 0;
}

const struct gt_cpu_functions GT_FOR_ISA (gt_cpu_exact_wide) = {
  .sum = {[GT_LDBL] = {[GT_MODE_EXACT] = {[GT_CONTIGUOUS] = {exact_ldbl},
                                          [GT_STRIDED] = {exact_ldbl}}}}
};
