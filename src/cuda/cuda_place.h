/* Where data lies, as the driver knows it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_PLACE_H
#define GT_CUDA_PLACE_H

#include <stddef.h>

#include "src/base/route.h"
#include "src/cuda/cuda_gpu.h"

/* Where data lies.  */
struct gt_location
{
  enum gt_place place;
  int gpu; /* index of the GPU in whose memory it lies, or to which managed
              memory has been given; -1: none */
};

/* Where the BYTES at DATA lie: all of them, else it is host memory.  Asks the
   driver when something in this process has loaded it: otherwise nothing can be
   but host memory.  Cannot fail.  */
struct gt_location gt_cuda_locate (const void *data, size_t bytes);

/* The address at which GPU reads DATA, in pinned or managed memory.  */
const void *gt_cuda_address (struct gt_cuda *gpu, const void *data);

#endif
