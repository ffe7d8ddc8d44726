/* A stand-in for cuBLAS in tests: a libcublas.so.13 with the few functions that the
   library calls, plain loops over memory of the soft GPU, which is the host's.  It refuses
   what cuBLAS would refuse.  SOFTGPU_BLAS: `refuses', no handle can be had; `fails=N', the
   products from the Nth on fail.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <cuda.h>
#include <cudaTypedefs.h>
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum
{
  SUCCESS = 0,
  NOT_INITIALIZED = 1,
  INVALID_VALUE = 7,
  EXECUTION_FAILED = 13,
  NOT_SUPPORTED = 15
};

#define OP_T 1
#define INT8 3
#define INT32 10
#define COMPUTE_32I 72

#pragma GCC visibility push(default)
int cublasCreate_v2 (void **handle);
int cublasSetStream_v2 (void *handle, CUstream stream);
int cublasDgemm_v2 (void *handle, int op_a, int op_b, int m, int n, int k,
                    const double *alpha, const double *a, int lda, const double *b,
                    int ldb, const double *beta, double *c, int ldc);
int cublasSgemm_v2 (void *handle, int op_a, int op_b, int m, int n, int k,
                    const float *alpha, const float *a, int lda, const float *b,
                    int ldb, const float *beta, float *c, int ldc);
int cublasGemmStridedBatchedEx (void *handle, int op_a, int op_b, int m, int n, int k,
                                const void *alpha, const void *a, int type_a, int lda,
                                long long step_a, const void *b, int type_b, int ldb,
                                long long step_b, const void *beta, void *c, int type_c,
                                int ldc, long long step_c, int count, int compute,
                                int algorithm);
unsigned softgpu_blas_products (void);
#pragma GCC visibility pop

static struct
{
  CUstream stream;
} the_handle;
static unsigned products;

/* How many products were made: for tests.  */
unsigned
softgpu_blas_products (void)
{
  return products;
}

static const char *
setting (void)
{
  const char *word = getenv ("SOFTGPU_BLAS");

  return word ? word : "";
}

int
cublasCreate_v2 (void **handle)
{
  *handle = &the_handle;
  return strcmp (setting (), "refuses") == 0 ? NOT_INITIALIZED : SUCCESS;
}

int
cublasSetStream_v2 (void *handle, CUstream stream)
{
  (void) handle;
  the_handle.stream = stream;
  return SUCCESS;
}

/* Work in the stream runs before a product, which runs at once.  */
static int
wait_for_stream (void)
{
  PFN_cuGetProcAddress_v12000 find;
  PFN_cuStreamSynchronize_v2000 synchronize = NULL;
  void *driver = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  CUdriverProcAddressQueryResult found;

  if (driver == NULL)
    return EXECUTION_FAILED;
  *(void **) &find = dlsym (driver, "cuGetProcAddress_v2");
  if (find == NULL || find ("cuStreamSynchronize", (void **) (void *) &synchronize, 2000,
               CU_GET_PROC_ADDRESS_DEFAULT, &found) != CUDA_SUCCESS
      || synchronize (the_handle.stream) != CUDA_SUCCESS)
    return EXECUTION_FAILED;
  dlclose (driver);
  return SUCCESS;
}

/* Whether matrices of ROWS and COLUMNS, of which the first is turned if OP says so, can be
   stored with STEP from one column to the next.  */
static int
is_stored (int op, int rows, int columns, int step)
{
  return (op == 0 || op == OP_T) && step >= 1 && step >= (op == OP_T ? columns : rows);
}

static int
begin (int op_a, int op_b, int m, int n, int k, int lda, int ldb, int ldc)
{
  const char *word = setting ();

  if (m < 0 || n < 0 || k < 0 || !is_stored (op_a, m, k, lda)
      || !is_stored (op_b, k, n, ldb) || !is_stored (0, m, n, ldc))
    return INVALID_VALUE;
  products++;
  if (strncmp (word, "fails=", 6) == 0 && products >= (unsigned) atoi (word + 6))
    return EXECUTION_FAILED;
  return wait_for_stream ();
}

static size_t
place (int op, int i, int j, int step)
{
  return op == OP_T ? (size_t) i * (size_t) step + (size_t) j
                    : (size_t) j * (size_t) step + (size_t) i;
}

#define NAME multiply_doubles
#define TYPE double
#define SUM double
#define RESULT double
#define LEAST -HUGE_VAL
#define MOST HUGE_VAL
#include "tests/softgpu/softgpu_blas.inc"

#define NAME multiply_floats
#define TYPE float
#define SUM float
#define RESULT float
#define LEAST -HUGE_VALF
#define MOST HUGE_VALF
#include "tests/softgpu/softgpu_blas.inc"

#define NAME multiply_integers
#define TYPE int8_t
#define SUM int64_t
#define RESULT int32_t
#define LEAST INT32_MIN
#define MOST INT32_MAX
#include "tests/softgpu/softgpu_blas.inc"

int
cublasDgemm_v2 (void *handle, int op_a, int op_b, int m, int n, int k,
                const double *alpha, const double *a, int lda, const double *b,
                int ldb, const double *beta, double *c, int ldc)
{
  const int status = begin (op_a, op_b, m, n, k, lda, ldb, ldc);

  (void) handle;
  if (status == SUCCESS)
    multiply_doubles (op_a, op_b, m, n, k, *alpha, a, lda, b, ldb, *beta, c, ldc);
  return status;
}

int
cublasSgemm_v2 (void *handle, int op_a, int op_b, int m, int n, int k,
                const float *alpha, const float *a, int lda, const float *b,
                int ldb, const float *beta, float *c, int ldc)
{
  const int status = begin (op_a, op_b, m, n, k, lda, ldb, ldc);

  (void) handle;
  if (status == SUCCESS)
    multiply_floats (op_a, op_b, m, n, k, *alpha, a, lda, b, ldb, *beta, c, ldc);
  return status;
}

/* Of integers of 8 bits alone, of which a product's sum is to have 32.  */
int
cublasGemmStridedBatchedEx (void *handle, int op_a, int op_b, int m, int n, int k,
                            const void *alpha, const void *a, int type_a, int lda,
                            long long step_a, const void *b, int type_b, int ldb,
                            long long step_b, const void *beta, void *c, int type_c,
                            int ldc, long long step_c, int count, int compute, int algorithm)
{
  const int8_t *x = a, *y = b;
  int32_t *to = c;
  int status;

  (void) handle;
  (void) algorithm;
  if (type_a != INT8 || type_b != INT8 || type_c != INT32 || compute != COMPUTE_32I
      || *(const int32_t *) alpha != 1 || *(const int32_t *) beta != 0
      || (m | n | k | lda | ldb | ldc | step_a | step_b | step_c) % 4 != 0
      || (((uintptr_t) a | (uintptr_t) b | (uintptr_t) c) & 3) != 0)
    return NOT_SUPPORTED;
  status = begin (op_a, op_b, m, n, k, lda, ldb, ldc);
  for (int i = 0; i < count && status == SUCCESS; i++)
    if (!multiply_integers (op_a, op_b, m, n, k, 1, x + i * step_a, lda, y + i * step_b,
                            ldb, 0, to + i * step_c, ldc))
      return EXECUTION_FAILED;
  return status;
}
