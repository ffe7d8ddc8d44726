/* Divides lines among the threads and blocks of a grid.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_grid.h"

#include "src/cuda/cuda_context.h"

uint64_t
gt_cuda_divided (uint64_t n, uint64_t by)
{
  return n / by + (n % by != 0);
}

uint32_t
gt_cuda_power_of_two (uint64_t n, uint32_t most)
{
  uint32_t power = 1;

  while (power < n && power < most)
    power *= 2;
  return power;
}

/* Returns the blocks of a grid: as many as fill the places, or one for each group if there are
   more groups.  */
static uint64_t
blocks_of (uint64_t places, uint64_t groups)
{
  return groups < places ? places / groups * groups : groups;
}

uint32_t
gt_cuda_lanes (uint64_t places, uint64_t threads, uint32_t block, uint32_t least)
{
  uint32_t lanes = gt_cuda_power_of_two (threads, block);

  while (lanes > least && gt_cuda_divided (threads, lanes) < places)
    {
      const uint64_t now = blocks_of (places, gt_cuda_divided (threads, lanes));
      const uint64_t then = blocks_of (places, gt_cuda_divided (threads, lanes / 2));

      /* Filling another sixteenth of the places saves less time than merging the additional
         groups takes.  */
      if (16 * then * gt_cuda_divided (now, places) < 15 * now * gt_cuda_divided (then, places))
        break;
      lanes /= 2;
    }
  return lanes;
}

uint32_t
gt_cuda_chunks (uint64_t places, uint64_t groups, uint64_t terms, uint64_t share)
{
  const uint64_t wanted = blocks_of (places, groups) / groups, most = groups > GT_N_TICKETS ? 1 : terms / share;

  return (uint32_t) (wanted < most ? wanted : most > 1 ? most : 1);
}
