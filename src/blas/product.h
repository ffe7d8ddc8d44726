/* Products of matrices: the operations of GSL's BLAS of levels 2 and 3 in one form.
   A product is

     C := alpha A B + beta C  or, if TWICE,
     C := alpha A B + (alpha A B)' + beta C

   where X' is the transpose of X, or the conjugate transpose if C is Hermitian.  A solution is
   the X of A X = alpha C, which replaces C.  Vectors are matrices of one column.  A matrix
   here is the mathematical matrix, with the distances between its rows and columns in memory,
   so that transposition only exchanges these.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MATRIX_PRODUCT_H
#define GT_MATRIX_PRODUCT_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/types.h"

enum gt_matrix_shape
{
  GT_GENERAL,
  GT_SYMMETRIC,  /* elements outside its triangle are those across the diagonal */
  GT_HERMITIAN,  /* elements outside its triangle are the conjugates; imaginary parts of the
                    diagonal count as 0 */
  GT_TRIANGULAR  /* elements outside its triangle are 0, and not read */
};

/* The part of a matrix that exists, or that is written.  */
enum gt_triangle
{
  GT_WHOLE,
  GT_UPPER,
  GT_LOWER
};

struct gt_matrix
{
  const void *data;    /* of the arithmetic; complex numbers have both parts */
  size_t rows, columns;
  size_t row, column;  /* elements from one row to the next, from one column to the next */
  enum gt_matrix_shape shape;
  enum gt_triangle triangle; /* for all shapes except GENERAL: the part that is stored */
  char conjugate;      /* whether the elements are conjugated */
  char unit;           /* whether the diagonal consists of ones and is not read */
};

/* A number of the arithmetic: the real and the imaginary part, which is 0 for real
   numbers.  */
struct gt_scalar
{
  double re, im;
};

struct gt_product
{
  enum gt_arithmetic arithmetic; /* F64, F32, CF64 or CF32 */
  struct gt_matrix a, b;         /* b is not used in solutions */
  struct gt_scalar alpha, beta;
  void *c;
  size_t rows, columns, row, column; /* of C */
  enum gt_triangle triangle;     /* the part of C that is written; the rest is not read */
  char hermitian;                /* imaginary parts of the diagonal of C become 0 */
  char twice;
};

/* Exact results.  Each element of C (each part of a complex one) is the exact value of the
   expression above, rounded once, to nearest, ties to even; an exact zero is +0, and an
   underflow keeps its sign.  If alpha or beta is 0, its factor is not read.
   Each unknown of a solution is the exact value of (alpha c - the sum of the terms of solved
   unknowns) divided by the diagonal element, rounded once, in the order of substitution.
   If alpha, beta or any number in an element's expression is not finite, the element is the
   IEEE sum of the addends that are not finite; finite addends do not overflow in between.
   Elements outside a triangle, and the imaginary part of a diagonal of ones, of a Hermitian
   diagonal, or of a real alpha or beta, are no addends.  A division by 0 or by a number that
   is not finite is IEEE's division of the rounded numerator.
   A and B may overlap C only if C is B (trmv, trmm), with the same steps, and A is triangular.
   If memory is short, each element is computed separately, which is slow.  */
void gt_product_exactly (const struct gt_product *p);
void gt_solve_exactly (const struct gt_product *p);

#endif
