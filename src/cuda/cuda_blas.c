/* cuBLAS, which is loaded at its first use, like the driver.
   This file declares the functions of cuBLAS that it uses, so that a build does not need
   cuBLAS.  cuBLAS works in the current context and in the given stream; only one thread at a
   time uses a handle.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_blas.h"

#include <dlfcn.h>
#include <limits.h>

#include "src/base/log.h"
#include "src/base/setup.h"

/* The values are those of NVIDIA's documentation of cuBLAS.  */
enum
{
  OP_N = 0,
  OP_T = 1,
  INT8 = 3,        /* CUDA_R_8I */
  INT32 = 10,      /* CUDA_R_32I */
  COMPUTE_32I = 72, /* CUBLAS_COMPUTE_32I */
  ALGORITHM_DEFAULT = -1
};

typedef int create_function (void **handle);
typedef int set_stream_function (void *handle, CUstream stream);
typedef int dgemm_function (void *handle, int op_a, int op_b, int m, int n, int k,
                            const double *alpha, const double *a, int lda,
                            const double *b, int ldb, const double *beta,
                            double *c, int ldc);
typedef int sgemm_function (void *handle, int op_a, int op_b, int m, int n, int k,
                            const float *alpha, const float *a, int lda,
                            const float *b, int ldb, const float *beta, float *c,
                            int ldc);
typedef int gemm_batch_function (void *handle, int op_a, int op_b, int m, int n, int k,
                                 const void *alpha, const void *a, int type_a, int lda,
                                 long long step_a, const void *b, int type_b, int ldb,
                                 long long step_b, const void *beta, void *c, int type_c,
                                 int ldc, long long step_c, int count, int compute,
                                 int algorithm);

static struct
{
  create_function *create;
  set_stream_function *set_stream;
  dgemm_function *dgemm;
  sgemm_function *sgemm;
  gemm_batch_function *gemm_batch;
} blas;
static int found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const struct
{
  const char *name;
  void **to;
} functions[] = {
  {"cublasCreate_v2", (void **) (void *) &blas.create},
  {"cublasSetStream_v2", (void **) (void *) &blas.set_stream},
  {"cublasDgemm_v2", (void **) (void *) &blas.dgemm},
  {"cublasSgemm_v2", (void **) (void *) &blas.sgemm},
  {"cublasGemmStridedBatchedEx", (void **) (void *) &blas.gemm_batch},
};

static void
open_aside (void *closure)
{
  static const char *const names[] = {"libcublas.so.13", "libcublas.so.12"};
  void *library = NULL;

  (void) closure;
  for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
    library = dlopen (names[i], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL)
    return;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    {
      *functions[i].to = dlsym (library, functions[i].name);
      if (*functions[i].to == NULL)
        return;
    }
  found = 1;
}

static void
open_library (void)
{
  gt_aside (open_aside, NULL);
}

/* Returns the GPU's handle, or null if there is none.  The caller holds its lock.  */
static void *
handle_of (struct gt_open_gpu *gpu)
{
  if (gpu->blas || gpu->blas_refused)
    return gpu->blas;
  if (!found || blas.create (&gpu->blas) != 0)
    {
      gt_log (GT_LOG_DEBUG, "GPU %d: %s", gpu->device->gpu.ordinal,
              found ? "cuBLAS refuses" : "there is no cuBLAS");
      gpu->blas = NULL;
      gpu->blas_refused = 1;
    }
  return gpu->blas;
}

int
gt_cuda_blas_there (struct gt_open_gpu *gpu)
{
  int there;

  pthread_once (&once, open_library);
  pthread_mutex_lock (&gpu->blas_lock);
  there = handle_of (gpu) && !gpu->blas_refused;
  pthread_mutex_unlock (&gpu->blas_lock);
  return there;
}

/* Calls WORK with the handle, on STREAM.  */
static int
with_handle (struct gt_open_gpu *gpu, CUstream stream,
             int (*work) (void *handle, const void *closure), const void *closure)
{
  void *handle;
  int status = -1;

  pthread_once (&once, open_library);
  pthread_mutex_lock (&gpu->blas_lock);
  handle = handle_of (gpu);
  if (handle && !gpu->blas_refused)
    {
      status = blas.set_stream (handle, stream);
      status = status ? status : work (handle, closure);
      gpu->blas_refused = status != 0;
      if (status)
        gt_log (GT_LOG_DEBUG, "GPU %d: cuBLAS: status %d",
                gpu->device->gpu.ordinal, status);
    }
  pthread_mutex_unlock (&gpu->blas_lock);
  return status;
}

/* ------------------------------------------------------------ Fast products */

/* A factor in the form that cuBLAS requires.  cuBLAS stores matrices by columns, so matrices
   stored by rows, and the product, are passed to it as transposed.  */
struct factor
{
  int op, step;
};

static int
factor_of (const struct gt_matrix_operand *m, uint64_t rows, uint64_t columns,
           struct factor *f)
{
  const int by_rows = m->column == 1;
  const uint64_t least = by_rows ? columns : rows;
  uint64_t step = by_rows ? m->row : m->column;

  step = step < least ? least : step;
  *f = (struct factor) {by_rows ? OP_N : OP_T, (int) step};
  return (by_rows || m->row == 1) && step <= INT_MAX;
}

struct gemm
{
  const struct gt_device_product *p;
  struct factor a, b;
};

static int
multiply (void *handle, const void *closure)
{
  const struct gemm *g = closure;
  const struct gt_device_product *p = g->p;
  const int m = (int) p->columns, n = (int) p->rows, k = (int) p->terms;
  const int step = (int) (p->c.row < p->columns ? p->columns : p->c.row);
  const float alpha = (float) p->alpha, beta = (float) p->beta;

  return p->single
           ? blas.sgemm (handle, g->b.op, g->a.op, m, n, k, &alpha, p->b.data,
                         g->b.step, p->a.data, g->a.step, &beta,
                         (float *) p->c.data, step)
           : blas.dgemm (handle, g->b.op, g->a.op, m, n, k, &p->alpha,
                         p->b.data, g->b.step, p->a.data, g->a.step, &p->beta,
                         (double *) p->c.data, step);
}

int
gt_cuda_blas_multiply (struct gt_open_gpu *gpu, CUstream stream,
                       const struct gt_device_product *p)
{
  struct gemm g = {.p = p};

  if (p->rows > INT_MAX || p->columns > INT_MAX || p->terms > INT_MAX
      || p->c.row > INT_MAX || !factor_of (&p->a, p->rows, p->terms, &g.a)
      || !factor_of (&p->b, p->terms, p->columns, &g.b))
    return -1;
  return with_handle (gpu, stream, multiply, &g);
}

/* --------------------------------------------------------------- Integers */

static int
multiply_integers (void *handle, const void *closure)
{
  const struct gt_integer_products *p = closure;
  const int32_t one = 1, zero = 0;
  const long long rows = p->rows, columns = p->columns;

  return blas.gemm_batch (handle, OP_T, OP_N, p->columns, p->rows, p->terms, &one,
                          p->right, INT8, p->terms, columns * p->terms, p->left, INT8,
                          p->terms, rows * p->terms, &zero, p->to, INT32, p->columns,
                          rows * columns, p->count, COMPUTE_32I, ALGORITHM_DEFAULT);
}

int
gt_cuda_blas_integers (struct gt_open_gpu *gpu, CUstream stream,
                       const struct gt_integer_products *p)
{
  return with_handle (gpu, stream, multiply_integers, p);
}
