/* Products of matrices on a GPU: the parts that all of them share.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_MATRIX_H
#define GT_CUDA_MATRIX_H

#include "src/cuda/cuda_context.h"

/* One product under way.  The context is current.  */
struct gt_multiplying
{
  struct gt_open_gpu *gpu;
  struct gt_slot *slot;
  CUstream on;
  const struct gt_device_product *product;
  CUdeviceptr scratch; /* memory that was taken for this call alone, or 0 */
  int wrote;           /* something may write elements of C */
};

/* Launches KERNEL, its entry point for the product's elements and mode; nothing of no
   blocks.  */
CUresult gt_matrix_launch (struct gt_multiplying *m, enum gt_matrix_kernel kernel,
                           int exact, const struct gt_kernel_args *args,
                           uint64_t grid, unsigned block);

/* The arguments of the part of the product that has rows from I and columns from J on.  */
struct gt_kernel_args gt_matrix_args_of (const struct gt_multiplying *m, uint64_t i,
                                         uint64_t rows, uint64_t j,
                                         uint64_t columns);

/* From LEAST to WANTED bytes on the device: the slot's, up to the limit of scratch memory,
   else what can be had, at most half of what is free, which is given back when the call
   ends.  What was had before is lost.  */
CUresult gt_matrix_room (struct gt_multiplying *m, size_t least, size_t wanted,
                         uintptr_t *room, size_t *bytes);

CUresult gt_matrix_clear (struct gt_multiplying *m, const void *address,
                          size_t bytes);

/* Launches the elements of ARGS that are undecided.  */
CUresult gt_matrix_settle (struct gt_multiplying *m,
                           const struct gt_kernel_args *args);

/* Exact products by residues.  Does nothing, with *DONE 0, where there is no engine or too
   little memory for it, or the engine refuses before anything of C is written.  */
CUresult gt_matrix_by_residues (struct gt_multiplying *m, int *done);

/* Products of fewer multiplications are not made so; tests have smaller ones.  */
extern uint64_t gt_residues_least_work;

#endif
