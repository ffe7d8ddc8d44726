/* How many blocks a CUDA kernel is launched with.  Pure arithmetic.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_GEOMETRY_H
#define GT_GEOMETRY_H

#include "src/profile/profile.h"

/* The largest grid of a launch, in blocks.  */
#define GT_MAX_GRID 0x7fffffffu

/* Whether KERNEL's grid strides over the data, in 16-byte loads where that is
   contiguous: one launch, which delivers its result by itself.  */
int gt_single_pass (const struct gt_kernel *kernel);

/* Blocks of the (first) pass over N elements on a GPU of SMS multiprocessors:
   single pass, no more than the data fills; several passes, what covers the
   data.  0 when that is more than a launch can have.  */
uint64_t gt_grid (const struct gt_kernel *kernel,
                  const struct gt_config *config,
                  enum gt_arithmetic arithmetic, enum gt_layout layout,
                  uint64_t n, int sms);

/* The most elements that one launch of an exact sum on SMS multiprocessors may
   have, when each block sums PER_BLOCK at most: the grid of such a launch is as
   large as CONFIG has it.  */
uint64_t gt_exact_most (const struct gt_config *config, int sms,
                        uint64_t per_block);

/* Blocks whose sums the host is to add, when the (first) pass has GRID blocks;
   0: the device delivers the result.  */
uint64_t gt_block_sums (const struct gt_kernel *kernel, uint64_t grid);

/* Where, in bytes from the start of the scratch memory, the copy begins on which
   an in-place kernel works: behind the sums of GRID blocks.  */
uint64_t gt_copy_offset (enum gt_arithmetic arithmetic, uint64_t grid);

/* Bytes of scratch memory that those passes need in all.  */
uint64_t gt_scratch_bytes (const struct gt_kernel *kernel,
                           const struct gt_config *config,
                           enum gt_arithmetic arithmetic, uint64_t grid);

#endif
