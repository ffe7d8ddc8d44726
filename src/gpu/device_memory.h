/* Memory that stays on a GPU, or on the host if there is no GPU; untyped.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_DEVICE_MEMORY_H
#define GT_DEVICE_MEMORY_H

#include "kernels/task.h"
#include "src/device/backend.h"
#include "src/gsltune.h"

/* Allocates N elements in the memory of GPU, or on the host if GPU is null or its memory is
   short.  Returns null, without calling an error handler, if host memory is short, too.
   Freeing a view does nothing.  */
struct gsltune_device_memory *
gt_device_memory_alloc (struct gt_open_gpu *gpu, enum gt_arithmetic arithmetic,
                        size_t n);
void gt_device_memory_free (struct gsltune_device_memory *memory);

/* The same for the elements alone, which MEMORY then describes.  _take returns -1 if memory is
   short.  */
int gt_device_memory_take (struct gsltune_device_memory *memory, struct gt_open_gpu *gpu,
                           enum gt_arithmetic arithmetic, size_t n);
void gt_device_memory_give_back (struct gsltune_device_memory *memory);

/* The functions below return GSL_SUCCESS, or a GSL error code with the reason in
   WHY.  */

/* Makes VIEW a view of N elements, STRIDE apart, at an address that a GPU can read.  */
int gt_device_memory_view (struct gsltune_device_memory *view,
                           enum gt_arithmetic arithmetic, const void *address,
                           size_t stride, size_t n, const char **why);

/* Orders all later work on MEMORY after the work in STREAM; null is the default stream.  */
void gt_device_memory_set_stream (struct gsltune_device_memory *memory,
                                  void *stream);

/* COUNT rows of BYTES bytes: STEP bytes apart from DEVICE on, in a device memory, and APART
   bytes apart from HOST on.  */
struct gt_device_rows
{
  char *device;
  size_t step;
  char *host;
  size_t apart, bytes, count;
};

/* Copies rows after the work in the memory's stream.  */
int gt_device_memory_copy (const struct gsltune_device_memory *memory,
                           enum gt_direction direction, const struct gt_device_rows *rows,
                           const char **why);

/* Copy all elements from or to host elements STRIDE apart.  _set returns GSL_EFAILED if the
   GPU fails and the elements cannot move to host memory; _get returns it if the GPU fails or
   memory for packing is short.  */
int gt_device_memory_set (struct gsltune_device_memory *memory,
                          enum gt_arithmetic arithmetic, const void *source,
                          size_t stride, const char **why);
int gt_device_memory_get (const struct gsltune_device_memory *memory,
                          enum gt_arithmetic arithmetic, void *destination,
                          size_t stride, const char **why);

/* Logs, at "notice", that N elements of MEMORY are copied back from their GPU, if they are on
   one, because the CPU computes instead.  */
void gt_device_memory_note_copy (const struct gsltune_device_memory *memory, size_t n);

/* Copies the N elements of OPERAND from MEMORY to packed host memory, *COPY, which the caller
   frees and to which OPERAND then refers.  Does nothing if they are on the host.  */
int gt_device_memory_copy_back (const struct gsltune_device_memory *memory,
                                enum gt_arithmetic arithmetic, size_t n,
                                struct gt_operand *operand, void **copy, const char **why);

/* Computes TASK, which has at least one element; its operands are in MEMORY[0] and MEMORY[1].
   Stores an unfinished VALUE (see src/route/reduce.h).  Returns GSL_EFAILED as above.  */
int gt_device_memory_sums (const struct gsltune_device_memory *const memory[2],
                           const struct gt_task *task, union gt_value *value,
                           const char **why);

/* Stores a stream that is ordered after the work on COUNT memories of one GPU: the first
   memory's own stream, after waiting for the streams of the others.  Returns 0 on success.  */
int gt_device_memory_join (const struct gsltune_device_memory *const *memory,
                           unsigned count, void **stream);

/* Returns GSL_SUCCESS if the GPU that has MEMORY can be used now, otherwise an error code.  */
int gt_device_memory_check (const struct gsltune_device_memory *memory,
                            const char **why);

#endif
