/* Products of matrices on a GPU by cuBLAS, if the system has it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_BLAS_H
#define GT_CUDA_BLAS_H

#include "src/cuda/cuda_context.h"

/* Both functions put their work into STREAM and return 0.  If there is no cuBLAS, or it
   reports an error, they return another value, no result was written, and they do not use
   cuBLAS on this GPU again.  The context is current.  */

/* Computes the product P in fast mode.  P is a product with a matrix of more than one
   column.  */
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

/* Returns whether cuBLAS is available for GPU.  */
int gt_cuda_blas_there (struct gt_open_gpu *gpu);

#endif
