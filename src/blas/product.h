/* Products of matrices: what GSL's BLAS of levels 2 and 3 compute, in one form.

   A product is

     C := alpha A B + beta C                               or, if TWICE,
     C := alpha A B + (alpha A B)' + beta C

   where X' is the transposed matrix of X, or the conjugate transposed if C is Hermitian;
   a solution is the X of A X = alpha C, which takes the place of C.  Vectors are matrices
   of one column.  Transposition is a matter of steps: a matrix here is the matrix that is
   meant, with the distances between its rows and columns in memory.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MATRIX_PRODUCT_H
#define GT_MATRIX_PRODUCT_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/types.h"

enum gt_matrix_shape
{
  GT_GENERAL,
  GT_SYMMETRIC,  /* what is not in its triangle is what lies across the diagonal */
  GT_HERMITIAN,  /* its conjugate; imaginary parts of the diagonal count as 0 */
  GT_TRIANGULAR  /* it is 0, and not read */
};

/* Which part of a matrix is there, or is written.  */
enum gt_triangle
{
  GT_WHOLE,
  GT_UPPER,
  GT_LOWER
};

struct gt_matrix
{
  const void *data;    /* of the arithmetic; of complex numbers both parts */
  size_t rows, columns;
  size_t row, column;  /* elements from one row to the next, from one column to the next */
  enum gt_matrix_shape shape;
  enum gt_triangle triangle; /* of all shapes but GENERAL: where its elements are */
  char conjugate;      /* whether the conjugates of the elements are meant */
  char unit;           /* whether the diagonal is of ones, and not read */
};

/* A number of the arithmetic: the real and the imaginary part, 0 of real numbers.  */
struct gt_scalar
{
  double re, im;
};

struct gt_product
{
  enum gt_arithmetic arithmetic; /* F64, F32, CF64 or CF32 */
  struct gt_matrix a, b;         /* b is not there in solutions */
  struct gt_scalar alpha, beta;
  void *c;
  size_t rows, columns, row, column; /* of C */
  enum gt_triangle triangle;     /* what is written of it; of the rest nothing is read */
  char hermitian;                /* imaginary parts of the diagonal of C become 0 */
  char twice;
};

/* Exact: each element of C, of a complex one each part, is the exact value of its row
   above, rounded once, to nearest, ties to even; an exact zero is +0, what underflows
   keeps its sign.  Where alpha or beta is 0, what it would be multiplied by is not read.
   Of a solution each unknown is the exact value of (alpha c - the sum of what was solved
   before) over the diagonal, rounded once, in the order of substitution.

   Where alpha, beta, or anything that an element is made of is not finite, the element is
   the sum of those addends that are not finite, as IEEE arithmetic has it: addends that
   are finite do not overflow on the way.  What a triangle has not, and the imaginary part of a
   diagonal of ones, of a Hermitian diagonal, or of an alpha or beta that is real, make no
   addends.  A division by 0 or by what is not
   finite is IEEE's, of the rounded numerator.

   A and B may overlap C only if C is B (trmv, trmm), with the same steps, and A triangular.
   Where memory is short each element is settled by itself, which is slow.  */
void gt_product_exactly (const struct gt_product *p);
void gt_solve_exactly (const struct gt_product *p);

#endif
