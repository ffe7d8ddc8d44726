/* How many blocks a CUDA kernel is launched with.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/geometry.h"

#include "kernels/args.h"
#include "src/base/names.h"

#define LOAD_BYTES 16
/* Of what each pass leaves; kernels/cuda/recursive.cu knows it too.  */
#define ALIGNMENT 256

int
gt_single_pass (const struct gt_kernel *kernel)
{
  return kernel->shape == GT_SHAPE_SINGLE_PASS
         || kernel->shape == GT_SHAPE_CLUSTER;
}

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
  uint64_t per_block = (uint64_t) config->block * config->unroll;
  uint64_t loads = n, grid, most = GT_MAX_GRID;

  if (gt_single_pass (kernel) && layout == GT_CONTIGUOUS)
    loads = divide_up (n, LOAD_BYTES / gt_arithmetics[arithmetic].size);
  grid = divide_up (loads, per_block);
  if (gt_single_pass (kernel))
    {
      most = (uint64_t) sms * config->blocks_per_sm;
      grid = grid < most ? grid : most;
    }
  if (kernel->shape == GT_SHAPE_CLUSTER)
    return grid < GT_CLUSTER ? GT_CLUSTER : grid / GT_CLUSTER * GT_CLUSTER;
  if (grid > most)
    return 0;
  return grid ? grid : 1;
}

uint64_t
gt_exact_most (const struct gt_config *config, int sms, uint64_t per_block)
{
  return per_block * (uint64_t) sms * config->blocks_per_sm;
}

uint64_t
gt_block_sums (const struct gt_kernel *kernel, uint64_t grid)
{
  int by_host = kernel->shape == GT_SHAPE_BLOCK_SUMS
                || kernel->shape == GT_SHAPE_IN_PLACE;

  return by_host && grid > 1 ? grid : 0;
}

uint64_t
gt_copy_offset (enum gt_arithmetic arithmetic, uint64_t grid)
{
  if (grid == 1)
    return 0;
  return divide_up (grid * gt_arithmetics[arithmetic].size, ALIGNMENT)
         * ALIGNMENT;
}

uint64_t
gt_scratch_bytes (const struct gt_kernel *kernel,
                  const struct gt_config *config,
                  enum gt_arithmetic arithmetic, uint64_t grid)
{
  uint64_t per_block = (uint64_t) config->block * config->unroll;
  size_t size = gt_arithmetics[arithmetic].size;
  uint64_t bytes = gt_copy_offset (arithmetic, grid);

  switch (kernel->shape)
    {
    case GT_SHAPE_SINGLE_PASS:
    case GT_SHAPE_CLUSTER:
      return grid * (kernel->modes == 1u << GT_MODE_EXACT
                       ? GT_EXACT_PARTIAL : sizeof (union gt_partial));
    case GT_SHAPE_IN_PLACE:
      return bytes + grid * per_block * size;
    case GT_SHAPE_BLOCK_SUMS:
      return bytes;
    default:
      /* Every pass but the last leaves an element a block.  */
      for (grid = divide_up (grid, per_block); grid > 1;
           grid = divide_up (grid, per_block))
        bytes += gt_copy_offset (arithmetic, grid);
      return bytes;
    }
}
