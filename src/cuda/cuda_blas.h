/* cuBLAS, where the system has it: products of matrices on a GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_BLAS_H
#define GT_CUDA_BLAS_H

#include "src/cuda/cuda_context.h"

/* Both put their work into STREAM and return 0; or something else when there is no
   cuBLAS, or it refuses: then nothing was done, and will not be tried again on this GPU.
   The context is current.  */

/* The fast product of P, which has more than one column, or is of one.  */
int gt_cuda_blas_multiply (struct gt_open_gpu *gpu, CUstream stream,
                           const struct gt_device_product *p);

/* Products of matrices of integers of 8 bits to those of 32, TO := LEFT RIGHT': ROWS rows of
   LEFT and COLUMNS rows of RIGHT have TERMS elements, and rows of TO are COLUMNS long.  All
   are multiples of 16.  COUNT of each matrix follow one another.  */
struct gt_integer_products
{
  int rows, columns, terms, count;
  const int8_t *left, *right;
  int32_t *to;
};
int gt_cuda_blas_integers (struct gt_open_gpu *gpu, CUstream stream,
                           const struct gt_integer_products *p);

/* Whether there is cuBLAS for GPU.  */
int gt_cuda_blas_there (struct gt_open_gpu *gpu);

#endif
