/* The kernel and the configuration of a computation.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CONFIGURATION_H
#define GT_CONFIGURATION_H

#include "kernels/catalog.h"
#include "kernels/task.h"

/* CPU: threads and unroll; CUDA: block, unroll and blocks_per_sm.  Parameters that a kernel
   does not have are 1 (unroll, threads) or 0.  */
struct gt_config
{
  unsigned threads;
  unsigned block;         /* threads per block, a multiple of the warp */
  unsigned unroll;        /* 1, 2, 4, 8 or 16 */
  unsigned blocks_per_sm;
};

/* The kernel and configuration that compute problems of one kind and size on one device.  */
struct gt_plan
{
  const struct gt_kernel *kernel;
  struct gt_config config;
  gt_cpu_function *function;    /* CPU kernels */
  const struct gt_step *step;   /* the profile's entry for this plan; null: the estimate */
};

#endif
