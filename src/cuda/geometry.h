/* How many blocks a CUDA kernel is launched with.  Pure arithmetic.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_GEOMETRY_H
#define GT_GEOMETRY_H

#include "src/profile/profile.h"

/* Blocks of a launch over N elements on a GPU of SMS multiprocessors: no more
   than CONFIG allows, nor than the data fills.  */
uint64_t gt_grid (const struct gt_kernel *kernel,
                  const struct gt_config *config,
                  enum gt_arithmetic arithmetic, enum gt_layout layout,
                  uint64_t n, int sms);

/* The most elements that one launch of an exact sum on SMS multiprocessors may
   have, when each block sums PER_BLOCK at most: the grid of such a launch is as
   large as CONFIG has it.  */
uint64_t gt_exact_most (const struct gt_config *config, int sms,
                        uint64_t per_block);

/* Bytes of scratch memory that GRID blocks need for their partial sums.  */
uint64_t gt_scratch_bytes (const struct gt_kernel *kernel, uint64_t grid);

#endif
