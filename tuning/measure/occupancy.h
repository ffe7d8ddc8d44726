/* Theoretical occupancy: the number of warps of a kernel that an SM holds at once, and the
   resource that limits it.  This is pure arithmetic on the numbers of any device.
   Source of the rules: CUDA C++ Programming Guide, "Compute Capabilities", technical
   specifications per compute capability; and the allocation granularities stated in the CUDA
   Occupancy Calculator.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_OCCUPANCY_H
#define GT_OCCUPANCY_H

#include "src/device/sm_limits.h"

enum gt_limiter
{
  GT_LIMITED_BY_THREADS,   /* threads or warps per SM */
  GT_LIMITED_BY_BLOCKS,    /* blocks per SM */
  GT_LIMITED_BY_REGISTERS,
  GT_LIMITED_BY_SHARED,
  GT_CANNOT_LAUNCH         /* not even one block fits; `why' has the reason */
};

struct gt_occupancy_request
{
  int registers_per_thread; /* 0 counts as none */
  size_t shared_per_block;  /* bytes, static plus dynamic */
  int block_size;           /* threads, need not be a multiple of a warp */
};

/* All intermediate results, so that they can be shown.  If a number of blocks is INT_MAX, this
   resource does not limit it.  */
struct gt_occupancy
{
  int warps_per_block;
  int registers_per_warp;      /* rounded up to the allocation unit */
  int warps_by_registers;      /* rounded down to the granularity */
  int blocks_by_registers;
  size_t shared_allocated;     /* per block, with the reserved part, rounded */
  int blocks_by_shared;
  int blocks_by_threads;
  int blocks_by_blocks;
  int active_blocks;           /* per SM */
  int active_warps;            /* per SM */
  int max_warps;               /* per SM */
  double occupancy;            /* active_warps / max_warps */
  enum gt_limiter limiter;
  const char *why;             /* GT_CANNOT_LAUNCH: a static text; otherwise null */
};

void gt_occupancy_compute (const struct gt_sm_limits *limits,
                           const struct gt_occupancy_request *request,
                           struct gt_occupancy *result);

/* Returns "registers", "shared memory", "threads", "blocks" or "cannot launch".  */
const char *gt_limiter_name (enum gt_limiter limiter);

#endif
