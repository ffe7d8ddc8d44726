/* A product or a solution on its way to exact elements.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MATRIX_WORK_H
#define GT_MATRIX_WORK_H

#include "kernels/cpu/matrix/tiles.h"
#include "src/blas/side.h"

/* All is real: a row has a lane for each part of each element.  What is computed is

     COEFFICIENT[0] x + COEFFICIENT[1] y + FACTOR[0] c + FACTOR[1] d

   where x is the product of a row's terms and a lane's, y the same of the lane's turned
   form (enum gt_form), c the old value, and d the part that c is of i times the old
   element; SUMS and OLDS say how many of these there are.  */
struct gt_work
{
  struct gt_side a, b; /* rows, and columns as lines */
  size_t rows, lanes, terms;
  unsigned sums, olds;
  double coefficient[2], factor[2];
  void *c;
  size_t row, column;  /* elements from one row of C, or column, to the next */
  enum gt_triangle triangle;
  int hermitian;
  const struct gt_matrix *triangular; /* of a solution, else null */
};

static inline size_t
gt_least (size_t a, size_t b)
{
  return a < b ? a : b;
}

/* The index in C of the number that ROW has in LANE.  */
static inline size_t
gt_work_at (const struct gt_work *w, size_t row, size_t lane)
{
  const unsigned parts = w->a.parts, part = lane & (parts - 1);

  return (row * w->row + (lane >> (parts - 1)) * w->column) * parts + part;
}

/* The old number there; and that of i times the element.  */
static inline double
gt_work_old (const struct gt_work *w, size_t row, size_t lane, unsigned which)
{
  const size_t at = gt_work_at (w, row, which ? lane ^ 1 : lane);
  const double x
    = w->a.single ? (double) ((const float *) w->c)[at] : ((const double *) w->c)[at];

  return which && lane % 2 == 0 ? -x : x;
}

/* The same of N lanes from LANE on; and the new numbers are stored there.  */
void gt_work_olds (const struct gt_work *w, size_t row, size_t lane, size_t n,
                   unsigned which, double *to);
void gt_work_store (const struct gt_work *w, size_t row, size_t lane, size_t n, double *x);

/* Where the numbers of ROW from LANE on are, if they are doubles that lie side by side, of
   complex elements both parts; else null.  */
double *gt_work_lie (const struct gt_work *w, size_t row, size_t lane);

/* Whether a number between these is certain: it is LOWER.  */
static inline int
gt_work_decides (const struct gt_work *w, double lower, double upper)
{
  if (w->a.single)
    return (float) lower == (float) upper && ((float) lower != 0 || lower == upper);
  return lower == upper;
}

/* A power of two of which a row or lane is no more in Euclidean norm, of the sum of its
   squares.  Not a number where elements are zeros alone, not finite, or so large or small
   that they go to gt_settle_element with all that depends on them.  */
double gt_scale_of (double squares);

/* Returns P in turn, C' = B' A' (of TWICE, X and X' change places).  */
struct gt_product gt_product_turned (const struct gt_product *p);

/* Computes P if it is small or its elements have few terms, which take no sums with bounds.
   Returns whether it is done.  */
int gt_product_shortly (const struct gt_product *p);

/* P's work.  */
void gt_work_of (struct gt_work *w, const struct gt_product *p);

/* The coefficients and factors of ALPHA and BETA.  */
void gt_work_scalars (struct gt_work *w, struct gt_scalar alpha, struct gt_scalar beta);

/* The most that products of the factors and the coefficients may lose by underflow.  */
double gt_work_least (const struct gt_work *w);

/* How many threads so many PRODUCTS in so many BLOCKS are worth.  */
unsigned gt_members_for (double products, size_t blocks);

/* Finds the lanes of C's row that are written, [*BEGIN, *END).  */
void gt_work_lanes (const struct gt_work *w, size_t row, size_t *begin, size_t *end);

/* Finds those of LANES lanes from LANE on, and counts them from there.  Returns whether there are
   any.  */
int gt_work_written (const struct gt_work *w, size_t row, size_t lane, size_t lanes,
                     size_t *begin, size_t *end);

/* The element of ROW and LANE, by whole numbers, of terms [BEGIN, END); of a solution over
   what the diagonal has there.  */
double gt_settle_element (const struct gt_work *w, size_t row, size_t lane, size_t begin,
                  size_t end);

/* All elements of ROW, of which no memory is needed.  */
void gt_settle_row (const struct gt_work *w, size_t row, size_t begin, size_t end);

#endif
