/* A product or a solution during the computation of exact elements.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MATRIX_WORK_H
#define GT_MATRIX_WORK_H

#include "kernels/cpu/matrix/tiles.h"
#include "src/blas/side.h"

/* All numbers are real: a row has a lane for each part of each element.  The computed value is

     COEFFICIENT[0] x + COEFFICIENT[1] y + FACTOR[0] c + FACTOR[1] d

   where x is the product of a row's terms and a lane's, y the same for the lane's turned form
   (enum gt_form), c the old value, and d the corresponding part of i times the old element.
   SUMS and OLDS are the numbers of these terms.  */
struct gt_work
{
  struct gt_side a, b; /* rows, and columns as lines */
  size_t rows, lanes, terms;
  unsigned sums, olds;
  double coefficient[2], factor[2];
  void *c;
  size_t row, column;  /* distances of C's rows and columns */
  enum gt_triangle triangle;
  int hermitian;
  const struct gt_matrix *triangular; /* for a solution, otherwise null */
};

static inline size_t
gt_least (size_t a, size_t b)
{
  return a < b ? a : b;
}

/* Copy the old numbers of N lanes from LANE on, or those of i times the elements if WHICH, and
   store the new ones.  */
void gt_work_olds (const struct gt_work *w, size_t row, size_t lane, size_t n,
                   unsigned which, double *to);
void gt_work_store (const struct gt_work *w, size_t row, size_t lane, size_t n, double *x);

/* Returns the address of the numbers of ROW from LANE on if they are contiguous doubles (both
   parts of complex elements); otherwise null.  */
double *gt_work_lie (const struct gt_work *w, size_t row, size_t lane);

/* Returns whether a number between LOWER and UPPER is certain; if so, it is LOWER.  */
static inline int
gt_work_decides (const struct gt_work *w, double lower, double upper)
{
  if (w->a.single)
    return (float) lower == (float) upper && ((float) lower != 0 || lower == upper);
  return lower == upper;
}

/* Returns a power of two that is at least the Euclidean norm of a row or lane, whose sum of
   squares is SQUARES.  Returns NaN if all elements are zeros, or if some are not finite or so
   large or small that gt_settle_element must compute all elements that depend on them.  */
double gt_scale_of (double squares);

/* Copies M, whose elements have SIZE bytes, to contiguous rows at TO, where it is then.  */
void gt_matrix_copy (struct gt_matrix *m, size_t size, void *to);

/* Returns the transposed product, C' = B' A' (for TWICE, X and X' are exchanged).  */
struct gt_product gt_product_turned (const struct gt_product *p);

/* Sets W to P's work.  */
void gt_work_of (struct gt_work *w, const struct gt_product *p);

/* Sets the coefficients and factors of ALPHA and BETA.  */
void gt_work_scalars (struct gt_work *w, struct gt_scalar alpha, struct gt_scalar beta);

/* Returns the largest underflow of the products of the factors and the coefficients.  */
double gt_work_least (const struct gt_work *w);

/* Returns the number of threads that are worth their cost for PRODUCTS multiplications in
   BLOCKS.  */
unsigned gt_members_for (double products, size_t blocks);

/* Finds the lanes of C's row that are written, [*BEGIN, *END).  */
void gt_work_lanes (const struct gt_work *w, size_t row, size_t *begin, size_t *end);

/* Finds the written lanes among LANES lanes from LANE on, counted from LANE.  Returns whether
   there are any.  */
int gt_work_written (const struct gt_work *w, size_t row, size_t lane, size_t lanes,
                     size_t *begin, size_t *end);

/* Computes the element of ROW and LANE by whole numbers, from the old elements and, for a
   solution, from the unknowns solved before.  */
double gt_settle_element (const struct gt_work *w, size_t row, size_t lane);

/* Compute all elements of ROW, and of all rows, which may DESCEND, without additional memory.  */
void gt_settle_row (const struct gt_work *w, size_t row);
void gt_settle_all (const struct gt_work *w, int descends);

#endif
