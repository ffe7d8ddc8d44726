/* Products of matrices on a GPU: the choice of algorithms and grids.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_matrix.h"

#include <math.h>
#include <stdio.h>

#include "src/base/env.h"
#include "src/base/fpenv.h"
#include "src/base/log.h"
#include "src/cuda/cuda_blas.h"
#include "src/cuda/cuda_grid.h"

/* -------------------------------------------------------------- Entry points */

static const struct
{
  const char *name;
  enum gt_image image;
} kernels[GT_N_MATRIX_KERNELS] = {
  [GT_MATRIX_ROWS] = {"rows", GT_IMAGE_matrix},
  [GT_MATRIX_LONG] = {"long", GT_IMAGE_matrix},
  [GT_MATRIX_COLUMNS] = {"columns", GT_IMAGE_matrix},
  [GT_MATRIX_TILES] = {"tiles", GT_IMAGE_matrix},
  [GT_MATRIX_SETTLE] = {"settle", GT_IMAGE_matrix},
  [GT_MATRIX_MEASURE] = {"measure", GT_IMAGE_matrix},
  [GT_MATRIX_CUT] = {"cut", GT_IMAGE_matrix},
  [GT_MATRIX_GATHER] = {"gather", GT_IMAGE_matrix},
};

static CUresult
look_up (struct gt_open_gpu *gpu, enum gt_matrix_kernel kernel, int single,
         int exact, CUfunction *function)
{
  const struct gt_cuda_driver *driver = gpu->driver;
  CUlibrary *loaded = &gpu->image[kernels[kernel].image];
  CUresult status = CUDA_SUCCESS;
  CUkernel found;
  char symbol[64];

  snprintf (symbol, sizeof symbol, "matrix_%s%s_%s", kernels[kernel].name,
            exact ? "_exact" : "", single ? "f32" : "f64");
  pthread_mutex_lock (&gpu->lock);
  if (*loaded == NULL)
    status = driver->cuLibraryLoadData (loaded, gt_image_matrix, NULL, NULL, 0,
                                        NULL, NULL, 0);
  pthread_mutex_unlock (&gpu->lock);
  GT_THEN (status, driver->cuLibraryGetKernel (&found, *loaded, symbol));
  GT_THEN (status, driver->cuKernelGetFunction (function, found));
  if (status == CUDA_SUCCESS)
    gpu->matrix[kernel][single][exact] = *function;
  return status;
}

/* Returns whether a launch of KERNEL writes C.  The kernel that gathers residues does so after
   the last terms.  */
static int
writes (enum gt_matrix_kernel kernel, const struct gt_matrix_args *a)
{
  return kernel <= GT_MATRIX_SETTLE
         || (kernel == GT_MATRIX_GATHER && a->residues.first + a->residues.panel >= a->terms);
}

CUresult
gt_matrix_launch (struct gt_multiplying *m, enum gt_matrix_kernel kernel, int exact,
                  const struct gt_kernel_args *args, uint64_t grid,
                  unsigned block)
{
  const int single = m->product->single;
  CUfunction function = m->gpu->matrix[kernel][single][exact];
  void *parameters[] = {(void *) args};
  CUresult status = CUDA_SUCCESS;

  if (grid == 0)
    return CUDA_SUCCESS;
  if (function == NULL)
    status = look_up (m->gpu, kernel, single, exact, &function);
  GT_THEN (status, m->gpu->driver->cuLaunchKernel (function, (unsigned) grid, 1, 1,
                                                   block, 1, 1, 0, m->on,
                                                   parameters, NULL));
  m->wrote |= status == CUDA_SUCCESS && writes (kernel, &args->matrix);
  return status;
}

/* -------------------------------------------------------------------- Memory */

CUresult
gt_matrix_room (struct gt_multiplying *m, size_t least, size_t wanted,
                uintptr_t *room, size_t *bytes)
{
  const struct gt_cuda_driver *driver = m->gpu->driver;
  const size_t limit = gt_scratch_limit;
  size_t free_bytes, total;
  CUresult status;

  if (m->scratch)
    driver->cuMemFree (m->scratch);
  m->scratch = 0;
  if (wanted > limit && driver->cuMemGetInfo (&free_bytes, &total) == CUDA_SUCCESS)
    for (size_t most = free_bytes / 2; most > limit && most >= least; most /= 2)
      {
        *bytes = wanted < most ? wanted : most;
        status = driver->cuMemAlloc (&m->scratch, *bytes);
        if (status == CUDA_SUCCESS)
          {
            *room = (uintptr_t) m->scratch;
            return status;
          }
        m->scratch = 0;
        if (status != CUDA_ERROR_OUT_OF_MEMORY)
          return status;
      }
  *bytes = wanted < limit ? wanted : limit;
  if (*bytes < least)
    return CUDA_ERROR_OUT_OF_MEMORY;
  status = gt_cuda_reserve (m->gpu, m->slot, GT_BUFFER_STAGING, *bytes);
  *room = m->slot->buffer[GT_BUFFER_STAGING].address;
  return status;
}

CUresult
gt_matrix_clear (struct gt_multiplying *m, const void *address, size_t bytes)
{
  return m->gpu->driver->cuMemsetD8Async ((CUdeviceptr) (uintptr_t) address, 0,
                                          bytes, m->on);
}

/* ----------------------------------------------------------------- Arguments */

static const void *
moved (const struct gt_multiplying *m, const void *data, uint64_t elements)
{
  return (const char *) data
         + elements * (m->product->single ? sizeof (float) : sizeof (double));
}

struct gt_kernel_args
gt_matrix_args_of (const struct gt_multiplying *m, uint64_t i, uint64_t rows,
                   uint64_t j, uint64_t columns)
{
  const struct gt_device_product *p = m->product;
  struct gt_kernel_args args = {
    .matrix = {.a = p->a, .b = p->b, .c = p->c, .rows = rows, .columns = columns,
               .terms = p->terms, .alpha = p->alpha, .beta = p->beta,
               .lanes = 1, .chunks = 1}
  };

  args.matrix.a.data = moved (m, p->a.data, i * p->a.row);
  args.matrix.b.data = moved (m, p->b.data, j * p->b.column);
  args.matrix.c.data = moved (m, p->c.data, i * p->c.row + j * p->c.column);
  return args;
}

#define BLOCKS_PER_SM 8

/* Logs the number of undecided elements if debugging messages are wanted, which requires
   waiting.  */
static void
tell (struct gt_multiplying *m, const struct gt_kernel_args *args)
{
  const CUdeviceptr list = (CUdeviceptr) (uintptr_t) args->matrix.undecided;
  uint64_t count;

  if (gt_log_wanted >= GT_LOG_DEBUG
      && m->gpu->driver->cuStreamSynchronize (m->on) == CUDA_SUCCESS
      && m->gpu->driver->cuMemcpyDtoH (&count, list, sizeof count) == CUDA_SUCCESS)
    gt_log (GT_LOG_DEBUG, "GPU %d: of %llu elements of a product %llu are undecided",
            m->gpu->device->gpu.ordinal,
            (unsigned long long) (args->matrix.rows * args->matrix.columns),
            (unsigned long long) count);
}

CUresult
gt_matrix_settle (struct gt_multiplying *m, const struct gt_kernel_args *args)
{
  const uint64_t most = (uint64_t) m->gpu->device->gpu.sms * BLOCKS_PER_SM;
  const uint64_t elements = args->matrix.rows * args->matrix.columns;

  tell (m, args);
  return gt_matrix_launch (m, GT_MATRIX_SETTLE, 1, args,
                           elements < most ? elements : most, 256);
}

/* ------------------------------------------------------- Matrix times vector */

#define VECTOR_BLOCK 256
#define SUM_BYTES 24 /* most bytes of a sum that a block stores */
/* The fewest terms of a thread if blocks share an element.  */
#define LEAST_TERMS 8
#define WARP 32

/* The blocks that an SM runs at once if blocks share an element or compute one each, and the
   terms of a row from which on they do so, in exact and fast mode.  Measured on an H100.  */
#define PLACES_PER_SM 5
#define LONG_TERMS(exact) ((exact) ? 2048 : 768)

/* The launch of a product with a vector: GROUPS of elements, each computed by CHUNKS
   blocks.  */
struct vector_plan
{
  enum gt_matrix_kernel kernel;
  uint32_t lanes, chunks;
  uint64_t groups, elements; /* of a group; each block stores a sum for each of them */
};

static struct vector_plan
plan_vector (const struct gt_open_gpu *gpu, const struct gt_device_product *p)
{
  const uint64_t width = p->single ? 4 : 2, places = PLACES_PER_SM * (uint64_t) gpu->device->gpu.sms;
  const uint64_t threads = gt_cuda_divided (p->rows, width);
  struct vector_plan plan = {.lanes = 1, .chunks = 1, .elements = 1};

  if (p->a.column != 1 && p->a.row < p->a.column)
    {
      plan.kernel = GT_MATRIX_COLUMNS;
      /* Merging the parts of few elements takes longer than reading shorter pieces.  */
      plan.lanes = gt_cuda_lanes (places, threads, VECTOR_BLOCK, threads > WARP ? WARP / 2 : WARP / 4);
      while (plan.lanes < VECTOR_BLOCK && plan.lanes < threads && LEAST_TERMS * VECTOR_BLOCK / plan.lanes > p->terms)
        plan.lanes *= 2;
      plan.elements = plan.lanes * width;
      plan.groups = gt_cuda_divided (p->rows, plan.elements);
      plan.chunks = gt_cuda_chunks (places, plan.groups, p->terms, LEAST_TERMS * VECTOR_BLOCK / plan.lanes);
      return plan;
    }
  if (p->terms >= LONG_TERMS (p->exact))
    {
      plan.kernel = GT_MATRIX_LONG;
      plan.groups = p->rows;
      plan.chunks = gt_cuda_chunks (places, p->rows, p->terms, width * LEAST_TERMS * VECTOR_BLOCK);
      return plan;
    }
  plan.kernel = GT_MATRIX_ROWS;
  plan.lanes = gt_cuda_power_of_two (p->terms / (2 * width), WARP);
  plan.groups = gt_cuda_divided (p->rows, VECTOR_BLOCK / plan.lanes);
  return plan;
}

/* Scratch memory contains the chunks' sums, followed by a list of undecided elements.  */
static CUresult
multiply_vector (struct gt_multiplying *m)
{
  const struct gt_device_product *p = m->product;
  const struct vector_plan plan = plan_vector (m->gpu, p);
  const uint64_t grid = plan.groups * plan.chunks;
  const size_t sums = plan.chunks > 1 ? grid * plan.elements * SUM_BYTES : 0;
  const size_t list = p->exact ? (1 + p->rows) * sizeof (uint64_t) : 0;
  const size_t wanted = sums + list;
  struct gt_kernel_args args = gt_matrix_args_of (m, 0, p->rows, 0, 1);
  CUresult status = CUDA_SUCCESS;
  uintptr_t room = 0;
  size_t bytes;

  if (m->slot->spoilt)
    status = gt_cuda_slot_clear (m->gpu, m->slot);
  if (wanted > 0)
    GT_THEN (status, gt_matrix_room (m, wanted, wanted, &room, &bytes));
  args.partials = (void *) room;
  args.ticket = (uint32_t *) (uintptr_t) (m->slot->memory
                                          + offsetof (struct gt_slot_memory, matrix_ticket));
  args.matrix.undecided = (uint64_t *) (room + sums);
  args.matrix.lanes = plan.lanes;
  args.matrix.chunks = plan.chunks;
  if (list)
    GT_THEN (status, gt_matrix_clear (m, args.matrix.undecided, sizeof (uint64_t)));
  GT_THEN (status, gt_matrix_launch (m, plan.kernel, p->exact, &args, grid,
                                     VECTOR_BLOCK));
  if (p->exact)
    GT_THEN (status, gt_matrix_settle (m, &args));
  return status;
}

/* ------------------------------------------------------- Matrix times matrix */

#define TILE 32
#define TILE_BLOCK 256

static CUresult
launch_tiles (struct gt_multiplying *m, int exact, const struct gt_kernel_args *args)
{
  return gt_matrix_launch (m, GT_MATRIX_TILES, exact, args,
                           gt_cuda_divided (args->matrix.rows, TILE)
                             * gt_cuda_divided (args->matrix.columns, TILE),
                           TILE_BLOCK);
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
      const uint64_t n = p->rows - i < rows ? p->rows - i : rows;
      struct gt_kernel_args args = gt_matrix_args_of (m, i, n, 0, p->columns);

      args.matrix.undecided = (uint64_t *) room;
      status = gt_matrix_clear (m, args.matrix.undecided, sizeof (uint64_t));
      GT_THEN (status, launch_tiles (m, 1, &args));
      GT_THEN (status, gt_matrix_settle (m, &args));
    }
  return status;
}

static CUresult
multiply_matrix (struct gt_multiplying *m)
{
  const struct gt_device_product *p = m->product;
  struct gt_kernel_args args;
  CUresult status;
  int done = 0;

  if (p->exact && p->alpha != 0)
    {
      status = gt_matrix_by_residues (m, &done);
      return status != CUDA_SUCCESS || done ? status : by_tiles (m);
    }
  /* cuBLAS returns NaN for infinite factors.  */
  if (p->alpha != 0 && isfinite (p->alpha) && isfinite (p->beta)
      && gt_cuda_blas_multiply (m->gpu, m->on, p) == 0)
    {
      m->wrote = 1;
      return CUDA_SUCCESS;
    }
  args = gt_matrix_args_of (m, 0, p->rows, 0, p->columns);
  return launch_tiles (m, 0, &args);
}

int
gt_cuda_multiply (struct gt_open_gpu *gpu, const struct gt_device_product *product,
                  void *stream, int *kept)
{
  struct gt_multiplying m = {.gpu = gpu, .product = product};
  struct gt_fpenv env;
  CUresult status;
  int failed = gt_cuda_slot_acquire (gpu, SIZE_MAX, &m.slot);

  *kept = 1;
  if (failed)
    return failed;
  m.on = stream == NULL ? m.slot->stream
         : stream == GT_DEFAULT_STREAM ? NULL : (CUstream) stream;
  gt_fpenv_enter (&env, GT_F64);
  status = gt_cuda_enter (gpu);
  if (status == CUDA_SUCCESS)
    {
      CUresult ended;

      status = product->columns == 1 && product->alpha != 0 ? multiply_vector (&m)
                                                            : multiply_matrix (&m);
      /* Kernels that were launched before the failure may still read and write.  */
      ended = gpu->driver->cuStreamSynchronize (m.on);
      status = status == CUDA_SUCCESS ? ended : status;
      if (m.scratch)
        gpu->driver->cuMemFree (m.scratch);
    }
  m.slot->spoilt |= status != CUDA_SUCCESS;
  failed = gt_cuda_leave (gpu, status, "multiplying matrices");
  gt_fpenv_leave (&env);
  *kept = !m.wrote;
  gt_cuda_slot_release (gpu, m.slot);
  return failed;
}
