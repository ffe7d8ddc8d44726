/* The second moments of two vectors, from exact sums, rounded once.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>

#include "kernels/cpu/finish/comoments.h"
#include "kernels/superaccumulator.h"

static uint32_t
flag_of (double x)
{
  struct gt_super_digits digits;

  return gt_super_cut_f64 (x, &digits);
}

double
gt_special_sum (uint32_t flags)
{
  return gt_super_is_nan (flags)           ? (double) NAN
         : flags == GT_SUPER_PLUS_INFINITY ? (double) INFINITY
                                           : (double) -INFINITY;
}

int
gt_special_spread (enum gt_spread what, uint32_t plain, uint32_t products,
                   uint64_t n, const double *about, double *to)
{
  const uint32_t given = about && n ? flag_of (about[0]) | flag_of (about[1]) : 0;
  const uint32_t all = plain | products | given;

  *to = about == NULL || what == GT_COVARIANCE || plain & given || all & GT_SUPER_NAN
          ? NAN : INFINITY;
  return all != 0;
}

double
gt_whole_mean (const struct gt_whole *s, int unit, uint64_t n)
{
  uint64_t room[2];
  const struct gt_whole count = gt_whole_from_product (room, n, 1);

  if (n == 0)
    return 0;
  return gt_ratio_round (&(struct gt_ratio) {s, &count, unit, 0, s->negative});
}

struct gt_whole
gt_comoments_centred (struct gt_comoments *c)
{
  const struct gt_whole product = gt_whole_product (c->room[0], &c->s, &c->t);

  gt_whole_scale (&c->p, c->n);
  return gt_whole_difference (c->room[1], &c->p, &product);
}

/* P - b S - a (T - n b), in room 1.  */
static struct gt_whole
about (const struct gt_comoments *c, double a, double b)
{
  uint64_t room[3];
  struct gt_whole mean = gt_whole_from_double (room, b, c->unit);
  struct gt_whole product = gt_whole_product (c->room[0], &mean, &c->s);
  struct gt_whole rest = gt_whole_difference (c->room[2], &c->p, &product);

  gt_whole_scale (&mean, c->n);
  product = gt_whole_difference (c->room[1], &c->t, &mean);
  mean = gt_whole_from_double (room, a, c->unit);
  product = gt_whole_product (c->room[0], &mean, &product);
  return gt_whole_difference (c->room[1], &rest, &product);
}

/* SUM over A B, or its root.  */
static double
round_over (enum gt_spread what, const struct gt_comoments *c,
            const struct gt_whole *sum, uint64_t a, uint64_t b)
{
  uint64_t room[2];
  const struct gt_whole divisor = gt_whole_from_product (room, a, b);
  const struct gt_ratio ratio = {
    sum, &divisor, 2 * c->unit, gt_spread_is_root (what),
    sum->negative
  };

  if (divisor.n == 0)
    return sum->n == 0 ? NAN : sum->negative ? -INFINITY : INFINITY;
  return gt_ratio_round (&ratio);
}

double
gt_comoments_round (enum gt_spread what, struct gt_comoments *c,
                    const double *given)
{
  struct gt_whole sum;

  if (c->n == 0)
    return 0;
  sum = given ? about (c, given[0], given[1]) : gt_comoments_centred (c);
  return round_over (what, c, &sum, given ? 1 : c->n,
                     gt_spread_divisor (what, c->n));
}

/* The root of N^2 / (A B) with the sign of N: a quotient of two whole numbers
   and its root, rounded once.  */
double
gt_comoments_correlate (uint64_t *over_room, uint64_t *under_room,
                        const struct gt_whole sum[3])
{
  struct gt_whole over, under;

  if (sum[1].n == 0 || sum[2].n == 0)
    return NAN;
  over = gt_whole_product (over_room, &sum[0], &sum[0]);
  under = gt_whole_product (under_room, &sum[1], &sum[2]);
  return gt_ratio_round (
    &(struct gt_ratio) {&over, &under, 0, 1, sum[0].negative});
}
