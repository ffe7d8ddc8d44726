/* GPUs that are opened, once in a process.  Functions that reach the driver return a
   CUresult as an int: 0 is success.  Built without CUDA, opening fails and nothing
   else is ever called (backend_cuda_none.c).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_GPU_H
#define GT_CUDA_GPU_H

#include "src/device/device.h"

/* One GPU, opened: its primary context retained, its kernels loaded as they
   are needed.  */
struct gt_cuda;

/* Opens GPU number INDEX (as gt_cuda_device), once; later calls give the same
   object.  Null when it cannot be used, with the reason in WHY (may be null).
   A GPU whose context has failed is not given out any more.  Thread-safe.  */
struct gt_cuda *gt_cuda_open (int index, const char **why);

/* The GPU that the environment chooses: cuda:N, else the first.  */
struct gt_cuda *gt_cuda_chosen (const char **why);
/* The same, if it has been opened, whatever has become of it since; else null.  */
struct gt_cuda *gt_cuda_chosen_opened (void);
/* Whether no error has ended the GPU's context.  */
int gt_cuda_usable (const struct gt_cuda *gpu);
const struct gt_device *gt_cuda_device_of (const struct gt_cuda *gpu);
/* Its index, as gt_cuda_device has it.  */
int gt_cuda_index_of (const struct gt_cuda *gpu);

/* The name of an error, static text.  */
const char *gt_cuda_error (int status);

#endif
