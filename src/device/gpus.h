/* The GPUs of this process: the list, the choice of the environment, and the open GPUs.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_GPUS_H
#define GT_GPUS_H

#include "src/device/backend.h"

/* Returns the number of usable GPUs, which the first call determines; or 0 with the reason
   (static text: built without CUDA, no driver, driver too old, no device) in WHY, which may be
   null.  Opens none.  Thread-safe.  */
int gt_gpu_count (const char **why);

/* Returns GPU INDEX, 0 <= INDEX < gt_gpu_count, otherwise null.  The object is the same at
   every call.  */
const struct gt_device *gt_gpu_device (int index);

/* Returns the index of the GPU with the driver's number ORDINAL, which users see; -1 if that
   GPU cannot be used.  Index and ordinal differ if a GPU before it cannot be used.  */
int gt_gpu_index (int ordinal);

/* Returns the index of the GPU that the environment names, otherwise of the first; -1 if there
   is none.  */
int gt_gpu_chosen_index (void);

/* Opens GPU number INDEX (as gt_gpu_device) once; later calls return the same object.  Returns
   null if it cannot be used or has failed, with the reason in WHY (may be null).
   Thread-safe.  */
struct gt_open_gpu *gt_gpu_open (int index, const char **why);

/* Opens the GPU that the environment names, otherwise the first.  */
struct gt_open_gpu *gt_gpu_chosen (const char **why);
/* Returns the same GPU if it has been opened, even if it has failed since; otherwise null.  */
struct gt_open_gpu *gt_gpu_chosen_opened (void);

/* Returns its index, as for gt_gpu_device.  */
int gt_gpu_index_of (const struct gt_open_gpu *gpu);

/* Frees the streams and the scratch memory that no sum is using.  */
void gt_gpu_trim_all (void);

#endif
