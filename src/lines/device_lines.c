/* Results for rows, columns and segments of device matrices and vectors.  The GPU that has the
   elements computes them; the CPU computes them from copies if the elements are on several
   GPUs, if there is no GPU kernel, or if the GPU fails.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/lines/device_lines.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>

#include "src/base/env.h"
#include "src/base/names.h"

/* The maximum number of elements of a line that a GPU computes, so that sums of integers fit
   into 64 bits.  */
#define MOST ((size_t) 1 << 30)

/* The lines of a call: rows or columns of TABLE, or, if OFFSETS is not null, segments of its
   one column.  */
struct call
{
  struct gsltune_device_table table;
  const struct gsltune_device_memory *offsets, *to;
  const struct gt_line_function *f;
  int by_columns;
};

/* Returns the lines of the elements at DATA; rows are TDA elements apart.  */
static struct gt_lines
lines_of (const struct call *c, const char *data, size_t tda, const size_t *offsets)
{
  const size_t size1 = c->table.size1, size2 = c->table.size2;

  if (c->offsets)
    return (struct gt_lines) {data, c->offsets->n - 1, 0, 0, tda, offsets, size1};
  return c->by_columns ? (struct gt_lines) {data, size2, 1, size1, tda, NULL, 0}
                       : (struct gt_lines) {data, size1, tda, size2, 1, NULL, 0};
}

/* --------------------------------------------------------------- On the host */

/* The memory that the CPU reads and writes: the host memory itself, or copies.  */
struct copies
{
  void *elements, *offsets, *results;
};

/* Allocates N elements of SIZE bytes if MEMORY is on a GPU; otherwise stores its address.  */
static int
take_room (const struct gsltune_device_memory *memory, size_t n, size_t size, void **room)
{
  *room = memory->gpu ? malloc (n ? n * size : 1) : memory->data;
  return *room || memory->gpu == NULL ? GSL_SUCCESS : GSL_ENOMEM;
}

static void
give_back (const struct gsltune_device_memory *memory, void *room)
{
  if (memory->gpu)
    free (room);
}

/* Returns the arithmetic of the results; if they differ in size from the elements, they have 8
   bytes and are copied as doubles.  */
static enum gt_arithmetic
arithmetic_of_results (const struct gt_line_function *f)
{
  return f->result_size == f->size ? f->arithmetic : GT_F64;
}

/* Copies the offsets, even from host memory, because they may be strided.  */
static int
copy_offsets (const struct call *c, void **offsets)
{
  const char *why;

  *offsets = malloc (c->offsets->n * sizeof (size_t));
  return *offsets == NULL ? GSL_ENOMEM
         : gt_device_memory_get (c->offsets, GT_U64, *offsets, 1, &why);
}

static int
copy_back (const struct call *c, struct copies *copies)
{
  const struct gsltune_device_table *table = &c->table;
  const char *why;
  int status = take_room (&table->memory, table->size1 * table->size2, c->f->size,
                          &copies->elements);

  gt_device_memory_note_copy (&table->memory, table->size1 * table->size2);
  if (status == GSL_SUCCESS && table->memory.gpu)
    status = gt_device_table_copy (table, c->f->arithmetic, GT_TO_HOST, copies->elements,
                                   table->size2, &why);
  if (status == GSL_SUCCESS && c->offsets)
    status = copy_offsets (c, &copies->offsets);
  if (status == GSL_SUCCESS)
    status = take_room (c->to, c->to->n, c->f->result_size, &copies->results);
  return status;
}

/* Stores in *COMPUTED the value of gt_lines_compute, which reports its own errors.  */
static int
compute_on_host (const struct call *c, int *computed)
{
  const size_t tda = c->table.memory.gpu ? c->table.size2 : c->table.tda;
  struct copies copies = {NULL, NULL, NULL};
  struct gsltune_device_memory to = *c->to;
  const char *why;
  int status = copy_back (c, &copies);

  if (status == GSL_SUCCESS)
    {
      const struct gt_lines lines = lines_of (c, copies.elements, tda, copies.offsets);

      *computed = gt_lines_compute (&lines, c->f, copies.results, to.gpu ? 1 : to.stride, to.n);
    }
  if (status == GSL_SUCCESS && *computed == GSL_SUCCESS && to.gpu)
    {
      to.view = 1; /* prevents a vector on a failed GPU from moving to the host */
      status = gt_device_memory_set (&to, arithmetic_of_results (c->f), copies.results, 1, &why);
    }
  give_back (&c->table.memory, copies.elements);
  give_back (c->to, copies.results);
  free (copies.offsets);
  return status == GSL_SUCCESS ? GSL_SUCCESS : GSL_EFAILED;
}

/* ----------------------------------------------------------------- On the GPU */

static int
gpu_has_it (const struct call *c, const struct gt_lines *lines)
{
  const void *const gpu = c->to->gpu;
  const enum gt_arithmetic arithmetic = c->f->arithmetic;

  return gpu && c->table.memory.gpu == gpu
         && (arithmetic == GT_F64 || arithmetic == GT_F32 || arithmetic == GT_I32)
         && (c->offsets ? c->offsets->gpu == gpu && c->offsets->stride == 1 : lines->length > 0)
         && (c->offsets ? lines->all : lines->length) <= MOST;
}

static struct gt_device_lines
on_gpu (const struct call *c, const struct gt_lines *lines)
{
  return (struct gt_device_lines) {
    .result = c->f->result, .arithmetic = c->f->arithmetic,
    .exact = gt_mode_now () != GT_MODE_FAST,
    .data = lines->data, .count = lines->count, .length = lines->length,
    .step = lines->step, .stride = lines->stride,
    .offsets = c->offsets ? c->offsets->data : NULL, .all = lines->all,
    .to = c->to->data, .to_stride = c->to->stride
  };
}

static int
compute_on_gpu (const struct call *c, const struct gt_lines *lines, unsigned *found)
{
  const struct gsltune_device_memory *const memory[]
    = {c->to, &c->table.memory, c->offsets ? c->offsets : c->to};
  const struct gt_device_lines there = on_gpu (c, lines);
  void *stream;

  return gt_device_memory_join (memory, 3, &stream)
         || gt_gpus->lines (c->to->gpu, &there, stream, found);
}

/* Returns GSL_SUCCESS if all memory on GPUs can be used now, otherwise an error code.  */
static int
check (const struct call *c, const char **why)
{
  const struct gsltune_device_memory *const memory[]
    = {&c->table.memory, c->to, c->offsets ? c->offsets : c->to};
  int status = GSL_SUCCESS;

  for (unsigned k = 0; k < 3 && status == GSL_SUCCESS; k++)
    if (memory[k]->gpu && memory[k]->n > 0)
      status = gt_device_memory_check (memory[k], why);
  return status;
}

static int
compute (const struct call *c)
{
  const struct gt_lines lines = lines_of (c, c->table.memory.data, c->table.tda, NULL);
  const char *why = NULL;
  unsigned found = 0;
  int status, computed = GSL_SUCCESS;

  if (c->to->n != lines.count)
    GSL_ERROR ("the vector of results must have one element for each line", GSL_EBADLEN);
  if (lines.count == 0)
    return GSL_SUCCESS;
  if (c->offsets == NULL && lines.length == 0 && !c->f->of_none)
    GSL_ERROR ("there are no elements, so none is the largest or smallest", GSL_EDOM);
  status = check (c, &why);
  if (status)
    GSL_ERROR (why, status);
  if (!gpu_has_it (c, &lines) || compute_on_gpu (c, &lines, &found))
    {
      if (compute_on_host (c, &computed))
        GSL_ERROR ("the GPU has failed and its elements are lost", GSL_EFAILED);
      return computed;
    }
  if (found & GT_LINES_ARE_WRONG)
    GSL_ERROR ("the offsets of segments must not decrease, nor be more than the vector's length",
               GSL_EINVAL);
  if ((found & GT_LINES_ARE_EMPTY) && !c->f->of_none)
    GSL_ERROR ("there are no elements, so none is the largest or smallest", GSL_EDOM);
  return GSL_SUCCESS;
}

int
gt_device_rows_compute (const struct gsltune_device_table *table,
                        const struct gt_line_function *f,
                        const struct gsltune_device_memory *to)
{
  return compute (&(const struct call) {.table = *table, .to = to, .f = f});
}

int
gt_device_columns_compute (const struct gsltune_device_table *table,
                           const struct gt_line_function *f,
                           const struct gsltune_device_memory *to)
{
  return compute (&(const struct call) {.table = *table, .to = to, .f = f, .by_columns = 1});
}

static struct call
segments_of (const struct gsltune_device_memory *v, const struct gsltune_device_memory *offsets,
             const struct gt_line_function *f, const struct gsltune_device_memory *to)
{
  return (struct call) {
    .table = {*v, v->n, 1, v->stride}, .offsets = offsets, .to = to, .f = f
  };
}

int
gt_device_segments_compute (const struct gsltune_device_memory *v,
                            const struct gsltune_device_memory *offsets,
                            const struct gt_line_function *f,
                            const struct gsltune_device_memory *to)
{
  const struct call c = segments_of (v, offsets, f, to);

  return compute (&c);
}

/* ----------------------------------------------------------------- In a stream */

static int
keep (const struct call *c, const struct gt_stream_call *how)
{
  const struct gsltune_device_memory *const v = &c->table.memory;
  const struct gt_lines lines = lines_of (c, v->data, c->table.tda, c->offsets ? c->offsets->data : NULL);
  const struct gt_device_lines there = on_gpu (c, &lines);
  struct gt_keeping keeping = gt_stream_keeping (how);
  const char *why;

  if (c->to->n != lines.count)
    return GSL_EBADLEN;
  if (lines.count == 0)
    return GSL_SUCCESS;
  if (c->offsets ? c->offsets->stride != 1 : lines.length == 0)
    return c->offsets ? GSL_EINVAL : GSL_EDOM;
  if (v->gpu == NULL && c->to->gpu == NULL && (c->offsets == NULL || c->offsets->gpu == NULL))
    {
      const int status = gt_lines_check (&lines, c->f, c->to->n, &why);

      return status ? status : gt_lines_compute (&lines, c->f, c->to->data, c->to->stride, c->to->n);
    }
  if (!gpu_has_it (c, &lines))
    return GSL_EINVAL;
  keeping.lines = &there;
  return gt_gpus->keep (c->to->gpu, &keeping) == 0 ? GSL_SUCCESS : GSL_EFAILED;
}

static int
keep_in_mode (const struct call *c, const struct gt_stream_call *how)
{
  int status = gt_stream_check (how, c->to->gpu);
  const struct gt_modes *before;

  if (status)
    return status;
  before = gt_stream_enter_mode (how);
  status = keep (c, how);
  gt_thread_modes = before;
  return status;
}

int
gt_device_lines_keep (const struct gsltune_device_table *table, int by_columns,
                      const struct gt_line_function *f,
                      const struct gsltune_device_memory *to, const struct gt_stream_call *how)
{
  return keep_in_mode (
    &(const struct call) {.table = *table, .to = to, .f = f, .by_columns = by_columns}, how);
}

int
gt_device_segments_keep (const struct gsltune_device_memory *v,
                         const struct gsltune_device_memory *offsets,
                         const struct gt_line_function *f,
                         const struct gsltune_device_memory *to, const struct gt_stream_call *how)
{
  const struct call c = segments_of (v, offsets, f, to);

  return keep_in_mode (&c, how);
}
