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

/* ------------------------------------------------------------------ Loading */

/* Returns the number of lanes of a line.  */
static size_t
lanes_of_line (const struct gt_block *k)
{
  return k->p->by_lines ? k->p->w.b.parts : 1;
}

static void
load_rows (struct gt_block *k, size_t first, size_t n)
{
  const struct gt_side *side = &k->p->w.a;
  const unsigned forms = k->p->by_lines && side->parts == 2 ? 2 * k->p->w.sums : 0;
  const double *line = k->line ? k->line : gt_side_line (side, k->row);
  const size_t step = line ? side->half[0].row * side->parts : gt_laid_step (k->p->chunk);

  for (unsigned form = 0; form < forms; form++)
    {
      gt_side_load (side, k->row, gt_side_form (side, form, form / 2), first, n,
                    k->a_room + form * n, 1);
      k->a[form] = k->a_room + form * n;
    }
  if (line == NULL && forms == 0)
    gt_side_lay_lines (side, k->row, k->rows, first, first + n, k->a_room, step);
  for (size_t i = 0; i < k->rows && forms == 0; i++)
    k->a[i] = (line ? line + first : k->a_room) + i * step;
}

static void
load_lines (struct gt_block *k, size_t first, size_t n)
{
  const struct gt_side *side = &k->p->w.b;
  const size_t line = k->lane / side->parts;
  const double *there = k->x ? k->x : gt_side_line (side, line);

  k->b[0] = there ? there + first : k->b_room[0];
  k->step = there ? side->half[0].row * side->parts : gt_laid_step (n);
  if (there == NULL)
    gt_side_lay_lines (side, line, k->lanes / side->parts, first, first + n, k->b_room[0],
                       k->step);
}

/* Lanes of whole vectors are read in place, and others by the kernel for few terms; otherwise
   lanes are copied and padded with zeros.  */
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
  k->b[sum] = k->lanes == k->padded || k->p->few ? gt_side_lanes (&w->b, k->lane, &k->step)
                                                 : NULL;
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

void
gt_block_load (struct gt_block *k, size_t first, size_t n)
{
  load_rows (k, first, n);
  if (k->p->by_lines)
    load_lines (k, first, n);
  for (unsigned sum = 0; sum < k->p->w.sums && !k->p->by_lines; sum++)
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
        gt_block_load (k, first, n);
      k->loaded = n == k->end - k->begin;
      each (k, n);
    }
}

/* Updates a number of each line's lanes by N terms.  */
static void
update_lines (struct gt_block *k, double *numbers, size_t n,
              double (*update) (const double *x, size_t n, double so_far))
{
  const size_t each = lanes_of_line (k);

  for (size_t j = 0; j < k->lanes; j++)
    numbers[j] = j % each ? numbers[j - 1]
                          : update (k->b[0] + j / each * k->step, n, numbers[j]);
}

static void
add_squares (struct gt_block *k, size_t n)
{
  const struct gt_tiles *tiles = k->p->tiles;

  for (size_t i = 0; i < k->rows; i++)
    k->row_squares[i] = tiles->squares (k->a[i], n, k->row_squares[i]);
  if (k->x)
    return;
  if (k->p->by_lines)
    update_lines (k, k->squares, n, tiles->squares);
  else
    tiles->lane_squares (k->b[0], k->step, n, (unsigned) (k->padded / tiles->lanes),
                         k->squares);
}

static void
measure (struct gt_block *k)
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
  if (k->p->by_lines)
    update_lines (k, k->grains, n, tiles->grain);
  else
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
      if (gt_block_is_written (k, i, rows, at + lane, vectors * tiles->lanes))
        tiles->tile[kind][rows - 1][vectors / 2](&tile);
    }
}

/* Multiplies the row by each line.  */
static void
multiply_lines (struct gt_block *k, unsigned sum, size_t first, size_t n)
{
  const size_t each = lanes_of_line (k);

  for (size_t j = 0; j < k->lanes; j++)
    {
      const struct gt_tile tile = {
        .a = {k->a[sum * each + j % each] + first}, .b = k->b[0] + j / each * k->step + first,
        .n = n, .s = k->s[sum] + j, .l = k->l[sum] + j, .m = k->m[sum] + j,
        .scale = k->scale + j, .anchor = GT_TILE_ANCHOR * k->row_scale[0]
      };

      k->p->tiles->dot[k->kind](&tile);
    }
}

/* Multiplies N terms from FIRST on.  */
static void
multiply_terms (struct gt_block *k, size_t first, size_t n)
{
  const size_t most = k->kind == GT_TILE_DEEP ? 1 : GT_TILE_ROWS;
  const size_t panels = k->p->by_lines ? 0 : k->padded;

  for (unsigned sum = 0; sum < k->p->w.sums && k->p->by_lines; sum++)
    multiply_lines (k, sum, first, n);

  for (unsigned sum = 0; sum < k->p->w.sums; sum++)
    for (size_t at = 0; at < panels; at += panel_lanes (k, at))
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
    measure (k);
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
  if (k->p->w.sums)
    multiply (k);
  else if (!k->measured)
    begin (k);
  k->measured = 1;
}
