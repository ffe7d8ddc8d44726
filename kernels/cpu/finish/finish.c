/* Exact sums, finished.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>

#include "kernels/cpu/finish/finish.h"

/* Words of a sum of elements, and of all that is as long as products of
   two.  */
#define PLAIN (GT_SUPER_WORDS / 2 + 2)
#define PRODUCT GT_COMOMENTS_ROOM (GT_SUPER_WORDS)

_Static_assert (GT_PRODUCT_WORDS / 2 + 3 <= PRODUCT, "a sum of products fits");

/* In units of 2^-1074, */
static struct gt_whole
plain_of (uint64_t *room, const struct gt_superaccumulator *acc)
{
  return gt_whole_from_super (room, acc->word, GT_SUPER_WORDS);
}

/* and in those of 2^-2148.  */
static struct gt_whole
product_of (uint64_t *room, const struct gt_product_accumulator *acc)
{
  struct gt_whole product
    = gt_whole_from_super (room, acc->word, GT_PRODUCT_WORDS);

  gt_whole_shift (&product, GT_PRODUCT_LOWEST - 2 * GT_SUPER_LOWEST);
  return product;
}

/* ----------------------------------------------------- Sums, roots and means */

static struct gt_ratio
plain_ratio (const struct gt_whole *sum, int root)
{
  return (struct gt_ratio) {
    sum, NULL, 2 * GT_SUPER_LOWEST, root, sum->negative
  };
}

static double
round_product (const struct gt_product_accumulator *acc, int root)
{
  uint64_t room[PRODUCT];
  struct gt_whole sum;
  struct gt_ratio ratio;

  if (acc->flags)
    return gt_special_sum (acc->flags);
  sum = product_of (room, acc);
  ratio = plain_ratio (&sum, root);
  return gt_ratio_round (&ratio);
}

static float
round_product_float (const struct gt_product_accumulator *acc, int root)
{
  uint64_t room[PRODUCT];
  struct gt_whole sum;
  struct gt_ratio ratio;

  if (acc->flags)
    return (float) gt_special_sum (acc->flags);
  sum = product_of (room, acc);
  ratio = plain_ratio (&sum, root);
  return gt_ratio_round_float (&ratio);
}

double
gt_finish_dot (const struct gt_product_accumulator *p)
{
  return round_product (p, 0);
}

float
gt_finish_dot_float (const struct gt_product_accumulator *p)
{
  return round_product_float (p, 0);
}

double
gt_finish_norm (const struct gt_product_accumulator *q)
{
  return round_product (q, 1);
}

float
gt_finish_norm_float (const struct gt_product_accumulator *q)
{
  return round_product_float (q, 1);
}

float
gt_finish_dot_plus_float (const struct gt_product_accumulator *p, float alpha)
{
  struct gt_product_accumulator sum = *p;
  const struct gt_product_factor a = gt_product_factor_f32 (alpha);
  const struct gt_product_factor one = gt_product_factor_f32 (1);

  gt_product_put (&sum, &a, &one);
  gt_product_noted (&sum, 1);
  return round_product_float (&sum, 0);
}

double
gt_finish_mean (const struct gt_superaccumulator *s, uint64_t n)
{
  uint64_t room[PLAIN];
  struct gt_whole sum;

  if (s->flags)
    return gt_special_sum (s->flags);
  sum = plain_of (room, s);
  return gt_whole_mean (&sum, GT_SUPER_LOWEST, n);
}

/* ----------------------------------------------------------- Second moments */

struct rooms
{
  uint64_t plain[2][PLAIN], product[PRODUCT], between[3][PRODUCT];
};

/* Reads the sums; T may be S, which is read once then.  */
static struct gt_comoments
comoments_of (struct rooms *rooms, const struct gt_superaccumulator *s,
              const struct gt_superaccumulator *t,
              const struct gt_product_accumulator *p, uint64_t n)
{
  const struct gt_whole x = plain_of (rooms->plain[0], s);

  return (struct gt_comoments) {
    .s = x,
    .t = s == t ? x : plain_of (rooms->plain[1], t),
    .p = product_of (rooms->product, p),
    .n = n,
    .unit = GT_SUPER_LOWEST,
    .room = {rooms->between[0], rooms->between[1], rooms->between[2]}
  };
}

double
gt_finish_spread (enum gt_spread what, const struct gt_superaccumulator *s,
                  const struct gt_superaccumulator *t,
                  const struct gt_product_accumulator *p, uint64_t n,
                  const double *about)
{
  struct rooms rooms;
  struct gt_comoments sums;
  double special;

  if (gt_special_spread (what, s->flags, p->flags, n, about, &special))
    return special;
  sums = comoments_of (&rooms, s, t, p, n);
  return gt_comoments_round (what, &sums, about);
}

/* ------------------------------------------------------------- Correlation */

/* The three sums of gt_comoments_correlate, in words of their own.  */
struct centred
{
  uint64_t room[3][PRODUCT];
  struct gt_whole sum[3];
};

static void
centre (struct centred *centred, int k, struct gt_comoments *sums)
{
  sums->room[1] = centred->room[k];
  centred->sum[k] = gt_comoments_centred (sums);
}

static double
correlate (const struct centred *centred)
{
  uint64_t room[2][2 * PRODUCT];

  return gt_comoments_correlate (room[0], room[1], centred->sum);
}

double
gt_finish_correlation (const struct gt_superaccumulator *s,
                       const struct gt_superaccumulator *t,
                       const struct gt_product_accumulator *q,
                       const struct gt_product_accumulator *r,
                       const struct gt_product_accumulator *p, uint64_t n)
{
  const struct gt_superaccumulator *plain[3][2] = {{s, t}, {s, s}, {t, t}};
  const struct gt_product_accumulator *product[3] = {p, q, r};
  struct centred centred;

  if (q->flags | r->flags)
    return NAN;
  for (int k = 0; k < 3; k++)
    {
      struct rooms rooms;
      struct gt_comoments sums
        = comoments_of (&rooms, plain[k][0], plain[k][1], product[k], n);

      centre (&centred, k, &sums);
    }
  return correlate (&centred);
}

/* ---------------------------------------------------------------- Integers

   As above, in units of 1; of 2^-1074 where a number that is given takes part.  */

static struct gt_comoments
integers_of (struct rooms *rooms, const uint64_t *s, const uint64_t *t,
             const uint64_t *p, uint64_t n, int unit)
{
  struct gt_comoments sums = {
    .s = gt_whole_from_words (rooms->plain[0], s, 2),
    .t = gt_whole_from_words (rooms->plain[1], t, 2),
    .p = gt_whole_from_words (rooms->product, p, 3),
    .n = n,
    .unit = unit,
    .room = {rooms->between[0], rooms->between[1], rooms->between[2]}
  };

  gt_whole_shift (&sums.s, -unit);
  gt_whole_shift (&sums.t, -unit);
  gt_whole_shift (&sums.p, -2 * unit);
  return sums;
}

double
gt_finish_integer_mean (const struct gt_integer_sums *sums, uint64_t n)
{
  uint64_t room[2];
  const struct gt_whole sum = gt_whole_from_words (room, sums->plain[0], 2);

  return gt_whole_mean (&sum, 0, n);
}

double
gt_finish_integer_spread (enum gt_spread what,
                          const struct gt_integer_sums *sums, uint64_t n,
                          const double *about)
{
  struct rooms rooms;
  struct gt_comoments all
    = integers_of (&rooms, sums->plain[0], sums->plain[what == GT_COVARIANCE],
                   sums->product, n, about ? GT_SUPER_LOWEST : 0);
  double special;

  return gt_special_spread (what, 0, 0, n, about, &special)
           ? special : gt_comoments_round (what, &all, about);
}

double
gt_finish_integer_correlation (const struct gt_integer_sums *x,
                               const struct gt_integer_sums *y,
                               const struct gt_integer_sums *xy, uint64_t n)
{
  const struct gt_integer_sums *of[3] = {xy, x, y};
  struct centred centred;

  for (int k = 0; k < 3; k++)
    {
      struct rooms rooms;
      struct gt_comoments sums = integers_of (&rooms, of[k]->plain[0],
                                              of[k]->plain[k == 0],
                                              of[k]->product, n, 0);

      centre (&centred, k, &sums);
    }
  return correlate (&centred);
}

double
gt_finish_value (enum gt_spread what, const union gt_value *value, int integers,
                 uint64_t n, const double *about)
{
  const struct gt_superaccumulator *plain = value->exact.plain;

  return integers ? gt_finish_integer_spread (what, &value->integers, n, about)
                  : gt_finish_spread (what, &plain[0], &plain[what == GT_COVARIANCE],
                                      &value->exact.product, n, about);
}
