/* How many blocks a CUDA kernel is launched with.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/geometry.h"

#include "kernels/args.h"
#include "src/names.h"

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
  uint64_t per_block = (uint64_t) config->block * config->unroll;
  uint64_t loads = n, grid, most = GT_MAX_GRID;

  if (kernel->shape == GT_SHAPE_SINGLE_PASS && layout == GT_CONTIGUOUS)
    loads = divide_up (n, LOAD_BYTES / gt_arithmetics[arithmetic].size);
  grid = divide_up (loads, per_block);
  if (kernel->shape == GT_SHAPE_SINGLE_PASS)
    {
      most = (uint64_t) sms * config->blocks_per_sm;
      grid = grid < most ? grid : most;
    }
  if (grid > most)
    return 0;
  return grid ? grid : 1;
}

uint64_t
gt_scratch_bytes (const struct gt_kernel *kernel,
                  const struct gt_config *config,
                  enum gt_arithmetic arithmetic, uint64_t grid)
{
  uint64_t per_block = (uint64_t) config->block * config->unroll;
  uint64_t bytes = 0;

  if (kernel->shape == GT_SHAPE_SINGLE_PASS)
    return grid * sizeof (union gt_partial);
  /* Every pass but the last leaves an element a block; each is aligned.  */
  for (; grid > 1; grid = divide_up (grid, per_block))
    bytes += divide_up (grid * gt_arithmetics[arithmetic].size, 256) * 256;
  return bytes;
}
