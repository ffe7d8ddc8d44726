/* Matrix products, correctly rounded.

   Elements of C are computed in blocks, each by one thread: the rows' terms and the lanes'
   are laid out as doubles where they do not lie so, measured, multiplied in tiles
   (kernels/cpu/matrix/tiles.h) and rounded; what that leaves undecided goes to gt_settle.
   So the result depends on nothing but the numbers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/matrix/product.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/finish/ball.h"
#include "kernels/cpu/isa/room.h"
#include "kernels/task.h"
#include "src/base/fpenv.h"
#include "src/cpu/threads.h"
#include "src/matrix/work.h"

/* Rows and lanes of a block.  */
#define ROWS ((size_t) 64)
#define LANES ((size_t) 128)
#define FEW_ROWS ((size_t) 512) /* of few products, for which less is kept */
#define MOST_LANES 8 /* of a vector */
/* Vectors of a panel of lanes, which lie together.  */
#define PANEL 4
/* Floats with so few terms have sums in double that nearly always decide.  */
#define PLAIN_TERMS 2048
/* Terms between these, times doubles, have errors that are doubles.  */
#define LEAST_FEW 0x1p-900
#define MOST_FEW 0x1p900
/* Memory for products of small matrices is on the stack.  */
#define SMALL_DOUBLES 192

struct product
{
  struct gt_work w;
  const struct gt_tiles *tiles;
  int plain;
  size_t block_rows, block_lanes, chunk; /* the most of a block, and terms at a time */
  size_t across, blocks;                 /* blocks of a row of blocks; all */
  size_t doubles;                        /* of a member's memory */
  unsigned members;
  double *memory;
  _Atomic size_t next;
};

/* A panel's lanes of one chunk.  */
struct panel
{
  const double *b;
  size_t step;
};

/* What a member has of a block; the rows' and lanes' memory is that of the product's
   biggest block.  */
struct block
{
  struct product *p;
  size_t row, lane, rows, lanes, padded; /* PADDED: whole vectors */
  size_t begin, end;                     /* terms that are not zero for all */
  double *s[2], *l[2], *scale, *fines, *squares, *old[2], *lower, *upper;
  double *row_scale, *row_fine, *row_squares, *a_room, *b_room[2];
  int looked;            /* whether it is known what is whole */
  const double *a[ROWS];
  struct panel panel[2][LANES / PANEL];
};

static size_t
least (size_t a, size_t b)
{
  return a < b ? a : b;
}

static size_t
whole_vectors (const struct product *p, size_t lanes)
{
  return (lanes + p->tiles->lanes - 1) / p->tiles->lanes * p->tiles->lanes;
}

static size_t
panel_lanes (const struct block *k, size_t at)
{
  return least (k->padded - at, PANEL * k->p->tiles->lanes);
}

/* Whether a row's products with each lane are computed by themselves: of one row that is
   less than to lay out lanes side by side, unless they lie so.  */
static int
is_row (const struct product *p)
{
  size_t step;

  return p->w.rows == 1 && gt_side_lanes (&p->w.b, 0, &step) == NULL;
}

/* ------------------------------------------------------------------ Loading */

static void
load_rows (struct block *k, size_t first, size_t n)
{
  const struct gt_side *side = &k->p->w.a;

  for (size_t i = 0; i < k->rows; i++)
    {
      const double *line = gt_side_line (side, k->row + i);
      double *to = k->a_room + i * k->p->chunk;

      if (line == NULL)
        gt_side_load (side, k->row + i, GT_AS_IT_IS, first, n, to, 1);
      k->a[i] = line ? line + first : to;
    }
}

/* Lanes that are none are zeros.  */
static struct panel
load_panel (struct block *k, unsigned sum, size_t at, size_t first, size_t n)
{
  const struct gt_work *w = &k->p->w;
  const size_t width = panel_lanes (k, at), there = least (k->lanes - at, width);
  double *to = k->b_room[sum] + at * k->p->chunk;
  struct panel panel;

  panel.b = gt_side_lanes (&w->b, k->lane + at, &panel.step);
  if (panel.b && there == width)
    {
      panel.b += first * panel.step;
      return panel;
    }
  for (size_t j = 0; j < there; j++)
    gt_side_load (&w->b, (k->lane + at + j) / w->b.parts,
                  gt_lane_form (w, k->lane + at + j, sum), first, n, to + j, width);
  for (size_t i = 0; there < width && i < n; i++)
    memset (to + i * width + there, 0, (width - there) * sizeof *to);
  return (struct panel) {to, width};
}

static void
load (struct block *k, size_t first, size_t n)
{
  load_rows (k, first, n);
  for (unsigned sum = 0; sum < k->p->w.sums; sum++)
    for (size_t at = 0, i = 0; at < k->padded; at += panel_lanes (k, at), i++)
      k->panel[sum][i] = load_panel (k, sum, at, first, n);
}

/* ---------------------------------------------------------------- Measuring */

/* Calls EACH for all chunks.  The last stays loaded.  */
static void
for_chunks (struct block *k, void (*each) (struct block *k, size_t n))
{
  for (size_t first = k->begin, n; first < k->end; first += n)
    {
      n = least (k->end - first, k->p->chunk);
      load (k, first, n);
      each (k, n);
    }
}

static void
add_squares (struct block *k, size_t n)
{
  const struct gt_tiles *tiles = k->p->tiles;

  for (size_t i = 0; i < k->rows; i++)
    k->row_squares[i] = tiles->squares (k->a[i], n, k->row_squares[i]);
  for (size_t at = 0, i = 0; at < k->padded; at += panel_lanes (k, at), i++)
    tiles->lane_squares (k->panel[0][i].b, k->panel[0][i].step, n,
                         (unsigned) (panel_lanes (k, at) / tiles->lanes), k->squares + at);
}

static void
measure (struct block *k)
{
  for_chunks (k, add_squares);
  for (size_t i = 0; i < k->rows; i++)
    k->row_scale[i] = gt_scale_of (k->row_squares[i]);
  for (size_t j = 0; j < k->padded; j++)
    k->scale[j] = gt_scale_of (k->squares[j]);
}

/* Until something is not decided, nothing is known to be whole.  */
static void
assume_fine (struct block *k)
{
  k->looked = 0;
  for (size_t i = 0; i < k->rows; i++)
    {
      k->row_fine[i] = 1;
      k->row_squares[i] = 0;
    }
  for (size_t j = 0; j < k->padded; j++)
    {
      k->fines[j] = 1;
      k->squares[j] = 0;
    }
}

static void
look_at (struct block *k, size_t n)
{
  const struct gt_tiles *tiles = k->p->tiles;

  for (size_t i = 0; i < k->rows; i++)
    if (!tiles->are_whole (k->a[i], n))
      k->row_fine[i] = 1;
  for (size_t at = 0, i = 0; at < k->padded; at += panel_lanes (k, at), i++)
    tiles->lanes_fine (k->panel[0][i].b, k->panel[0][i].step, n,
                       (unsigned) (panel_lanes (k, at) / tiles->lanes), k->fines + at);
}

/* Of zeros alone the scale is 0; what is whole but large is as good as fine.  */
static void
judge (const struct block *k, double squares, double *scale, double *fine)
{
  if (*fine == 0 && squares == 0)
    *scale = 0;
  else if (!(*scale <= gt_most_whole (k->p->plain)))
    *fine = 1;
}

/* -------------------------------------------------------------- Multiplying */

/* Whether any of C is written in these rows of the block and lanes from AT on.  */
static int
any_written (const struct block *k, size_t i, size_t rows, size_t at, size_t width)
{
  size_t begin, end, unused;

  gt_work_lanes (&k->p->w, k->row + i, &begin, &unused);
  gt_work_lanes (&k->p->w, k->row + i + rows - 1, &unused, &end);
  return k->lane + at < end && k->lane + at + width > begin;
}

/* Rows of the block from I on, of a panel whose lanes begin with AT.  */
static void
multiply_rows (struct block *k, unsigned sum, size_t i, size_t rows, size_t at,
               const struct panel *panel, size_t n)
{
  const struct gt_tiles *tiles = k->p->tiles;
  const unsigned most = rows > 1 && !k->p->plain ? tiles->widest : PANEL;
  const size_t width = panel_lanes (k, at);
  gt_tile_function *const *functions
    = (k->p->plain ? tiles->plain : tiles->exact)[rows - 1];

  for (size_t lane = 0, vectors; lane < width; lane += vectors * tiles->lanes)
    {
      const size_t from = i * k->padded + at + lane;
      const struct gt_tile tile
        = {{k->a[i], k->a[i + rows - 1]}, panel->b + lane, panel->step, n,
           k->s[sum] + from, k->l[sum] + from, k->padded};

      vectors = most;
      while (vectors * tiles->lanes > width - lane)
        vectors /= 2;
      if (any_written (k, i, rows, at + lane, vectors * tiles->lanes))
        functions[vectors / 2](&tile);
    }
}

static void
multiply_chunk (struct block *k, size_t n)
{
  for (unsigned sum = 0; sum < k->p->w.sums; sum++)
    for (size_t at = 0, j = 0; at < k->padded; at += panel_lanes (k, at), j++)
      for (size_t i = 0, rows; i < k->rows; i += rows)
        {
          rows = least (k->rows - i, GT_TILE_ROWS);
          multiply_rows (k, sum, i, rows, at, &k->panel[sum][j], n);
        }
}

static void
multiply (struct block *k)
{
  measure (k);
  for (unsigned sum = 0; sum < k->p->w.sums; sum++)
    for (size_t i = 0; i < k->rows; i++)
      k->p->tiles->begin (k->s[sum] + i * k->padded, k->l[sum] + i * k->padded, k->scale,
                          k->p->plain ? 0 : GT_TILE_ANCHOR * k->row_scale[i],
                          (unsigned) (k->padded / k->p->tiles->lanes));
  if (k->end - k->begin <= k->p->chunk) /* all is loaded */
    multiply_chunk (k, k->end - k->begin);
  else
    for_chunks (k, multiply_chunk);
}

/* ------------------------------------------------------------------ One row

   The lanes of the registers are terms, and a vector of lanes is computed at once.  The row
   is laid out as a whole, the lanes' terms chunk by chunk.  */

/* Where N terms of a vector of lanes from J on are; beyond the last they are its.  */
static void
lane_terms (struct block *k, unsigned sum, size_t j, size_t first, size_t n,
            const double **terms)
{
  const struct gt_work *w = &k->p->w;

  for (unsigned i = 0; i < k->p->tiles->lanes; i++)
    {
      const size_t lane = k->lane + least (j + i, k->lanes - 1);
      const size_t line = lane >> (w->b.parts - 1);
      const double *there = gt_side_line (&w->b, line);
      double *room = k->b_room[0] + i * k->p->chunk;

      if (there == NULL)
        gt_side_load (&w->b, line, gt_lane_form (w, lane, sum), first, n, room, 1);
      terms[i] = there ? there + first : room;
    }
}

/* Terms of a vector of lanes that a triangle has.  */
static void
lane_range (const struct block *k, size_t j, size_t *begin, size_t *end)
{
  const unsigned shift = k->p->w.b.parts - 1;
  const size_t last = k->lane + least (j + k->p->tiles->lanes, k->lanes) - 1;

  *begin = k->begin;
  *end = k->end;
  gt_side_narrow (&k->p->w.b, (k->lane + j) >> shift,
                  (last >> shift) - ((k->lane + j) >> shift) + 1, begin, end);
}

static void
multiply_lanes (struct block *k, size_t j)
{
  const struct product *p = k->p;
  gt_dots_function *dots = p->plain ? p->tiles->plain_dots : p->tiles->dots;
  const double *terms[MOST_LANES];
  double anchor[MOST_LANES];
  size_t begin, end, n;

  lane_range (k, j, &begin, &end);
  for (size_t first = begin; first < end; first += n)
    {
      n = least (end - first, p->chunk);
      lane_terms (k, 0, j, first, n, terms);
      p->tiles->dots_squares (terms, n, k->squares + j);
    }
  for (unsigned i = 0; i < p->tiles->lanes; i++)
    {
      k->scale[j + i] = gt_scale_of (k->squares[j + i]);
      anchor[i] = p->plain ? 0 : GT_TILE_ANCHOR * k->row_scale[0] * k->scale[j + i];
    }
  for (unsigned sum = 0; sum < p->w.sums; sum++)
    {
      memcpy (k->s[sum] + j, anchor, p->tiles->lanes * sizeof *anchor);
      memset (k->l[sum] + j, 0, p->tiles->lanes * sizeof *anchor);
      for (size_t first = begin; first < end; first += n)
        {
          n = least (end - first, p->chunk);
          if (n < end - begin || sum > 0)
            lane_terms (k, sum, j, first, n, terms);
          dots (k->a[0] + (first - k->begin), terms, n, anchor, k->s[sum] + j,
                k->l[sum] + j);
        }
    }
}

static void
multiply_row (struct block *k)
{
  const size_t n = k->end - k->begin;
  const double *line = gt_side_line (&k->p->w.a, k->row);

  k->a[0] = line ? line + k->begin : k->a_room;
  if (line == NULL)
    gt_side_load (&k->p->w.a, k->row, GT_AS_IT_IS, k->begin, n, k->a_room, 1);
  k->row_squares[0] = k->p->tiles->squares (k->a[0], n, 0);
  k->row_scale[0] = gt_scale_of (k->row_squares[0]);
  for (size_t j = 0; j < k->lanes; j += k->p->tiles->lanes)
    multiply_lanes (k, j);
}

/* As look_at.  */
static void
look_at_row (struct block *k)
{
  const struct gt_tiles *tiles = k->p->tiles;
  const double *terms[MOST_LANES];
  size_t begin, end;

  k->row_fine[0] = !tiles->are_whole (k->a[0], k->end - k->begin);
  for (size_t j = 0; j < k->lanes; j += tiles->lanes)
    {
      lane_range (k, j, &begin, &end);
      for (size_t first = begin, n; first < end; first += n)
        {
          n = least (end - first, k->p->chunk);
          lane_terms (k, 0, j, first, n, terms);
          for (unsigned i = 0; i < tiles->lanes; i++)
            if (!tiles->are_whole (terms[i], n))
              k->fines[j + i] = 1;
        }
    }
}

/* Finds out what is whole, or zero.  */
static void
look (struct block *k)
{
  for (size_t i = 0; i < k->rows; i++)
    k->row_fine[i] = 0;
  for (size_t j = 0; j < k->padded; j++)
    k->fines[j] = 0;
  if (is_row (k->p))
    look_at_row (k);
  else
    for_chunks (k, look_at);
  for (size_t i = 0; i < k->rows; i++)
    judge (k, k->row_squares[i], &k->row_scale[i], &k->row_fine[i]);
  for (size_t j = 0; j < k->padded; j++)
    judge (k, k->squares[j], &k->scale[j], &k->fines[j]);
  k->looked = 1;
}

/* ---------------------------------------------------------- Few products

   Of so few terms an element is made without sums: a row's terms, times the coefficients,
   stand in two doubles each.  */

static int
are_few (const struct product *p)
{
  return p->w.sums && p->w.terms * p->w.sums <= GT_TILE_FEW;
}

static void
load_few_lanes (struct block *k, struct gt_tile_row *row)
{
  const struct gt_work *w = &k->p->w;
  size_t step;
  const double *there = gt_side_lanes (&w->b, k->lane, &step);

  row->terms = (unsigned) w->terms * w->sums;
  for (unsigned sum = 0; sum < w->sums; sum++)
    {
      for (size_t j = 0; j < k->lanes; j++)
        if (there)
          for (size_t t = 0; t < w->terms; t++)
            k->b_room[sum][t * k->padded + j] = there[t * step + j];
        else
          gt_side_load (&w->b, (k->lane + j) >> (w->b.parts - 1),
                        gt_lane_form (w, k->lane + j, sum), 0, w->terms,
                        k->b_room[sum] + j, k->padded);
      for (size_t t = 0; t < w->terms; t++)
        {
          memset (k->b_room[sum] + t * k->padded + k->lanes, 0,
                  (k->padded - k->lanes) * sizeof (double));
          row->few[sum * w->terms + t] = k->b_room[sum] + t * k->padded;
        }
    }
}

/* What is so large or small that its error may be none is not a number then.  */
static void
load_few_terms (const struct block *k, size_t i, struct gt_tile_row *row)
{
  const struct gt_work *w = &k->p->w;
  double x[GT_TILE_FEW];

  gt_side_load (&w->a, k->row + i, GT_AS_IT_IS, 0, w->terms, x, 1);
  for (unsigned sum = 0; sum < w->sums; sum++)
    for (size_t t = 0; t < w->terms; t++)
      {
        const double c = w->coefficient[sum], high = c * x[t];
        const size_t at = sum * w->terms + t;
        const int fine = (fabs (high) >= LEAST_FEW && fabs (high) <= MOST_FEW)
                         || (x[t] == 0 && high == 0);

        row->high[at] = high;
        row->low[at] = !fine         ? (double) NAN
                       : fabs (c) == 1 ? 0
                                       : gt_ball_product_error (c, x[t], high);
      }
}

/* ---------------------------------------------------------------- Finishing */

/* Here terms that a triangle has not must not meet infinities.  */
static double
settle (const struct block *k, size_t row, size_t lane)
{
  const struct gt_work *w = &k->p->w;
  size_t begin = k->begin, end = k->end;

  gt_side_narrow (&w->a, row, 1, &begin, &end);
  gt_side_narrow (&w->b, lane / w->b.parts, 1, &begin, &end);
  return gt_settle (w, row, lane, begin, end);
}

/* Once it is known what is zero, sums of that are.  */
static void
clear_zeros (struct block *k, size_t i)
{
  for (unsigned t = 0; t < k->p->w.sums; t++)
    for (size_t j = 0; j < k->lanes; j++)
      if (k->row_scale[i] == 0 || k->scale[j] == 0)
        k->s[t][i * k->padded + j] = k->l[t][i * k->padded + j] = 0;
}

/* Returns whether all is certain.  */
static int
end_row (struct block *k, size_t i, struct gt_tile_row *row)
{
  if (row->terms)
    load_few_terms (k, i, row);
  if (row->sums && k->looked)
    clear_zeros (k, i);
  for (unsigned t = 0; t < row->sums; t++)
    {
      row->s[t] = k->s[t] + i * k->padded;
      row->l[t] = k->l[t] + i * k->padded;
      row->anchor = k->p->plain ? 0 : GT_TILE_ANCHOR * k->row_scale[i];
      row->error = gt_tile_error (k->end - k->begin, k->p->plain) * k->row_scale[i];
      row->fine = k->row_fine[i];
    }
  return k->p->tiles->finish (row);
}

/* Lanes [BEGIN, END) of a row, where not all are certain as doubles.  The imaginary part of
   a Hermitian matrix's diagonal is 0, whatever there is.  */
static void
settle_row (struct block *k, size_t i, struct gt_tile_row *row, size_t begin, size_t end)
{
  const struct gt_work *w = &k->p->w;

  for (size_t j = begin; j != end; j++)
    if (w->hermitian && k->lane + j == (k->row + i) * 2 + 1)
      k->lower[j] = 0;
    else if (gt_work_decides (w, k->lower[j], k->upper[j]))
      continue;
    else if (row->sums && !k->looked)
      {
        look (k);
        end_row (k, i, row);
        j = begin - 1;
      }
    else
      k->lower[j] = settle (k, k->row + i, k->lane + j);
}

/* Whether one operation makes an element, where C's are doubles side by side.  */
static int
is_fused (const struct block *k, const struct gt_tile_row *row)
{
  return row->terms == 1 && row->olds == 1 && row->factor[0] == 1
         && fabs (row->coefficient[0]) == 1 && k->p->tiles->fuse;
}

/* Old numbers lie where they are, unless a vector would reach beyond them.  */
static void
finish_row (struct block *k, size_t i, struct gt_tile_row *row)
{
  const struct gt_work *w = &k->p->w;
  const double *there = gt_work_lie (w, k->row + i, k->lane);
  size_t begin, end;

  gt_work_lanes (w, k->row + i, &begin, &end);
  begin = begin > k->lane ? begin - k->lane : 0;
  end = end > k->lane ? least (end - k->lane, k->lanes) : 0;
  if (begin >= end)
    return;
  if (is_fused (k, row) && there)
    {
      load_few_terms (k, i, row);
      k->p->tiles->fuse (gt_work_lie (w, k->row + i, k->lane + begin), row->high[0],
                         row->few[0] + begin, end - begin);
      return;
    }
  for (unsigned t = 0; t < w->olds; t++)
    if (there && k->lanes == k->padded)
      row->old[0] = there;
    else
      gt_work_olds (w, k->row + i, k->lane + begin, end - begin, t, k->old[t] + begin);
  if (!end_row (k, i, row) || w->a.single || w->hermitian)
    settle_row (k, i, row, begin, end);
  /* What is not decided is made of old numbers: none is stored before.  */
  gt_work_store (w, k->row + i, k->lane + begin, end - begin, k->lower + begin);
}

static void
finish (struct block *k)
{
  const struct gt_work *w = &k->p->w;
  const int few = are_few (k->p);
  struct gt_tile_row row = {
    .n = k->lanes, .sums = few ? 0 : w->sums, .olds = w->olds,
    .old = {k->old[0], k->old[1]},
    .coefficient = {w->coefficient[0], w->coefficient[1]},
    .factor = {w->factor[0], w->factor[1]}, .divisor = 1, .scale = k->scale,
    .fines = k->fines, .least = gt_work_least (w, few), .single = w->a.single,
    .lower = k->lower, .upper = k->upper
  };

  if (few)
    load_few_lanes (k, &row);
  for (size_t i = 0; i < k->rows; i++)
    finish_row (k, i, &row);
}

/* ------------------------------------------------------------------- Blocks */

static void
compute_block (struct block *k, size_t number)
{
  const struct product *p = k->p;

  k->row = number / p->across * p->block_rows;
  k->lane = number % p->across * p->block_lanes;
  k->rows = least (p->w.rows - k->row, p->block_rows);
  k->lanes = least (p->w.lanes - k->lane, p->block_lanes);
  k->padded = whole_vectors (p, k->lanes);
  k->begin = 0;
  k->end = p->w.sums ? p->w.terms : 0;
  if (!any_written (k, 0, k->rows, 0, k->lanes))
    return;
  gt_side_narrow (&p->w.a, k->row, k->rows, &k->begin, &k->end);
  gt_side_narrow (&p->w.b, k->lane / p->w.b.parts,
                  (k->lane + k->lanes - 1) / p->w.b.parts - k->lane / p->w.b.parts + 1,
                  &k->begin, &k->end);
  if (k->end < k->begin)
    k->end = k->begin;
  assume_fine (k);
  if (p->w.sums && !are_few (p))
    (is_row (p) ? multiply_row : multiply) (k);
  finish (k);
}

static double *
cut (double *memory, size_t *at, size_t n)
{
  double *piece = memory ? memory + *at : NULL;

  *at += n;
  return piece;
}

/* The rooms of a block in MEMORY, or, if that is null, how many doubles they take.  */
static size_t
lay_out (struct block *k, double *memory)
{
  const struct product *p = k->p;
  const size_t rows = p->block_rows, lanes = whole_vectors (p, p->block_lanes);
  double **of_lanes[] = {&k->scale, &k->fines, &k->squares, &k->lower, &k->upper,
                         &k->old[0], &k->old[1]};
  size_t at = 0;

  for (unsigned i = 0; i < 5 + p->w.olds; i++)
    *of_lanes[i] = cut (memory, &at, lanes);
  for (unsigned sum = 0; sum < p->w.sums; sum++)
    {
      k->s[sum] = cut (memory, &at, are_few (p) ? 0 : rows * lanes);
      k->l[sum] = cut (memory, &at, are_few (p) ? 0 : rows * lanes);
      k->b_room[sum] = cut (memory, &at, is_row (p) && !are_few (p) ? p->chunk * p->tiles->lanes
                                                         : p->chunk * lanes);
    }
  k->row_scale = cut (memory, &at, rows);
  k->row_fine = cut (memory, &at, rows);
  k->row_squares = cut (memory, &at, rows);
  k->a_room = cut (memory, &at, is_row (p) ? p->w.terms : rows * p->chunk);
  return at;
}

static void
compute (void *closure, unsigned member)
{
  struct product *p = closure;
  struct block k;
  struct gt_fpenv env;
  size_t number;

  k.p = p;
  lay_out (&k, p->memory + member * p->doubles);
  gt_fpenv_enter (&env, GT_F64);
  while ((number = atomic_fetch_add (&p->next, 1)) < p->blocks)
    compute_block (&k, number);
  gt_fpenv_leave (&env);
}

/* How many doubles P takes, in lines of the cache for each member.  */
static size_t
plan (struct product *p)
{
  struct block k = {.p = p};

  p->members = gt_members_for ((double) p->w.rows * (double) p->w.lanes
                                 * (double) (p->w.terms * p->w.sums + 1),
                               p->blocks);
  p->doubles = (lay_out (&k, NULL) + 7) / 8 * 8;
  return p->members * p->doubles;
}

static void
run (struct product *p, double *memory)
{
  p->memory = memory;
  gt_team_run (p->members, compute, p);
}

/* ----------------------------------------------------------------- Products */

/* The product in turn, C' = B' A' (of TWICE, X and X' change places), so that there are
   lanes enough.  */
static struct gt_product
turned (const struct gt_product *p)
{
  struct gt_product t = *p;
  const struct gt_matrix c
    = gt_transposed ((struct gt_matrix) {.row = p->row, .column = p->column,
                                         .triangle = p->triangle});

  t.a = gt_transposed (p->b);
  t.b = gt_transposed (p->a);
  t.rows = p->columns;
  t.columns = p->rows;
  t.row = c.row;
  t.column = c.column;
  t.triangle = c.triangle;
  return t;
}

static void
prepare (struct product *p, const struct gt_product *given)
{
  const int turns = given->columns < 8 && given->columns < given->rows;
  const struct gt_product of = turns ? turned (given) : *given;
  const struct gt_matrix columns = gt_transposed (of.b);
  const int conjugates = of.twice && of.hermitian;
  struct gt_matrix other[2] = {columns, of.a};
  struct gt_work *w = &p->w;

  other[0].conjugate ^= conjugates;
  other[1].conjugate ^= conjugates;
  w->a = gt_side_of (of.arithmetic, &of.a, of.twice ? &other[0] : NULL);
  w->b = gt_side_of (of.arithmetic, &columns, of.twice ? &other[1] : NULL);
  w->b.opposed = conjugates;
  w->rows = of.rows;
  w->lanes = of.columns * w->a.parts;
  w->terms = w->a.terms;
  w->c = of.c;
  w->row = of.row;
  w->column = of.column;
  w->triangle = of.triangle;
  w->hermitian = of.hermitian && w->a.parts == 2;
  gt_work_scalars (w, of.alpha, of.beta);
  p->tiles = gt_tiles ();
  p->plain = w->a.single && w->terms <= PLAIN_TERMS;
  p->block_rows = least (w->rows, are_few (p) ? FEW_ROWS : ROWS);
  p->block_lanes = least (w->lanes, LANES);
  p->chunk = least (w->terms, GT_TILE_TERMS);
  p->across = (w->lanes + p->block_lanes - 1) / p->block_lanes;
  p->blocks = p->across * ((w->rows + p->block_rows - 1) / p->block_rows);
}

/* In memory on the stack, if that is enough.  */
static int
multiply_exactly (const struct gt_product *given)
{
  _Alignas (GT_ROOM_ALIGNMENT) double small[SMALL_DOUBLES];
  struct product p = {.next = 0};
  void *heap = NULL;
  size_t doubles;

  prepare (&p, given);
  doubles = plan (&p);
  if (doubles > SMALL_DOUBLES)
    heap = malloc (doubles * sizeof (double) + GT_ROOM_ALIGNMENT - 1);
  if (doubles > SMALL_DOUBLES && heap == NULL)
    return GSL_ENOMEM;
  run (&p, heap ? gt_room_aligned (heap) : small);
  free (heap);
  return GSL_SUCCESS;
}

/* Number FROM of B's becomes number TO of COPY.  */
static void
copy_number (const struct gt_product *p, void *copy, size_t to, size_t from)
{
  if (gt_part_arithmetic (p->arithmetic) == GT_F32)
    ((float *) copy)[to] = ((const float *) p->b.data)[from];
  else
    ((double *) copy)[to] = ((const double *) p->b.data)[from];
}

/* COUNT columns of B from FIRST on, which are columns of C, as a matrix of MOST columns at
   COPY.  */
static struct gt_product
copied_columns (const struct gt_product *p, size_t first, size_t count, size_t most,
                void *copy)
{
  const unsigned parts = gt_parts_in (p->arithmetic);
  struct gt_product part = *p;

  for (size_t i = 0; i < p->b.rows; i++)
    for (size_t j = 0; j < count; j++)
      for (unsigned k = 0; k < parts; k++)
        copy_number (p, copy, (i * most + j) * parts + k,
                     (i * p->b.row + (first + j) * p->b.column) * parts + k);
  part.columns = part.b.columns = count;
  part.b.data = copy;
  part.b.row = most;
  part.b.column = 1;
  part.c = (char *) p->c + first * p->column * gt_element_size (p->arithmetic);
  return part;
}

/* As B is C, its columns are copied, some at a time.  The first are as many as any, so
   that their memory is enough for all.  */
static int
multiply_in_place (const struct gt_product *given)
{
  const size_t most = least (given->columns, LANES);
  const size_t bytes = given->b.rows * most * gt_element_size (given->arithmetic);
  struct gt_product part = *given;
  struct product p = {.next = 0};
  void *copy = malloc (bytes ? bytes : 1), *heap;

  part.columns = part.b.columns = most;
  prepare (&p, &part);
  heap = malloc (plan (&p) * sizeof (double) + GT_ROOM_ALIGNMENT - 1);
  for (size_t first = 0; copy && heap && first < given->columns; first += most)
    {
      part = copied_columns (given, first, least (given->columns - first, most), most,
                             copy);
      prepare (&p, &part);
      plan (&p);
      atomic_store (&p.next, 0);
      run (&p, gt_room_aligned (heap));
    }
  free (heap);
  free (copy);
  return copy && heap ? GSL_SUCCESS : GSL_ENOMEM;
}

int
gt_product_exactly (const struct gt_product *p)
{
  if (p->rows == 0 || p->columns == 0)
    return GSL_SUCCESS;
  return p->c == p->b.data ? multiply_in_place (p) : multiply_exactly (p);
}
