/* Theoretical occupancy: how many warps of a kernel an SM holds at once, and
   what limits it.  Pure arithmetic: works for any device from numbers alone.

   Source of the rules: CUDA C++ Programming Guide, "Compute Capabilities",
   technical specifications per compute capability; and the allocation
   granularities stated in the CUDA Occupancy Calculator.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_OCCUPANCY_H
#define GT_OCCUPANCY_H

#include <stddef.h>

/* What one SM offers and in which units it hands it out.  */
struct gt_sm_limits
{
  int cc_major, cc_minor;     /* compute capability */
  int warp_size;              /* threads */
  int max_threads_per_block;
  int max_threads_per_sm;
  int max_blocks_per_sm;
  int registers_per_sm;
  int registers_per_block;
  int max_registers_per_thread;
  int register_allocation_unit;   /* registers, per warp */
  int warp_allocation_granularity; /* warps by registers come in multiples */
  size_t shared_per_sm;           /* bytes */
  size_t shared_per_block;        /* bytes a block gets without opting in */
  size_t shared_per_block_optin;  /* bytes a block can get at most */
  size_t shared_reserved_per_block; /* bytes the system takes in each block */
  size_t shared_allocation_unit;  /* bytes */
};

enum gt_limiter
{
  GT_LIMITED_BY_THREADS,   /* threads or warps per SM */
  GT_LIMITED_BY_BLOCKS,    /* blocks per SM */
  GT_LIMITED_BY_REGISTERS,
  GT_LIMITED_BY_SHARED,
  GT_CANNOT_LAUNCH         /* not even one block fits; see `why' */
};

struct gt_occupancy_request
{
  int registers_per_thread; /* 0 counts as none */
  size_t shared_per_block;  /* bytes, static plus dynamic */
  int block_size;           /* threads, need not be a multiple of a warp */
};

/* Every step on the way, so that it can be shown.  A block count of INT_MAX
   means that this resource does not limit.  */
struct gt_occupancy
{
  int warps_per_block;
  int registers_per_warp;      /* rounded up to the allocation unit */
  double warps_by_registers_exact; /* registers_per_sm / registers_per_warp */
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
  const char *why;             /* GT_CANNOT_LAUNCH: static text; else null */
};

/* Fills LIMITS for a compute capability.  Returns 0, or -1 when this version
   of gsltune does not know it (LIMITS is then untouched).  */
int gt_sm_limits_for_cc (int major, int minor, struct gt_sm_limits *limits);

/* The compute capabilities known, as a null-terminated list "5.2", ...  */
const char *const *gt_known_compute_capabilities (void);

/* For a device that reports its own limits: fills in every field that is 0
   (the allocation units, which no driver reports, and what an old driver does
   not know) from the compute capability; an unknown one is treated as the
   newest known that is not newer.  */
void gt_sm_limits_complete (struct gt_sm_limits *limits);

void gt_occupancy_compute (const struct gt_sm_limits *limits,
                           const struct gt_occupancy_request *request,
                           struct gt_occupancy *result);

/* "registers", "shared memory", "threads", "blocks", "cannot launch".  */
const char *gt_limiter_name (enum gt_limiter limiter);

#endif
