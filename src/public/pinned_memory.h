/* Host memory that a GPU reads by itself, where there is one; untyped.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PINNED_MEMORY_H
#define GT_PINNED_MEMORY_H

#include "kernels/types.h"
#include "src/device/backend.h"

struct gt_pinned_memory
{
  void *data;          /* 64-byte aligned, never null */
  struct gt_open_gpu *gpu; /* through which it was pinned; null: plain memory */
};

/* Room for N elements, cleared to zero if CLEAR.  0, or -1, through no error
   handler, when plain memory is short too.  */
int gt_pinned_memory_alloc (struct gt_pinned_memory *memory,
                            enum gt_arithmetic arithmetic, size_t n,
                            int clear);
void gt_pinned_memory_free (const struct gt_pinned_memory *memory);

/* Pins (unpins) N elements of the caller's that lie STRIDE apart, and what lies
   between them.  0 also where there is nothing to pin or no GPU; -1 when the
   driver refuses.  */
int gt_pinned_memory_pin (enum gt_arithmetic arithmetic, const void *data,
                          size_t n, size_t stride);
int gt_pinned_memory_unpin (enum gt_arithmetic arithmetic, const void *data,
                            size_t n);

#endif
