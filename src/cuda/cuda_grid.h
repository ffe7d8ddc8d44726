/* How the lines of a matrix, and the elements of a product with a vector, are shared by the threads and blocks of a grid.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_GRID_H
#define GT_CUDA_GRID_H

#include <stdint.h>

uint64_t gt_cuda_divided (uint64_t n, uint64_t by); /* rounded up */

/* The first power of two from N on, or MOST, which is one.  */
uint32_t gt_cuda_power_of_two (uint64_t n, uint32_t most);

/* Of lines side by side, which take THREADS, so many threads of a block of BLOCK lie side by side, the
   others of the same below them: fewer, as long as at least LEAST read side by side and the groups that
   are made so leave no more of the PLACES that a GPU has for blocks empty.  Each group is shared by
   as many blocks as fill the places, each with SHARE of its TERMS at least.  */
uint32_t gt_cuda_lanes (uint64_t places, uint64_t threads, uint32_t block, uint32_t least);
uint32_t gt_cuda_chunks (uint64_t places, uint64_t groups, uint64_t terms, uint64_t share);

#endif
