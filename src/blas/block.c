/* The rows and lanes of a block: loads, measures and multiplies them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/blas/block.h"

#include <math.h>
#include <string.h>

/* Vectors of a panel of lanes.  All rows are multiplied by a panel before the next.  */
#define PANEL 4

static size_t
panel_lanes (const struct gt_block *k, size_t at)
{
  return gt_least (k->padded - at, PANEL * k->p->tiles->lanes);
}

int
gt_is_row (const struct gt_blocks *p)
{
  return p->w.rows == 1 && !p->w.triangular && p->w.b.halves == 1
         && !gt_side_are_neighbours (&p->w.b);
}

/* ------------------------------------------------------------------ Loading */

static void
load_rows (struct gt_block *k, size_t first, size_t n)
{
  const struct gt_side *side = &k->p->w.a;
  const double *line = k->line ? k->line : gt_side_line (side, k->row);
  const size_t step = line ? side->half[0].row * side->parts : gt_laid_step (k->p->chunk);

  if (line == NULL)
    gt_side_lay_lines (side, k->row, k->rows, first, first + n, k->a_room, step);
  for (size_t i = 0; i < k->rows; i++)
    k->a[i] = (line ? line + first : k->a_room) + i * step;
}

/* Lanes of whole vectors are read in place; otherwise lanes are copied and padded with
   zeros.  */
static void
load_lanes (struct gt_block *k, unsigned sum, size_t first, size_t n)
{
  const struct gt_work *w = &k->p->w;
  double *to = k->b_room[sum];

  if (k->x)
    {
      k->b[sum] = k->x + first * k->step;
      return;
    }
  k->b[sum] = k->lanes == k->padded ? gt_side_lanes (&w->b, k->lane, &k->step) : NULL;
  if (k->b[sum])
    {
      k->b[sum] += first * k->step;
      return;
    }
  k->b[sum] = to;
  k->step = gt_room_step (k->p, k->padded);
  gt_side_lay_lanes (&w->b, k->lane, k->lanes, sum, first, n, to, k->step);
  for (size_t i = 0; i < n; i++)
    for (size_t j = k->lanes; j < k->padded; j++)
      to[i * k->step + j] = 0;
}

static void
load (struct gt_block *k, size_t first, size_t n)
{
  load_rows (k, first, n);
  for (unsigned sum = 0; sum < k->p->w.sums; sum++)
    load_lanes (k, sum, first, n);
}

/* ---------------------------------------------------------------- Measuring */

/* Nothing is known of grains until an element is in doubt.  */
static void
begin (struct gt_block *k)
{
  k->looked = k->loaded = 0;
  for (size_t i = 0; i < k->rows; i++)
    k->row_grain[i] = k->row_squares[i] = 0;
  memset (k->grains, 0, k->padded * sizeof *k->grains);
  if (k->x == NULL)
    memset (k->squares, 0, k->padded * sizeof *k->squares);
}

/* Calls EACH for all chunks.  A single chunk stays loaded.  */
static void
for_chunks (struct gt_block *k, void (*each) (struct gt_block *k, size_t n))
{
  for (size_t first = k->begin, n; first < k->end; first += n)
    {
      n = gt_least (k->end - first, k->p->chunk);
      if (!k->loaded)
        load (k, first, n);
      k->loaded = n == k->end - k->begin;
      each (k, n);
    }
}

static void
add_squares (struct gt_block *k, size_t n)
{
  const struct gt_tiles *tiles = k->p->tiles;

  for (size_t i = 0; i < k->rows; i++)
    k->row_squares[i] = tiles->squares (k->a[i], n, k->row_squares[i]);
  if (k->x == NULL)
    tiles->lane_squares (k->b[0], k->step, n, (unsigned) (k->padded / tiles->lanes),
                         k->squares);
}

void
gt_block_measure (struct gt_block *k)
{
  begin (k);
  for_chunks (k, add_squares);
  for (size_t i = 0; i < k->rows; i++)
    k->row_scale[i] = gt_scale_of (k->row_squares[i]);
  for (size_t j = 0; k->x == NULL && j < k->padded; j++)
    k->scale[j] = gt_scale_of (k->squares[j]);
  k->measured = 1;
}

static void
look_at (struct gt_block *k, size_t n)
{
  const struct gt_tiles *tiles = k->p->tiles;

  for (size_t i = 0; i < k->rows; i++)
    k->row_grain[i] = tiles->grain (k->a[i], n, k->row_grain[i]);
  tiles->lane_grains (k->b[0], k->step, n, (unsigned) (k->padded / tiles->lanes), k->grains);
}

/* -------------------------------------------------------------- Multiplying */

int
gt_block_is_written (const struct gt_block *k, size_t i, size_t rows, size_t at, size_t width)
{
  size_t begin, end, unused;

  gt_work_lanes (&k->p->w, k->row + i, &begin, &unused);
  gt_work_lanes (&k->p->w, k->row + i + rows - 1, &unused, &end);
  return k->lane + at < end && k->lane + at + width > begin;
}

/* Multiplies rows of the block from I on by a panel of lanes that begins with AT, for N terms
   from FIRST on.  */
static void
multiply_rows (struct gt_block *k, unsigned sum, size_t i, size_t rows, size_t at,
               size_t first, size_t n)
{
  const struct gt_tiles *tiles = k->p->tiles;
  const enum gt_tile_sums kind = k->kind;
  const unsigned most
    = kind == GT_TILE_DEEP || (rows > 1 && kind == GT_TILE_EXACT) ? tiles->widest : PANEL;
  const size_t width = panel_lanes (k, at);

  for (size_t lane = 0, vectors; lane < width; lane += vectors * tiles->lanes)
    {
      const size_t from = i * k->padded + at + lane;
      const struct gt_tile tile = {
        .a = {k->a[i] + first, k->a[i + rows - 1] + first},
        .b = k->b[sum] + first * k->step + at + lane, .step = k->step, .n = n,
        .s = k->s[sum] + from, .l = k->l[sum] + from, .row = k->padded,
        .m = k->m[sum] + from, .scale = k->scale + at + lane,
        .anchor = GT_TILE_ANCHOR * k->row_scale[i]
      };

      vectors = most;
      while (vectors * tiles->lanes > width - lane)
        vectors /= 2;
      if (k->x && k->step == 1 && kind != GT_TILE_DEEP)
        tiles->dot (&tile, tile.anchor * k->scale[0]);
      else if (gt_block_is_written (k, i, rows, at + lane, vectors * tiles->lanes))
        tiles->tile[kind][rows - 1][vectors / 2](&tile);
    }
}

/* Multiplies N terms from FIRST on.  */
static void
multiply_terms (struct gt_block *k, size_t first, size_t n)
{
  const size_t most = k->kind == GT_TILE_DEEP ? 1 : GT_TILE_ROWS;

  for (unsigned sum = 0; sum < k->p->w.sums; sum++)
    for (size_t at = 0; at < k->padded; at += panel_lanes (k, at))
      for (size_t i = 0, rows; i < k->rows; i += rows)
        {
          rows = i + 1 < k->rows && k->open[i] && k->open[i + 1] ? most : 1;
          if (k->open[i])
            multiply_rows (k, sum, i, rows, at, first, n);
        }
}

static void
multiply_chunk (struct gt_block *k, size_t n)
{
  for (size_t first = 0; first < n; first += GT_TILE_TERMS)
    multiply_terms (k, first, gt_least (n - first, GT_TILE_TERMS));
}

static void
multiply (struct gt_block *k)
{
  const unsigned vectors = (unsigned) (k->padded / k->p->tiles->lanes);

  if (!k->measured)
    gt_block_measure (k);
  for (unsigned sum = 0; sum < k->p->w.sums; sum++)
    for (size_t i = 0; i < k->rows; i++)
      {
        const size_t from = i * k->padded;

        if (!k->open[i])
          continue;
        k->p->tiles->begin (k->s[sum] + from, k->l[sum] + from, k->scale,
                            k->kind == GT_TILE_PLAIN ? 0 : GT_TILE_ANCHOR * k->row_scale[i],
                            vectors);
        if (k->kind == GT_TILE_DEEP)
          memset (k->m[sum] + from, 0, k->padded * sizeof (double));
      }
  for_chunks (k, multiply_chunk);
}

/* ------------------------------------------------------------------ One row
   The lanes of the registers are terms, and a vector of lines is computed at once, read in
   place or copied.  A row of complex numbers is stored in each form of gt_side_form, so that
   the lines need not change.  */

struct lines
{
  size_t first, n, begin, end; /* beginning with the block's first line; the range of their
                                  terms that are not zero */
  const double *a[GT_LAID_LINES]; /* N terms of each line; entries beyond the last line repeat
                                     the last */
};

static struct lines
lines_from (const struct gt_block *k, size_t first)
{
  const struct gt_side *side = &k->p->w.b;
  struct lines lines = {.first = first, .begin = k->begin, .end = k->end};

  lines.n = gt_least (k->lanes / side->parts - first, GT_LAID_LINES);
  gt_side_narrow (side, k->lane / side->parts + first, lines.n, &lines.begin, &lines.end);
  return lines;
}

static void
load_lines (struct gt_block *k, struct lines *lines, size_t first, size_t n)
{
  const struct gt_side *side = &k->p->w.b;
  const size_t line = k->lane / side->parts + lines->first;
  const double *a = gt_side_line (side, line);
  size_t step = side->half[0].row * side->parts;

  if (a)
    a += first;
  else
    {
      a = k->b_room[0];
      step = gt_laid_step (n);
      gt_side_lay_lines (side, line, lines->n, first, first + n, k->b_room[0], step);
    }
  for (size_t i = 0; i < GT_LAID_LINES; i++)
    lines->a[i] = a + gt_least (i, lines->n - 1) * step;
}

/* Stores a number of each line for the lanes of a PART, or of all parts.  */
static void
spread (const struct gt_block *k, const struct lines *lines, unsigned part, unsigned parts,
        const double *from, double *to)
{
  const unsigned all = k->p->w.b.parts;

  for (size_t i = 0; i < lines->n; i++)
    for (unsigned t = part; t < part + parts; t++)
      to[(lines->first + i) * all + t] = from[i];
}

static void
measure_lines (struct gt_block *k, struct lines *lines)
{
  const struct gt_tiles *tiles = k->p->tiles;
  double squares[GT_LAID_LINES] = {0}, scale[GT_LAID_LINES];

  for (size_t first = lines->begin, n; first < lines->end; first += n)
    {
      n = gt_least (lines->end - first, k->p->chunk);
      load_lines (k, lines, first, n);
      for (size_t i = 0; i < lines->n; i += tiles->lanes)
        tiles->dots_squares (lines->a + i, n, squares + i);
    }
  for (size_t i = 0; i < GT_LAID_LINES; i++)
    scale[i] = gt_scale_of (squares[i]);
  spread (k, lines, 0, k->p->w.b.parts, squares, k->squares);
  spread (k, lines, 0, k->p->w.b.parts, scale, k->scale);
}

/* Multiplies a row in a FORM by lines, for its part of a sum.  */
static void
multiply_lines (struct gt_block *k, struct lines *lines, unsigned form, int loaded)
{
  const struct gt_tiles *tiles = k->p->tiles;
  const unsigned parts = k->p->w.b.parts, part = form % parts, sum = form / parts;
  const double *a = k->a[0] + form * (k->end - k->begin);
  double anchor[GT_LAID_LINES], s[GT_LAID_LINES], m[GT_LAID_LINES] = {0},
    l[GT_LAID_LINES] = {0};

  for (size_t i = 0; i < GT_LAID_LINES; i++)
    s[i] = anchor[i]
      = k->kind == GT_TILE_PLAIN
          ? 0 : GT_TILE_ANCHOR * k->row_scale[0]
                   * k->scale[(lines->first + gt_least (i, lines->n - 1)) * parts];
  for (size_t first = lines->begin, n; first < lines->end; first += n)
    {
      n = gt_least (lines->end - first, k->p->chunk);
      if (!loaded)
        load_lines (k, lines, first, n);
      for (size_t i = 0; i < lines->n; i += tiles->lanes)
        for (size_t t = 0, some; t < n; t += some)
          {
            const double *const from = a + (first + t - k->begin);
            const double *b[GT_MOST_LANES];

            some = gt_least (n - t, GT_TILE_TERMS);
            for (unsigned lane = 0; lane < tiles->lanes; lane++)
              b[lane] = lines->a[i + lane] + t;
            tiles->dots[k->kind] (from, b, some, anchor + i, s + i, m + i, l + i);
          }
    }
  spread (k, lines, part, 1, s, k->s[sum]);
  spread (k, lines, part, 1, m, k->m[sum]);
  spread (k, lines, part, 1, l, k->l[sum]);
}

static void
load_row (struct gt_block *k)
{
  const struct gt_side *side = &k->p->w.a;
  const size_t n = k->end - k->begin;
  const double *line = side->parts == 1 ? gt_side_line (side, k->row) : NULL;

  k->a[0] = line ? line + k->begin : k->a_room;
  for (unsigned form = 0; !line && form < side->parts * k->p->w.sums; form++)
    gt_side_load (side, k->row, gt_side_form (side, form, form / side->parts), k->begin, n,
                  k->a_room + form * n, 1);
  k->row_squares[0] = k->p->tiles->squares (k->a[0], n, 0);
  k->row_scale[0] = gt_scale_of (k->row_squares[0]);
}

static void
multiply_row (struct gt_block *k)
{
  const struct gt_work *w = &k->p->w;
  struct lines lines;

  if (!k->measured)
    load_row (k);
  for (size_t first = 0; first < k->lanes / w->b.parts; first += lines.n)
    {
      lines = lines_from (k, first);
      if (!k->measured)
        measure_lines (k, &lines);
      for (unsigned form = 0; form < w->b.parts * w->sums; form++)
        multiply_lines (k, &lines, form,
                        lines.end - lines.begin <= k->p->chunk && (form > 0 || !k->measured));
    }
}

/* Does the same as look_at for one row.  */
static void
look_at_row (struct gt_block *k)
{
  const struct gt_tiles *tiles = k->p->tiles;
  double grains[GT_LAID_LINES];
  struct lines lines;

  k->row_grain[0] = tiles->grain (k->a[0], k->end - k->begin, k->row_grain[0]);
  for (size_t at = 0; at < k->lanes / k->p->w.b.parts; at += lines.n)
    {
      lines = lines_from (k, at);
      for (size_t i = 0; i < GT_LAID_LINES; i++)
        grains[i] = (double) INFINITY;
      for (size_t first = lines.begin, n; first < lines.end; first += n)
        {
          n = gt_least (lines.end - first, k->p->chunk);
          load_lines (k, &lines, first, n);
          for (size_t i = 0; i < lines.n; i++)
            grains[i] = tiles->grain (lines.a[i], n, grains[i]);
        }
      spread (k, &lines, 0, k->p->w.b.parts, grains, k->grains);
    }
}

/* If all numbers are zeros, the scale is 0.  */
static void
judge (double squares, double grain, double *scale)
{
  if (squares == 0 && grain == (double) INFINITY)
    *scale = 0;
}

void
gt_block_look (struct gt_block *k)
{
  for (size_t i = 0; i < k->rows; i++)
    k->row_grain[i] = (double) INFINITY;
  for (size_t j = 0; j < k->padded; j++)
    k->grains[j] = (double) INFINITY;
  if (gt_is_row (k->p))
    look_at_row (k);
  else
    for_chunks (k, look_at);
  for (size_t i = 0; i < k->rows; i++)
    judge (k->row_squares[i], k->row_grain[i], &k->row_scale[i]);
  for (size_t j = 0; j < k->padded; j++)
    judge (k->squares[j], k->grains[j], &k->scale[j]);
  k->looked = 1;
}

void
gt_block_multiply (struct gt_block *k, int doubt)
{
  k->kind = k->p->plain && !doubt ? GT_TILE_PLAIN
            : doubt && !k->p->plain ? GT_TILE_DEEP : GT_TILE_EXACT;
  if (!k->measured && (gt_is_row (k->p) || k->p->w.sums == 0))
    begin (k);
  if (k->p->w.sums)
    (gt_is_row (k->p) ? multiply_row : multiply) (k);
  k->measured = 1;
}
