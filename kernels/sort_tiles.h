/* How many keys the blocks of sorts and selections take: read by the host compiler and by
   nvcc.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_SORT_TILES_H
#define GT_KERNELS_SORT_TILES_H

#include <stdint.h>

#define GT_SORT_COUNT_THREADS 512

/* Threads of a block of a pass, blocks that an SM is to have at once, which matters more than any
   register, and keys of SIZE bytes that each thread takes.  */
#define GT_SORT_THREADS 384
#define GT_SORT_BLOCKS 3
#define GT_SORT_INDEX_BLOCKS 2 /* which take more keys instead */
#define GT_SORT_ITEMS(size) ((size) == 8 ? 15 : 23)
#define GT_SORT_INDEX_ITEMS(size) ((size) == 8 ? 15 : 20)

/* Keys of a launch of a pass: a tile's counts have 30 bits.  */
#define GT_SORT_PORTION (UINT64_C (1) << 28)

/* One block sorts as many.  */
#define GT_SORT_BLOCK_THREADS 512
#define GT_SORT_BLOCK_ITEMS 8

/* Threads of a pass of a selection, and keys that each loads at once.  */
#define GT_SELECT_THREADS 256
#define GT_SELECT_EACH(size) ((size) == 8 ? 8 : 16)

/* Keys among which one block selects, and those of a sample.  */
#define GT_SELECT_BLOCK_THREADS 1024
#define GT_SELECT_FEW 8192
#define GT_SELECT_SAMPLE 4096
#define GT_SELECT_MARGIN 120

#endif
