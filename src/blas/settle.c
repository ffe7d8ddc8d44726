/* Computes elements one by one, by whole numbers, which is slow but correct for all
   numbers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels/catalog.h"
#include "kernels/cpu/finish/finish.h"
#include "kernels/whole.h"
#include "kernels/cpu/isa/room.h"
#include "src/blas/work.h"

/* The number of products from which on the engine of exact sums is faster than adding one
   after the other, unless factors are subnormal.  */
#define ENGINE_FROM 100

/* A numerator is a whole number in units of 2^UNIT.  It consists of products of three doubles,
   two of them in units of an accumulator of products.  */
#define UNIT (GT_PRODUCT_LOWEST + GT_SUPER_LOWEST)

/* Words of a numerator, from 2^UNIT to beyond 2^(3 * 1024 + 64), times a double.  */
#define WORDS ((3 * 1024 + 64 - UNIT + 63) / 64 + 8)

enum { NUMERATOR, OTHER, LEFT, RIGHT, DIVISOR, TERM = DIVISOR + 3, SCALED, SUM, N_ROOMS };

struct room
{
  double x[GT_TILE_TERMS], y[GT_TILE_TERMS];
  struct gt_product_accumulator products;
  union gt_value value;
  uint64_t words[N_ROOMS][WORDS];
};

/* ----------------------------------------------------------------- Products */

/* Removes the pairs whose product is zero.  It has no branches, since they could not be
   predicted.  */
static size_t
drop_zeros (double *x, double *y, size_t n)
{
  size_t kept = 0;

  for (size_t i = 0; i < n; i++)
    {
      const double p = x[i], q = y[i], special = (p - p) + (q - q);

      x[kept] = p;
      y[kept] = q;
      kept += (unsigned) ((p != 0) & (q != 0)) | (unsigned) (special != 0);
    }
  return kept;
}

static int
has_subnormal (const double *x, size_t n)
{
  int found = 0;

  for (size_t i = 0; i < n; i++)
    found |= fabs (x[i]) < DBL_MIN;
  return found;
}

static void
add_products (struct room *room, size_t n)
{
  struct gt_task task
    = gt_task_of_pair (GT_DOT, GT_F64, GT_MODE_EXACT, (struct gt_operand) {room->x, 1},
                       (struct gt_operand) {room->y, 1}, n);

  if (n >= ENGINE_FROM && !has_subnormal (room->x, n) && !has_subnormal (room->y, n))
    {
      gt_kernel_function (&gt_catalog[GT_AT_exact], &task.problem, 1) (&task, &room->value);
      gt_product_merge (&room->products, &room->value.exact.product);
      return;
    }
  for (size_t i = 0; i < n; i++)
    gt_product_put_f64 (&room->products, room->x[i], room->y[i]);
  gt_super_note (room->products.word, GT_PRODUCT_WORDS, &room->products.count, (uint32_t) n);
}

/* Makes both factors of term AT zeros, if it is one of the N terms from FIRST on.  */
static void
leave_out (double *x, double *y, size_t at, size_t first, size_t n)
{
  if (at >= first && at - first < n)
    x[at - first] = y[at - first] = 0;
}

/* Stores N terms of ROW from FIRST on in X, and those of LANE for a SUM in Y.  */
static void
load_terms (const struct gt_work *w, size_t row, size_t lane, unsigned sum, size_t first,
            size_t n, double *x, double *y)
{
  const enum gt_form form = gt_side_form (&w->b, lane, sum);
  const size_t line = lane / w->b.parts;

  gt_side_load (&w->a, row, GT_AS_IT_IS, first, n, x, 1);
  gt_side_load (&w->b, line, form, first, n, y, 1);
  for (unsigned half = 0; half < 2; half++)
    {
      leave_out (x, y, gt_side_left_out (&w->a, half, row, GT_AS_IT_IS), first, n);
      leave_out (x, y, gt_side_left_out (&w->b, half, line, form), first, n);
    }
}

/* Computes the sum of a row's terms times those of a lane.  */
static void
sum_products (struct room *room, const struct gt_work *w, size_t row, size_t lane,
              unsigned sum, size_t begin, size_t end)
{
  memset (&room->products, 0, sizeof room->products);
  for (size_t i = begin, n; i < end; i += n)
    {
      n = end - i < GT_TILE_TERMS ? end - i : GT_TILE_TERMS;
      load_terms (w, row, lane, sum, i, n, room->x, room->y);
      add_products (room, drop_zeros (room->x, room->y, n));
    }
}

/* --------------------------------------------------------------- Numerators */

struct numerator
{
  struct gt_whole whole;
  double special; /* the sum of the addends that are not finite, if there are any */
  int is_special;
};

/* Adds C X.  X is in units of 2^GT_SUPER_LOWEST less than UNIT; the numerator is in room
   AT.  */
static void
add_scaled (struct room *room, struct numerator *n, unsigned at, double c,
            const struct gt_whole *x)
{
  uint64_t factor[2];
  const struct gt_whole whole = gt_whole_from_double (factor, c, GT_SUPER_LOWEST);
  struct gt_whole product = gt_whole_product (room->words[SCALED], &whole, x);

  product.negative ^= 1;
  n->whole = gt_whole_difference (room->words[SUM], &n->whole, &product);
  memcpy (room->words[at], n->whole.word, (size_t) n->whole.n * sizeof *n->whole.word);
  n->whole.word = room->words[at];
}

static void
add_special (struct numerator *n, double x)
{
  n->special += x;
  n->is_special = 1;
}

static void
add_sum (struct room *room, struct numerator *n, unsigned at, double c)
{
  const uint32_t flags = room->products.flags;
  const struct gt_whole sum
    = gt_whole_from_super (room->words[TERM], room->products.word, GT_PRODUCT_WORDS);

  if (flags)
    add_special (n, c * gt_special_sum (flags));
  else if (!isfinite (c))
    add_special (n, sum.n == 0 ? c * 0 : sum.negative ? -c : c);
  else
    add_scaled (room, n, at, c, &sum);
}

static void
add_old (struct room *room, struct numerator *n, unsigned at, double c, double old)
{
  struct gt_whole whole;

  if (!isfinite (c) || !isfinite (old))
    add_special (n, c * old);
  else
    {
      whole = gt_whole_from_double (room->words[TERM], old, GT_PRODUCT_LOWEST);
      add_scaled (room, n, at, c, &whole);
    }
}

static struct numerator
numerator_of (struct room *room, const struct gt_work *w, size_t row, size_t lane,
              size_t begin, size_t end, unsigned at)
{
  struct numerator n = {{room->words[at], 0, 0, 0}, 0, 0};
  double old;

  for (unsigned t = 0; t < w->sums; t++)
    {
      sum_products (room, w, row, lane, t, begin, end);
      add_sum (room, &n, at, w->coefficient[t]);
    }
  for (unsigned t = 0; t < w->olds; t++)
    {
      gt_work_olds (w, row, lane, 1, t, &old);
      add_old (room, &n, at, w->factor[t], old);
    }
  return n;
}

/* ----------------------------------------------------------------- Rounding */

/* Rounds OVER / UNDER 2^EXPONENT; UNDER may be null.  */
static double
round_ratio (const struct gt_work *w, const struct gt_whole *over,
             const struct gt_whole *under, int exponent)
{
  const struct gt_ratio ratio
    = {over, under, exponent, 0, over->negative ^ (under ? under->negative : 0)};

  return w->a.single ? (double) gt_ratio_round_float (&ratio) : gt_ratio_round (&ratio);
}

static double
rounded (const struct gt_work *w, const struct numerator *n)
{
  return n->is_special ? n->special : round_ratio (w, &n->whole, NULL, UNIT);
}

static double
over_real (const struct gt_work *w, struct room *room, const struct numerator *n,
           double divisor)
{
  struct gt_whole under;

  if (n->is_special || divisor == 0 || !isfinite (divisor))
    return rounded (w, n) / divisor;
  under = gt_whole_from_double (room->words[DIVISOR], divisor, GT_SUPER_LOWEST);
  return round_ratio (w, &n->whole, &under, UNIT - GT_SUPER_LOWEST);
}

/* Returns the real or the imaginary part of (RE + IM i) / (d[0] + d[1] i), which is a part of
   (RE + IM i) (d[0] - d[1] i) divided by d[0]^2 + d[1]^2.  */
static double
over_complex (const struct gt_work *w, struct room *room, const struct numerator *re,
              const struct numerator *im, const double d[2], int imaginary)
{
  const struct numerator *first = imaginary ? im : re, *second = imaginary ? re : im;
  const double sign = imaginary ? -1 : 1;
  struct gt_whole part[2], left, right, over, under;

  if (re->is_special || im->is_special || !isfinite (d[0]) || !isfinite (d[1])
      || (d[0] == 0 && d[1] == 0))
    return (rounded (w, first) * d[0] + sign * rounded (w, second) * d[1])
           / (d[0] * d[0] + d[1] * d[1]);
  for (unsigned k = 0; k < 2; k++)
    part[k] = gt_whole_from_double (room->words[DIVISOR + k], d[k], GT_SUPER_LOWEST);
  left = gt_whole_product (room->words[LEFT], &first->whole, &part[0]);
  right = gt_whole_product (room->words[RIGHT], &second->whole, &part[1]);
  right.negative ^= !imaginary;
  over = gt_whole_difference (room->words[SUM], &left, &right);
  left = gt_whole_product (room->words[LEFT], &part[0], &part[0]);
  right = gt_whole_product (room->words[RIGHT], &part[1], &part[1]);
  right.negative = 1;
  under = gt_whole_difference (room->words[DIVISOR + 2], &left, &right);
  return round_ratio (w, &over, &under, UNIT - GT_SUPER_LOWEST);
}

/* -------------------------------------------------------------------- Elements */

/* Returns the terms of an element, [*BEGIN, *END): those outside a triangle must not meet
   infinities, and those of a solution are the unknowns solved before.  */
static void
find_terms (const struct gt_work *w, size_t row, size_t lane, size_t *begin, size_t *end)
{
  const unsigned parts = w->a.parts;

  *begin = 0;
  *end = w->sums ? w->terms : 0;
  if (w->triangular && w->triangular->triangle == GT_UPPER)
    *begin = (row + 1) * parts;
  else if (w->triangular)
    *end = row * parts;
  gt_side_narrow (&w->a, row, 1, begin, end);
  gt_side_narrow (&w->b, lane / parts, 1, begin, end);
}

double
gt_settle_element (const struct gt_work *w, size_t row, size_t lane)
{
  const struct gt_matrix *triangular = w->triangular;
  void *heap;
  struct room *room = GT_ROOM (heap, sizeof *room);
  struct numerator n, other;
  double d[2], result;
  size_t begin, end;

  find_terms (w, row, lane, &begin, &end);
  n = numerator_of (room, w, row, lane, begin, end, NUMERATOR);
  if (triangular == NULL || triangular->unit)
    result = rounded (w, &n);
  else
    {
      gt_side_load (&w->a, row, GT_AS_IT_IS, row * w->a.parts, w->a.parts, d, 1);
      if (w->a.parts == 1)
        result = over_real (w, room, &n, d[0]);
      else
        {
          other = numerator_of (room, w, row, lane ^ 1, begin, end, OTHER);
          result = lane % 2 ? over_complex (w, room, &other, &n, d, 1)
                            : over_complex (w, room, &n, &other, d, 0);
        }
    }
  free (heap);
  return result;
}

/* The parts of an element depend on each other's old values, so none is stored before both are
   computed.  */
void
gt_settle_row (const struct gt_work *w, size_t row)
{
  const unsigned parts = w->a.parts;
  size_t lane, after;
  double x[2];

  for (gt_work_lanes (w, row, &lane, &after); lane < after; lane += parts)
    {
      for (unsigned part = 0; part < parts; part++)
        x[part] = w->hermitian && part == 1 && lane == row * 2
                    ? 0 : gt_settle_element (w, row, lane + part);
      gt_work_store (w, row, lane, parts, x);
    }
}

void
gt_settle_all (const struct gt_work *w, int descends)
{
  for (size_t i = 0; i < w->rows; i++)
    gt_settle_row (w, descends ? w->rows - 1 - i : i);
}
