/* How CUDA kernels are launched.  Pure arithmetic.
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

/* The partial results that a block leaves for PROBLEM, and that are delivered.  */
unsigned gt_partials_of (const struct gt_problem *problem);

/* The words of the accumulators of PROBLEM in exact mode, with their flags; else 0.  */
unsigned gt_exact_words_of (const struct gt_problem *problem);

/* How KERNEL in CONFIG is launched over PROBLEM on a GPU of SMS
   multiprocessors: with no more blocks than the configuration allows, nor than
   the data fills.  */
struct gt_geometry gt_geometry_of (const struct gt_kernel *kernel,
                                   const struct gt_config *config,
                                   const struct gt_problem *problem, int sms);

/* How many additions at most an element goes through in such a launch, in fast or
   compensated mode: those of its thread, and of what threads, warps and blocks
   have.  */
uint64_t gt_geometry_additions (const struct gt_geometry *geometry,
                                const struct gt_config *config, uint64_t n);

/* The most elements that one launch of an exact sum on SMS multiprocessors may
   have, when each block sums PER_BLOCK at most: the grid of such a launch is as
   large as CONFIG has it.  */
uint64_t gt_exact_most (const struct gt_config *config, int sms,
                        uint64_t per_block);

/* The kernel that computes PROBLEM, exact, from numbers of any size on a GPU, for those that make
   a planned kernel give up, in the configuration that fills DEVICE.  */
void gt_any_range (const struct gt_device *device,
                   const struct gt_problem *problem,
                   const struct gt_kernel **kernel, struct gt_config *config);

#endif
