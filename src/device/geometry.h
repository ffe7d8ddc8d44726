/* The geometry of launches of CUDA kernels. Pure arithmetic.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_GEOMETRY_H
#define GT_GEOMETRY_H

#include "src/base/configuration.h"
#include "src/device/device.h"

/* One launch.  */
struct gt_geometry
{
  uint64_t grid;    /* blocks */
  unsigned block;   /* threads a block */
  unsigned shared;  /* bytes of dynamic shared memory a block */
  uint64_t scratch; /* bytes of device memory for the blocks' partial sums */
};

/* Returns the number of partial results of a block for PROBLEM, and of delivered results.  */
unsigned gt_partials_of (const struct gt_problem *problem);

/* Returns the number of words of the accumulators of PROBLEM in exact mode, with their flags;
   otherwise 0.  */
unsigned gt_exact_words_of (const struct gt_problem *problem);

/* Returns the geometry of KERNEL in CONFIG over PROBLEM on a GPU with SMS multiprocessors: at
   most as many blocks as the configuration allows and the data fills.  */
struct gt_geometry gt_geometry_of (const struct gt_kernel *kernel,
                                   const struct gt_config *config,
                                   const struct gt_problem *problem, int sms);

/* Returns the maximum number of additions for an element in such a launch, in fast or
   compensated mode: in its thread, and in the merging of threads, warps and blocks.  */
uint64_t gt_geometry_additions (const struct gt_geometry *geometry,
                                const struct gt_config *config, uint64_t n);

/* Returns the maximum number of elements of one launch of an exact sum on SMS multiprocessors,
   if each block sums at most PER_BLOCK: the grid of such a launch has the size of CONFIG.  */
uint64_t gt_exact_most (const struct gt_config *config, int sms,
                        uint64_t per_block);

/* Returns the kernel that computes the exact PROBLEM for numbers of any magnitude on a GPU,
   which is needed if the planned kernel gives up, in the configuration that fills DEVICE.  */
void gt_any_range (const struct gt_device *device,
                   const struct gt_problem *problem,
                   const struct gt_kernel **kernel, struct gt_config *config);

#endif
