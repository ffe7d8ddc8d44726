/* Fast products by gsltune's tiles.
   Some terms of some lanes are packed, as many as fit into the second-level cache, and
   multiplied by some rows at a time (K. Goto, R. A. van de Geijn, "Anatomy of high-performance
   matrix multiplication", ACM Transactions on Mathematical Software 34, 2008).  Data that
   would be reused rarely is read in place.  Transposed, symmetric, triangular and complex
   operands differ only in the packing.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/blas/plain_cell.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/isa/room.h"

/* A factor is packed if at least this many tiles read it.  */
#define PACKED_LANES 3
#define PACKED_ROWS 3
#define BLOCKS_A_MEMBER 4
/* Terms are few if the first-level cache holds more than this many times as many of them, for
   a tile's lanes.  */
#define FEW_TERMS 2

/* Stores the range of lanes of a row of C that are written.  */
static inline void
written (const struct gt_plain_work *w, size_t row, size_t *begin, size_t *end)
{
  *begin = w->p->triangle == GT_UPPER ? row * w->parts : 0;
  *end = w->p->triangle == GT_LOWER ? (row + 1) * w->parts : w->lanes;
}

/* Removes terms at both ends that are zero in all of these rows or lanes.  */
static inline void
narrow (const struct gt_plain_work *w, size_t row, size_t rows, size_t lane, size_t lanes,
        size_t *begin, size_t *end)
{
  if (!w->a.as_it_lies)
    gt_side_narrow (&w->a.side, row, rows, begin, end);
  if (!w->b.as_it_lies)
    gt_side_narrow (&w->b.side, lane / w->parts, lanes / w->parts, begin, end);
  if (*end < *begin)
    *end = *begin;
}

/* Stores the part of a tile that is in the triangle.  */
static void
put_triangle (const struct gt_cell *c, size_t row, unsigned rows, size_t lane, size_t end,
              size_t width, const char *tile)
{
  const struct gt_plain_work *w = c->w;

  for (unsigned i = 0; i < rows; i++)
    {
      size_t first, last;

      written (w, row + i, &first, &last);
      first = first > lane ? first : lane;
      last = gt_least (last, end);
      if (first < last)
        w->k->put (tile + (i * width + first - lane) * w->k->size, width, 1, last - first,
                   gt_in_c (w, row + i, first), 0, c->adds);
    }
}

/* Lanes that tiles compute together: [LANE, END), in whole vectors of WIDTH lanes.  */
struct panel
{
  size_t lane, end, width;
  const char *b; /* their terms, */
  size_t b_step; /* the distance of terms */
};

/* Computes ROWS rows from ROW on of a panel's lanes.  TILE contains the members that are the
   same for all tiles.  */
static void
multiply_tile (const struct gt_cell *c, size_t row, unsigned rows, const struct panel *p,
               struct gt_plain_tile *tile)
{
  const struct gt_plain_work *w = c->w;
  const struct gt_plain *k = w->k;
  gt_plain_function *const multiply = k->tile[rows - 1][p->width / k->lanes - 1];
  const size_t at = row - c->a_first;
  size_t shift, begin = c->begin, stop = c->begin + c->n, first, last, unused;
  _Alignas (GT_ROOM_ALIGNMENT) double room[GT_PLAIN_ROWS * GT_PLAIN_VECTORS * 8];

  tile->a_step = c->a_line ? c->a_step : rows;
  tile->a = c->a + at * (c->a_line ? c->a_line : c->n) * k->size;
  tile->b = p->b;
  tile->b_step = p->b_step;
  tile->n = c->n;
  tile->c = gt_in_c (w, row, p->lane);
  if (w->is_whole && p->end - p->lane == p->width)
    {
      multiply (tile);
      return;
    }
  written (w, row, &first, &unused);
  written (w, row + rows - 1, &unused, &last);
  if (first >= p->end || last <= p->lane)
    return;
  narrow (w, row, rows, p->lane, p->end - p->lane, &begin, &stop);
  shift = w->b.packed ? 0 : p->width - (p->end - p->lane);
  tile->n = stop - begin;
  tile->a = (const char *) tile->a + (begin - c->begin) * tile->a_step * k->size;
  tile->b = p->b + ((begin - c->begin) * p->b_step - shift) * k->size;
  written (w, row + rows - 1, &first, &unused);
  written (w, row, &unused, &last);
  if (p->end - p->lane == p->width && first <= p->lane && last >= p->end)
    {
      multiply (tile);
      return;
    }
  tile->c = room;
  tile->c_row = p->width;
  tile->adds = 0;
  multiply (tile);
  tile->c_row = w->p->row * w->parts;
  tile->adds = c->adds;
  if (first <= p->lane && last >= p->end)
    k->put ((char *) room + shift * k->size, p->width, rows, p->end - p->lane,
            gt_in_c (w, row, p->lane), tile->c_row, c->adds);
  else
    put_triangle (c, row, rows, p->lane, p->end, p->width, (char *) room + shift * k->size);
}

/* Returns panel J of PANELS of the lanes of a slab, [LANE, END).  If lanes are read in place,
   those that do not fill a vector are a panel of their own, after the others.  */
static inline struct panel
panel_of (const struct gt_cell *c, size_t lane, size_t end, size_t j,
          const struct gt_split *panels)
{
  const struct gt_plain_work *w = c->w;
  const int is_rest = j == panels->count;
  const size_t first = gt_piece (panels, j);
  const size_t some = is_rest ? 1 : gt_piece (panels, j + 1) - first;
  struct panel p;

  p.lane = lane + first * w->k->lanes;
  p.width = some * w->k->lanes;
  p.end = gt_least (p.lane + p.width, end);
  p.b = w->b.packed ? c->slab + first * w->k->lanes * c->n * w->k->size
                    : gt_in_factor (w, &w->b, p.lane, c->begin);
  p.b_step = w->b.packed ? p.width : w->b.step;
  return p;
}

/* Computes the loaded rows of a slab's lanes.  If terms are few, the whole slab stays in the
   cache, and rows of C are written from one end to the other.  */
static void
multiply_rows (const struct gt_cell *c, size_t lane, size_t lanes)
{
  const struct gt_plain_work *w = c->w;
  const struct gt_plain *k = w->k;
  const int packed = w->b.packed, by_rows = c->n * FEW_TERMS < k->terms;
  const size_t vectors = packed ? gt_pieces (lanes, k->lanes) : lanes / k->lanes;
  const struct gt_split panels
    = vectors ? gt_split (vectors, k->vectors) : (struct gt_split) {0};
  const struct gt_split tiles = gt_split (c->a_rows, k->rows);
  const size_t all = panels.count + (!packed && lanes % k->lanes);
  struct gt_plain_tile tile;

  tile.a_row = c->a_line ? c->a_line : 1;
  tile.c_row = w->p->row * w->parts;
  tile.alpha = w->p->alpha.im != 0 ? 1 : w->p->alpha.re;
  tile.adds = c->adds;
  for (size_t outer = 0; outer < (by_rows ? tiles.count : all); outer++)
    for (size_t inner = 0; inner < (by_rows ? all : tiles.count); inner++)
      {
        const size_t t = by_rows ? outer : inner, at = gt_piece (&tiles, t);
        const unsigned rows = (unsigned) (gt_piece (&tiles, t + 1) - at);
        const struct panel p
          = panel_of (c, lane, lane + lanes, by_rows ? inner : outer, &panels);

        multiply_tile (c, c->a_first + at, rows, &p, &tile);
      }
}

/* Computes the lanes of one slab.  */
static void
multiply_slab (struct gt_cell *c, size_t lane, size_t lanes)
{
  const struct gt_plain_work *w = c->w;
  const struct gt_split blocks = gt_split (c->rows, w->k->block);
  struct gt_split chunks;
  size_t begin = 0, end = w->terms;

  narrow (w, c->row, c->rows, lane, lanes, &begin, &end);
  chunks = gt_split ((end - begin) / w->parts, w->k->terms / w->parts);
  for (size_t i = 0; i < chunks.count; i++)
    {
      c->begin = begin + gt_piece (&chunks, i) * w->parts;
      c->n = begin + gt_piece (&chunks, i + 1) * w->parts - c->begin;
      c->adds = i > 0 || w->p->beta.re != 0 || w->p->beta.im != 0;
      if (w->b.packed)
        gt_cell_pack_lanes (c, lane, lanes);
      for (size_t k = 0; k < blocks.count; k++)
        {
          const size_t first = gt_piece (&blocks, k);

          gt_cell_load_rows (c, c->row + first, gt_piece (&blocks, k + 1) - first);
          multiply_rows (c, lane, lanes);
        }
    }
}

/* Multiplies the old elements by beta.  */
static void
scale (const struct gt_cell *c)
{
  const struct gt_plain_work *w = c->w;

  for (size_t i = c->row; i < c->row + c->rows; i++)
    {
      size_t first, last;

      written (w, i, &first, &last);
      first = first > c->lane ? first : c->lane;
      last = gt_least (last, c->lane + c->lanes);
      if (first < last)
        w->k->scale (gt_in_c (w, i, first), (last - first) / w->parts, w->parts,
                     w->p->beta.re, w->p->beta.im);
    }
}

static void
multiply_cell (struct gt_cell *c)
{
  const struct gt_plain_work *w = c->w;
  const struct gt_product *p = w->p;
  const size_t slabs = gt_pieces (c->lanes, w->k->slab);

  if ((p->beta.re != 0 && p->beta.re != 1) || p->beta.im != 0)
    scale (c);
  for (size_t i = 0; i < slabs; i++)
    {
      const size_t first = i * w->k->slab;

      multiply_slab (c, c->lane + first, gt_least (w->k->slab, c->lanes - first));
    }
  for (size_t i = c->row; p->hermitian && w->parts == 2 && i < c->row + c->rows; i++)
    if (2 * i >= c->lane && 2 * i < c->lane + c->lanes)
      memset (gt_in_c (w, i, 2 * i + 1), 0, w->k->size);
}

/* --------------------------------------------------------------------- One vector */

/* Multiplies the cell's rows by the vector.  Results that are not contiguous are computed in
   the member's memory first.  */
static void
multiply_vector (struct gt_cell *c)
{
  const struct gt_plain_work *w = c->w;
  const struct gt_product *p = w->p;
  const char *a = gt_in_factor (w, &w->a, c->row, 0);
  char *const there = gt_in_c (w, c->row, 0), *const y = p->row == 1 ? there : c->slab;

  if (y != there && p->beta.re != 0)
    w->k->put (there, p->row, c->rows, 1, y, 1, 0);
  if (p->beta.re != 1)
    w->k->scale (y, c->rows, 1, p->beta.re, 0);
  if (w->a.step == 1)
    w->k->rows_by_vector (a, w->a.line, c->rows, w->terms, p->b.data, p->alpha.re, y);
  else
    w->k->columns_by_vector (a, w->a.step, c->rows, w->terms, p->b.data, p->alpha.re, y);
  if (y != there)
    w->k->put (y, 1, c->rows, 1, there, p->row, 0);
}

/* --------------------------------------------------------------------- All */

static int
is_real_and_whole (const struct gt_product *p)
{
  return !gt_is_complex (p->arithmetic) && p->a.shape == GT_GENERAL
         && p->b.shape == GT_GENERAL && p->triangle == GT_WHOLE && !p->twice;
}

/* Returns whether P is a real matrix, stored by rows or by columns, times a vector.  */
static int
is_times_vector (const struct gt_product *p)
{
  return p->columns == 1 && is_real_and_whole (p) && (p->a.column == 1 || p->a.row == 1);
}

/* Returns W's product as a copy that can be changed.  */
static struct gt_product *
change (struct gt_plain_work *w)
{
  if (w->p != &w->changed)
    w->changed = *w->p;
  w->p = &w->changed;
  return &w->changed;
}

/* Replaces a product of one row by the transposed product, which has one column.  */
static void
turn_row (struct gt_plain_work *w)
{
  const struct gt_product *of = w->p;

  if (of->rows != 1 || of->columns == 1 || !is_real_and_whole (of))
    return;
  w->changed = gt_product_turned (of);
  w->p = &w->changed;
}

/* Divides C into cells for MEMBERS, the longer side first, as far as tiles stay whole.  */
static void
cut (struct gt_plain_work *w, unsigned members)
{
  const size_t lanes = w->k->lanes * w->k->vectors, rows = w->k->rows;
  const size_t wanted = members > 1 ? (size_t) members * BLOCKS_A_MEMBER : 1;
  size_t down = 1;

  w->cell_rows = w->p->rows;
  w->cell_lanes = w->lanes;
  w->across = 1;
  while (down * w->across < wanted)
    {
      const int cuts_rows = w->cell_rows >= w->cell_lanes || w->cell_lanes <= 2 * lanes;
      size_t *side = cuts_rows ? &w->cell_rows : &w->cell_lanes;
      const size_t least = cuts_rows ? rows : lanes;

      if (*side <= 2 * least)
        break;
      *side = gt_pieces (*side, 2 * least) * least;
      down = gt_pieces (w->p->rows, w->cell_rows);
      w->across = gt_pieces (w->lanes, w->cell_lanes);
    }
  w->cells = down * w->across;
}

/* Decides how the factors are read.  */
static void
look_at_factors (struct gt_plain_work *w)
{
  const struct gt_product *p = w->p;
  const struct gt_matrix *a = &p->a, *b = &p->b;
  const size_t tile_lanes = w->k->lanes * w->k->vectors;

  w->a.data = a->data;
  w->a.line = a->row * w->parts;
  w->a.step = a->column;
  w->a.as_it_lies = a->shape == GT_GENERAL
                    && (w->parts == 1 || (a->column == 1 && !a->conjugate));
  w->a.packed = !w->a.as_it_lies
                || (a->column != 1 && w->cell_lanes > PACKED_LANES * tile_lanes);
  w->b.data = b->data;
  w->b.line = b->column;
  w->b.step = b->row;
  w->b.as_it_lies = b->shape == GT_GENERAL && w->parts == 1;
  w->is_whole = p->triangle == GT_WHOLE && a->shape != GT_TRIANGULAR && b->shape != GT_TRIANGULAR;
  w->b.packed = !w->b.as_it_lies || b->column != 1 || w->lanes < w->k->lanes
                || w->cell_rows > PACKED_ROWS * w->k->rows;
  if (!w->a.as_it_lies)
    w->a.side = gt_side_of (p->arithmetic, a, NULL);
  if (!w->b.as_it_lies)
    {
      const struct gt_matrix columns = gt_transposed (*b);

      w->b.side = gt_side_of (p->arithmetic, &columns, NULL);
    }
}

/* Assigns a member's memory, in whole cache lines; returns its bytes.  */
static size_t
lay_out (const struct gt_plain_work *w, char *memory, struct gt_cell *c)
{
  const struct gt_plain *k = w->k;
  const size_t chunk = gt_least (w->terms, k->terms), size = k->size;
  const size_t lanes = gt_least (k->slab, w->cell_lanes) + k->lanes - 1;
  const size_t laid = gt_laid_step (k->terms), rows = gt_least (k->block, w->cell_rows);
  const int lays = !w->times_vector && !(w->a.as_it_lies && w->b.as_it_lies);
  size_t bytes[] = {w->b.packed ? lanes * chunk * size : 0,
                    w->a.packed ? rows * (w->a.as_it_lies ? chunk : laid) * size : 0,
                    lays ? k->lanes * k->vectors * laid * size : 0,
                    lays ? 2 * k->terms * sizeof (double) : 0};
  size_t at[5] = {0};

  if (w->times_vector)
    {
      bytes[0] = w->p->row == 1 ? 0 : w->cell_rows * size;
      bytes[1] = 0;
    }
  for (int i = 0; i < 4; i++)
    at[i + 1] = at[i] + (bytes[i] + 63) / 64 * 64;
  if (c)
    {
      c->slab = memory;
      c->packed = memory + at[1];
      c->laid = (double *) (void *) (memory + at[2]);
      c->line = (double *) (void *) (memory + at[3]);
    }
  return at[4];
}

/* Returns the factor that must be copied: one that is C, or a vector that is not contiguous;
   or null.  */
static struct gt_matrix *
to_copy (struct gt_plain_work *w)
{
  if (w->times_vector)
    return w->p->b.row == 1 ? NULL : &change (w)->b;
  return w->p->c == w->p->b.data   ? &change (w)->b
         : w->p->c == w->p->a.data ? &change (w)->a
                                   : NULL;
}

static char *
rooms (struct gt_plain_work *w)
{
  return w->memory ? gt_room_aligned (w->memory) : w->small;
}

int
gt_plain_begin (struct gt_plain_work *w, const struct gt_product *p, unsigned members)
{
  struct gt_matrix *copied;
  size_t copy = 0;

  w->p = p;
  w->memory = NULL;
  turn_row (w);
  w->parts = gt_parts_in (p->arithmetic);
  w->k = gt_plain (gt_part_arithmetic (p->arithmetic) == GT_F32);
  w->times_vector = is_times_vector (w->p);
  w->lanes = w->p->columns * w->parts;
  w->terms = w->p->a.columns * w->parts;
  cut (w, members);
  copied = to_copy (w);
  if (copied)
    copy = copied->rows * copied->columns * w->parts * w->k->size;
  look_at_factors (w);
  w->room = lay_out (w, NULL, NULL);
  if (members * w->room + copy > sizeof w->small)
    {
      w->memory = malloc (members * w->room + copy + GT_ROOM_ALIGNMENT);
      if (w->memory == NULL)
        return 0;
    }
  if (copied)
    {
      gt_matrix_copy (copied, w->parts * w->k->size, rooms (w) + members * w->room);
      look_at_factors (w);
    }
  return 1;
}

void
gt_plain_cell (struct gt_plain_work *w, size_t cell, unsigned member)
{
  struct gt_cell c;
  size_t first, last, unused;

  c.w = w;
  c.row = w->cells == 1 ? 0 : cell / w->across * w->cell_rows;
  c.lane = w->cells == 1 ? 0 : cell % w->across * w->cell_lanes;
  c.rows = gt_least (w->cell_rows, w->p->rows - c.row);
  c.lanes = gt_least (w->cell_lanes, w->lanes - c.lane);
  if (w->room)
    lay_out (w, rooms (w) + member * w->room, &c);
  written (w, c.row, &first, &unused);
  written (w, c.row + c.rows - 1, &unused, &last);
  if (first < c.lane + c.lanes && last > c.lane)
    (w->times_vector ? multiply_vector : multiply_cell) (&c);
}

void
gt_plain_end (struct gt_plain_work *w)
{
  free (w->memory);
}
