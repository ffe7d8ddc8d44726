/* The CUDA GPUs of this process, as the driver describes them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_DEVICE_CUDA_H
#define GT_DEVICE_CUDA_H

#include "src/device/device.h"

/* The number of usable GPUs; discovered at the first call, then kept.  0 with
   the reason (static text: built without CUDA, no driver, driver too old, no
   device) in WHY, which may be null.  Creates no context.  Thread-safe.  */
int gt_cuda_device_count (const char **why);

/* 0 <= INDEX < gt_cuda_device_count.  The same object at every call.  */
const struct gt_device *gt_cuda_device (int index);

/* The index of the GPU that CUDA calls ORDINAL, which is the number that users
   give and are told; -1 when there is none that can be used.  It differs from the
   ordinal where a GPU before it cannot be used.  */
int gt_cuda_index (int ordinal);

/* The index of the GPU that the environment names, else of the first; -1 when there
   is none.  */
int gt_cuda_chosen_index (void);

#endif
