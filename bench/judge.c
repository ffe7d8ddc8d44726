/* Judges the times of a drawn problem.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "bench/judge.h"

#include <math.h>

#include "tuning/measure/clock.h"

#define SHORT 64
#define DOUBTFUL 0.85 /* of the time allowed */

/* The elements that one answer is computed from.  */
static double
elements_of (const struct gt_drawn *d)
{
  switch (d->kind)
    {
    case GT_DRAWN_LINES:
      return (double) d->length;
    case GT_DRAWN_PRODUCT:
      return gt_procedure_work (d->id, &d->call);
    case GT_DRAWN_LISTED:
      return d->listed->family == GT_OF_MATRIX ? (double) d->count * (double) d->length
                                               : (double) d->n;
    default:
      return (double) d->n;
    }
}

/* Modes that promise more may take longer, and those of ill-conditioned data longer still.
   Each line of many is allowed what one vector is.  */
static struct gt_allowance
beside_gsl (const struct gt_drawn *d)
{
  const int is_ill = d->numbers == GT_CANCELLING || d->numbers == GT_EXPONENTS;
  const double lines = d->kind == GT_DRAWN_LINES ? (double) d->count : 1;

  if (gt_drawn_is_fast (d))
    return (struct gt_allowance) {1.05, 5e-9};
  return (struct gt_allowance) {is_ill ? 4 : 2,
                                (elements_of (d) <= SHORT ? 40e-9 : 12e-9) * lines};
}

struct gt_allowance
gt_allowance_of (const struct gt_drawn *d, enum gt_side peer)
{
  switch (peer)
    {
    case GT_SIDE_GSL:
      return beside_gsl (d);
    case GT_SIDE_EXACT:
      return (struct gt_allowance) {1.05, 3e-9};
    case GT_SIDE_LIBRARY:
    case GT_SIDE_CORE:
      return (struct gt_allowance) {1 / 0.7, 20e-9};
    case GT_SIDE_CPU:
    case GT_SIDE_GPU:
      return (struct gt_allowance) {1.05, 500e-9};
    default:
      return (struct gt_allowance) {1.05, 20e-9};
    }
}

struct gt_comparison
gt_compare (const double *ours, const double *peer, unsigned rounds,
            struct gt_allowance allowance)
{
  double speed[GT_MOST_ROUNDS], share[GT_MOST_ROUNDS];

  for (unsigned r = 0; r < rounds; r++)
    {
      speed[r] = peer[r] / ours[r];
      share[r] = ours[r] / fmax (peer[r] * allowance.ratio, peer[r] + allowance.slack);
    }
  return (struct gt_comparison) {gt_median (speed, rounds),
                                 gt_median (share, rounds)};
}

struct gt_comparison
gt_median_comparison (const struct gt_comparison *of, unsigned count)
{
  double speed[GT_REPEATS], share[GT_REPEATS];

  for (unsigned k = 0; k < count; k++)
    {
      speed[k] = of[k].speed;
      share[k] = of[k].share;
    }
  return (struct gt_comparison) {gt_median (speed, count),
                                 gt_median (share, count)};
}

int
gt_is_doubtful (const struct gt_comparison *c)
{
  return c->share > DOUBTFUL;
}

int
gt_is_miss (const struct gt_comparison *c)
{
  return c->share > 1;
}

struct gt_distribution
gt_distribution_of (double *speeds, unsigned count)
{
  struct gt_distribution of = {.mean = 0};

  if (count == 0)
    return of;
  gt_median (speeds, count); /* sorts */
  for (unsigned k = 0; k < count; k++)
    of.mean += log (speeds[k]) / count;
  of.mean = exp (of.mean);
  for (unsigned k = 0; k < GT_DECILES; k++)
    of.decile[k] = speeds[(count - 1) * k / (GT_DECILES - 1)];
  return of;
}
