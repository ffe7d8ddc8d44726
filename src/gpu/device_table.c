/* Matrices that stay on a GPU, or on the host if there is no GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/gpu/device_table.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>

#include "src/base/names.h"

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
  struct gsltune_device_table *const table = malloc (sizeof *table);
  struct gsltune_device_memory memory;
  size_t n;

  if (table == NULL || __builtin_mul_overflow (size1, size2, &n)
      || gt_device_memory_take (&memory, gpu, arithmetic, n))
    {
      free (table);
      return NULL;
    }
  *table = (struct gsltune_device_table) {memory, size1, size2, size2};
  return table;
}

void
gt_device_table_free (struct gsltune_device_table *table)
{
  if (table == NULL || table->memory.view)
    return;
  gt_device_memory_give_back (&table->memory);
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

int
gt_device_table_copy (const struct gsltune_device_table *table, enum gt_arithmetic arithmetic,
                      enum gt_direction direction, void *host, size_t tda, const char **why)
{
  const size_t size = gt_arithmetics[arithmetic].size;
  const struct gt_device_rows rows = {table->memory.data, table->tda * size, host, tda * size,
                                      table->size2 * size, table->size1};

  return gt_device_memory_copy (&table->memory, direction, &rows, why);
}
