/* Which vectors have numbers that differ too much in size for the kernel that an
   exact sum begins with.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_RANGES_H
#define GT_CUDA_RANGES_H

#include <stdatomic.h>

#include "kernels/task.h"

/* So many vectors of a GPU are remembered at most, one in place of another where both
   fall on one note, and for so many sums of each: then the data is looked at again, since
   it may have changed.  A program that sums the rows of a matrix has thousands of vectors;
   these notes are 32 KiB of host memory.  */
#define GT_N_RANGES 4096
#define GT_RANGE_SUMS 63

/* A vector's key above, and below it the sums for which the note still holds.  All
   zero: nothing is known.  */
struct gt_ranges
{
  _Atomic uint64_t note[GT_N_RANGES];
};

/* Notes that the kernel that TASK began with gave up.  */
void gt_ranges_note (struct gt_ranges *ranges, const struct gt_task *task);

/* Whether it would give up again, as far as is known.  Counts
   this as one sum.  Thread-safe; a count that is lost does no harm.  */
int gt_ranges_wide (struct gt_ranges *ranges, const struct gt_task *task);

#endif
