/* Lines of a symmetric or triangular matrix of doubles, as they lie, times a vector.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MATRIX_HALF_H
#define GT_MATRIX_HALF_H

#include "src/matrix/work.h"

/* Whether M is such a matrix.  */
int gt_half_lies (enum gt_arithmetic arithmetic, const struct gt_matrix *m);

/* Adds up the stored terms of M's lines from FIRST on that are not in the square on the
   diagonal, or, ACROSS, those that are what lies across it.  LINES has as many of the vector's
   terms as M has columns.  Returns the guess that is left.  */
double gt_half_add_beside (const struct gt_matrix *m, struct gt_tile_lines lines, size_t first,
                         int across);

/* Lays that square out as it is stored, row by row or column by column, and zeros.  Returns
   about the sum of squares.  */
double gt_half_lay_square (const struct gt_matrix *m, size_t first, size_t n, double *square);

/* All sums of LINES from FIRST on.  Returns whether these are the scales: else there are no
   sums.  What LINES guess is kept.  */
int gt_half_add (const struct gt_matrix *m, struct gt_tile_lines *lines, size_t first);

#endif
