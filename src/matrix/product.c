/* Matrix products, correctly rounded.

   Elements of C are computed in blocks, each by one thread: the rows' terms and the lanes'
   are laid out as doubles where they do not lie so, measured, multiplied in tiles
   (kernels/cpu/matrix/tiles.h) and rounded; what that leaves undecided goes to gt_settle_element.
   So the result depends on nothing but the numbers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/matrix/product.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/finish/ball.h"
#include "kernels/cpu/isa/room.h"
#include "kernels/task.h"
#include "src/base/fpenv.h"
#include "src/cpu/threads.h"
#include "src/matrix/block.h"
#include "src/matrix/vector.h"

#define FEW_ROWS ((size_t) 512) /* of few products, for which less is kept */
/* Floats with so few terms have sums in double that nearly always decide.  */
#define PLAIN_TERMS 2048
/* Terms between these, times doubles, have errors that are doubles.  */
#define LEAST_FEW 0x1p-900
#define MOST_FEW 0x1p900
/* Memory for products of small matrices is on the stack.  */
#define SMALL_DOUBLES 1024

static size_t
whole_vectors (const struct gt_blocks *p, size_t lanes)
{
  return (lanes + p->tiles->lanes - 1) / p->tiles->lanes * p->tiles->lanes;
}

/* ---------------------------------------------------------- Few products

   Of so few terms an element is made without sums: a row's terms, times the coefficients,
   stand in two doubles each.  */

static int
are_few (const struct gt_blocks *p)
{
  return p->w.sums && p->w.terms * p->w.sums <= GT_TILE_FEW;
}

static void
load_few_lanes (struct gt_block *k, struct gt_tile_row *row)
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

/* Term AT of a row is C X.  What is so large or small that its error may be none is not a
   number then.  */
static void
set_few_term (struct gt_tile_row *row, size_t at, double c, double x)
{
  const double high = c * x;
  const int fine
    = (fabs (high) >= LEAST_FEW && fabs (high) <= MOST_FEW) || (x == 0 && high == 0);

  row->high[at] = high;
  row->low[at] = !fine           ? (double) NAN
                 : fabs (c) == 1 ? 0
                                 : gt_ball_product_error (c, x, high);
}

static void
load_few_terms (const struct gt_block *k, size_t i, struct gt_tile_row *row)
{
  const struct gt_work *w = &k->p->w;
  double x[GT_TILE_FEW];

  gt_side_load (&w->a, k->row + i, GT_AS_IT_IS, 0, w->terms, x, 1);
  for (unsigned sum = 0; sum < w->sums; sum++)
    for (size_t t = 0; t < w->terms; t++)
      set_few_term (row, sum * w->terms + t, w->coefficient[sum], x[t]);
}

/* ---------------------------------------------------------------- Finishing */

/* Here terms that a triangle has not must not meet infinities.  */
static double
settle (const struct gt_block *k, size_t row, size_t lane)
{
  const struct gt_work *w = &k->p->w;
  size_t begin = k->begin, end = k->end;

  gt_side_narrow (&w->a, row, 1, &begin, &end);
  gt_side_narrow (&w->b, lane / w->b.parts, 1, &begin, &end);
  return gt_settle_element (w, row, lane, begin, end);
}

/* What is done for the elements of a row.  */
enum stage
{
  QUICKLY,   /* sums, and a bound that does not look at the terms */
  PRECISELY, /* the same sums, with what is known of the terms */
  DEEPLY,    /* deep sums */
  LOOKED_AT, /* these, with what is known of the terms */
  SETTLED    /* whole numbers, one element after the other */
};

/* Once it is known what is zero, sums of that are.  */
static void
clear_zeros (struct gt_block *k, size_t i, int deep)
{
  for (unsigned t = 0; t < k->p->w.sums; t++)
    for (size_t j = 0; j < k->lanes; j++)
      if (k->row_scale[i] == 0 || k->scale[j] == 0)
        {
          k->s[t][i * k->padded + j] = k->l[t][i * k->padded + j] = 0;
          if (deep)
            k->m[t][i * k->padded + j] = k->bits[t][i * k->padded + j] = 0;
        }
}

/* Returns whether all is certain.  */
static int
end_row (struct gt_block *k, size_t i, enum stage stage, struct gt_tile_row *row)
{
  const int deep = stage >= DEEPLY, plain = k->p->plain && !deep;
  const size_t terms = k->end - k->begin;

  if (row->terms)
    load_few_terms (k, i, row);
  if (row->sums && k->looked)
    clear_zeros (k, i, deep);
  for (unsigned t = 0; t < row->sums; t++)
    {
      row->s[t] = k->s[t] + i * k->padded;
      row->l[t] = k->l[t] + i * k->padded;
      row->m[t] = deep ? k->m[t] + i * k->padded : NULL;
      row->bits[t]
        = deep && gt_block_has_zeros (k, i) ? k->bits[t] + i * k->padded : NULL;
    }
  row->anchor = plain ? 0 : GT_TILE_ANCHOR * k->row_scale[i];
  row->error = (deep ? gt_tile_deep_error (terms) : gt_tile_error (terms, plain))
               * k->row_scale[i];
  row->exact_from = (deep    ? GT_TILE_DEEP_EXACT_FROM
                     : plain ? GT_TILE_PLAIN_EXACT_FROM
                             : GT_TILE_EXACT_FROM)
                    * k->row_scale[i];
  row->grain = k->row_grain[i];
  return stage == QUICKLY ? k->p->tiles->finish (row) : k->p->tiles->finish_precisely (row);
}

/* How many of lanes [BEGIN, END) of a row are in doubt.  The imaginary part of a Hermitian
   matrix's diagonal is 0, whatever there is.  */
static size_t
count_open (struct gt_block *k, size_t i, size_t begin, size_t end)
{
  const struct gt_work *w = &k->p->w;
  size_t open = 0;

  if (w->hermitian && (k->row + i) * 2 + 1 - k->lane < k->lanes)
    k->lower[(k->row + i) * 2 + 1 - k->lane] = k->upper[(k->row + i) * 2 + 1 - k->lane] = 0;
  for (size_t j = begin; j != end; j++)
    open += !gt_work_decides (w, k->lower[j], k->upper[j]);
  return open;
}

static void
settle_row (struct gt_block *k, size_t i, size_t begin, size_t end)
{
  for (size_t j = begin; j != end; j++)
    if (!gt_work_decides (&k->p->w, k->lower[j], k->upper[j]))
      k->lower[j] = settle (k, k->row + i, k->lane + j);
}

/* Whether one operation makes an element, where C's are doubles side by side.  */
static int
is_fused (const struct gt_block *k, const struct gt_tile_row *row)
{
  return row->terms == 1 && row->olds == 1 && row->factor[0] == 1
         && fabs (row->coefficient[0]) == 1 && k->p->tiles->fuse;
}

/* Where one in so many of a row's elements is in doubt, or more, the next stage is worth
   its time for all of them.  */
static const size_t worth[] = {[QUICKLY] = 64, [PRECISELY] = 16, [DEEPLY] = SIZE_MAX};

/* What of the block's lanes is written of row I; returns whether anything is.  */
static int
find_written (const struct gt_block *k, size_t i, size_t *begin, size_t *end)
{
  gt_work_lanes (&k->p->w, k->row + i, begin, end);
  *begin = *begin > k->lane ? *begin - k->lane : 0;
  *end = *end > k->lane ? gt_least (*end - k->lane, k->lanes) : 0;
  return *begin < *end;
}

/* Old numbers lie where they are, unless a vector would reach beyond what is written.  */
static void
load_olds (struct gt_block *k, size_t i, size_t begin, size_t end, struct gt_tile_row *row)
{
  const struct gt_work *w = &k->p->w;
  const double *there = gt_work_lie (w, k->row + i, k->lane);
  const int in_place = there && k->lanes == k->padded && end - begin == k->lanes;

  for (unsigned t = 0; t < w->olds; t++)
    {
      row->old[t] = in_place ? there : k->old[t];
      if (!in_place)
        gt_work_olds (w, k->row + i, k->lane + begin, end - begin, t, k->old[t] + begin);
    }
}

/* Stores the row unless the next stage can do more, and returns the elements that are left
   to it.  */
static size_t
finish_row (struct gt_block *k, size_t i, enum stage stage, struct gt_tile_row *row)
{
  const struct gt_work *w = &k->p->w;
  size_t begin, end, open;

  if (!find_written (k, i, &begin, &end))
    return 0;
  if (is_fused (k, row) && gt_work_lie (w, k->row + i, k->lane))
    {
      load_few_terms (k, i, row);
      k->p->tiles->fuse (gt_work_lie (w, k->row + i, k->lane + begin), row->high[0],
                         row->few[0] + begin, end - begin);
      return 0;
    }
  load_olds (k, i, begin, end, row);
  if (!end_row (k, i, stage, row) || w->a.single || w->hermitian)
    {
      open = count_open (k, i, begin, end);
      if (row->sums && stage < LOOKED_AT && open > (end - begin) / worth[stage])
        return open;
      if (open)
        settle_row (k, i, begin, end);
    }
  /* What is in doubt is made of old numbers: none is stored before.  */
  gt_work_store (w, k->row + i, k->lane + begin, end - begin, k->lower + begin);
  return 0;
}

/* A row of which all terms but a few are zeros takes no sums either.  Panels that lie as B
   does are one.  */
static int
end_packed_row (struct gt_block *k, size_t i, const struct gt_tile_row *row, size_t begin,
                size_t end, double *fused)
{
  struct gt_tile_row part = *row;
  size_t width, step;
  int certain = 1;
  const int together
    = k->lanes == k->padded && gt_side_lanes (&k->p->w.b, k->lane, &step) != NULL;

  for (size_t at = 0, j = 0; at < k->padded; at += width, j++)
    {
      const struct gt_panel *panel = &k->panel[0][j];
      const size_t from = begin > at ? begin - at : 0;

      width = together ? k->lanes : gt_panel_lanes (k, at);
      for (unsigned t = 0; t < row->terms; t++)
        part.few[t] = panel->b + k->few_at[i][t] * panel->step;
      for (unsigned t = 0; t < row->olds; t++)
        part.old[t] = row->old[t] + at;
      part.n = gt_least (width, k->lanes - at);
      part.lower = row->lower + at;
      part.upper = row->upper + at;
      if (fused == NULL)
        certain &= k->p->tiles->finish (&part);
      else if (from < width && end > at + from)
        k->p->tiles->fuse (fused + at + from, row->high[0], part.few[0] + from,
                           gt_least (end - at, width) - from);
    }
  return certain;
}

static void
finish_packed_row (struct gt_block *k, size_t i, struct gt_tile_row *row)
{
  const struct gt_work *w = &k->p->w;
  size_t begin, end;

  if (!find_written (k, i, &begin, &end))
    return;
  row->terms = (unsigned) k->filled[i];
  if (row->terms == 0)
    {
      row->terms = 1;
      k->few_at[i][0] = 0;
      k->few[i * GT_FEW_ROOM] = 0;
    }
  for (unsigned t = 0; t < row->terms; t++)
    set_few_term (row, t, w->coefficient[0], k->few[i * GT_FEW_ROOM + t]);
  if (is_fused (k, row) && gt_work_lie (w, k->row + i, k->lane))
    {
      end_packed_row (k, i, row, begin, end, gt_work_lie (w, k->row + i, k->lane));
      return;
    }
  load_olds (k, i, begin, end, row);
  if (!end_packed_row (k, i, row, begin, end, NULL) || w->a.single || w->hermitian)
    if (count_open (k, i, begin, end))
      settle_row (k, i, begin, end);
  gt_work_store (w, k->row + i, k->lane + begin, end - begin, k->lower + begin);
}

/* What is not finite makes an element of zeros, too.  */
static int
are_lanes_finite (const struct gt_block *k)
{
  int finite = 1;

  for (size_t j = 0; j < k->lanes; j++)
    finite &= isfinite (k->squares[j]) != 0;
  return finite;
}

/* Finishes such rows, and tells of all whether they are.  */
static void
finish_packed_rows (struct gt_block *k)
{
  const struct gt_work *w = &k->p->w;
  struct gt_tile_row row = {
    .olds = w->olds, .coefficient = {w->coefficient[0]},
    .factor = {w->factor[0], w->factor[1]}, .divisor = 1,
    .least = gt_work_least (w, 1), .single = w->a.single, .lower = k->lower,
    .upper = k->upper
  };
  const int fit = w->sums == 1 && k->loaded && are_lanes_finite (k);

  for (unsigned t = 0; t < w->olds; t++)
    memset (k->old[t], 0, k->padded * sizeof *k->old[t]);
  for (size_t i = 0; i < k->rows; i++)
    if (fit && k->filled[i] <= GT_TILE_FEW)
      {
        finish_packed_row (k, i, &row);
        k->done[i] = 1;
      }
}

/* Ends the open rows, all of few products, from STAGE on, for which they are multiplied.
   Returns the stage that left at most half of the elements in doubt.  */
static enum stage
finish (struct gt_block *k, enum stage stage)
{
  const struct gt_work *w = &k->p->w;
  const int few = are_few (k->p);
  struct gt_tile_row row = {
    .n = k->lanes, .sums = few ? 0 : w->sums, .olds = w->olds,
    .coefficient = {w->coefficient[0], w->coefficient[1]},
    .factor = {w->factor[0], w->factor[1]}, .divisor = 1, .scale = k->scale,
    .grains = k->grains, .least = gt_work_least (w, few), .single = w->a.single,
    .lower = k->lower, .upper = k->upper
  };
  int deep = stage >= DEEPLY;
  enum stage enough = SETTLED;

  for (unsigned t = 0; t < w->olds; t++)
    memset (k->old[t], 0, k->padded * sizeof *k->old[t]);
  if (few)
    load_few_lanes (k, &row);
  for (size_t left = 1; left; stage++)
    {
      if (stage == DEEPLY && !deep)
        gt_block_multiply (k, deep = 1);
      if ((stage == PRECISELY || stage == LOOKED_AT) && !k->looked)
        gt_block_look (k);
      left = 0;
      for (size_t i = 0, open; i < k->rows; i++)
        if (few || k->open[i])
          {
            open = finish_row (k, i, stage, &row);
            left += open;
            if (!few)
              k->open[i] = open > 0;
          }
      if (enough == SETTLED && left * 2 <= k->lanes)
        enough = stage;
    }
  return enough;
}

/* A block of many elements shows by some of them which stage is right for the others: so
   many rows, or in fewer rows so many vectors, make a block of many.  */
#define MANY_ROWS 8
#define MANY_VECTORS 4

static enum stage
compute_rows (struct gt_block *k, size_t first, size_t n, enum stage stage)
{
  memset (k->open, 0, k->rows);
  for (size_t i = first; i < first + n; i++)
    k->open[i] = !k->done[i];
  gt_block_multiply (k, stage >= DEEPLY);
  return finish (k, stage);
}

static enum stage
compute_lanes (struct gt_block *k, size_t n, enum stage stage)
{
  k->lanes = n;
  k->padded = whole_vectors (k->p, n);
  k->measured = 0;
  return compute_rows (k, 0, k->rows, stage);
}

/* What is settled one by one is so after all stages.  */
static enum stage
stage_after (enum stage enough)
{
  return enough == SETTLED ? QUICKLY : enough;
}

static void
compute_sums (struct gt_block *k)
{
  const size_t vector = k->p->tiles->lanes, lanes = k->lanes;
  enum stage stage = QUICKLY;

  k->measured = 0;
  memset (k->done, 0, k->rows);
  if (k->rows >= MANY_ROWS)
    {
      if (k->p->w.sums)
        {
          gt_block_measure (k);
          finish_packed_rows (k);
        }
      stage = stage_after (compute_rows (k, 0, GT_TILE_ROWS, stage));
      compute_rows (k, GT_TILE_ROWS, k->rows - GT_TILE_ROWS, stage);
    }
  else if (lanes >= MANY_VECTORS * vector)
    {
      stage = stage_after (compute_lanes (k, vector, stage));
      k->lane += vector;
      compute_lanes (k, lanes - vector, stage);
    }
  else
    compute_rows (k, 0, k->rows, stage);
}

/* ------------------------------------------------------------------- Blocks */

static void
compute_block (struct gt_block *k, size_t number)
{
  const struct gt_blocks *p = k->p;

  k->row = number / p->across * p->block_rows;
  k->lane = number % p->across * p->block_lanes;
  k->rows = gt_least (p->w.rows - k->row, p->block_rows);
  k->lanes = gt_least (p->w.lanes - k->lane, p->block_lanes);
  k->padded = whole_vectors (p, k->lanes);
  k->begin = 0;
  k->end = p->w.sums ? p->w.terms : 0;
  if (!gt_block_is_written (k, 0, k->rows, 0, k->lanes))
    return;
  gt_side_narrow (&p->w.a, k->row, k->rows, &k->begin, &k->end);
  gt_side_narrow (&p->w.b, k->lane / p->w.b.parts,
                  (k->lane + k->lanes - 1) / p->w.b.parts - k->lane / p->w.b.parts + 1,
                  &k->begin, &k->end);
  if (k->end < k->begin)
    k->end = k->begin;
  if (are_few (p))
    finish (k, QUICKLY);
  else
    compute_sums (k);
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
lay_out (struct gt_block *k, double *memory)
{
  const struct gt_blocks *p = k->p;
  const size_t rows = p->block_rows, lanes = whole_vectors (p, p->block_lanes);
  double **of_lanes[] = {&k->scale, &k->grains, &k->squares, &k->lower, &k->upper,
                         &k->old[0], &k->old[1]};
  size_t at = 0;

  for (unsigned i = 0; i < 5 + p->w.olds; i++)
    *of_lanes[i] = cut (memory, &at, lanes);
  for (unsigned sum = 0; sum < p->w.sums; sum++)
    {
      double **const sums[] = {&k->s[sum], &k->l[sum], &k->m[sum], &k->bits[sum]};

      for (unsigned i = 0; i < 4; i++)
        *sums[i] = cut (memory, &at, are_few (p) ? 0 : rows * lanes);
      k->b_room[sum] = cut (memory, &at, gt_is_row (p) && !are_few (p) ? p->chunk * p->tiles->lanes
                                                         : p->chunk * lanes);
    }
  k->packed = cut (memory, &at, p->chunk + 1);
  k->few = cut (memory, &at, rows * GT_FEW_ROOM);
  k->row_scale = cut (memory, &at, rows);
  k->row_grain = cut (memory, &at, rows);
  k->row_squares = cut (memory, &at, rows);
  k->a_room = cut (memory, &at, gt_is_row (p) ? p->w.terms : rows * p->chunk);
  return at;
}

static void
compute (void *closure, unsigned member)
{
  struct gt_blocks *p = closure;
  struct gt_block k;
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
plan (struct gt_blocks *p)
{
  struct gt_block k = {.p = p};

  p->members = gt_members_for ((double) p->w.rows * (double) p->w.lanes
                                 * (double) (p->w.terms * p->w.sums + 1),
                               p->blocks);
  p->doubles = (lay_out (&k, NULL) + 7) / 8 * 8;
  return p->members * p->doubles;
}

static void
run (struct gt_blocks *p, double *memory)
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

void
gt_work_of (struct gt_work *w, const struct gt_product *of)
{
  const struct gt_matrix columns = gt_transposed (of->b);
  const int conjugates = of->twice && of->hermitian;
  struct gt_matrix other[2] = {columns, of->a};

  other[0].conjugate ^= conjugates;
  other[1].conjugate ^= conjugates;
  w->a = gt_side_of (of->arithmetic, &of->a, of->twice ? &other[0] : NULL);
  w->b = gt_side_of (of->arithmetic, &columns, of->twice ? &other[1] : NULL);
  w->b.opposed = conjugates;
  w->rows = of->rows;
  w->lanes = of->columns * w->a.parts;
  w->terms = w->a.terms;
  w->c = of->c;
  w->row = of->row;
  w->column = of->column;
  w->triangle = of->triangle;
  w->settled = of->settled;
  w->hermitian = of->hermitian && w->a.parts == 2;
  gt_work_scalars (w, of->alpha, of->beta);
}

static void
prepare (struct gt_blocks *p, const struct gt_product *given)
{
  const int turns = given->columns < 8 && given->columns < given->rows;
  const struct gt_product of = turns ? turned (given) : *given;
  struct gt_work *w = &p->w;

  gt_work_of (w, &of);
  p->tiles = gt_tiles ();
  p->plain = w->a.single && w->terms <= PLAIN_TERMS;
  p->block_rows = gt_least (w->rows, are_few (p) ? FEW_ROWS : GT_BLOCK_ROWS);
  p->block_lanes = gt_least (w->lanes, GT_BLOCK_LANES);
  p->chunk = gt_least (w->terms, GT_TILE_TERMS);
  p->across = (w->lanes + p->block_lanes - 1) / p->block_lanes;
  p->blocks = p->across * ((w->rows + p->block_rows - 1) / p->block_rows);
}

/* In memory on the stack, if that is enough; returns whether there was memory.  */
static int
multiply_exactly (const struct gt_product *given)
{
  _Alignas (GT_ROOM_ALIGNMENT) double small[SMALL_DOUBLES];
  struct gt_blocks p = {.next = 0};
  void *heap = NULL;
  size_t doubles;

  prepare (&p, given);
  doubles = plan (&p);
  if (doubles > SMALL_DOUBLES)
    heap = malloc (doubles * sizeof (double) + GT_ROOM_ALIGNMENT - 1);
  if (doubles > SMALL_DOUBLES && heap == NULL)
    return 0;
  run (&p, heap ? gt_room_aligned (heap) : small);
  free (heap);
  return 1;
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
  const size_t most = gt_least (given->columns, GT_BLOCK_LANES);
  const size_t bytes = given->b.rows * most * gt_element_size (given->arithmetic);
  struct gt_product part = *given;
  struct gt_blocks p = {.next = 0};
  void *copy = malloc (bytes ? bytes : 1), *heap;

  part.columns = part.b.columns = most;
  prepare (&p, &part);
  heap = malloc (plan (&p) * sizeof (double) + GT_ROOM_ALIGNMENT - 1);
  for (size_t first = 0; copy && heap && first < given->columns; first += most)
    {
      part = copied_columns (given, first, gt_least (given->columns - first, most), most,
                             copy);
      prepare (&p, &part);
      plan (&p);
      atomic_store (&p.next, 0);
      run (&p, gt_room_aligned (heap));
    }
  free (heap);
  free (copy);
  return copy && heap;
}

/* Whether it is done.  What has lanes enough as it is, or rows, decides which are lanes.  */
static int
multiply_shortly (const struct gt_product *p)
{
  double to[GT_SHORT_ELEMENTS];
  struct gt_short_product few
    = {.a = p->a.data, .b = p->b.data, .c = p->c, .rows = p->rows, .columns = p->columns,
       .terms = p->a.columns, .a_row = p->a.row, .a_column = p->a.column, .b_row = p->b.row,
       .b_column = p->b.column, .c_row = p->row, .c_column = p->column,
       .alpha = p->alpha.re, .beta = p->beta.re, .to = to};

  if (p->arithmetic != GT_F64 || p->alpha.re == 0 || p->a.columns > GT_SHORT_TERMS
      || p->rows > GT_SHORT_ELEMENTS || p->rows * p->columns > GT_SHORT_ELEMENTS
      || p->a.shape != GT_GENERAL || p->b.shape != GT_GENERAL || p->triangle != GT_WHOLE
      || p->twice || p->c == p->b.data)
    return 0;
  if (p->columns < p->rows && p->columns < GT_LEAST_LANES)
    few = (struct gt_short_product) {
      .a = few.b, .b = few.a, .c = few.c, .rows = few.columns, .columns = few.rows,
      .terms = few.terms, .a_row = few.b_column, .a_column = few.b_row,
      .b_row = few.a_column, .b_column = few.a_row, .c_row = few.c_column,
      .c_column = few.c_row, .alpha = few.alpha, .beta = few.beta, .to = to};
  if (!gt_tiles ()->multiply_shortly (&few))
    return 0;
  for (size_t i = 0; i < few.rows; i++)
    for (size_t j = 0; j < few.columns; j++)
      ((double *) p->c)[i * few.c_row + j * few.c_column] = to[i * few.columns + j];
  return 1;
}

/* In place the rows of a triangle that need the most are the first.  */
static void
settle_all (const struct gt_product *p)
{
  const int descends = p->c == p->b.data && p->a.triangle == GT_LOWER;
  struct gt_work w = {.triangular = NULL};

  gt_work_of (&w, p);
  for (size_t i = 0; i < p->rows; i++)
    gt_settle_row (&w, descends ? p->rows - 1 - i : i, 0, w.sums ? w.terms : 0);
}

void
gt_product_exactly (const struct gt_product *p)
{
  if (p->rows == 0 || p->columns == 0 || gt_times_vector (p) || multiply_shortly (p))
    return;
  if (!(p->c == p->b.data ? multiply_in_place : multiply_exactly) (p))
    settle_all (p);
}
