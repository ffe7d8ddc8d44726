/* Products of matrices on a GPU: the choice of algorithms.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_matrix.h"

#include <math.h>

#include "src/base/env.h"
#include "src/base/fpenv.h"
#include "src/base/log.h"
#include "src/cuda/cuda_blas.h"

#define BLOCKS_PER_SM 8

CUresult
gt_matrix_launch (struct gt_multiplying *m, enum gt_named kind, uint64_t grid)
{
  const unsigned type = m->product->single ? GT_LINES_F32 : GT_LINES_F64;

  return grid == 0 ? CUDA_SUCCESS
                   : gt_cuda_order_launch (&m->o, kind, type, grid, GT_MATRIX_BLOCK);
}

CUresult
gt_matrix_write (struct gt_multiplying *m, enum gt_named kind, uint64_t grid)
{
  const CUresult status = gt_matrix_launch (m, kind, grid);

  m->wrote |= status == CUDA_SUCCESS;
  return status;
}

uint64_t
gt_matrix_grid (const struct gt_multiplying *m, uint64_t count)
{
  const uint64_t most = (uint64_t) m->o.gpu->device->gpu.sms * BLOCKS_PER_SM;

  return count < most ? count : most;
}

/* -------------------------------------------------------------------- Memory */

CUresult
gt_matrix_room (struct gt_multiplying *m, size_t least, size_t wanted,
                uintptr_t *room, size_t *bytes)
{
  const struct gt_cuda_driver *driver = m->o.gpu->driver;
  const size_t limit = gt_scratch_limit;
  size_t free_bytes, total;
  CUresult status;

  if (m->o.scratch)
    driver->cuMemFree (m->o.scratch);
  m->o.scratch = 0;
  if (wanted > limit && driver->cuMemGetInfo (&free_bytes, &total) == CUDA_SUCCESS)
    for (size_t most = free_bytes / 2; most > limit && most >= least; most /= 2)
      {
        *bytes = wanted < most ? wanted : most;
        status = driver->cuMemAlloc (&m->o.scratch, *bytes);
        if (status == CUDA_SUCCESS)
          {
            *room = (uintptr_t) m->o.scratch;
            return status;
          }
        m->o.scratch = 0;
        if (status != CUDA_ERROR_OUT_OF_MEMORY)
          return status;
      }
  *bytes = wanted < limit ? wanted : limit;
  if (*bytes < least)
    return CUDA_ERROR_OUT_OF_MEMORY;
  status = gt_cuda_reserve (m->o.gpu, m->o.slot, GT_BUFFER_STAGING, *bytes);
  *room = m->o.slot->buffer[GT_BUFFER_STAGING].address;
  return status;
}

CUresult
gt_matrix_clear (struct gt_multiplying *m, const void *address, size_t bytes)
{
  return m->o.gpu->driver->cuMemsetD8Async ((CUdeviceptr) (uintptr_t) address, 0, bytes,
                                            m->o.on);
}

/* ----------------------------------------------------------------- Arguments */

static const void *
moved (const struct gt_multiplying *m, const void *data, uint64_t elements)
{
  return (const char *) data
         + elements * (m->product->single ? sizeof (float) : sizeof (double));
}

void
gt_matrix_take (struct gt_multiplying *m, uint64_t i, uint64_t rows, uint64_t j,
                uint64_t columns)
{
  const struct gt_device_product *p = m->product;

  m->o.args.matrix = (struct gt_matrix_args) {
    .a = p->a, .b = p->b, .c = p->c, .rows = rows, .columns = columns, .terms = p->terms,
    .alpha = p->alpha, .beta = p->beta
  };
  m->o.args.matrix.a.data = moved (m, p->a.data, i * p->a.row);
  m->o.args.matrix.b.data = moved (m, p->b.data, j * p->b.column);
  m->o.args.matrix.c.data = moved (m, p->c.data, i * p->c.row + j * p->c.column);
}

/* Logs the number of undecided elements if debugging messages are wanted, which requires
   waiting.  */
static void
tell (const struct gt_ordering *o)
{
  const struct gt_matrix_args *const a = &o->args.matrix;
  const CUdeviceptr list = (CUdeviceptr) (uintptr_t) a->undecided;
  uint64_t count;

  if (gt_log_wanted >= GT_LOG_DEBUG
      && o->gpu->driver->cuStreamSynchronize (o->on) == CUDA_SUCCESS
      && o->gpu->driver->cuMemcpyDtoH (&count, list, sizeof count) == CUDA_SUCCESS)
    gt_log (GT_LOG_DEBUG, "GPU %d: of %llu elements of a product %llu are undecided",
            o->gpu->device->gpu.ordinal, (unsigned long long) (a->rows * a->columns),
            (unsigned long long) count);
}

CUresult
gt_matrix_settle (struct gt_multiplying *m)
{
  const struct gt_matrix_args *const a = &m->o.args.matrix;

  tell (&m->o);
  return gt_matrix_write (m, GT_MATRIX_SETTLE, gt_matrix_grid (m, a->rows * a->columns));
}

/* --------------------------------------------------------------------- Tiles */

#define TILE 32

static CUresult
launch_tiles (struct gt_multiplying *m, enum gt_named kind)
{
  const struct gt_matrix_args *const a = &m->o.args.matrix;

  return gt_matrix_write (
    m, kind, gt_cuda_divided (a->rows, TILE) * gt_cuda_divided (a->columns, TILE));
}

/* Computes as many rows at a time as there is memory for a list of all their elements.  */
static CUresult
by_tiles (struct gt_multiplying *m)
{
  const struct gt_device_product *p = m->product;
  const size_t of_row = p->columns * sizeof (uint64_t);
  uintptr_t room;
  size_t bytes, rows;
  CUresult status = gt_matrix_room (m, sizeof (uint64_t) + of_row,
                                    sizeof (uint64_t) + p->rows * of_row, &room,
                                    &bytes);

  rows = (bytes - sizeof (uint64_t)) / of_row;
  for (uint64_t i = 0; i < p->rows && status == CUDA_SUCCESS; i += rows)
    {
      gt_matrix_take (m, i, p->rows - i < rows ? p->rows - i : rows, 0, p->columns);
      m->o.args.matrix.undecided = (uint64_t *) room;
      status = gt_matrix_clear (m, (void *) room, sizeof (uint64_t));
      GT_THEN (status, launch_tiles (m, GT_MATRIX_EXACT));
      GT_THEN (status, gt_matrix_settle (m));
    }
  return status;
}

static CUresult
multiply (struct gt_multiplying *m)
{
  const struct gt_device_product *p = m->product;
  CUresult status;
  int done = 0;

  if (p->exact && p->alpha != 0)
    {
      status = gt_matrix_by_residues (m, &done);
      return status != CUDA_SUCCESS || done ? status : by_tiles (m);
    }
  /* cuBLAS returns NaN for infinite factors.  */
  if (p->alpha != 0 && isfinite (p->alpha) && isfinite (p->beta)
      && gt_cuda_blas_multiply (m->o.gpu, m->o.on, p) == 0)
    {
      m->wrote = 1;
      return CUDA_SUCCESS;
    }
  gt_matrix_take (m, 0, p->rows, 0, p->columns);
  return launch_tiles (m, GT_MATRIX_TILES);
}

int
gt_cuda_multiply (struct gt_open_gpu *gpu, const struct gt_device_product *product,
                  void *stream, int *kept)
{
  struct gt_multiplying m = {.product = product};
  struct gt_fpenv env;
  CUresult status;
  int failed;

  if (product->columns == 1 && product->alpha != 0 && product->terms <= GT_MOST_LINE)
    return gt_cuda_multiply_vector (gpu, product, stream, kept);
  gt_fpenv_enter (&env, GT_F64);
  status = gt_cuda_order_begin (gpu, stream, &m.o);
  GT_THEN (status, multiply (&m));
  GT_THEN (status, gpu->driver->cuStreamSynchronize (m.o.on));
  if (m.o.slot)
    m.o.slot->spoilt |= status != CUDA_SUCCESS;
  failed = gt_cuda_order_end (&m.o, status, "multiplying matrices");
  gt_fpenv_leave (&env);
  *kept = !m.wrote;
  return failed;
}
