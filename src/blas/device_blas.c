/* Products of matrices and vectors that stay on a GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/env.h"
#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/gpu/device_table.h"

/* A matrix of a call, or a vector as one column: element (i, j) is i * row + j * column after
   the first.  */
struct part
{
  const struct gsltune_device_memory *memory;
  size_t rows, columns, row, column;
  void *host; /* its copy for the CPU */
};

/* C := alpha A B + beta C, where A and B are the first two parts and C is the third.  */
struct call
{
  enum gt_arithmetic arithmetic;
  CBLAS_TRANSPOSE_t turn[2]; /* of A and B */
  double alpha, beta;
  struct part part[3];
  void (*on_host) (const struct call *c);
};

static struct part
part_of_table (const struct gsltune_device_table *t)
{
  return (struct part) {&t->memory, t->size1, t->size2, t->tda, 1, t->memory.data};
}

static struct part
part_of_vector (const struct gsltune_device_memory *v)
{
  return (struct part) {v, v->n, 1, v->stride, 1, v->data};
}

/* Returns the part after its transposition.  */
static struct part
turned (const struct call *c, unsigned k)
{
  const struct part p = c->part[k];

  return k == 2 || c->turn[k] == CblasNoTrans
           ? p : (struct part) {p.memory, p.columns, p.rows, p.column, p.row, p.host};
}

static int
fits (const struct call *c)
{
  const struct part a = turned (c, 0), b = turned (c, 1), to = c->part[2];

  return a.rows == to.rows && b.columns == to.columns && a.columns == b.rows;
}

static int
is_read (const struct call *c, unsigned k)
{
  return k < 2 ? c->alpha != 0 : c->beta != 0;
}

/* --------------------------------------------------------------- On the host */

/* Copies a part for the CPU, with contiguous rows.  */
static int
copy_back (const struct call *c, unsigned k, struct part *p)
{
  const size_t n = p->rows * p->columns, size = gt_arithmetics[c->arithmetic].size;
  const struct gsltune_device_table table
    = {*p->memory, p->rows, p->columns, p->row};
  const char *why;

  if (p->memory->gpu == NULL)
    return GSL_SUCCESS;
  p->host = malloc (n ? n * size : 1);
  p->row = p->columns;
  if (p->host == NULL)
    return GSL_ENOMEM;
  gt_device_memory_note_copy (p->memory, n);
  return is_read (c, k)
           ? gt_device_table_copy (&table, c->arithmetic, GT_TO_HOST, p->host,
                                   p->row, &why)
           : GSL_SUCCESS;
}

static int
copy_result (const struct call *c, const struct part *p)
{
  const struct part *to = &c->part[2];
  const struct gsltune_device_table table
    = {*to->memory, to->rows, to->columns, to->row};
  const char *why;

  return gt_device_table_copy (&table, c->arithmetic, GT_TO_DEVICE, p->host,
                               p->row, &why);
}

static int
multiply_on_host (const struct call *c)
{
  struct call copied = *c;
  int status = GSL_SUCCESS;

  for (unsigned k = 0; k < 3 && status == GSL_SUCCESS; k++)
    status = copy_back (c, k, &copied.part[k]);
  if (status == GSL_SUCCESS)
    {
      copied.on_host (&copied);
      if (c->part[2].memory->gpu)
        status = copy_result (c, &copied.part[2]);
    }
  for (unsigned k = 0; k < 3; k++)
    if (c->part[k].memory->gpu && copied.part[k].host != c->part[k].host)
      free (copied.part[k].host);
  return status;
}

/* ----------------------------------------------------------------- On the GPU */

/* Returns the GPU whose memory contains all operands, or null if there is none.  */
static struct gt_open_gpu *
gpu_of_all (const struct call *c)
{
  struct gt_open_gpu *gpu = c->part[2].memory->gpu;

  for (unsigned k = 0; k < 2; k++)
    if (is_read (c, k) && c->part[k].memory->gpu != gpu)
      return NULL;
  return gpu;
}

static struct gt_matrix_operand
operand_of (const struct part *p)
{
  return (struct gt_matrix_operand) {p->memory->data, p->row, p->column};
}

static int
multiply_on_gpu (const struct call *c, struct gt_open_gpu *gpu, int *kept)
{
  const struct part a = turned (c, 0), b = turned (c, 1), to = c->part[2];
  const struct gt_device_product product = {
    .single = c->arithmetic == GT_F32, .exact = !gt_products_are_fast (),
    .a = operand_of (&a), .b = operand_of (&b), .c = operand_of (&to),
    .rows = to.rows, .columns = to.columns, .terms = c->alpha == 0 ? 0 : a.columns,
    .alpha = a.columns ? c->alpha : 0, .beta = c->beta
  };
  const struct gsltune_device_memory *const memory[]
    = {c->part[2].memory, c->part[1].memory, c->part[0].memory};
  void *stream;

  *kept = 1;
  return gt_device_memory_join (memory, 3, &stream)
         || gt_gpus->multiply (gpu, &product, stream, kept);
}

/* Returns GSL_SUCCESS, or a GSL error code with the reason in WHY.  */
static int
multiply (const struct call *c, const char **why)
{
  struct gt_open_gpu *const gpu = gpu_of_all (c);
  const char *const lost = *why;
  int status = GSL_SUCCESS, kept = 1;

  if (c->part[2].rows == 0 || c->part[2].columns == 0
      || (c->alpha == 0 && c->beta == 1))
    return GSL_SUCCESS;
  for (unsigned k = 0; k < 3 && status == GSL_SUCCESS; k++)
    if (c->part[k].memory->gpu && c->part[k].memory->n > 0)
      status = gt_device_memory_check (c->part[k].memory, why);
  if (status)
    return status;
  *why = lost;
  if (gpu && multiply_on_gpu (c, gpu, &kept) == 0)
    return GSL_SUCCESS;
  if (!kept && c->beta != 0)
    return GSL_EFAILED;
  return multiply_on_host (c) == GSL_SUCCESS ? GSL_SUCCESS : GSL_EFAILED;
}

#define GT_TEMPLATE "src/blas/device_blas.inc"
#include "src/each_type.h"
