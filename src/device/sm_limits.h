/* The resources of a GPU's SMs, by compute capability.

   Source: CUDA C++ Programming Guide, "Compute Capabilities", technical
   specifications per compute capability; and the allocation granularities stated
   in the CUDA Occupancy Calculator.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SM_LIMITS_H
#define GT_SM_LIMITS_H

#include <stddef.h>

/* The resources of one SM, and the units of their allocation.  */
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
  int warp_allocation_granularity; /* the warps that the registers permit are rounded down to a
                                      multiple of this */
  size_t shared_per_sm;           /* bytes */
  size_t shared_per_block;        /* bytes for a block that does not opt in */
  size_t shared_per_block_optin;  /* maximum of bytes for a block */
  size_t shared_reserved_per_block; /* bytes of each block for the system */
  size_t shared_allocation_unit;  /* bytes */
};

/* Fills LIMITS for a compute capability.  Returns 0, or -1 with LIMITS unchanged if this
   version of gsltune does not know it.  */
int gt_sm_limits_for_cc (int major, int minor, struct gt_sm_limits *limits);

/* Does the same for the known compute capability of number I, from 0; returns -1 if there is
   none.  */
int gt_sm_limits_known (size_t i, struct gt_sm_limits *limits);

/* Completes the limits that a device reports: fills every field that is 0 (the allocation
   units, which no driver reports, and fields that an old driver does not know) from the
   compute capability.  An unknown capability is treated as the newest known one that is not
   newer.  */
void gt_sm_limits_complete (struct gt_sm_limits *limits);

#endif
