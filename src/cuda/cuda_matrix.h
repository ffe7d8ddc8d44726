/* Products of matrices on a GPU: the functions that all algorithms share.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_MATRIX_H
#define GT_CUDA_MATRIX_H

#include "src/cuda/cuda_context.h"

/* One product in progress.  The context is current.  */
struct gt_multiplying
{
  struct gt_open_gpu *gpu;
  struct gt_slot *slot;
  CUstream on;
  const struct gt_device_product *product;
  CUdeviceptr scratch; /* memory that was allocated for this call alone, or 0 */
  int wrote;           /* whether a kernel may have written elements of C */
};

/* Launches KERNEL, its entry point for the product's elements and mode.  Does nothing if GRID
   is 0.  */
CUresult gt_matrix_launch (struct gt_multiplying *m, enum gt_matrix_kernel kernel,
                           int exact, const struct gt_kernel_args *args,
                           uint64_t grid, unsigned block);

/* Returns the arguments for the part of the product with ROWS rows from I on and COLUMNS
   columns from J on.  */
struct gt_kernel_args gt_matrix_args_of (const struct gt_multiplying *m, uint64_t i,
                                         uint64_t rows, uint64_t j,
                                         uint64_t columns);

/* Provides from LEAST to WANTED bytes on the device: the slot's memory, up to the limit of
   scratch memory; otherwise memory that is allocated, at most half of the free memory, and
   freed at the end of the call.  The contents of earlier memory are lost.  */
CUresult gt_matrix_room (struct gt_multiplying *m, size_t least, size_t wanted,
                         uintptr_t *room, size_t *bytes);

CUresult gt_matrix_clear (struct gt_multiplying *m, const void *address,
                          size_t bytes);

/* Launches the kernel that settles the undecided elements of ARGS.  */
CUresult gt_matrix_settle (struct gt_multiplying *m,
                           const struct gt_kernel_args *args);

/* Computes an exact product by residues.  If there is no engine or too little memory for it,
   or the engine fails before C is written, does nothing and sets *DONE to 0.  */
CUresult gt_matrix_by_residues (struct gt_multiplying *m, int *done);

/* The fewest multiplications of a product by residues; tests set it to less.  */
extern uint64_t gt_residues_least_work;

#endif
