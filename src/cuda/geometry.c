/* How many blocks a CUDA kernel is launched with.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/geometry.h"

#include "kernels/args.h"
#include "src/base/names.h"

#define LOAD_BYTES 16

static uint64_t
divide_up (uint64_t a, uint64_t b)
{
  return a / b + (a % b != 0);
}

uint64_t
gt_grid (const struct gt_kernel *kernel, const struct gt_config *config,
         enum gt_arithmetic arithmetic, enum gt_layout layout, uint64_t n,
         int sms)
{
  uint64_t loads = n, most = (uint64_t) sms * config->blocks_per_sm, grid;

  if (layout == GT_CONTIGUOUS)
    loads = divide_up (n, LOAD_BYTES / gt_arithmetics[arithmetic].size);
  grid = divide_up (loads, (uint64_t) config->block * config->unroll);
  grid = grid < most ? grid : most;
  if (kernel->shape == GT_SHAPE_CLUSTER)
    return grid < GT_CLUSTER ? GT_CLUSTER : grid / GT_CLUSTER * GT_CLUSTER;
  return grid ? grid : 1;
}

uint64_t
gt_exact_most (const struct gt_config *config, int sms, uint64_t per_block)
{
  return per_block * (uint64_t) sms * config->blocks_per_sm;
}

uint64_t
gt_scratch_bytes (const struct gt_kernel *kernel, uint64_t grid)
{
  return grid * (kernel->modes == 1u << GT_MODE_EXACT
                   ? GT_EXACT_PARTIAL : sizeof (union gt_partial));
}
