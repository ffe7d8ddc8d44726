/* Memory that stays on a GPU, or on the host if there is no GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/gpu/device_memory.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/env.h"
#include "src/base/log.h"
#include "src/base/names.h"
#include "src/device/gpus.h"
#include "src/route/reduce.h"

/* The size of the pieces in which strided vectors are packed and copied.  */
#define PIECE_BYTES ((size_t) 8 << 20)

int
gsltune_gpu_count (void)
{
  return gt_in_child () || gt_env.device == GT_CHOOSE_CPU
           ? 0 : gt_gpu_count (NULL);
}

struct gsltune_device_memory *
gt_device_memory_alloc (struct gt_open_gpu *gpu, enum gt_arithmetic arithmetic,
                        size_t n)
{
  size_t size = gt_arithmetics[arithmetic].size, bytes;
  struct gsltune_device_memory *memory;

  if (__builtin_mul_overflow (n, size, &bytes))
    return NULL;
  memory = malloc (sizeof *memory);
  if (memory == NULL)
    return NULL;
  bytes = bytes ? bytes : size;
  *memory = (struct gsltune_device_memory) {
    .n = n, .stride = 1, .gpu = gpu
  };
  if (memory->gpu
      && gt_gpus->alloc (memory->gpu, GT_PLACE_DEVICE, bytes, &memory->data)
           == 0)
    return memory;
  memory->gpu = NULL;
  memory->data = malloc (bytes);
  if (memory->data)
    return memory;
  free (memory);
  return NULL;
}

void
gt_device_memory_free (struct gsltune_device_memory *memory)
{
  if (memory == NULL || memory->view)
    return;
  if (memory->gpu)
    gt_gpus->free (memory->gpu, GT_PLACE_DEVICE, memory->data);
  else
    free (memory->data);
  free (memory);
}

/* Copies N elements of SIZE bytes between strides given in elements.  */
static void
repack (char *to, size_t to_stride, const char *from, size_t from_stride,
        size_t n, size_t size)
{
  if (to_stride == 1 && from_stride == 1)
    memcpy (to, from, n * size);
  else
    for (size_t i = 0; i < n; i++)
      memcpy (to + i * to_stride * size, from + i * from_stride * size, size);
}

/* ------------------------------------------------------------------ Copies */

/* Copies N elements from element AT on between the GPU and packed elements.  */
static int
copy_packed (const struct gsltune_device_memory *memory, size_t size, size_t at,
             char *packed, size_t n, int to_device)
{
  const size_t step = memory->stride * size; /* may wrap if there is only one element */
  char *device = (char *) memory->data + at * step;
  const enum gt_direction direction = to_device ? GT_TO_DEVICE : GT_TO_HOST;
  void *to = to_device ? device : packed;
  const void *from = to_device ? packed : device;

  return step == size || memory->n == 1
           ? gt_gpus->copy (memory->gpu, direction, to, from, n * size)
           : gt_gpus->copy_strided (memory->gpu, direction, to, from, step,
                                    size, n);
}

/* Copies all elements between the GPU and host elements STRIDE apart, by way of a packed
   piece.  */
static int
copy_all (const struct gsltune_device_memory *memory, size_t size, char *host,
          size_t stride, int to_device)
{
  const size_t most = PIECE_BYTES / size;
  char *piece;
  int failed;

  if (stride == 1)
    return copy_packed (memory, size, 0, host, memory->n, to_device);
  piece = malloc (PIECE_BYTES);
  failed = piece == NULL;
  for (size_t i = 0; i < memory->n && !failed; i += most)
    {
      const size_t n = memory->n - i < most ? memory->n - i : most;
      char *elements = host + i * stride * size;

      if (to_device)
        repack (piece, 1, elements, stride, n, size);
      failed = copy_packed (memory, size, i, piece, n, to_device);
      if (!to_device && !failed)
        repack (elements, stride, piece, 1, n, size);
    }
  free (piece);
  return failed ? -1 : 0;
}

static int
fail (const char **why, const char *text, int status)
{
  *why = text;
  return status;
}

int
gt_device_memory_check (const struct gsltune_device_memory *memory,
                        const char **why)
{
  if (gt_in_child ())
    return fail (why, "a child of fork() makes no CUDA call", GSL_EFAILED);
  if (memory->stream && gt_gpus->captured (memory->gpu, memory->stream))
    return fail (why, "the stream is being captured: its work does not run now", GSL_EINVAL);
  *why = "the GPU has failed";
  return GSL_SUCCESS;
}

/* Waits for the stream's work, because a copy does not.  */
static int
wait_for_stream (const struct gsltune_device_memory *memory)
{
  return memory->stream ? gt_gpus->synchronize (memory->gpu, memory->stream)
                        : 0;
}

/* Replaces all elements in host memory after the GPU has failed; nothing is lost.  Fails for a
   view, whose memory cannot be replaced.  */
static int
set_on_host (struct gsltune_device_memory *memory, size_t size,
             const void *source, size_t stride)
{
  void *data = memory->view ? NULL : malloc (memory->n * size);

  if (data == NULL)
    return GSL_EFAILED;
  gt_gpus->free (memory->gpu, GT_PLACE_DEVICE, memory->data);
  memory->gpu = NULL;
  memory->data = data;
  repack (memory->data, 1, source, stride, memory->n, size);
  return GSL_SUCCESS;
}

int
gt_device_memory_set (struct gsltune_device_memory *memory,
                      enum gt_arithmetic arithmetic, const void *source,
                      size_t stride, const char **why)
{
  const size_t size = gt_arithmetics[arithmetic].size;
  int status;

  if (memory->n == 0)
    return GSL_SUCCESS;
  if (memory->gpu == NULL)
    {
      repack (memory->data, memory->stride, source, stride, memory->n, size);
      return GSL_SUCCESS;
    }
  status = gt_device_memory_check (memory, why);
  if (status == GSL_EINVAL
      || (status == GSL_SUCCESS && wait_for_stream (memory) == 0
          && copy_all (memory, size, (char *) source, stride, 1) == 0))
    return status;
  return set_on_host (memory, size, source, stride);
}

int
gt_device_memory_get (const struct gsltune_device_memory *memory,
                      enum gt_arithmetic arithmetic, void *destination,
                      size_t stride, const char **why)
{
  const size_t size = gt_arithmetics[arithmetic].size;
  int status;

  if (memory->n == 0)
    return GSL_SUCCESS;
  if (memory->gpu == NULL)
    {
      repack (destination, stride, memory->data, memory->stride, memory->n, size);
      return GSL_SUCCESS;
    }
  status = gt_device_memory_check (memory, why);
  if (status)
    return status;
  return wait_for_stream (memory)
             || copy_all (memory, size, destination, stride, 0)
           ? GSL_EFAILED : GSL_SUCCESS;
}

/* -------------------------------------------------------------- Reductions */

void
gt_device_memory_note_copy (const struct gsltune_device_memory *memory, size_t n)
{
  if (memory->gpu)
    gt_log (GT_LOG_NOTICE, "%zu elements are copied from a GPU: the CPU computes in its place", n);
}

/* Copies the N elements of OPERAND from MEMORY to packed host memory, to which OPERAND then
   refers.  Does nothing if they are on the host.  */
static int
copy_back (const struct gsltune_device_memory *memory, size_t size, size_t n,
           struct gt_operand *operand, char **copy)
{
  struct gsltune_device_memory part = *memory;
  int failed;

  if (memory->gpu == NULL)
    return 0;
  gt_device_memory_note_copy (memory, n);
  part.data = (void *) operand->data;
  part.n = n;
  *copy = malloc (n * size);
  failed = *copy == NULL || wait_for_stream (memory)
           || copy_all (&part, size, *copy, 1, 0);
  *operand = (struct gt_operand) {*copy, 1};
  return failed;
}

/* Computes on the CPU if the GPU cannot: from copies, if these are still possible and the CPU
   has a kernel for the problem.  */
static int
reduce_copied_back (const struct gsltune_device_memory *const memory[2],
                    const struct gt_task *task, union gt_value *value)
{
  const size_t size = gt_arithmetics[task->problem.arithmetic].size;
  const size_t n = task->problem.n;
  const int two = gt_reductions[task->problem.reduction].inputs == 2;
  struct gt_task on_host = *task;
  char *copy[2] = {NULL, NULL};
  int failed = !gt_device_computes (GT_CPU, &task->problem)
               || copy_back (memory[0], size, n, &on_host.x, &copy[0])
               || (two && copy_back (memory[1], size, n, &on_host.y, &copy[1]));

  on_host.problem.layout
    = gt_layout_of (on_host.x.stride == 1 && (!two || on_host.y.stride == 1)
                      ? 1 : 2);
  if (!failed)
    gt_reduce_cpu_unfinished (&on_host, value);
  free (copy[0]);
  free (copy[1]);
  return failed ? -1 : 0;
}

int
gt_device_memory_join (const struct gsltune_device_memory *const *memory,
                       unsigned count, void **stream)
{
  int failed = 0;

  *stream = NULL;
  for (unsigned k = 0; k < count && *stream == NULL; k++)
    *stream = memory[k]->stream;
  for (unsigned k = 0; k < count && !failed; k++)
    if (memory[k]->stream != *stream)
      failed = wait_for_stream (memory[k]);
  return failed;
}

int
gt_device_memory_sums (const struct gsltune_device_memory *const memory[2],
                       const struct gt_task *task, union gt_value *value,
                       const char **why)
{
  const int inputs = (int) gt_reductions[task->problem.reduction].inputs;
  const struct gsltune_device_memory *const last = memory[inputs - 1];
  const struct gsltune_device_memory *const used[2] = {memory[0], last};
  void *stream;
  int status = GSL_SUCCESS;

  if (used[0]->gpu == NULL && used[1]->gpu == NULL)
    {
      gt_reduce_cpu_unfinished (task, value);
      return GSL_SUCCESS;
    }
  for (int i = 0; i < inputs && status == GSL_SUCCESS; i++)
    if (used[i]->gpu)
      status = gt_device_memory_check (used[i], why);
  if (status)
    return status;
  if (used[0]->gpu == used[1]->gpu && gt_device_memory_join (used, 2, &stream) == 0
      && gt_reduce_gpu_unfinished (used[0]->gpu, task, stream, value) == 0)
    return GSL_SUCCESS;
  if (reduce_copied_back (used, task, value) == 0)
    return GSL_SUCCESS;
  return fail (why, "the GPU has failed and its elements are lost", GSL_EFAILED);
}

/* ------------------------------------------------------------------- Views */

void
gt_device_memory_set_stream (struct gsltune_device_memory *memory, void *stream)
{
  memory->stream = stream ? stream : GT_DEFAULT_STREAM;
}

/* Stores the GPU that can read ADDRESS in *GPU.  */
static int
find_gpu (const void *address, void **gpu, const char **why)
{
  int index;

  if (gt_in_child ())
    return fail (why, "a child of fork() makes no CUDA call", GSL_EFAILED);
  index = gt_gpus->index_of_address (address);
  if (index < 0)
    return fail (why, "no GPU can read this address", GSL_EINVAL);
  *gpu = gt_gpu_open (index, why);
  return *gpu ? GSL_SUCCESS : GSL_EFAILED;
}

int
gt_device_memory_view (struct gsltune_device_memory *view,
                       enum gt_arithmetic arithmetic, const void *address,
                       size_t stride, size_t n, const char **why)
{
  size_t bytes;
  int status = GSL_SUCCESS;

  *view = (struct gsltune_device_memory) {.view = 1};
  if (stride == 0)
    return fail (why, "the stride is 0", GSL_EINVAL);
  /* A GPU would read memory that does not exist, which destroys its context.  */
  if (n > 0 && (gt_span (arithmetic, n, stride, &bytes)
                || bytes > UINTPTR_MAX - (uintptr_t) address))
    return fail (why, "n elements so far apart fit into no memory", GSL_EINVAL);
  if (n > 0 && !gt_aligned (arithmetic, address))
    return fail (why, "the address is no multiple of an element's size", GSL_EINVAL);
  if (n > 0)
    status = find_gpu (address, &view->gpu, why);
  if (status)
    return status;
  view->data = (void *) address;
  view->n = n;
  view->stride = stride;
  gt_device_memory_set_stream (view, NULL);
  return GSL_SUCCESS;
}
