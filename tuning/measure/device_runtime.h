/* Links kernels that launch kernels, at run time, with NVIDIA's device runtime: a
   library of the CUDA Toolkit, whose terms are not those of this program, and which
   is therefore the user's to have and no part of what is installed.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_DEVICE_RUNTIME_H
#define GT_DEVICE_RUNTIME_H

#include "src/cuda/cuda_context.h"

/* Looks for the device runtime in the CUDA Toolkit of FOLDER; where that is null,
   in those of CUDA_HOME, of CUDA_PATH, of the nvcc in PATH, and in
   /usr/local/cuda.  Returns 0 with PATH, or -1 with WHY.  */
int gt_device_runtime_find (const char *folder, char *path, size_t size,
                            char *why, size_t why_size);

/* Loads IMAGE, a relocatable fat binary of BYTES, linked with the device runtime in
   PATH for GPU, whose context is current.  Returns 0 with LIBRARY, or -1 with
   WHY.  */
int gt_device_runtime_link (struct gt_open_gpu *gpu, const void *image,
                            size_t bytes, const char *path,
                            CUlibrary *library, char *why, size_t why_size);

#endif
