/* Computes the elements of a block from sums, in stages.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/blas/block.h"

#include <math.h>
#include <string.h>

#include "kernels/cpu/finish/ball.h"

/* ---------------------------------------------------------------- Finishing */

/* The stages of a row's elements.  */
enum stage
{
  QUICKLY,   /* sums, with a bound that does not depend on the terms */
  PRECISELY, /* the same sums, with a bound that depends on the terms */
  DEEPLY,    /* deep sums, or for floats exact ones, with such a bound */
  SETTLED    /* by whole numbers, one element after the other */
};

/* Sets sums of zeros to zero, once zeros are known.  */
static void
clear_zeros (struct gt_block *k, size_t i, int deep)
{
  for (unsigned t = 0; t < k->p->w.sums; t++)
    for (size_t j = 0; j < k->lanes; j++)
      if (k->row_scale[i] == 0 || k->scale[j] == 0)
        {
          k->s[t][i * k->padded + j] = k->l[t][i * k->padded + j] = 0;
          if (deep)
            k->m[t][i * k->padded + j] = 0;
        }
}

/* Returns whether all elements are certain.  */
static int
end_row (struct gt_block *k, size_t i, enum stage stage, struct gt_tile_row *row)
{
  const int deep = k->kind == GT_TILE_DEEP, plain = k->kind == GT_TILE_PLAIN;
  const size_t terms = k->end - k->begin;

  if (k->looked)
    clear_zeros (k, i, deep);
  for (unsigned t = 0; t < row->sums; t++)
    {
      row->s[t] = k->s[t] + i * k->padded;
      row->l[t] = k->l[t] + i * k->padded;
      row->m[t] = deep ? k->m[t] + i * k->padded : NULL;
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

/* Returns the number of lanes [BEGIN, END) of a row that are in doubt.  The imaginary part of
   a Hermitian matrix's diagonal is 0 in any case.  */
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
      k->lower[j] = gt_settle_element (&k->p->w, k->row + i, k->lane + j);
}

/* The parts of complex quotients must be between these limits, or zeros.  A product that is
   not zero is then at least 2^-400, and its radius of 2^-100 times that covers the underflow
   in its low part, which is less than 2^-1070.  A numerator of zeros is left to other
   code.  */
#define LEAST_PART 0x1p-200
#define MOST_PART 0x1p200

static int
is_moderate (double x)
{
  return x == 0 || (fabs (x) >= LEAST_PART && fabs (x) <= MOST_PART);
}

/* Stores a part of the numerator of A + B i over D, if that is certain.  */
static int
divide_complex (const struct gt_work *w, struct gt_ball a, struct gt_ball b, const double d[2],
                int imaginary, double *to)
{
  const struct gt_ball re = gt_ball_exactly (d[0]);
  const struct gt_ball im = gt_ball_exactly (imaginary ? -d[1] : d[1]);
  const struct gt_ball left = gt_ball_product (imaginary ? b : a, re);
  const struct gt_ball over = gt_ball_sum (left, gt_ball_product (imaginary ? a : b, im));
  const struct gt_ball under
    = gt_ball_sum (gt_ball_product (re, re), gt_ball_product (im, im));
  struct gt_ball q;

  if (!is_moderate (a.h) || !is_moderate (b.h) || !is_moderate (d[0])
      || !is_moderate (d[1]))
    return 0;
  q = gt_ball_quotient (over, under);
  return fabs (q.h) >= LEAST_PART && fabs (q.h) <= MOST_PART && gt_ball_round (q, to)
         && (!w->a.single
             || gt_work_decides (w, *to - fabs (*to) * 0x1p-52, *to + fabs (*to) * 0x1p-52));
}

/* Computes quotients from numerators; if a quotient is in doubt, its upper end becomes
   NaN.  */
static void
divide_lanes (struct gt_block *k)
{
  for (size_t j = 0; j < k->lanes; j += 2)
    {
      const struct gt_ball a = gt_ball_of (k->lower[j], k->upper[j], k->apart[j]);
      const struct gt_ball b
        = gt_ball_of (k->lower[j + 1], k->upper[j + 1], k->apart[j + 1]);

      for (int part = 0; part < 2; part++)
        {
          double *lower = &k->lower[j + (size_t) part];

          k->upper[j + (size_t) part]
            = divide_complex (&k->p->w, a, b, k->divisor, part, lower) ? *lower : (double) NAN;
        }
    }
}

/* If at least one in this number of a row's elements is in doubt, the next stage is used for
   all of them.  */
static const size_t worth[] = {[QUICKLY] = 64, [PRECISELY] = 16};

/* The old numbers are read in place, unless a vector would reach beyond the written
   elements.  */
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

/* Stores the row unless the next stage can decide more elements.  Returns the number of
   elements that are left to it.  */
static size_t
finish_row (struct gt_block *k, size_t i, enum stage stage, struct gt_tile_row *row)
{
  const struct gt_work *w = &k->p->w;
  size_t begin, end, open;

  if (!gt_work_written (w, k->row + i, k->lane, k->lanes, &begin, &end))
    return 0;
  load_olds (k, i, begin, end, row);
  if (!end_row (k, i, stage, row) || w->hermitian || row->apart)
    {
      if (row->apart)
        divide_lanes (k);
      open = count_open (k, i, begin, end);
      if (row->sums && !row->apart && stage < DEEPLY && open > (end - begin) / worth[stage])
        return open;
      if (open)
        settle_row (k, i, begin, end);
    }
  /* Elements in doubt depend on old numbers, so none is stored before.  */
  gt_work_store (w, k->row + i, k->lane + begin, end - begin, k->lower + begin);
  return 0;
}

/* Finishes the open rows from STAGE on, and multiplies them for each stage.  Returns the stage
   that left at most half of the elements in doubt.  */
static enum stage
finish (struct gt_block *k, enum stage stage)
{
  const struct gt_work *w = &k->p->w;
  const int apart = w->a.parts == 2 && w->triangular && !w->triangular->unit;
  struct gt_tile_row row = {
    .n = k->lanes, .sums = k->begin < k->end ? w->sums : 0, .olds = w->olds,
    .coefficient = {w->coefficient[0], w->coefficient[1]},
    .factor = {w->factor[0], w->factor[1]}, .divisor = apart ? 1 : k->divisor[0],
    .scale = k->scale,
    .grains = k->grains, .least = gt_work_least (w), .single = w->a.single,
    .lower = k->lower, .upper = k->upper, .apart = apart ? k->apart : NULL
  };
  int deep = stage >= DEEPLY;
  enum stage enough = SETTLED;

  for (unsigned t = 0; t < w->olds; t++)
    memset (k->old[t], 0, k->padded * sizeof *k->old[t]);
  for (size_t left = 1; left; stage++)
    {
      if (stage == DEEPLY && !deep)
        gt_block_multiply (k, deep = 1);
      if (stage >= PRECISELY && !k->looked)
        gt_block_look (k);
      left = 0;
      for (size_t i = 0, open; i < k->rows; i++)
        if (k->open[i])
          {
            open = finish_row (k, i, stage, &row);
            left += open;
            k->open[i] = open > 0;
          }
      if (enough == SETTLED && left * 2 <= k->lanes)
        enough = stage;
    }
  return enough;
}

static enum stage
compute_rows (struct gt_block *k, size_t first, size_t n, enum stage stage)
{
  memset (k->open, 0, k->rows);
  memset (k->open + first, 1, n);
  gt_block_multiply (k, stage >= DEEPLY);
  return finish (k, stage);
}

/* If there are many rows, the first ones determine the stage for the others.  Elements are
   computed one by one after all stages.  */
#define MANY_ROWS 8

void
gt_block_compute (struct gt_block *k)
{
  const struct gt_work *w = &k->p->w;
  size_t first = 0;
  enum stage stage = QUICKLY;

  if (k->p->few
      || (w->triangular && w->a.parts == 1 && k->end - k->begin <= GT_SHORT_TERMS))
    {
      gt_block_compute_shortly (k);
      return;
    }
  k->measured = 0;
  if (k->rows >= MANY_ROWS)
    {
      first = GT_TILE_ROWS;
      stage = compute_rows (k, 0, first, stage);
    }
  compute_rows (k, first, k->rows - first, stage == SETTLED ? QUICKLY : stage);
}
