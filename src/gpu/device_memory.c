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

/* Elements are packed and copied in pieces of about this size.  */
#define PIECE_BYTES ((size_t) 8 << 20)

int
gsltune_gpu_count (void)
{
  return gt_in_child () || gt_env.device == GT_CHOOSE_CPU
           ? 0 : gt_gpu_count (NULL);
}

int
gt_device_memory_take (struct gsltune_device_memory *memory, struct gt_open_gpu *gpu,
                       enum gt_arithmetic arithmetic, size_t n)
{
  const size_t size = gt_arithmetics[arithmetic].size;
  size_t bytes;

  if (__builtin_mul_overflow (n, size, &bytes))
    return -1;
  bytes = bytes ? bytes : size;
  *memory = (struct gsltune_device_memory) {.n = n, .stride = 1, .gpu = gpu};
  if (gpu && gt_gpus->alloc (gpu, GT_PLACE_DEVICE, bytes, &memory->data) == 0)
    return 0;
  memory->gpu = NULL;
  memory->data = malloc (bytes);
  return memory->data ? 0 : -1;
}

void
gt_device_memory_give_back (struct gsltune_device_memory *memory)
{
  if (memory->gpu)
    gt_gpus->free (memory->gpu, GT_PLACE_DEVICE, memory->data);
  else
    free (memory->data);
}

struct gsltune_device_memory *
gt_device_memory_alloc (struct gt_open_gpu *gpu, enum gt_arithmetic arithmetic, size_t n)
{
  struct gsltune_device_memory *const memory = malloc (sizeof *memory);

  if (memory && gt_device_memory_take (memory, gpu, arithmetic, n) == 0)
    return memory;
  free (memory);
  return NULL;
}

void
gt_device_memory_free (struct gsltune_device_memory *memory)
{
  if (memory == NULL || memory->view)
    return;
  gt_device_memory_give_back (memory);
  free (memory);
}

/* ------------------------------------------------------------------ Copies */

/* Copies COUNT rows of BYTES bytes; rows are TO_STEP and FROM_STEP bytes apart.  */
static void
repack (char *to, size_t to_step, const char *from, size_t from_step, size_t bytes,
        size_t count)
{
  if (to_step == bytes && from_step == bytes)
    memcpy (to, from, bytes * count);
  else
    for (size_t i = 0; i < count; i++)
      memcpy (to + i * to_step, from + i * from_step, bytes);
}

/* Copies COUNT rows from row FIRST on between the GPU and packed rows at HOST.  */
static int
copy_packed (struct gt_open_gpu *gpu, enum gt_direction direction,
             const struct gt_device_rows *r, size_t first, char *host, size_t count)
{
  char *const device = r->device + first * r->step;
  void *const to = direction == GT_TO_DEVICE ? device : host;
  const void *const from = direction == GT_TO_DEVICE ? host : device;

  return r->step == r->bytes || count == 1
           ? gt_gpus->copy (gpu, direction, to, from, count * r->bytes)
           : gt_gpus->copy_strided (gpu, direction, to, from, r->step, r->bytes, count);
}

/* Copies rows between the GPU and the host, by way of a packed piece if they are apart on the
   host.  */
static int
copy_rows (struct gt_open_gpu *gpu, enum gt_direction direction,
           const struct gt_device_rows *r)
{
  const size_t most = r->bytes < PIECE_BYTES ? PIECE_BYTES / r->bytes : 1;
  char *piece;
  int failed;

  if (r->apart == r->bytes || r->count == 1)
    return copy_packed (gpu, direction, r, 0, r->host, r->count);
  piece = malloc (most * r->bytes);
  failed = piece == NULL;
  for (size_t i = 0; i < r->count && !failed; i += most)
    {
      const size_t n = r->count - i < most ? r->count - i : most;

      if (direction == GT_TO_DEVICE)
        repack (piece, r->bytes, r->host + i * r->apart, r->apart, r->bytes, n);
      failed = copy_packed (gpu, direction, r, i, piece, n);
      if (direction == GT_TO_HOST && !failed)
        repack (r->host + i * r->apart, r->apart, piece, r->bytes, r->bytes, n);
    }
  free (piece);
  return failed;
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
set_on_host (struct gsltune_device_memory *memory, const struct gt_device_rows *r)
{
  char *const data = memory->view ? NULL : malloc (r->count * r->bytes);

  if (data == NULL)
    return GSL_EFAILED;
  gt_gpus->free (memory->gpu, GT_PLACE_DEVICE, memory->data);
  memory->gpu = NULL;
  memory->data = data;
  repack (data, r->bytes, r->host, r->apart, r->bytes, r->count);
  return GSL_SUCCESS;
}

int
gt_device_memory_copy (const struct gsltune_device_memory *memory,
                       enum gt_direction direction, const struct gt_device_rows *r,
                       const char **why)
{
  int status;

  if (r->count == 0 || r->bytes == 0)
    return GSL_SUCCESS;
  if (memory->gpu == NULL)
    {
      if (direction == GT_TO_DEVICE)
        repack (r->device, r->step, r->host, r->apart, r->bytes, r->count);
      else
        repack (r->host, r->apart, r->device, r->step, r->bytes, r->count);
      return GSL_SUCCESS;
    }
  status = gt_device_memory_check (memory, why);
  if (status)
    return status;
  return wait_for_stream (memory) || copy_rows (memory->gpu, direction, r) ? GSL_EFAILED
                                                                           : GSL_SUCCESS;
}

/* Returns all elements as rows of one element, which are STRIDE elements apart at HOST.  */
static struct gt_device_rows
elements_of (const struct gsltune_device_memory *memory, enum gt_arithmetic arithmetic,
             void *host, size_t stride)
{
  const size_t size = gt_arithmetics[arithmetic].size;

  return (struct gt_device_rows) {memory->data, memory->stride * size, host, stride * size,
                                  size, memory->n};
}

int
gt_device_memory_set (struct gsltune_device_memory *memory,
                      enum gt_arithmetic arithmetic, const void *source, size_t stride,
                      const char **why)
{
  const struct gt_device_rows elements
    = elements_of (memory, arithmetic, (void *) source, stride);
  const int status = gt_device_memory_copy (memory, GT_TO_DEVICE, &elements, why);

  return status == GSL_EFAILED ? set_on_host (memory, &elements) : status;
}

int
gt_device_memory_get (const struct gsltune_device_memory *memory,
                      enum gt_arithmetic arithmetic, void *destination, size_t stride,
                      const char **why)
{
  const struct gt_device_rows elements = elements_of (memory, arithmetic, destination, stride);

  return gt_device_memory_copy (memory, GT_TO_HOST, &elements, why);
}

/* -------------------------------------------------------------- Reductions */

void
gt_device_memory_note_copy (const struct gsltune_device_memory *memory, size_t n)
{
  if (memory->gpu)
    gt_log (GT_LOG_NOTICE, "%zu elements are copied from a GPU: the CPU computes in its place", n);
}

int
gt_device_memory_copy_back (const struct gsltune_device_memory *memory,
                            enum gt_arithmetic arithmetic, size_t n,
                            struct gt_operand *operand, void **copy, const char **why)
{
  struct gsltune_device_memory part = *memory;

  if (memory->gpu == NULL)
    return GSL_SUCCESS;
  gt_device_memory_note_copy (memory, n);
  part.data = (void *) operand->data;
  part.n = n;
  *copy = malloc (n * gt_arithmetics[arithmetic].size);
  *operand = (struct gt_operand) {*copy, 1};
  if (*copy == NULL)
    return fail (why, "failed to allocate space for elements of a GPU", GSL_ENOMEM);
  return gt_device_memory_get (&part, arithmetic, *copy, 1, why);
}

/* Computes on the CPU if the GPU cannot: from copies, if these are still possible and the CPU
   has a kernel for the problem.  */
static int
reduce_copied_back (const struct gsltune_device_memory *const memory[2],
                    const struct gt_task *task, union gt_value *value)
{
  const struct gt_problem *const p = &task->problem;
  const int two = gt_reductions[p->reduction].inputs == 2;
  struct gt_task on_host = *task;
  struct gt_operand *const operands[2] = {&on_host.x, &on_host.y};
  void *copy[2] = {NULL, NULL};
  const char *why;
  int failed = !gt_device_computes (GT_CPU, p);

  for (int k = 0; k < 1 + two && !failed; k++)
    failed = gt_device_memory_copy_back (memory[k], p->arithmetic, p->n, operands[k], &copy[k],
                                         &why);

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
