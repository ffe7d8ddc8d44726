/* Plain sums of products, for fast products of matrices: some rows and some columns at once.
   Each sum is rounded at each addition, and where the instruction set has fused operations
   products are not rounded.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_PLAIN_H
#define GT_KERNELS_CPU_PLAIN_H

#include <stddef.h>

#include "kernels/cpu/isa/isa.h"

/* The most rows and vectors of a tile; gt_plain has those of the instruction set.  */
#define GT_PLAIN_ROWS 8
#define GT_PLAIN_VECTORS 3

/* Numbers are doubles or floats.  Steps count numbers.  */
struct gt_plain_tile
{
  const void *a;        /* the first row's terms */
  size_t a_row, a_step; /* from one row to the next, and from one term to the next */
  const void *b;        /* the first term of all lanes, side by side */
  size_t b_step;        /* from one term to the next */
  size_t n;             /* terms; may be 0 */
  void *c;              /* results, the lanes of a row side by side */
  size_t c_row;
  double alpha;         /* each sum is multiplied by it */
  int adds;             /* whether results are added to what C has */
};
typedef void gt_plain_function (const struct gt_plain_tile *tile);

/* The functions for one type of numbers.  */
struct gt_plain
{
  size_t size;            /* of a number, bytes */
  unsigned rows, vectors; /* the most of a tile */
  unsigned lanes;         /* of a vector */
  /* So many terms of a tile's lanes stay in the first cache; of so many lanes, and of so many rows,
     in the second.  */
  size_t terms, slab, block;
  gt_plain_function *tile[GT_PLAIN_ROWS][GT_PLAIN_VECTORS]; /* of one row and more */
  /* Stores number T of line L at TO[T WIDTH + L], where X[T STEP + L LINE] is read; and zeros
     for the lines beyond LINES.  */
  void (*pack) (const void *x, size_t line, size_t step, size_t lines, size_t terms,
                void *to, size_t width);
  /* Stores number T of line L at TO[T WIDTH + L], where X[L LINE + T] is read: a transposition of
     any numbers of that size, whose bits stay.  */
  void (*turn) (const void *x, size_t line, size_t lines, size_t terms, void *to, size_t width);
  /* Stores, or ADDS, the first N lanes of ROWS rows of a tile, WIDTH from one to the next.  */
  void (*put) (const void *tile, size_t width, size_t rows, size_t n, void *c, size_t row,
               int adds);
  /* Multiplies N numbers, or pairs that are complex numbers.  With a factor of 0 nothing is
     read.  */
  void (*scale) (void *c, size_t n, unsigned parts, double re, double im);
  /* Y[L] += ALPHA (sum of A[L LINE + T] X[T] over TERMS), or, with the terms of a line STEP
     apart and the lines side by side, of A[T STEP + L] X[T].  */
  void (*rows_by_vector) (const void *a, size_t line, size_t lines, size_t terms,
                          const void *x, double alpha, void *y);
  void (*columns_by_vector) (const void *a, size_t step, size_t lines, size_t terms,
                             const void *x, double alpha, void *y);
};

extern const struct gt_plain *const gt_plain_isas[2][GT_N_ISAS];

/* The functions of the instruction set in use, for doubles, or floats if SINGLE.  */
static inline const struct gt_plain *
gt_plain (int single)
{
  return gt_plain_isas[single != 0][gt_isa ()];
}

#endif
