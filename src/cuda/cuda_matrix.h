/* Products of matrices on a GPU: the functions that all algorithms share.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_MATRIX_H
#define GT_CUDA_MATRIX_H

#include "src/cuda/cuda_order.h"

/* One product in progress.  The context is current.  */
struct gt_multiplying
{
  struct gt_ordering o; /* and the arguments of the next launch */
  const struct gt_device_product *product;
  int wrote;            /* whether a kernel may have written elements of C */
};

/* Launches the entry point KIND for the product's elements, in blocks of GT_MATRIX_BLOCK
   threads.  Does nothing if GRID is 0.  */
#define GT_MATRIX_BLOCK 256
CUresult gt_matrix_launch (struct gt_multiplying *m, enum gt_named kind, uint64_t grid);

/* The same for a kernel that writes C.  */
CUresult gt_matrix_write (struct gt_multiplying *m, enum gt_named kind, uint64_t grid);

/* Sets the arguments for the part of the product with ROWS rows from I on and COLUMNS columns
   from J on.  */
void gt_matrix_take (struct gt_multiplying *m, uint64_t i, uint64_t rows, uint64_t j,
                     uint64_t columns);

/* Provides from LEAST to WANTED bytes on the device: the slot's memory, up to the limit of
   scratch memory; otherwise memory that is allocated, at most half of the free memory, and
   freed at the end of the call.  The contents of earlier memory are lost.  */
CUresult gt_matrix_room (struct gt_multiplying *m, size_t least, size_t wanted,
                         uintptr_t *room, size_t *bytes);

CUresult gt_matrix_clear (struct gt_multiplying *m, const void *address, size_t bytes);

/* Launches the kernel that computes the undecided elements.  */
CUresult gt_matrix_settle (struct gt_multiplying *m);

/* Returns the number of blocks for COUNT groups of the work of one: as many as the GPU runs at
   once, or fewer.  */
uint64_t gt_matrix_grid (const struct gt_multiplying *m, uint64_t count);

/* Computes an exact product by residues.  If there is no engine or too little memory for it,
   or the engine fails before C is written, does nothing and sets *DONE to 0.  */
CUresult gt_matrix_by_residues (struct gt_multiplying *m, int *done);

/* Multiplies by a matrix of one column, of at most GT_MOST_LINE terms, like the function of
   struct gt_backend.  */
#define GT_MOST_LINE ((uint64_t) 1 << 30)
int gt_cuda_multiply_vector (struct gt_open_gpu *gpu, const struct gt_device_product *product,
                             void *stream, int *kept);

/* The fewest multiplications of a product by residues; tests set it to less.  */
extern uint64_t gt_residues_least_work;

#endif
