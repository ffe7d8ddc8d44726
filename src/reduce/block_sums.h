/* Sums of blocks of a sample's elements, by a team of threads.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BLOCK_SUMS_H
#define GT_BLOCK_SUMS_H

#include <stddef.h>

#include "kernels/cpu/finish/ball.h"

/* Stores the sums of N elements, beginning with element BEGIN, in TO.  Returns 0 if their
   errors have no bound.  Several threads call it at the same time.  */
typedef int gt_block_function (const void *closure, size_t begin, size_t n, struct gt_ball *to);

/* Computes COUNT sums of N > 0 elements, in blocks of BLOCK elements (the last may be
   shorter), with THREADS threads.  The blocks, and therefore the sums and their bounds, do not
   depend on THREADS.  Returns 0 if TAKE does, or if memory is short.  */
int gt_blocks_sum (size_t n, size_t block, unsigned threads, gt_block_function *take,
                   const void *closure, unsigned count, struct gt_ball *sums);

#endif
