/* Memory that stays on a GPU, or on the host where there is none; untyped.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_DEVICE_MEMORY_H
#define GT_DEVICE_MEMORY_H

#include "kernels/task.h"
#include "src/device/backend.h"
#include "src/gsltune.h"

/* N elements in the memory of GPU, or on the host where that is null or cannot give
   it.  Null, through no error handler, when even host memory is short.  A view's
   memory is not freed.  */
struct gsltune_device_memory *
gt_device_memory_alloc (struct gt_open_gpu *gpu, enum gt_arithmetic arithmetic,
                        size_t n);
void gt_device_memory_free (struct gsltune_device_memory *memory);

/* The functions below return GSL_SUCCESS, or a GSL error code with the reason in
   WHY.  */

/* Makes VIEW one of N elements at an address that a GPU can read, STRIDE apart.  */
int gt_device_memory_view (struct gsltune_device_memory *view,
                           enum gt_arithmetic arithmetic, const void *address,
                           size_t stride, size_t n, const char **why);

/* Work on MEMORY from now on comes after the work in STREAM; null is the default stream.  */
void gt_device_memory_set_stream (struct gsltune_device_memory *memory,
                                  void *stream);

/* Copies all elements from (to) host elements STRIDE apart.  GSL_EFAILED: set, when
   the GPU fails and there is no host memory to which the elements could move; get,
   when the GPU fails or memory for packing is short.  */
int gt_device_memory_set (struct gsltune_device_memory *memory,
                          enum gt_arithmetic arithmetic, const void *source,
                          size_t stride, const char **why);
int gt_device_memory_get (const struct gsltune_device_memory *memory,
                          enum gt_arithmetic arithmetic, void *destination,
                          size_t stride, const char **why);

/* Says in the log, at "notice", that N elements of MEMORY come back from their GPU, if they are
   on one, because the CPU computes in its place.  */
void gt_device_memory_note_copy (const struct gsltune_device_memory *memory, size_t n);

/* Computes TASK, of at least one element, whose first operand lies in MEMORY[0] and
   whose second, if it has one, in MEMORY[1], and leaves VALUE unfinished (see
   src/route/reduce.h).  GSL_EFAILED as above.  */
int gt_device_memory_sums (const struct gsltune_device_memory *const memory[2],
                           const struct gt_task *task, union gt_value *value,
                           const char **why);

/* The stream that comes after the work on COUNT memories of one GPU: that of the first which
   has one.  What the others' have to do is waited for; returns 0 if that can be.  */
int gt_device_memory_join (const struct gsltune_device_memory *const *memory,
                           unsigned count, void **stream);

/* Whether the GPU that has MEMORY may be used now.  */
int gt_device_memory_check (const struct gsltune_device_memory *memory,
                            const char **why);

#endif
