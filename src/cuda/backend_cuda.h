/* The operations of CUDA as a backend.  The function gt_cuda_NAME is the member NAME of struct
   gt_backend (src/device/backend.h), which has the comments on types and effects.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BACKEND_CUDA_H
#define GT_BACKEND_CUDA_H

#include "src/device/backend.h"

/* One line for each file: device_cuda.c, cuda_context.c, cuda_place.c, cuda_memory.c (two),
   backend_cuda.c, cuda_keep.c (and cuda_powers.c), cuda_matrix.c, cuda_slot.c, cuda_launch.c,
   cuda_measure.c.  */
#define GT_CUDA_OPERATIONS(X)                                             \
  X (discover)                                                            \
  X (open) X (device_of) X (usable) X (error)                             \
  X (locate) X (index_of_address) X (address)                             \
  X (alloc) X (free) X (memory) X (pin) X (unpin)                         \
  X (copy) X (copy_strided) X (synchronize) X (captured)                  \
  X (compute) X (begin) X (end) X (start) X (await)                       \
  X (keep) X (keep_bytes) X (clear)                                         \
  X (multiply) X (lines)                                                  \
  X (slot_acquire) X (slot_release) X (slot_reserve) X (trim)             \
  X (most) X (arrived)                                                    \
  X (resources) X (poison) X (time)

#define X(name) __typeof__ (*((struct gt_backend *) 0)->name) gt_cuda_##name;
GT_CUDA_OPERATIONS (X)
#undef X

#endif
