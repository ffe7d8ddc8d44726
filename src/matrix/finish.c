/* The elements of a block: from sums, stage by stage, or from few products.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/matrix/block.h"

#include <math.h>
#include <string.h>

#include "kernels/cpu/finish/ball.h"

/* Terms between these, times doubles, have errors that are doubles.  */
#define LEAST_FEW 0x1p-900
#define MOST_FEW 0x1p900

/* ---------------------------------------------------------- Few products

   Of so few terms an element is made without sums: a row's terms, times the coefficients,
   stand in two doubles each.  */

static void
load_few_lanes (struct gt_block *k, struct gt_tile_row *row)
{
  const struct gt_work *w = &k->p->w;

  row->terms = (unsigned) w->terms * w->sums;
  for (unsigned sum = 0; sum < w->sums; sum++)
    {
      gt_side_lay_lanes (&w->b, k->lane, k->lanes, sum, 0, w->terms, k->b_room[sum], k->padded);
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

/* The stages of a row's elements.  */
enum stage
{
  QUICKLY,   /* sums, and a bound that does not look at the terms */
  PRECISELY, /* the same sums, with what is known of the terms */
  DEEPLY,    /* deep sums, or of floats exact ones */
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
  const int deep = stage >= DEEPLY && !k->p->plain, plain = k->plain;
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
    open += !(k->lower[j] == k->upper[j]);
  return open;
}

static void
settle_row (struct gt_block *k, size_t i, size_t begin, size_t end)
{
  for (size_t j = begin; j != end; j++)
    if (!(k->lower[j] == k->upper[j]))
      k->lower[j] = settle (k, k->row + i, k->lane + j);
}

/* Whether one operation makes an element: of floats a product alone, which is a double.  */
static int
is_fused (const struct gt_block *k, const struct gt_tile_row *row)
{
  return row->terms == 1 && fabs (row->coefficient[0]) == 1 && !k->p->w.hermitian
         && (row->olds == 0 || (row->olds == 1 && row->factor[0] == 1 && !row->single))
         && k->p->tiles->fuse;
}

static void
fuse (const struct gt_block *k, const struct gt_tile_row *row, size_t begin, size_t end,
      double *to, const double *old)
{
  k->p->tiles->fuse (to, row->high[0], row->few[0] + begin, old, end - begin);
}

/* Where one in so many of a row's elements is in doubt, or more, the next stage is worth
   its time for all of them.  */
static const size_t worth[] = {[QUICKLY] = 64, [PRECISELY] = 16, [DEEPLY] = SIZE_MAX};

/* Finds the block's lanes that are written of row I; returns whether there are any.  */
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
      row->old[t] = in_place && t == 0 ? there : k->old[t];
      if (row->old[t] == k->old[t])
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
  load_olds (k, i, begin, end, row);
  if (!end_row (k, i, stage, row) || w->hermitian)
    {
      open = count_open (k, i, begin, end);
      if (row->sums && stage < LOOKED_AT && open > (end - begin) / worth[stage])
        return open;
      if (open)
        settle_row (k, i, begin, end);
    }
  /* Elements in doubt are made of old numbers: none is stored before.  */
  gt_work_store (w, k->row + i, k->lane + begin, end - begin, k->lower + begin);
  return 0;
}

/* A row of which all terms but a few are zeros takes no sums either.  */
static void
finish_packed_row (struct gt_block *k, size_t i, struct gt_tile_row *row)
{
  const struct gt_work *w = &k->p->w;
  size_t begin, end;
  double *there;

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
    {
      set_few_term (row, t, w->coefficient[0], k->few[i * GT_FEW_ROOM + t]);
      row->few[t] = k->b[0] + k->few_at[i][t] * k->step;
    }
  there = gt_work_lie (w, k->row + i, k->lane + begin);
  if (is_fused (k, row) && there)
    {
      fuse (k, row, begin, end, there, row->olds ? there : NULL);
      return;
    }
  load_olds (k, i, begin, end, row);
  if (is_fused (k, row))
    fuse (k, row, begin, end, k->lower + begin, row->olds ? row->old[0] + begin : NULL);
  else if (!k->p->tiles->finish (row) || w->hermitian)
    if (count_open (k, i, begin, end))
      settle_row (k, i, begin, end);
  gt_work_store (w, k->row + i, k->lane + begin, end - begin, k->lower + begin);
}

/* Numbers that are not finite make elements of zeros, too.  */
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
    .n = k->lanes, .olds = w->olds, .coefficient = {w->coefficient[0]},
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
  const int few = gt_are_few (k->p);
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
  k->padded = gt_whole_vectors (k->p, n);
  k->measured = 0;
  return compute_rows (k, 0, k->rows, stage);
}

/* Elements are settled one by one after all stages.  */
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

void
gt_block_compute (struct gt_block *k)
{
  k->plain = k->p->plain;
  if (gt_are_few (k->p))
    finish (k, QUICKLY);
  else
    compute_sums (k);
}
