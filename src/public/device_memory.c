/* Memory that stays on a GPU, or on the host where there is none.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/device_memory.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/env.h"
#include "src/base/names.h"
#include "src/cuda/backend_cuda.h"
#include "src/cuda/cuda_memory.h"
#include "src/route/reduce.h"

/* Strided vectors are packed, and lost data fetched, in pieces of this size. */
#define PIECE_BYTES ((size_t) 8 << 20)

/* A task in the mode in force.  */
static struct gt_task
task_of (enum gt_arithmetic arithmetic, const void *data, size_t n,
         size_t stride)
{
  enum gt_mode mode;

  arithmetic = gt_arithmetic_for (GT_SUM, arithmetic);
  mode = gt_mode_for (GT_SUM, arithmetic, (enum gt_mode) gt_mode_now);
  return gt_task_of (GT_SUM, arithmetic, mode, data, n, stride);
}

struct gt_device_memory *
gt_device_memory_alloc (enum gt_arithmetic arithmetic, size_t n)
{
  size_t size = gt_arithmetics[arithmetic].size, bytes;
  struct gt_device_memory *memory;

  if (__builtin_mul_overflow (n, size, &bytes))
    return NULL;
  memory = malloc (sizeof *memory);
  if (memory == NULL)
    return NULL;
  bytes = bytes ? bytes : size;
  memory->n = n;
  memory->gpu = gt_cuda_chosen (NULL);
  if (memory->gpu && gt_cuda_alloc (memory->gpu, bytes, &memory->data) == 0)
    return memory;
  memory->gpu = NULL;
  memory->data = malloc (bytes);
  if (memory->data)
    return memory;
  free (memory);
  return NULL;
}

void
gt_device_memory_free (struct gt_device_memory *memory)
{
  if (memory == NULL)
    return;
  if (memory->gpu)
    gt_cuda_free (memory->gpu, memory->data);
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

/* Moves all elements between the GPU and a strided vector, by way of a packed
   piece.  */
static int
move_packed (const struct gt_device_memory *memory, size_t size, char *host,
             size_t stride, int to_device)
{
  size_t most = PIECE_BYTES / size;
  char *piece = malloc (PIECE_BYTES);
  int failed = piece == NULL;

  for (size_t i = 0; i < memory->n && !failed; i += most)
    {
      size_t n = memory->n - i < most ? memory->n - i : most;
      char *device = (char *) memory->data + i * size;
      char *elements = host + i * stride * size;

      if (to_device)
        repack (piece, 1, elements, stride, n, size);
      failed = to_device
                 ? gt_cuda_to_device (memory->gpu, device, piece, n * size)
                 : gt_cuda_to_host (memory->gpu, piece, device, n * size);
      if (!to_device && !failed)
        repack (elements, stride, piece, 1, n, size);
    }
  free (piece);
  return failed ? -1 : 0;
}

static int
set_on_gpu (struct gt_device_memory *memory, size_t size, const void *source,
            size_t stride)
{
  if (stride != 1)
    return move_packed (memory, size, (char *) source, stride, 1);
  return gt_cuda_to_device (memory->gpu, memory->data, source,
                            memory->n * size);
}

/* All elements are replaced, so nothing is lost with a GPU that fails: they
   go to host memory instead.  */
int
gt_device_memory_set (struct gt_device_memory *memory,
                      enum gt_arithmetic arithmetic, const void *source,
                      size_t stride)
{
  size_t size = gt_arithmetics[arithmetic].size;

  if (memory->n == 0)
    return 0;
  if (memory->gpu && (gt_forked || set_on_gpu (memory, size, source, stride)))
    {
      void *data = malloc (memory->n * size);

      if (data == NULL)
        return -1;
      gt_cuda_free (memory->gpu, memory->data);
      memory->gpu = NULL;
      memory->data = data;
    }
  if (memory->gpu == NULL)
    repack (memory->data, 1, source, stride, memory->n, size);
  return 0;
}

int
gt_device_memory_get (const struct gt_device_memory *memory,
                      enum gt_arithmetic arithmetic, void *destination,
                      size_t stride)
{
  size_t size = gt_arithmetics[arithmetic].size;

  if (memory->n == 0)
    return 0;
  if (memory->gpu == NULL)
    {
      repack (destination, stride, memory->data, 1, memory->n, size);
      return 0;
    }
  if (gt_forked)
    return -1;
  if (stride != 1)
    return move_packed (memory, size, destination, stride, 0);
  return gt_cuda_to_host (memory->gpu, destination, memory->data,
                          memory->n * size) ? -1 : 0;
}

/* When the GPU cannot sum what it holds, the CPU does, as long as a copy can
   still be had.  */
static int
sum_copied_back (struct gt_cuda *gpu, const struct gt_task *task,
                 union gt_value *sum)
{
  enum gt_arithmetic arithmetic = task->problem.arithmetic;
  struct gt_task on_host = *task;
  size_t bytes = 0;
  char *copy;
  int failed;

  if (task->problem.n
      && gt_span (arithmetic, task->problem.n, task->x.stride, &bytes))
    return -1;
  copy = malloc (bytes ? bytes : 1);
  failed = copy == NULL;
  if (!failed && bytes)
    failed = gt_cuda_to_host (gpu, copy, task->x.data, bytes);
  on_host.x.data = copy;
  if (!failed)
    gt_reduce_cpu (&on_host, sum);
  free (copy);
  return failed ? -1 : 0;
}

int
gt_device_memory_sum (const struct gt_device_memory *memory,
                      enum gt_arithmetic arithmetic, union gt_value *sum)
{
  struct gt_task task = task_of (arithmetic, memory->data, memory->n, 1);

  if (memory->gpu == NULL)
    {
      gt_reduce_cpu (&task, sum);
      return 0;
    }
  if (gt_forked)
    return -1;
  if (gt_reduce_gpu (memory->gpu, &task, NULL, sum) == 0)
    return 0;
  return sum_copied_back (memory->gpu, &task, sum);
}

/* A copy does not wait for STREAM by itself.  */
static int
sum_after_stream (struct gt_cuda *gpu, const struct gt_task *task,
                  void *stream, union gt_value *sum)
{
  if (gt_cuda_synchronize (gpu, stream))
    return -1;
  return sum_copied_back (gpu, task, sum);
}

int
gt_device_address_sum (enum gt_arithmetic arithmetic, const void *address,
                       size_t n, size_t stride, void *stream,
                       union gt_value *sum, const char **why)
{
  struct gt_task task = task_of (arithmetic, address, n, stride);
  struct gt_cuda *gpu;
  size_t bytes;
  int index;

  memset (sum, 0, sizeof *sum);
  if (stride == 0)
    {
      *why = "the stride is 0";
      return GSL_EINVAL;
    }
  if (n == 0)
    return GSL_SUCCESS;
  /* The GPU would read memory that is not there, which ends its context.  */
  if (gt_span (arithmetic, n, stride, &bytes))
    {
      *why = "n elements so far apart fit into no memory";
      return GSL_EINVAL;
    }
  if (gt_forked)
    {
      *why = "a child of fork() makes no CUDA call";
      return GSL_EFAILED;
    }
  index = gt_cuda_index_of_address (address);
  if (index < 0)
    {
      *why = "no GPU can read this address";
      return GSL_EINVAL;
    }
  gpu = gt_cuda_open (index, why);
  if (gpu == NULL)
    return GSL_EFAILED;
  stream = stream ? stream : GT_CUDA_DEFAULT_STREAM;
  if (gt_cuda_captured (gpu, stream))
    {
      *why = "the stream is being captured: its work does not run now";
      return GSL_EINVAL;
    }
  if (gt_reduce_gpu (gpu, &task, stream, sum) == 0
      || sum_after_stream (gpu, &task, stream, sum) == 0)
    return GSL_SUCCESS;
  *why = "the GPU has failed";
  return GSL_EFAILED;
}
