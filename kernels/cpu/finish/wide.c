/* Statistics of long doubles in exact mode.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>

#include "kernels/cpu/wide/products.h"
#include "kernels/cpu/isa/room.h"
#include "kernels/cpu/finish/wide.h"

/* Elements that are read for all of their sums before the next are.  */
#define CHUNK 512

#define PRODUCT GT_COMOMENTS_ROOM (GT_WIDE_WORDS)

/* Sums, which become whole numbers in their own place: these have half as many
   words, and word i is made of words 2 i and 2 i + 1.  So the words of products
   have room for two of that length; and they are followed by some for what
   whole numbers have more.  */
struct sums
{
  struct gt_wide_superaccumulator s, t;
  union
  {
    struct gt_wide_products products;
    uint64_t room[2][PRODUCT];
  } p;
};

_Static_assert (2 * PRODUCT >= GT_WIDE_PRODUCT_WORDS, "two rooms in one");

/* Where element I of X is.  */
static const long double *
at (struct gt_operand x, uint64_t i)
{
  return (const long double *) x.data + i * x.stride;
}

static int
are_same (struct gt_operand x, struct gt_operand y)
{
  return x.data == y.data && x.stride == y.stride;
}

/* Adds up N elements, those of T only if they are not those of S; returns what
   flags came of the products, whose factors' they tell too.  */
static uint32_t
add_up (struct sums *sums, struct gt_operand x, struct gt_operand y, uint64_t n)
{
  const int same = are_same (x, y);

  memset (sums, 0, sizeof *sums);
  for (uint64_t i = 0, k; i < n; i += k)
    {
      k = n - i < CHUNK ? n - i : CHUNK;
      gt_wide_add_array (&sums->s, at (x, i), k, x.stride);
      if (!same)
        gt_wide_add_array (&sums->t, at (y, i), k, y.stride);
      gt_wide_products_add_array (&sums->p.products, at (x, i), x.stride,
                                  at (y, i), y.stride, k);
    }
  return sums->p.products.flags;
}

static struct gt_whole
plain_of (struct gt_wide_superaccumulator *acc)
{
  return gt_whole_from_super ((uint64_t *) acc->word, acc->word,
                              GT_WIDE_WORDS);
}

/* SUMS as whole numbers, with two rooms for what lies between.  */
static struct gt_comoments
comoments_of (struct sums *sums, int same, uint64_t n, uint64_t *room_1,
              uint64_t *room_2)
{
  struct gt_comoments c = {
    .s = plain_of (&sums->s),
    .n = n,
    .unit = GT_WIDE_LOWEST,
    .room = {sums->p.room[1], room_1, room_2}
  };

  c.t = same ? c.s : plain_of (&sums->t);
  c.p = gt_whole_from_super (sums->p.room[0], sums->p.products.word,
                             GT_WIDE_PRODUCT_WORDS);
  gt_whole_shift (&c.p, GT_WIDE_PRODUCT_LOWEST - 2 * GT_WIDE_LOWEST);
  return c;
}

double
gt_wide_finish_mean (struct gt_wide_superaccumulator *s, uint64_t n)
{
  struct gt_whole sum;

  if (s->flags)
    return gt_special_sum (s->flags);
  sum = plain_of (s);
  return gt_whole_mean (&sum, GT_WIDE_LOWEST, n);
}

double
gt_wide_mean (struct gt_operand x, uint64_t n)
{
  void *heap;
  struct gt_wide_superaccumulator *acc = GT_ROOM (heap, sizeof *acc);
  double mean;

  memset (acc, 0, sizeof *acc);
  gt_wide_add_array (acc, x.data, n, x.stride);
  mean = gt_wide_finish_mean (acc, n);
  free (heap);
  return mean;
}

double
gt_wide_finish_norm (struct gt_wide_products *q)
{
  struct gt_whole sum;

  if (q->flags)
    return gt_special_sum (q->flags);
  sum = gt_whole_from_super ((uint64_t *) q->word, q->word,
                             GT_WIDE_PRODUCT_WORDS);
  return gt_ratio_round (&(struct gt_ratio) {
    &sum, NULL, GT_WIDE_PRODUCT_LOWEST, 1, sum.negative
  });
}

/* ----------------------------------------------------------- Second moments */

/* Sums, and room for what lies between.  */
struct work
{
  struct sums sums;
  uint64_t room[2][PRODUCT];
};

double
gt_wide_finish_spread (enum gt_spread what,
                       const struct gt_wide_superaccumulator *s,
                       const struct gt_wide_products *q, uint64_t n)
{
  void *heap;
  struct work *work;
  struct gt_comoments c;
  double result;

  if (s->flags | q->flags)
    return NAN;
  work = GT_ROOM (heap, sizeof *work);
  work->sums.s = *s;
  work->sums.p.products = *q;
  c = comoments_of (&work->sums, 1, n, work->room[0], NULL);
  result = gt_comoments_round (what, &c, NULL);
  free (heap);
  return result;
}

double
gt_wide_spread (enum gt_spread what, struct gt_operand x, struct gt_operand y,
                uint64_t n, const double *about)
{
  void *heap;
  struct work *work = GT_ROOM (heap, sizeof *work);
  struct sums *sums = &work->sums;
  struct gt_comoments c;
  double result;

  add_up (sums, x, y, n);
  if (!gt_special_spread (what, sums->s.flags, sums->p.products.flags, n, about,
                          &result))
    {
      c = comoments_of (sums, are_same (x, y), n, work->room[0], work->room[1]);
      result = gt_comoments_round (what, &c, about);
    }
  free (heap);
  return result;
}

/* Three sums by turns, and what is made of each.  */
struct correlation
{
  union
  {
    struct sums sums;
    uint64_t room[2][2 * PRODUCT];
  } by_turns;
  uint64_t room[3][PRODUCT];
};

static double
correlation_of (struct correlation *all, struct gt_operand x,
                struct gt_operand y, uint64_t n)
{
  const struct gt_operand pairs[3][2] = {{x, y}, {x, x}, {y, y}};
  struct gt_whole sum[3];

  for (int k = 0; k < 3; k++)
    {
      struct gt_comoments c;

      if (add_up (&all->by_turns.sums, pairs[k][0], pairs[k][1], n))
        return NAN;
      c = comoments_of (&all->by_turns.sums,
                        are_same (pairs[k][0], pairs[k][1]), n, all->room[k],
                        NULL);
      sum[k] = gt_comoments_centred (&c);
    }
  return gt_comoments_correlate (all->by_turns.room[0], all->by_turns.room[1],
                                 sum);
}

double
gt_wide_correlation (struct gt_operand x, struct gt_operand y, uint64_t n)
{
  void *heap;
  struct correlation *all = GT_ROOM (heap, sizeof *all);
  const double result = correlation_of (all, x, y, n);

  free (heap);
  return result;
}
