/* Lines of a symmetric or triangular matrix of doubles, as they lie, times a vector.

   A line has terms before the square on the diagonal, of the square, and after it.  What is
   stored row by row is added up as rows, what lies across the diagonal as columns, or the other
   way round.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/matrix/half.h"

#include <math.h>
#include <string.h>

int
gt_half_lies (enum gt_arithmetic arithmetic, const struct gt_matrix *m)
{
  return arithmetic == GT_F64 && m->shape != GT_GENERAL && (m->column == 1 || m->row == 1);
}

static double
add (struct gt_tile_lines lines, const double *a, size_t line, size_t term, size_t first,
     size_t terms)
{
  const struct gt_tiles *tiles = gt_tiles ();

  lines.x += first;
  lines.a = a;
  lines.terms = terms;
  lines.step = term == 1 ? line : term;
  if (terms > 0)
    (term == 1 ? tiles->rows : tiles->columns) (&lines);
  return lines.guess;
}

double
gt_half_add_beside (const struct gt_matrix *m, struct gt_tile_lines lines, size_t first,
                    int across)
{
  const int after = (m->triangle == GT_UPPER) != across;
  const size_t begin = after ? first + lines.lines : 0, end = after ? m->columns : first;
  const size_t line = across ? m->column : m->row, term = across ? m->row : m->column;

  return add (lines, (const double *) m->data + first * line + begin * term, line, term, begin,
              end - begin);
}

/* Makes the diagonal X.  */
static void
set_diagonal (double *square, size_t n, double x)
{
  for (size_t i = 0; i < n; i++)
    square[i * (GT_TILE_SQUARE + 1)] = x;
}

double
gt_half_lay_square (const struct gt_matrix *m, size_t first, size_t n, double *square)
{
  const double squares
    = gt_tiles ()->lay_triangle ((const double *) m->data + first * (m->row + m->column),
                                 m->column == 1 ? m->row : m->column, n,
                                 (m->triangle == GT_UPPER) == (m->column == 1), square);

  if (!m->unit)
    return squares;
  set_diagonal (square, n, 1);
  return squares + (double) n;
}

/* The square as STORED, or what is across the diagonal.  */
static void
add_square (const struct gt_matrix *m, struct gt_tile_lines lines, size_t first,
            const double *square, int stored)
{
  const int rows = (m->column == 1) == stored;

  add (lines, square, rows ? GT_TILE_SQUARE : 1, rows ? 1 : GT_TILE_SQUARE, first,
       lines.lines);
}

int
gt_half_add (const struct gt_matrix *m, struct gt_tile_lines *lines, size_t first)
{
  const struct gt_tiles *tiles = gt_tiles ();
  const unsigned vectors = (unsigned) ((lines->lines + tiles->lanes - 1) / tiles->lanes);
  const size_t n = vectors * tiles->lanes;
  double square[GT_TILE_SQUARE * GT_TILE_SQUARE];
  const double squares = gt_half_lay_square (m, first, lines->lines, square);

  if (lines->guess == 0)
    lines->guess = gt_scale_of (squares * (double) (m->columns / GT_TILE_SQUARE + 1));
  if (!(lines->guess > 0))
    return 0;
  lines->more = 1;
  for (size_t i = 0; i < n; i++)
    lines->scale[i] = lines->guess;
  memset (lines->squares, 0, n * sizeof *lines->squares);
  tiles->begin (lines->s, lines->l, lines->scale, lines->x_anchor, vectors);
  gt_half_add_beside (m, *lines, first, 0);
  add_square (m, *lines, first, square, 1);
  if (m->shape != GT_TRIANGULAR)
    {
      gt_half_add_beside (m, *lines, first, 1);
      set_diagonal (square, lines->lines, 0);
      add_square (m, *lines, first, square, 0);
    }
  return tiles->are_guessed (lines->squares, lines->lines, lines->guess);
}
