/* How many blocks a CUDA kernel is launched with.  Pure arithmetic.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_GEOMETRY_H
#define GT_GEOMETRY_H

#include "src/profile.h"

/* The largest grid of a launch, in blocks.  */
#define GT_MAX_GRID 0x7fffffffu

/* Blocks of the (first) pass over N elements on a GPU of SMS multiprocessors:
   single pass, no more than the data fills; several passes, what covers the
   data.  0 when that is more than a launch can have.  */
uint64_t gt_grid (const struct gt_kernel *kernel,
                  const struct gt_config *config,
                  enum gt_arithmetic arithmetic, enum gt_layout layout,
                  uint64_t n, int sms);

/* Bytes of partial sums that those passes need in all.  */
uint64_t gt_scratch_bytes (const struct gt_kernel *kernel,
                           const struct gt_config *config,
                           enum gt_arithmetic arithmetic, uint64_t grid);

#endif
