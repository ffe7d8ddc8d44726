/* Triangular systems, each unknown correctly rounded.

   Lanes are right-hand sides, of complex ones each part.  Rows are solved one after the
   other: what is solved is kept as terms for the rows to come, in lanes side by side, or
   where there are one or two lanes, each by itself.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/matrix/product.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/finish/ball.h"
#include "kernels/cpu/isa/room.h"
#include "src/base/fpenv.h"
#include "src/cpu/threads.h"
#include "src/matrix/work.h"

#define LANES ((size_t) 32)
#define FEW 2

/* The parts of complex quotients are between these, or zeros.  A product that is not zero is at
   least 2^-400, so that its radius, 2^-100 of it, has room for what underflows in its low part:
   less than 2^-1070.  A numerator of zeros alone is left to others.  */
#define LEAST_PART 0x1p-200
#define MOST_PART 0x1p200

struct solution
{
  struct gt_work w;
  const struct gt_tiles *tiles;
  size_t block_lanes, doubles;
  double *memory;
  _Atomic size_t next; /* lane */
};

/* The lanes of a member.  */
struct block
{
  struct solution *s;
  size_t lane, lanes, padded;
  int few;
  double *x;     /* terms that are solved */
  double *sum, *low, *scale, *squares, *some, *grains, *old[2], *lower, *upper,
    *apart;
  /* Rows from the GROUP-th GT_LAID_LINES on are laid out in ROOM, from term BEGIN on; STEP
     from one to the next.  */
  double *room;
  size_t group, begin, step;
};


/* Where term I of lane J is, and how far from it the next term.  */
static double *
term (const struct block *k, size_t i, size_t j)
{
  return k->few ? k->x + j * k->s->w.terms + i : k->x + i * k->padded + j;
}

/* ----------------------------------------------------------------- Products */

static const double *
row_terms (struct block *k, size_t row, size_t first)
{
  const size_t group = row / GT_LAID_LINES, line = group * GT_LAID_LINES;
  const struct gt_side *side = &k->s->w.a;
  const struct gt_matrix *m = &side->half[0];

  /* Elements beside the diagonal lie as in any matrix.  */
  if (side->parts == 1 && !side->single && m->column == 1)
    return (const double *) m->data + row * m->row + first;
  if (k->group != group)
    {
      const size_t lines = gt_least (k->s->w.rows - line, GT_LAID_LINES);
      size_t end = k->s->w.terms;

      k->group = group;
      k->begin = 0;
      gt_side_narrow (side, line, lines, &k->begin, &end);
      k->step = gt_laid_step (end - k->begin);
      gt_side_lay_lines (side, line, lines, k->begin, end, k->room, k->step);
    }
  return k->room + (row - line) * k->step + (first - k->begin);
}

/* Products of N terms of a row with those of all lanes.  */
static void
multiply (struct block *k, const double *a, size_t first, size_t n, double anchor)
{
  const struct gt_tiles *tiles = k->s->tiles;
  unsigned vectors;

  if (k->few)
    for (size_t j = 0; j < k->lanes; j++)
      {
        const struct gt_tile tile
          = {.a = {a, a}, .b = term (k, first, j), .step = 1, .n = n, .s = k->sum + j,
             .l = k->low + j};

        tiles->dot (&tile, anchor * k->scale[j]);
      }
  else
    for (size_t j = 0; j < k->padded; j += vectors * tiles->lanes)
      {
        const struct gt_tile tile
          = {.a = {a, a}, .b = term (k, first, j), .step = k->padded, .n = n,
             .s = k->sum + j, .l = k->low + j};

        for (vectors = 4; vectors * tiles->lanes > k->padded - j; vectors /= 2)
          continue;
        tiles->exact[0][vectors / 2](&tile);
      }
}

static double
grain_of_row (struct block *k, size_t row, size_t begin, size_t end)
{
  double grain = (double) INFINITY;

  for (size_t i = begin, n; i < end; i += n)
    {
      n = gt_least (end - i, GT_TILE_TERMS);
      grain = k->s->tiles->grain (row_terms (k, row, i), n, grain);
    }
  return grain;
}

/* The sum of squares' root, as a power of two; 0 of zeros alone.  */
static double
scale_of_row (struct block *k, size_t row, size_t begin, size_t end)
{
  const struct gt_tiles *tiles = k->s->tiles;
  double squares = 0;
  size_t n;

  for (size_t i = begin; i < end; i += n)
    {
      n = gt_least (end - i, GT_TILE_TERMS);
      squares = tiles->squares (row_terms (k, row, i), n, squares);
    }
  return squares == 0 && grain_of_row (k, row, begin, end) == (double) INFINITY
           ? 0 : gt_scale_of (squares);
}

/* Of what is solved.  */
static void
find_grains (struct block *k, size_t begin, size_t end)
{
  const struct gt_tiles *tiles = k->s->tiles;

  for (size_t j = 0; j < k->padded; j++)
    k->grains[j] = (double) INFINITY;
  if (k->few)
    for (size_t j = 0; j < k->lanes; j++)
      k->grains[j] = tiles->grain (term (k, begin, j), end - begin, k->grains[j]);
  else
    tiles->lane_grains (term (k, begin, 0), k->padded, end - begin,
                        (unsigned) (k->padded / tiles->lanes), k->grains);
}

/* All products of ROW, whose terms are [BEGIN, END), with bounds for gt_tile_row.  */
static void
multiply_row (struct block *k, size_t row, size_t begin, size_t end,
              struct gt_tile_row *r)
{
  const struct gt_tiles *tiles = k->s->tiles;
  const double scale = scale_of_row (k, row, begin, end);
  size_t n;

  r->anchor = GT_TILE_ANCHOR * scale;
  r->error = gt_tile_error (end - begin, 0) * scale;
  r->exact_from = GT_TILE_EXACT_FROM * scale;
  tiles->begin (k->sum, k->low, k->scale, r->anchor, (unsigned) (k->padded / tiles->lanes));
  for (size_t i = begin; i < end; i += n)
    {
      n = gt_least (end - i, GT_TILE_TERMS);
      multiply (k, row_terms (k, row, i), i, n, r->anchor);
    }
}

/* ------------------------------------------------------------------ Rounding */

static int
is_moderate (double x)
{
  return x == 0 || (fabs (x) >= LEAST_PART && fabs (x) <= MOST_PART);
}

/* A part of the numerator of lanes J and J + 1 over D, if that is certain.  */
static int
divide_complex (const struct block *k, size_t j, const double d[2], int imaginary,
                double *to)
{
  const size_t first = j + (size_t) imaginary, second = j + !imaginary;
  const struct gt_ball a = gt_ball_of (k->lower[first], k->upper[first], k->apart[first]);
  const struct gt_ball b
    = gt_ball_of (k->lower[second], k->upper[second], k->apart[second]);
  const struct gt_ball re = gt_ball_exactly (d[0]);
  const struct gt_ball im = gt_ball_exactly (imaginary ? -d[1] : d[1]);
  const struct gt_ball over = gt_ball_sum (gt_ball_product (a, re), gt_ball_product (b, im));
  const struct gt_ball under
    = gt_ball_sum (gt_ball_product (re, re), gt_ball_product (im, im));
  struct gt_ball q;

  if (!is_moderate (a.h) || !is_moderate (b.h) || !is_moderate (d[0])
      || !is_moderate (d[1]))
    return 0;
  q = gt_ball_quotient (over, under);
  return fabs (q.h) >= LEAST_PART && fabs (q.h) <= MOST_PART && gt_ball_round (q, to);
}

static double
divided (const struct block *k, size_t row, size_t j, size_t begin, size_t end,
         const double d[2])
{
  const struct gt_work *w = &k->s->w;
  const int whole = w->a.parts == 1 || w->triangular->unit;
  double x;

  if (whole && gt_work_decides (w, k->lower[j], k->upper[j]))
    return k->lower[j];
  if (!whole && divide_complex (k, j & ~(size_t) 1, d, (int) (j % 2), &x)
      && (!w->a.single
          || gt_work_decides (w, x - fabs (x) * 0x1p-52, x + fabs (x) * 0x1p-52)))
    return x;
  return gt_settle_element (w, row, k->lane + j, begin, end);
}

/* Keeps what is solved, rounded as C has it, as terms, and what that makes of scales.  Lanes
   that are none have zeros.  */
static void
keep (struct block *k, size_t row)
{
  const struct gt_work *w = &k->s->w;
  const unsigned parts = w->a.parts;
  const double *there = k->few ? NULL : gt_work_lie (w, row, k->lane);

  if (there && parts == 1 && k->lanes == k->padded)
    {
      k->s->tiles->keep (there, k->padded, term (k, row, 0), k->squares, k->some, k->scale);
      return;
    }
  for (size_t j = 0; j < k->lanes; j++)
    for (unsigned part = 0; part < parts; part++)
      {
        double x = gt_work_old (w, row, (k->lane + j) ^ (part), 0);

        if (parts == 2 && part == 1 && j % 2 == 0)
          x = -x;
        *term (k, row * parts + part, j) = x;
        k->squares[j] += x * x;
        if (x != 0)
          k->some[j] = 1;
      }
  for (size_t j = k->lanes; !k->few && j < k->padded; j++)
    for (unsigned part = 0; part < parts; part++)
      *term (k, row * parts + part, j) = 0;
  for (size_t j = 0; j < k->padded; j++)
    k->scale[j] = k->some[j] != 0 ? gt_scale_of (k->squares[j]) : 0;
}

/* -------------------------------------------------------------------- Rows */

/* The element of the diagonal.  */
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

static void
solve_row (struct block *k, size_t row, struct gt_tile_row *r)
{
  const struct gt_work *w = &k->s->w;
  const unsigned parts = w->a.parts;
  const int upper = w->triangular->triangle == GT_UPPER;
  const size_t begin = upper ? (row + 1) * parts : 0;
  const size_t end = upper ? w->terms : row * parts;
  double d[2] = {0, 0}, *x = k->sum;
  int certain;

  load_divisor (w, row, d);
  for (unsigned t = 0; t < w->olds; t++)
    gt_work_olds (w, row, k->lane, k->lanes, t, k->old[t]);
  r->sums = begin < end;
  r->divisor = parts == 1 ? d[0] : 1;
  if (r->sums)
    multiply_row (k, row, begin, end, r);
  r->n = k->lanes;
  certain = k->s->tiles->finish (r);
  if (!certain && r->apart == NULL)
    {
      r->grain = grain_of_row (k, row, begin, end);
      find_grains (k, begin, end);
      certain = k->s->tiles->finish_precisely (r);
    }
  if (certain && r->apart == NULL)
    x = k->lower;
  else
    for (size_t j = 0; j < k->lanes; j++)
      x[j] = divided (k, row, j, begin, end, d);
  gt_work_store (w, row, k->lane, k->lanes, x);
  keep (k, row);
}

static void
solve_block (struct block *k)
{
  const struct gt_work *w = &k->s->w;
  const size_t rows = w->rows;
  const int apart = w->a.parts == 2 && !w->triangular->unit;
  struct gt_tile_row r = {
    .olds = w->olds, .s = {k->sum}, .l = {k->low}, .old = {k->old[0], k->old[1]},
    .coefficient = {-1}, .factor = {w->factor[0], w->factor[1]}, .scale = k->scale,
    .grains = k->grains, .least = gt_work_least (w), .single = w->a.single,
    .lower = k->lower, .upper = k->upper, .apart = apart ? k->apart : NULL
  };

  k->group = SIZE_MAX;
  memset (k->squares, 0, k->padded * sizeof *k->squares);
  memset (k->some, 0, k->padded * sizeof *k->some);
  for (size_t i = 0, row; i < rows; i++)
    {
      row = w->triangular->triangle == GT_UPPER ? rows - 1 - i : i;
      solve_row (k, row, &r);
    }
}

/* ------------------------------------------------------------------- Blocks */

static size_t
padded_lanes (const struct solution *s)
{
  return (s->block_lanes + s->tiles->lanes - 1) / s->tiles->lanes * s->tiles->lanes;
}

/* The doubles of a member: terms, rows that are laid out, and eleven of each lane.  */
#define OF_LANE 11
static size_t
doubles_of (const struct solution *s)
{
  return (s->w.terms + OF_LANE) * padded_lanes (s)
         + GT_LAID_LINES * gt_laid_step (s->w.terms);
}

static void
lay_out (struct block *k, double *memory)
{
  const size_t lanes = padded_lanes (k->s);
  double **of_lanes[OF_LANE]
    = {&k->sum, &k->low, &k->scale, &k->squares, &k->some, &k->grains,
       &k->old[0], &k->old[1], &k->lower, &k->upper, &k->apart};

  for (unsigned i = 0; i < OF_LANE; i++, memory += lanes)
    *of_lanes[i] = memory;
  k->room = memory;
  k->x = k->room + GT_LAID_LINES * gt_laid_step (k->s->w.terms);
}

static void
compute (void *closure, unsigned member)
{
  struct solution *s = closure;
  struct block k = {.s = s};
  struct gt_fpenv env;

  lay_out (&k, s->memory + member * s->doubles);
  gt_fpenv_enter (&env, GT_F64);
  while ((k.lane = atomic_fetch_add (&s->next, s->block_lanes)) < s->w.lanes)
    {
      k.lanes = gt_least (s->w.lanes - k.lane, s->block_lanes);
      k.padded = (k.lanes + s->tiles->lanes - 1) / s->tiles->lanes * s->tiles->lanes;
      k.few = k.lanes <= FEW;
      solve_block (&k);
    }
  gt_fpenv_leave (&env);
}

/* Solved one by one, unknowns need no memory.  */
static void
settle_all (const struct gt_work *w)
{
  const int upper = w->triangular->triangle == GT_UPPER;
  const size_t parts = w->a.parts;

  for (size_t i = 0, row; i < w->rows; i++)
    {
      row = upper ? w->rows - 1 - i : i;
      gt_settle_row (w, row, upper ? (row + 1) * parts : 0, upper ? w->terms : row * parts);
    }
}

static void
run (struct solution *s)
{
  const unsigned members
    = gt_members_for ((double) s->w.rows * (double) s->w.terms / 2 * (double) s->w.lanes,
                      (s->w.lanes + s->block_lanes - 1) / s->block_lanes);
  void *heap;

  s->doubles = (doubles_of (s) + 7) / 8 * 8;
  heap = malloc (members * s->doubles * sizeof (double) + GT_ROOM_ALIGNMENT - 1);
  if (heap == NULL)
    {
      settle_all (&s->w);
      return;
    }
  s->memory = gt_room_aligned (heap);
  gt_team_run (members, compute, s);
  free (heap);
}

static void
solve_blocks (const struct gt_product *p)
{
  const struct gt_matrix lines
    = {.data = p->c, .rows = p->columns, .columns = p->rows, .row = p->column,
       .column = p->row};
  struct solution s = {.tiles = gt_tiles ()};
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
  s.block_lanes = gt_least (w->lanes, LANES);
  run (&s);
}

void
gt_solve_exactly (const struct gt_product *p)
{
  const struct gt_product nothing
    = {.arithmetic = p->arithmetic, .a = {.rows = p->rows}, .b = {.columns = p->columns},
       .c = p->c, .rows = p->rows, .columns = p->columns, .row = p->row,
       .column = p->column};

  if (p->rows == 0 || p->columns == 0)
    return;
  if (p->alpha.re == 0 && p->alpha.im == 0)
    {
      gt_product_exactly (&nothing);
      return;
    }
  solve_blocks (p);
}
