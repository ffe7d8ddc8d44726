/* Memory for functions that need more than the small stacks that some programs give their
   threads.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_ROOM_H
#define GT_KERNELS_CPU_ROOM_H

#include <stdint.h>
#include <stdlib.h>

#define GT_ROOM_ALIGNMENT 64

/* Returns the first aligned address in HEAP.  (aligned_alloc takes three times as long as
   malloc.)  */
static inline void *
gt_room_aligned (void *heap)
{
  return (char *) heap + (-(uintptr_t) heap & (GT_ROOM_ALIGNMENT - 1));
}

/* Provides SIZE bytes, aligned; the caller must free HEAP before it returns.  If malloc fails,
   the bytes are on the stack, so that no sum fails.  */
#define GT_ROOM(heap, size)                                    \
  (((heap) = malloc ((size) + GT_ROOM_ALIGNMENT - 1)) != NULL  \
     ? gt_room_aligned (heap)                                  \
     : __builtin_alloca_with_align (size, 8 * GT_ROOM_ALIGNMENT))

#endif
