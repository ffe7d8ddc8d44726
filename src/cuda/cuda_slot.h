/* The streams in which GPUs compute, with the memory that one sum at a time needs.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_SLOT_H
#define GT_CUDA_SLOT_H

#include "src/cuda/cuda_gpu.h"

struct gt_cuda_slot;

/* Takes a slot for the caller alone, a spare one or a new one; gives it back.  */
int gt_cuda_slot_acquire (struct gt_cuda *gpu, struct gt_cuda_slot **slot);
void gt_cuda_slot_release (struct gt_cuda *gpu, struct gt_cuda_slot *slot);

/* Gives back the streams and the scratch memory that no sum is using.  */
void gt_cuda_trim_all (void);

#endif
