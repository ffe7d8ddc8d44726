/* Rows and lanes of a block: laid out, measured and multiplied.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/matrix/block.h"

#include <math.h>
#include <string.h>

/* Vectors of a panel of lanes, with which all rows are multiplied before the next.  */
#define PANEL 4

static size_t
panel_lanes (const struct gt_block *k, size_t at)
{
  return gt_least (k->padded - at, PANEL * k->p->tiles->lanes);
}

int
gt_is_row (const struct gt_blocks *p)
{
  return p->w.rows == 1 && !gt_side_are_neighbours (&p->w.b);
}

/* ------------------------------------------------------------------ Loading */

static void
load_rows (struct gt_block *k, size_t first, size_t n)
{
  const struct gt_side *side = &k->p->w.a;

  const double *line = gt_side_line (side, k->row);
  const size_t step = line ? side->half[0].row * side->parts : gt_laid_step (k->p->chunk);

  if (line == NULL)
    gt_side_lay_lines (side, k->row, k->rows, first, first + n, k->a_room, step);
  for (size_t i = 0; i < k->rows; i++)
    k->a[i] = (line ? line + first : k->a_room) + i * step;
}

/* They stay where they are if these are whole vectors.  Lanes that are none are zeros.  */
static void
load_lanes (struct gt_block *k, unsigned sum, size_t first, size_t n)
{
  const struct gt_work *w = &k->p->w;
  double *to = k->b_room[sum];

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

/* Until something is in doubt, nothing is known of grains.  */
static void
begin (struct gt_block *k)
{
  k->looked = k->loaded = 0;
  for (size_t i = 0; i < k->rows; i++)
    {
      k->row_grain[i] = k->row_squares[i] = 0;
      k->filled[i] = 0;
    }
  for (size_t j = 0; j < k->padded; j++)
    k->grains[j] = k->squares[j] = 0;
}

/* Calls EACH for all chunks.  One alone stays loaded.  */
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
    {
      double *few = k->few + i * GT_FEW_ROOM;
      const size_t some = tiles->pack (k->a[i], n, GT_TILE_FEW, few, k->few_at[i]);
      const int is_few = some <= GT_TILE_FEW;

      k->row_squares[i]
        = tiles->squares (is_few ? few : k->a[i], is_few ? some : n, k->row_squares[i]);
      k->filled[i] += is_few ? some : tiles->count (k->a[i], n);
    }
  tiles->lane_squares (k->b[0], k->step, n, (unsigned) (k->padded / tiles->lanes),
                       k->squares);
}

void
gt_block_measure (struct gt_block *k)
{
  begin (k);
  for_chunks (k, add_squares);
  for (size_t i = 0; i < k->rows; i++)
    k->row_scale[i] = k->filled[i] ? gt_scale_of (k->row_squares[i]) : 0;
  for (size_t j = 0; j < k->padded; j++)
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

/* Whether a row takes only those terms that are not zero.  Of deep sums it does so where
   there are zeros: then its products may be zeros, too.  */
static int
is_sparse (const struct gt_block *k, size_t i, int deep)
{
  return deep ? gt_block_has_zeros (k, i) : k->filled[i] <= (k->end - k->begin) / 2;
}

static gt_tile_function *const *
functions_for (const struct gt_block *k, size_t rows, int deep, int sparse)
{
  const struct gt_tiles *tiles = k->p->tiles;

  if (sparse)
    return deep ? tiles->sparse_deep : k->plain ? tiles->sparse_plain : tiles->sparse;
  return deep ? tiles->deep : (k->plain ? tiles->plain : tiles->exact)[rows - 1];
}

/* Rows of the block from I on, of a panel whose lanes begin with AT, N terms from FIRST on;
   of a sparse row those that are packed.  */
static void
multiply_rows (struct gt_block *k, unsigned sum, size_t i, size_t rows, size_t at,
               size_t first, size_t n, int deep, int sparse)
{
  const struct gt_tiles *tiles = k->p->tiles;
  const unsigned most = deep || (rows > 1 && !k->plain) ? tiles->widest : PANEL;
  const size_t width = panel_lanes (k, at);
  gt_tile_function *const *functions = functions_for (k, rows, deep, sparse);

  for (size_t lane = 0, vectors; lane < width; lane += vectors * tiles->lanes)
    {
      const size_t from = i * k->padded + at + lane;
      const struct gt_tile tile = {
        .a = {sparse ? k->packed : k->a[i] + first, k->a[i + rows - 1] + first}, .at = k->at,
        .b = k->b[sum] + first * k->step + at + lane, .step = k->step, .n = n,
        .s = k->s[sum] + from, .l = k->l[sum] + from, .row = k->padded,
        .m = k->m[sum] + from, .bits = k->bits[sum] + from, .scale = k->scale + at + lane,
        .anchor = GT_TILE_ANCHOR * k->row_scale[i]
      };

      vectors = most;
      while (vectors * tiles->lanes > width - lane)
        vectors /= 2;
      if (gt_block_is_written (k, i, rows, at + lane, vectors * tiles->lanes))
        functions[vectors / 2](&tile);
    }
}

static int
is_dense (const struct gt_block *k, size_t i, int deep)
{
  return k->open[i] && !is_sparse (k, i, deep);
}

/* N terms from FIRST on.  */
static void
multiply_terms (struct gt_block *k, size_t first, size_t n, int deep)
{
  const size_t most = deep ? 1 : GT_TILE_ROWS;
  size_t sparse = 0;

  for (unsigned sum = 0; sum < k->p->w.sums; sum++)
    for (size_t at = 0; at < k->padded; at += panel_lanes (k, at))
      for (size_t i = 0, rows; i < k->rows; i += rows)
        {
          const int dense = is_dense (k, i, deep);

          rows = dense && i + 1 < k->rows && is_dense (k, i + 1, deep) ? most : 1;
          if (dense)
            multiply_rows (k, sum, i, rows, at, first, n, deep, 0);
        }
  for (size_t i = 0; i < k->rows; i++)
    if (k->open[i] && is_sparse (k, i, deep)
        && (sparse = k->p->tiles->pack (k->a[i] + first, n, n, k->packed, k->at)) > 0)
      for (unsigned sum = 0; sum < k->p->w.sums; sum++)
        for (size_t at = 0; at < k->padded; at += panel_lanes (k, at))
          multiply_rows (k, sum, i, 1, at, first, sparse, deep, 1);
}

static void
multiply_chunk (struct gt_block *k, size_t n, int deep)
{
  for (size_t first = 0; first < n; first += GT_TILE_TERMS)
    multiply_terms (k, first, gt_least (n - first, GT_TILE_TERMS), deep);
}

static void
multiply_whole_chunk (struct gt_block *k, size_t n)
{
  multiply_chunk (k, n, 0);
}

static void
multiply_deep_chunk (struct gt_block *k, size_t n)
{
  multiply_chunk (k, n, 1);
}

static void
multiply (struct gt_block *k, int deep)
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
                            k->plain ? 0 : GT_TILE_ANCHOR * k->row_scale[i],
                            vectors);
        if (deep)
          {
            memset (k->m[sum] + from, 0, k->padded * sizeof (double));
            memset (k->bits[sum] + from, 0, k->padded * sizeof (double));
          }
      }
  for_chunks (k, deep ? multiply_deep_chunk : multiply_whole_chunk);
}

/* ------------------------------------------------------------------ One row

   The lanes of the registers are terms, and a vector of lanes is computed at once.  The row
   is laid out as a whole, the lanes' terms chunk by chunk.  */

/* Where N terms of a vector of lanes from J on are; beyond the last they are its.  */
static void
lane_terms (struct gt_block *k, unsigned sum, size_t j, size_t first, size_t n,
            const double **terms)
{
  const struct gt_work *w = &k->p->w;
  const double *there = w->b.parts == 1 ? gt_side_line (&w->b, k->lane + j) : NULL;

  if (there && k->lanes - j >= k->p->tiles->lanes)
    {
      for (unsigned i = 0; i < k->p->tiles->lanes; i++)
        terms[i] = there + first + i * w->b.half[0].row;
      return;
    }
  for (unsigned i = 0; i < k->p->tiles->lanes; i++)
    {
      const size_t lane = k->lane + gt_least (j + i, k->lanes - 1);
      const size_t line = lane >> (w->b.parts - 1);
      double *room = k->b_room[0] + i * k->p->chunk;

      there = w->b.parts == 1 ? gt_side_line (&w->b, line) : NULL;
      if (there == NULL)
        gt_side_load (&w->b, line, gt_side_form (&w->b, lane, sum), first, n, room, 1);
      terms[i] = there ? there + first : room;
    }
}

/* Terms of a vector of lanes that a triangle has.  */
static void
lane_range (const struct gt_block *k, size_t j, size_t *begin, size_t *end)
{
  const unsigned shift = k->p->w.b.parts - 1;
  const size_t last = k->lane + gt_least (j + k->p->tiles->lanes, k->lanes) - 1;

  *begin = k->begin;
  *end = k->end;
  gt_side_narrow (&k->p->w.b, (k->lane + j) >> shift,
                  (last >> shift) - ((k->lane + j) >> shift) + 1, begin, end);
}

/* Leaves the last chunk's TERMS.  */
static void
measure_lanes (struct gt_block *k, size_t j, size_t begin, size_t end, const double **terms)
{
  for (size_t first = begin, n; first < end; first += n)
    {
      n = gt_least (end - first, k->p->chunk);
      lane_terms (k, 0, j, first, n, terms);
      k->p->tiles->dots_squares (terms, n, k->squares + j);
    }
  for (unsigned i = 0; i < k->p->tiles->lanes; i++)
    k->scale[j + i] = gt_scale_of (k->squares[j + i]);
}

static void
add_lanes (struct gt_block *k, unsigned sum, size_t j, const double *a,
           const double *const *terms, size_t n, const double *anchor, int deep)
{
  const struct gt_tiles *tiles = k->p->tiles;

  if (deep)
    tiles->deep_dots (a, terms, n, anchor, k->s[sum] + j, k->m[sum] + j, k->l[sum] + j,
                      gt_block_has_zeros (k, 0) ? k->bits[sum] + j : NULL);
  else
    (k->plain ? tiles->plain_dots : tiles->dots) (a, terms, n, anchor, k->s[sum] + j,
                                                    k->l[sum] + j);
}

static void
multiply_lanes (struct gt_block *k, size_t j, int deep)
{
  const struct gt_blocks *p = k->p;
  const size_t bytes = p->tiles->lanes * sizeof (double);
  const double *terms[GT_MOST_LANES];
  double anchor[GT_MOST_LANES];
  size_t begin, end;
  int loaded;

  lane_range (k, j, &begin, &end);
  loaded = !k->measured && end - begin <= p->chunk;
  if (!k->measured)
    measure_lanes (k, j, begin, end, terms);
  for (unsigned i = 0; i < p->tiles->lanes; i++)
    anchor[i]
      = k->plain ? 0 : GT_TILE_ANCHOR * k->row_scale[0] * k->scale[j + i];
  for (unsigned sum = 0; sum < p->w.sums; sum++)
    {
      memcpy (k->s[sum] + j, anchor, bytes);
      memset (k->l[sum] + j, 0, bytes);
      if (deep)
        {
          memset (k->m[sum] + j, 0, bytes);
          memset (k->bits[sum] + j, 0, bytes);
        }
      for (size_t first = begin, n; first < end; first += n)
        {
          n = gt_least (end - first, p->chunk);
          if (!loaded || sum > 0)
            lane_terms (k, sum, j, first, n, terms);
          add_lanes (k, sum, j, k->a[0] + (first - k->begin), terms, n, anchor, deep);
        }
    }
}

static void
multiply_row (struct gt_block *k, int deep)
{
  const size_t n = k->end - k->begin;
  const double *line = gt_side_line (&k->p->w.a, k->row);

  k->a[0] = line ? line + k->begin : k->a_room;
  if (!k->measured)
    {
      if (line == NULL)
        gt_side_load (&k->p->w.a, k->row, GT_AS_IT_IS, k->begin, n, k->a_room, 1);
      k->row_squares[0] = k->p->tiles->squares (k->a[0], n, 0);
      k->row_scale[0] = gt_scale_of (k->row_squares[0]);
      k->filled[0] = k->p->tiles->count (k->a[0], n);
    }
  for (size_t j = 0; j < k->lanes; j += k->p->tiles->lanes)
    multiply_lanes (k, j, deep);
}

/* As look_at.  */
static void
look_at_row (struct gt_block *k)
{
  const struct gt_tiles *tiles = k->p->tiles;
  const double *terms[GT_MOST_LANES];
  size_t begin, end;

  k->row_grain[0] = tiles->grain (k->a[0], k->end - k->begin, k->row_grain[0]);
  for (size_t j = 0; j < k->lanes; j += tiles->lanes)
    {
      lane_range (k, j, &begin, &end);
      for (size_t first = begin, n; first < end; first += n)
        {
          n = gt_least (end - first, k->p->chunk);
          lane_terms (k, 0, j, first, n, terms);
          for (unsigned i = 0; i < tiles->lanes; i++)
            k->grains[j + i] = tiles->grain (terms[i], n, k->grains[j + i]);
        }
    }
}

/* Of zeros alone the scale is 0.  */
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
  const int deep = doubt && !k->p->plain;

  k->plain = k->p->plain && !doubt;
  if (!k->measured && (gt_is_row (k->p) || k->p->w.sums == 0))
    begin (k);
  if (k->p->w.sums)
    (gt_is_row (k->p) ? multiply_row : multiply) (k, deep);
  k->measured = 1;
}
