/* Divides the lines of a matrix, and the elements of a product with a vector, among the
   threads and blocks of a grid.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_GRID_H
#define GT_CUDA_GRID_H

#include <stdint.h>

uint64_t gt_cuda_divided (uint64_t n, uint64_t by); /* rounded up */

/* Returns the first power of two that is at least N, or MOST, a power of two, if that is
   less.  */
uint32_t gt_cuda_power_of_two (uint64_t n, uint32_t most);

/* gt_cuda_lanes returns the number of threads of a block of BLOCK threads that read side by
   side, if the lines take THREADS threads; the other threads of the block read further
   elements of the same lines.  The number is reduced as long as at least LEAST threads remain
   side by side and the additional groups fill the PLACES, the blocks that a GPU runs at once,
   no worse.  gt_cuda_chunks returns the number of blocks that share each group: as many as
   fill the places, each with at least SHARE of the TERMS.  */
uint32_t gt_cuda_lanes (uint64_t places, uint64_t threads, uint32_t block, uint32_t least);
uint32_t gt_cuda_chunks (uint64_t places, uint64_t groups, uint64_t terms, uint64_t share);

#endif
