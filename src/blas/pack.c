/* Packs the factors of fast products for tiles.
   Transposed, symmetric, triangular and complex operands differ only here.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/blas/plain_cell.h"

#include <string.h>

#include "kernels/cpu/matrix/tiles.h"

/* Stores the terms of N lines from FIRST on, with STEP between lines.  */
static void
lay_lines (struct gt_cell *c, const struct gt_side *side, size_t first, size_t n, char *to,
           size_t step)
{
  if (!side->single)
    gt_side_lay_lines (side, first, n, c->begin, c->begin + c->n, (double *) (void *) to,
                       step);
  else
    for (size_t i = 0; i < n; i++)
      {
        gt_side_load (side, first + i, GT_AS_IT_IS, c->begin, c->n, c->line, 1);
        gt_tiles ()->narrow (c->line, c->n, (float *) (void *) to + i * step);
      }
}

/* Does the same for a complex line's two lanes, multiplied by alpha unless alpha is real.  */
static void
lay_pair (struct gt_cell *c, size_t line, char *to, size_t step)
{
  const struct gt_side *side = &c->w->b.side;
  const struct gt_scalar alpha = c->w->p->alpha;
  double *re = c->line, *im = re + c->w->k->terms;

  gt_side_load (side, line, GT_REAL_PART, c->begin, c->n, re, 1);
  gt_side_load (side, line, GT_IMAGINARY, c->begin, c->n, im, 1);
  for (size_t t = 0; alpha.im != 0 && t < c->n; t++)
    {
      const double first = re[t], second = im[t];

      re[t] = alpha.re * first - alpha.im * second;
      im[t] = alpha.re * second + alpha.im * first;
    }
  if (side->single)
    {
      gt_tiles ()->narrow (re, c->n, (float *) (void *) to);
      gt_tiles ()->narrow (im, c->n, (float *) (void *) to + step);
      return;
    }
  memcpy (to, re, c->n * sizeof *re);
  memcpy (to + step * sizeof *im, im, c->n * sizeof *im);
}

/* Packs N lanes from LANE on as a panel of WIDTH lanes.  */
static void
pack_lanes (struct gt_cell *c, size_t lane, size_t n, char *to, size_t width)
{
  const struct gt_plain_work *w = c->w;
  const struct gt_plain_factor *b = &w->b;
  const size_t step = gt_laid_step (w->k->terms);

  if (b->as_it_lies)
    {
      w->k->pack (gt_in_factor (w, b, lane, c->begin), b->line, b->step, n, c->n, to, width);
      return;
    }
  if (w->parts == 1)
    lay_lines (c, &b->side, lane, n, (char *) c->laid, step);
  else
    for (size_t l = 0; l < n; l += 2)
      lay_pair (c, (lane + l) / 2, (char *) c->laid + l * step * w->k->size, step);
  w->k->pack (c->laid, step, 1, n, c->n, to, width);
}

void
gt_cell_pack_lanes (struct gt_cell *c, size_t lane, size_t lanes)
{
  const struct gt_plain *k = c->w->k;
  const struct gt_split panels = gt_split (gt_pieces (lanes, k->lanes), k->vectors);

  for (size_t j = 0; j < panels.count; j++)
    {
      const size_t first = gt_piece (&panels, j) * k->lanes;
      const size_t width = gt_piece (&panels, j + 1) * k->lanes - first;

      pack_lanes (c, lane + first, gt_least (width, lanes - first),
                  c->slab + first * c->n * k->size, width);
    }
}

void
gt_cell_load_rows (struct gt_cell *c, size_t first, size_t rows)
{
  const struct gt_plain_work *w = c->w;
  const struct gt_plain_factor *a = &w->a;
  const struct gt_split tiles = gt_split (rows, w->k->rows);

  c->a_first = first;
  c->a_rows = rows;
  c->a_line = a->line;
  c->a_step = a->step;
  c->a = gt_in_factor (w, a, first, c->begin);
  if (!a->packed)
    return;
  c->a = c->packed;
  c->a_line = 0;
  if (!a->as_it_lies)
    {
      c->a_line = gt_laid_step (w->k->terms);
      c->a_step = 1;
      lay_lines (c, &a->side, first, rows, c->packed, c->a_line);
      return;
    }
  for (size_t t = 0; t < tiles.count; t++)
    {
      const size_t at = gt_piece (&tiles, t), n = gt_piece (&tiles, t + 1) - at;

      w->k->pack (gt_in_factor (w, a, first + at, c->begin), a->line, a->step, n, c->n,
                  c->packed + at * c->n * w->k->size, n);
    }
}
