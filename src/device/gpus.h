/* The GPUs of this process: which there are, which the environment chooses, and those
   that are opened, once in a process.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_GPUS_H
#define GT_GPUS_H

#include "src/device/backend.h"

/* The number of usable GPUs; discovered at the first call, then kept.  0 with
   the reason (static text: built without CUDA, no driver, driver too old, no
   device) in WHY, which may be null.  Opens none.  Thread-safe.  */
int gt_gpu_count (const char **why);

/* 0 <= INDEX < gt_gpu_count, else null.  The same object at every call.  */
const struct gt_device *gt_gpu_device (int index);

/* The index of the GPU that its driver calls ORDINAL, which is the number that users
   give and are told; -1 when there is none that can be used.  It differs from the
   ordinal where a GPU before it cannot be used.  */
int gt_gpu_index (int ordinal);

/* The index of the GPU that the environment names, else of the first; -1 when there
   is none.  */
int gt_gpu_chosen_index (void);

/* Opens GPU number INDEX (as gt_gpu_device), once; later calls give the same
   object.  Null when it cannot be used, with the reason in WHY (may be null).
   One that has failed is not given out any more.  Thread-safe.  */
struct gt_open_gpu *gt_gpu_open (int index, const char **why);

/* The GPU that the environment chooses: that of the number it names, else the first.  */
struct gt_open_gpu *gt_gpu_chosen (const char **why);
/* The same, if it has been opened, whatever has become of it since; else null.  */
struct gt_open_gpu *gt_gpu_chosen_opened (void);

/* Its index, as gt_gpu_device has it.  */
int gt_gpu_index_of (const struct gt_open_gpu *gpu);

/* Gives back the streams and the scratch memory that no sum is using.  */
void gt_gpu_trim_all (void);

#endif
