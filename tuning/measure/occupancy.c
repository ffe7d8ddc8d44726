/* Theoretical occupancy.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/occupancy.h"

#include <limits.h>

static size_t
round_up (size_t value, size_t unit)
{
  return (value + unit - 1) / unit * unit;
}

/* The register file is divided among the SM's sub-partitions, and a warp is in one of them;
   therefore warps are counted in multiples.  */
static int
warps_in (int registers, int registers_per_warp, int granularity)
{
  return registers / registers_per_warp / granularity * granularity;
}

static void
count_by_registers (const struct gt_sm_limits *limits, int registers,
                    struct gt_occupancy *result)
{
  int granularity = limits->warp_allocation_granularity;
  int per_warp = (int) round_up ((size_t) registers * limits->warp_size,
                                 limits->register_allocation_unit);
  int of_block;

  result->registers_per_warp = per_warp;
  if (registers == 0)
    {
      result->warps_by_registers = result->max_warps;
      result->blocks_by_registers = INT_MAX;
      return;
    }
  result->warps_by_registers = warps_in (limits->registers_per_sm, per_warp,
                                         granularity);
  result->blocks_by_registers = result->warps_by_registers
                                / result->warps_per_block;

  /* GP100 has two sub-partitions, the other Pascal GPUs four.  A block that would not fit on
     those is refused on all, because one binary is for all of them.  */
  if (limits->cc_major == 6 && limits->cc_minor == 0 && granularity < 4)
    granularity = 4;
  of_block = warps_in (limits->registers_per_block, per_warp, granularity);
  if (result->warps_per_block > of_block)
    result->blocks_by_registers = 0;
}

static void
count_by_shared (const struct gt_sm_limits *limits, size_t shared,
                 struct gt_occupancy *result)
{
  if (shared > limits->shared_per_block_optin)
    {
      result->shared_allocated = shared;
      result->blocks_by_shared = 0;
      return;
    }
  result->shared_allocated
    = round_up (shared + limits->shared_reserved_per_block,
                limits->shared_allocation_unit);
  result->blocks_by_shared
    = result->shared_allocated == 0
        ? INT_MAX
        : (int) (limits->shared_per_sm / result->shared_allocated);
}

/* Returns null if the request itself is within the limits of one block.  */
static const char *
refuse (const struct gt_sm_limits *limits,
        const struct gt_occupancy_request *request)
{
  if (request->block_size < 1)
    return "a block has at least one thread";
  if (request->block_size > limits->max_threads_per_block)
    return "more threads than a block may have";
  if (request->registers_per_thread < 0)
    return "a negative number of registers";
  if (request->registers_per_thread > limits->max_registers_per_thread)
    return "more registers than a thread may have";
  return NULL;
}

/* If several are equal, the first is named: a full SM is limited by its threads.  */
static void
take_smallest (struct gt_occupancy *result)
{
  const int blocks[] = {
    [GT_LIMITED_BY_THREADS] = result->blocks_by_threads,
    [GT_LIMITED_BY_BLOCKS] = result->blocks_by_blocks,
    [GT_LIMITED_BY_REGISTERS] = result->blocks_by_registers,
    [GT_LIMITED_BY_SHARED] = result->blocks_by_shared,
  };
  static const char *const too_much[] = {
    [GT_LIMITED_BY_THREADS] = "the block has more threads than an SM holds",
    [GT_LIMITED_BY_BLOCKS] = "the SM holds no blocks",
    [GT_LIMITED_BY_REGISTERS]
    = "one block needs more registers than there are",
    [GT_LIMITED_BY_SHARED]
    = "one block needs more shared memory than it can get",
  };
  enum gt_limiter limiter = GT_LIMITED_BY_THREADS;

  for (int i = GT_LIMITED_BY_BLOCKS; i <= GT_LIMITED_BY_SHARED; i++)
    if (blocks[i] < blocks[limiter])
      limiter = (enum gt_limiter) i;
  result->active_blocks = blocks[limiter];
  result->limiter = limiter;
  if (result->active_blocks == 0)
    {
      result->limiter = GT_CANNOT_LAUNCH;
      result->why = too_much[limiter];
    }
}

void
gt_occupancy_compute (const struct gt_sm_limits *limits,
                      const struct gt_occupancy_request *request,
                      struct gt_occupancy *result)
{
  *result = (struct gt_occupancy){
    .max_warps = limits->max_threads_per_sm / limits->warp_size,
    .limiter = GT_CANNOT_LAUNCH,
    .why = refuse (limits, request),
  };
  if (result->why != NULL)
    return;

  result->warps_per_block = (request->block_size - 1) / limits->warp_size + 1;
  count_by_registers (limits, request->registers_per_thread, result);
  count_by_shared (limits, request->shared_per_block, result);
  result->blocks_by_threads = result->max_warps / result->warps_per_block;
  result->blocks_by_blocks = limits->max_blocks_per_sm;
  take_smallest (result);
  result->active_warps = result->active_blocks * result->warps_per_block;
  result->occupancy = (double) result->active_warps / result->max_warps;
}

const char *
gt_limiter_name (enum gt_limiter limiter)
{
  static const char *const names[] = {
    [GT_LIMITED_BY_THREADS] = "threads",
    [GT_LIMITED_BY_BLOCKS] = "blocks",
    [GT_LIMITED_BY_REGISTERS] = "registers",
    [GT_LIMITED_BY_SHARED] = "shared memory",
    [GT_CANNOT_LAUNCH] = "cannot launch",
  };

  return names[limiter];
}
