/* The geometry of launches of CUDA kernels.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/device/geometry.h"

#include "kernels/args.h"
#include "kernels/cpu/sums/sums.h"

#define LOAD_BYTES 16

/* Bytes of shared memory, including the system's, that a block of exact_bins or exact_words
   needs in addition to its bins.  */
#define BINS_RESERVE (4096 + GT_EXACT_MOST_WORDS * sizeof (int64_t))

static uint64_t
divide_up (uint64_t a, uint64_t b)
{
  return a / b + (a % b != 0);
}

static uint64_t
grid_of (const struct gt_kernel *kernel, const struct gt_config *config,
         const struct gt_problem *problem, int sms)
{
  uint64_t most = (uint64_t) sms * config->blocks_per_sm, grid;
  uint64_t loads = problem->n;

  if (problem->layout == GT_CONTIGUOUS)
    loads = divide_up (loads,
                       LOAD_BYTES / gt_element_size (problem->arithmetic));
  grid = divide_up (loads, (uint64_t) config->block * config->unroll);
  grid = grid < most ? grid : most;
  if (kernel->shape == GT_SHAPE_CLUSTER)
    return grid < GT_CLUSTER ? GT_CLUSTER : grid / GT_CLUSTER * GT_CLUSTER;
  return grid ? grid : 1;
}

unsigned
gt_partials_of (const struct gt_problem *problem)
{
  const struct gt_reduction_info *info = &gt_reductions[problem->reduction];

  if (gt_sums_are_integers (problem))
    return info->plain + 2 * info->products;
  if (gt_reduction_sums (problem->reduction))
    return info->plain + info->products;
  return problem->reduction == GT_MINMAX ? 2 : 1;
}

unsigned
gt_exact_words_of (const struct gt_problem *problem)
{
  const struct gt_reduction_info *info = &gt_reductions[problem->reduction];

  return problem->mode != GT_MODE_EXACT
           ? 0
           : info->plain * GT_EXACT_WORDS
               + info->products * GT_EXACT_PRODUCT_WORDS;
}

/* Returns the bytes of scratch memory that a block writes.  */
static size_t
block_bytes (const struct gt_kernel *kernel, const struct gt_problem *problem)
{
  const struct gt_reduction_info *info = &gt_reductions[problem->reduction];

  return kernel->modes == 1u << GT_MODE_EXACT
           ? (info->plain + info->products) * GT_EXACT_PARTIAL
           : gt_partials_of (problem) * sizeof (union gt_partial);
}

struct gt_geometry
gt_geometry_of (const struct gt_kernel *kernel,
                const struct gt_config *config,
                const struct gt_problem *problem, int sms)
{
  size_t a_thread = gt_kernel_shared (kernel, problem);
  uint64_t grid = grid_of (kernel, config, problem, sms);

  return (struct gt_geometry) {
    .grid = grid,
    .block = config->block,
    .shared = config->block * (unsigned) a_thread,
    .scratch = grid * block_bytes (kernel, problem)
  };
}

/* A thread adds its share of the 16-byte loads, of up to 16 elements each; the share is
   rounded up to a multiple of the loads in flight.  It also adds some of the elements at the
   edges, fewer than 16 even for a single warp (kernels/cuda/grid_stride_sums.cuh).  The block
   merges its sums in two trees of 10 steps each.  Between them, a thread of the last block
   adds the sums of at least every 32nd block.  */
uint64_t
gt_geometry_additions (const struct gt_geometry *geometry,
                       const struct gt_config *config, uint64_t n)
{
  return n / (geometry->grid * geometry->block) + geometry->grid / 32
         + LOAD_BYTES * config->unroll + 40;
}

uint64_t
gt_exact_most (const struct gt_config *config, int sms, uint64_t per_block)
{
  return per_block * (uint64_t) sms * config->blocks_per_sm;
}

void
gt_any_range (const struct gt_device *device,
              const struct gt_problem *problem, const struct gt_kernel **kernel,
              struct gt_config *config)
{
  const struct gt_sm_limits *sm = &device->gpu.sm;
  size_t a_thread, a_block, threads;

  *kernel = gt_catalog_find (gt_reduction_sums (problem->reduction)
                               ? "exact_words" : "exact_bins",
                             problem->reduction);
  *config = (struct gt_config) {.threads = 1, .block = 512, .unroll = 4};
  if (*kernel == NULL)
    return;
  a_thread = gt_kernel_shared (*kernel, problem);
  threads = (sm->shared_per_block_optin - BINS_RESERVE) / a_thread / 32 * 32;
  if (threads < config->block)
    config->block = threads < 32 ? 32 : (unsigned) threads;
  a_block = config->block * a_thread + BINS_RESERVE;
  config->blocks_per_sm = (unsigned) (sm->shared_per_sm / a_block);
  if (config->blocks_per_sm == 0)
    config->blocks_per_sm = 1;
}
