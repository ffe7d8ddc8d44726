/* The rows of a product's first factor, or the columns of its second, as vectors of real
   numbers, for matrices of any shape.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MATRIX_SIDE_H
#define GT_MATRIX_SIDE_H

#include "src/blas/product.h"

/* A line is a row of a matrix, followed by the same row of another matrix if there are two.
   TERMS are the real numbers of a line: the real part and then the imaginary part of each
   complex number.  */
struct gt_side
{
  struct gt_matrix half[2];
  unsigned halves;
  unsigned parts;    /* of an element: 2 if it is complex */
  int single;        /* whether parts are floats */
  int opposed;       /* whether the second half is negated in turned forms */
  size_t terms;
};

/* The real numbers that represent complex ones, re + im i.  The product of a line in the form
   GT_AS_IT_IS and a line in another form is a part of their complex product, or that part of i
   times it.  */
enum gt_form
{
  GT_AS_IT_IS,  /* re, im */
  GT_REAL_PART, /* re, -im */
  GT_IMAGINARY, /* im, re */
  GT_TURNED_REAL,     /* -im, -re */
  GT_TURNED_IMAGINARY /* re, -im */
};

/* Changes member by member: gcc copies what a compound literal made, and reads of such a copy wait until
   it is written, which takes as long as a hundred products.  */
static inline struct gt_matrix
gt_transposed (struct gt_matrix m)
{
  const size_t rows = m.rows, row = m.row;

  m.rows = m.columns;
  m.columns = rows;
  m.row = m.column;
  m.column = row;
  m.triangle = m.triangle == GT_UPPER ? GT_LOWER : m.triangle == GT_LOWER ? GT_UPPER : GT_WHOLE;
  return m;
}

/* Returns the side of M's rows, or of the rows of M and OTHER.  */
static inline struct gt_side
gt_side_of (enum gt_arithmetic arithmetic, const struct gt_matrix *m,
            const struct gt_matrix *other)
{
  const unsigned parts = gt_parts_in (arithmetic);
  struct gt_side side = {.half = {*m}, .halves = 1, .parts = parts,
                         .single = gt_part_arithmetic (arithmetic) == GT_F32,
                         .terms = m->columns * parts};

  if (other)
    {
      side.half[1] = *other;
      side.halves = 2;
      side.terms += other->columns * parts;
    }
  return side;
}

/* Stores terms FIRST to FIRST + N - 1 of a LINE as doubles, STEP apart.  For complex numbers
   FIRST and N are even.  */
void gt_side_load (const struct gt_side *side, size_t line, enum gt_form form,
                   size_t first, size_t n, double *to, size_t step);

/* Returns the index of the term of LINE that its matrix of the HALF does not have: the
   imaginary part of a diagonal of ones, or of a Hermitian one.  It is loaded as 0 and is left
   out of products, even with infinities.  Returns SIZE_MAX if there is none.  */
size_t gt_side_left_out (const struct gt_side *side, unsigned half, size_t line,
                         enum gt_form form);

/* Returns whether the same terms of neighbouring lines are contiguous.  */
int gt_side_are_neighbours (const struct gt_side *side);

/* Returns the form of a lane.  Lanes are lines, or the parts of complex lines, for which each
   SUM has its own forms.  */
static inline enum gt_form
gt_side_form (const struct gt_side *side, size_t lane, unsigned sum)
{
  return side->parts == 1 ? GT_AS_IT_IS
                          : (enum gt_form) (GT_REAL_PART + 2 * sum + lane % 2);
}

/* Stores N terms of LANES lanes from LANE on; for complex numbers both are even.  The lanes of
   a term are contiguous; terms are STEP apart.  */
void gt_side_lay_lanes (const struct gt_side *side, size_t lane, size_t lanes, unsigned sum,
                        size_t first, size_t n, double *to, size_t step);

/* The number of lines that are copied at a time, at least the numbers of a cache line.  Their
   distance is not a multiple of a page, so that they are in different sets of the cache.  */
#define GT_LAID_LINES ((size_t) 16)
static inline size_t
gt_laid_step (size_t terms)
{
  return (terms + 7) / 8 * 8 | 8;
}

/* Stores terms [BEGIN, END) of LINES lines from FIRST on, with STEP between lines.  For
   complex numbers BEGIN and END are even.  */
void gt_side_lay_lines (const struct gt_side *side, size_t first, size_t lines, size_t begin,
                        size_t end, double *to, size_t step);

/* gt_side_line returns the address of LINE's terms if they are contiguous and equal to the
   terms that gt_side_load stores for GT_AS_IT_IS; otherwise null.  gt_side_lanes does so for
   the terms of neighbouring lines, with *STEP between terms.  */
const double *gt_side_line (const struct gt_side *side, size_t line);
const double *gt_side_lanes (const struct gt_side *side, size_t line, size_t *step);

/* Reduces [*BEGIN, *END) if the terms of LINES lines from FIRST on are zero outside a smaller
   range.  */
void gt_side_narrow (const struct gt_side *side, size_t first, size_t lines,
                     size_t *begin, size_t *end);

#endif
