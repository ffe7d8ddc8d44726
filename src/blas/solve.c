/* Triangular systems, each unknown correctly rounded.
   Lanes are right-hand sides, or each part of complex ones.  Rows are solved one after the
   other: each is a block (src/blas/block.h) of one row, and its lanes' terms are the unknowns
   solved so far.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/blas/product.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/isa/room.h"
#include "src/blas/block.h"

#define LANES ((size_t) 32)

/* Returns the address of term 0 of ROW, even if the row does not have it.  The row is read in
   place, or several rows are copied when the first of them is solved.  */
static const double *
line_of (struct gt_block *k, size_t row, int is_first)
{
  const struct gt_side *side = &k->p->w.a;
  const struct gt_matrix *m = &side->half[0];
  const size_t line = row / GT_LAID_LINES * GT_LAID_LINES;
  const size_t lines = gt_least (k->p->w.rows - line, GT_LAID_LINES);
  const size_t step = gt_laid_step (k->p->w.terms);
  const int begins = m->triangle == GT_UPPER ? row == line + lines - 1 : row == line;
  size_t begin = 0, end = k->p->w.terms;

  if (side->parts == 1 && !side->single && m->column == 1)
    return (const double *) m->data + row * m->row;
  if (is_first || begins)
    {
      gt_side_narrow (side, line, lines, &begin, &end);
      gt_side_lay_lines (side, line, lines, begin, end, k->room + begin, step);
    }
  return k->room + (row - line) * step;
}

/* Loads the element of the diagonal.  */
static void
load_divisor (const struct gt_work *w, size_t row, double d[2])
{
  const struct gt_matrix *m = w->triangular;
  const size_t at = row * (m->row + m->column) * w->a.parts;

  for (unsigned i = 0; i < w->a.parts; i++)
    d[i] = m->unit      ? i == 0
           : w->a.single ? (double) ((const float *) m->data)[at + i]
                         : ((const double *) m->data)[at + i];
  if (m->conjugate)
    d[1] = -d[1];
}

/* Stores the solved unknowns, rounded to the type of C, as terms, and updates the scales.  */
static void
keep (struct gt_block *k)
{
  const struct gt_work *w = &k->p->w;

  for (unsigned part = 0; part < w->a.parts; part++)
    {
      double *const x
        = k->p->by_lines ? k->apart : k->x + (k->row * w->a.parts + part) * k->padded;

      gt_work_olds (w, k->row, k->lane, k->lanes, part, x);
      for (size_t j = k->lanes; j < k->padded; j++)
        x[j] = 0;
      if (k->p->by_lines && part == 0)
        memcpy (k->x + k->row * w->a.parts, x, w->a.parts * sizeof *x);
      k->p->tiles->keep (x, k->padded, k->squares, k->scale);
    }
}

static void
solve_block (struct gt_block *k)
{
  const struct gt_work *w = &k->p->w;
  const int upper = w->triangular->triangle == GT_UPPER;
  const size_t rows = w->rows, parts = w->a.parts;

  k->step = k->p->by_lines ? 1 : k->padded;
  memset (k->squares, 0, k->padded * sizeof *k->squares);
  memset (k->scale, 0, k->padded * sizeof *k->scale);
  for (size_t i = 0; i < rows; i++)
    {
      k->row = upper ? rows - 1 - i : i;
      k->begin = upper ? (k->row + 1) * parts : 0;
      k->end = upper ? w->terms : k->row * parts;
      k->line = k->p->by_lines && parts == 2 ? NULL : line_of (k, k->row, i == 0);
      load_divisor (w, k->row, k->divisor);
      gt_block_compute (k);
      keep (k);
    }
}

void
gt_solve_exactly (const struct gt_product *p)
{
  const struct gt_matrix lines
    = {.data = p->c, .rows = p->columns, .columns = p->rows, .row = p->column,
       .column = p->row};
  struct gt_blocks s = {.tiles = gt_tiles (), .block_rows = 1, .each = solve_block,
                        .by_lines = p->columns == 1};
  struct gt_work *w = &s.w;

  w->a = gt_side_of (p->arithmetic, &p->a, NULL);
  w->b = gt_side_of (p->arithmetic, &lines, NULL);
  w->rows = p->rows;
  w->lanes = p->columns * w->a.parts;
  w->terms = w->a.terms;
  w->c = p->c;
  w->row = p->row;
  w->column = p->column;
  w->triangular = &p->a;
  gt_work_scalars (w, (struct gt_scalar) {-1, 0}, p->alpha);
  if (w->rows == 0 || w->lanes == 0)
    return;
  s.block_lanes = gt_least (w->lanes, LANES);
  s.across = s.blocks = (w->lanes + s.block_lanes - 1) / s.block_lanes;
  s.chunk = w->terms;
  if (!gt_blocks_run (&s))
    gt_settle_all (w, p->a.triangle == GT_UPPER);
}
