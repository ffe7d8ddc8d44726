/* Matrices that stay on a GPU, or on the host if there is no GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/gpu/device_table.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"

/* The approximate size of the pieces in which rows are packed that are not contiguous on the
   host.  */
#define PIECE_BYTES ((size_t) 8 << 20)

static int
fail (const char **why, const char *text, int status)
{
  *why = text;
  return status;
}

struct gsltune_device_table *
gt_device_table_alloc (struct gt_open_gpu *gpu, enum gt_arithmetic arithmetic,
                       size_t size1, size_t size2)
{
  struct gsltune_device_table *table;
  struct gsltune_device_memory *memory;
  size_t n;

  if (__builtin_mul_overflow (size1, size2, &n))
    return NULL;
  table = malloc (sizeof *table);
  memory = table ? gt_device_memory_alloc (gpu, arithmetic, n) : NULL;
  if (memory == NULL)
    {
      free (table);
      return NULL;
    }
  *table = (struct gsltune_device_table) {*memory, size1, size2, size2};
  free (memory);
  return table;
}

void
gt_device_table_free (struct gsltune_device_table *table)
{
  struct gsltune_device_memory *memory;

  if (table == NULL || table->memory.view)
    return;
  memory = &table->memory;
  if (memory->gpu)
    gt_gpus->free (memory->gpu, GT_PLACE_DEVICE, memory->data);
  else
    free (memory->data);
  free (table);
}

/* ------------------------------------------------------------------- Views */

int
gt_device_table_view (struct gsltune_device_table *view,
                      enum gt_arithmetic arithmetic, const void *address,
                      size_t size1, size_t size2, size_t tda, const char **why)
{
  const int some = size1 > 0 && size2 > 0;
  size_t n = 0;
  int status;

  *view = (struct gsltune_device_table) {.memory = {.view = 1}};
  if (tda < size2)
    return fail (why, "the rows overlap", GSL_EINVAL);
  /* The number of elements from the first to the last.  */
  if (some
      && (__builtin_mul_overflow (size1 - 1, tda, &n)
          || __builtin_add_overflow (n, size2, &n)))
    return fail (why, "such a matrix fits into no memory", GSL_EINVAL);
  status = gt_device_memory_view (&view->memory, arithmetic, address, 1, n, why);
  if (status)
    return status;
  view->size1 = size1;
  view->size2 = size2;
  view->tda = tda;
  return GSL_SUCCESS;
}

/* Returns a view of N elements, STRIDE apart, that begins with element (I, J).  */
static struct gsltune_device_memory
elements_of (const struct gsltune_device_table *table,
             enum gt_arithmetic arithmetic, size_t i, size_t j, size_t stride,
             size_t n)
{
  struct gsltune_device_memory view = table->memory;

  view.view = 1;
  view.n = n;
  view.stride = stride ? stride : 1;
  if (n > 0)
    view.data = (char *) view.data
                + (i * table->tda + j) * gt_arithmetics[arithmetic].size;
  return view;
}

int
gt_device_table_part (struct gsltune_device_table *view,
                      enum gt_arithmetic arithmetic,
                      const struct gsltune_device_table *table, size_t i,
                      size_t j, size_t n1, size_t n2, const char **why)
{
  const int some = n1 > 0 && n2 > 0;

  *view = (struct gsltune_device_table) {.memory = {.view = 1}};
  if (i > table->size1 || n1 > table->size1 - i || j > table->size2
      || n2 > table->size2 - j)
    return fail (why, "the part reaches beyond the matrix", GSL_EINVAL);
  *view = (struct gsltune_device_table) {
    elements_of (table, arithmetic, i, j, 1,
                 some ? (n1 - 1) * table->tda + n2 : 0),
    n1, n2, table->tda
  };
  return GSL_SUCCESS;
}

int
gt_device_table_row (struct gsltune_device_memory *view,
                     enum gt_arithmetic arithmetic,
                     const struct gsltune_device_table *table, size_t i,
                     const char **why)
{
  *view = (struct gsltune_device_memory) {.view = 1};
  if (i >= table->size1)
    return fail (why, "row index is out of range", GSL_EINVAL);
  *view = elements_of (table, arithmetic, i, 0, 1, table->size2);
  return GSL_SUCCESS;
}

int
gt_device_table_column (struct gsltune_device_memory *view,
                        enum gt_arithmetic arithmetic,
                        const struct gsltune_device_table *table, size_t j,
                        const char **why)
{
  *view = (struct gsltune_device_memory) {.view = 1};
  if (j >= table->size2)
    return fail (why, "column index is out of range", GSL_EINVAL);
  *view = elements_of (table, arithmetic, 0, j, table->tda, table->size1);
  return GSL_SUCCESS;
}

/* ------------------------------------------------------------------ Copies */

/* Copies COUNT rows of BYTES bytes; rows are TO_STEP and FROM_STEP bytes apart.  */
static void
repack (char *to, size_t to_step, const char *from, size_t from_step,
        size_t bytes, size_t count)
{
  for (size_t i = 0; i < count; i++)
    memcpy (to + i * to_step, from + i * from_step, bytes);
}

/* Copies COUNT rows of BYTES bytes, which are STEP bytes apart at DEVICE and contiguous on the
   host.  */
static int
copy_packed (struct gt_open_gpu *gpu, enum gt_direction direction,
             char *device, size_t step, char *host, size_t bytes, size_t count)
{
  void *to = direction == GT_TO_DEVICE ? device : host;
  const void *from = direction == GT_TO_DEVICE ? host : device;

  return step == bytes || count == 1
           ? gt_gpus->copy (gpu, direction, to, from, count * bytes)
           : gt_gpus->copy_strided (gpu, direction, to, from, step, bytes,
                                    count);
}

/* Copies COUNT rows of BYTES bytes, which are STEP bytes apart at DEVICE and APART bytes apart
   on the host.  */
static int
copy_rows (struct gt_open_gpu *gpu, enum gt_direction direction, char *device,
           size_t step, char *host, size_t apart, size_t bytes, size_t count)
{
  const size_t most = bytes < PIECE_BYTES ? PIECE_BYTES / bytes : 1;
  char *piece;
  int failed;

  if (apart == bytes || count == 1)
    return copy_packed (gpu, direction, device, step, host, bytes, count);
  piece = malloc (most * bytes);
  failed = piece == NULL;
  for (size_t i = 0; i < count && !failed; i += most)
    {
      const size_t n = count - i < most ? count - i : most;

      if (direction == GT_TO_DEVICE)
        repack (piece, bytes, host + i * apart, apart, bytes, n);
      failed = copy_packed (gpu, direction, device + i * step, step, piece,
                            bytes, n);
      if (direction == GT_TO_HOST && !failed)
        repack (host + i * apart, apart, piece, bytes, bytes, n);
    }
  free (piece);
  return failed;
}

int
gt_device_table_copy (const struct gsltune_device_table *table,
                      enum gt_arithmetic arithmetic,
                      enum gt_direction direction, void *host, size_t tda,
                      const char **why)
{
  const struct gsltune_device_memory *memory = &table->memory;
  const size_t size = gt_arithmetics[arithmetic].size;
  const size_t bytes = table->size2 * size;
  const size_t step = table->tda * size, apart = tda * size;
  int status;

  if (table->size1 == 0 || table->size2 == 0)
    return GSL_SUCCESS;
  if (memory->gpu == NULL)
    {
      if (direction == GT_TO_DEVICE)
        repack (memory->data, step, host, apart, bytes, table->size1);
      else
        repack (host, apart, memory->data, step, bytes, table->size1);
      return GSL_SUCCESS;
    }
  status = gt_device_memory_check (memory, why);
  if (status)
    return status;
  /* Wait for the stream's work, because a copy does not.  */
  if ((memory->stream && gt_gpus->synchronize (memory->gpu, memory->stream))
      || copy_rows (memory->gpu, direction, memory->data, step, host, apart,
                    bytes, table->size1))
    return GSL_EFAILED;
  return GSL_SUCCESS;
}
