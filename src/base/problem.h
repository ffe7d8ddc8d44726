/* What is to be computed, and with which configuration of a kernel.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROBLEM_H
#define GT_PROBLEM_H

#include <stdint.h>

#include "kernels/catalog.h"

/* What was tuned.  The operation is always "sum" so far; the place is "host"
   in a CPU's profile and "device" in a GPU's.  */
struct gt_problem
{
  enum gt_arithmetic arithmetic;
  enum gt_mode mode;
  enum gt_layout layout; /* a strided problem was measured at stride 2 */
  uint64_t n;            /* elements */
};

/* A configuration.  CPU: threads and unroll; CUDA: block, unroll and
   blocks_per_sm.  What a kernel does not tune is 1 (unroll, threads) or 0.  */
struct gt_config
{
  unsigned threads;
  unsigned block;         /* threads per block, a multiple of the warp */
  unsigned unroll;        /* 1, 2, 4, 8 or 16 */
  unsigned blocks_per_sm; /* single-pass kernels */
};

#endif
