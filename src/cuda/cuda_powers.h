/* Statistics of power sums that stay on a GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_POWERS_H
#define GT_CUDA_POWERS_H

#include "src/cuda/cuda_context.h"

/* Returns the bytes of device memory that a statistic needs.  */
size_t gt_cuda_powers_bytes (void);

/* Puts the computation of POWERS' statistic into STREAM.  MEMORY has gt_cuda_powers_bytes; the
   result is stored at TO.  */
CUresult gt_cuda_keep_powers (struct gt_open_gpu *gpu, CUstream stream, int is_primary,
                              const struct gt_powers *powers, void *to, CUdeviceptr memory);

#endif
