/* Tests of bench/judge.c with made-up times: a side that is planted to be slow is a miss.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include <math.h>

#include "bench/judge.h"

#define ROUNDS 5

static const double peer[ROUNDS] = {100e-9, 101e-9, 99e-9, 300e-9, 100e-9};

/* Compares a side that takes TIMES as long as the peer, but for one disturbed round, and DELAY
   seconds more.  */
static struct gt_comparison
compare (double times, double delay, struct gt_allowance allowance)
{
  double ours[ROUNDS];

  for (int r = 0; r < ROUNDS; r++)
    ours[r] = r == 1 ? 5e-3 : times * peer[r] + delay;
  return gt_compare (ours, peer, ROUNDS, allowance);
}

TEST (slow_sides_are_misses)
{
  const struct gt_allowance allowance = {1.05, 5e-9};
  const struct gt_comparison even = compare (1, 0, allowance);
  const struct gt_comparison within = compare (1.04, 0, allowance);
  const struct gt_comparison slow = compare (1, 8e-9, allowance);
  const struct gt_comparison slower = compare (3, 0, allowance);

  assert_false (gt_is_miss (&even) || gt_is_miss (&within));
  assert_true (gt_is_miss (&slow) && gt_is_miss (&slower));
  assert_true (gt_is_doubtful (&within) && gt_is_doubtful (&slow));
  assert_true (fabs (even.speed - 1) < 1e-9 && fabs (slower.speed - 1 / 3.) < 1e-9);
  assert_true (fabs (slower.share - 3 / 1.05) < 1e-9);
}

TEST (repeats_are_judged_by_their_median)
{
  const struct gt_comparison repeats[][GT_REPEATS]
    = {{{0.5, 2}, {1, 0.9}, {1, 0.95}}, {{0.5, 2}, {0.4, 2.5}, {1, 0.9}}};
  const struct gt_comparison once = gt_median_comparison (repeats[0], GT_REPEATS);
  const struct gt_comparison twice = gt_median_comparison (repeats[1], GT_REPEATS);

  assert_false (gt_is_miss (&once));
  assert_true (gt_is_miss (&twice) && twice.share == 2 && twice.speed == 0.5);
}

/* What D may take beside GSL where that takes SECONDS.  */
static double
allowed (const struct gt_drawn *d, double seconds)
{
  const struct gt_allowance a = gt_allowance_of (d, GT_SIDE_GSL);

  return fmax (a.ratio * seconds, seconds + a.slack);
}

TEST (allowances_depend_on_the_problem)
{
  const struct gt_listed *const mean = gt_listed_named ("stats_mean");
  struct gt_drawn d = {.kind = GT_DRAWN_LISTED, .listed = mean, .n = 1000};

  d.mode = GT_MODE_FAST;
  assert_true (fabs (allowed (&d, 1e-6) - 1.05e-6) < 1e-12);
  assert_true (fabs (allowed (&d, 10e-9) - 15e-9) < 1e-12);
  d.mode = GT_MODE_EXACT;
  assert_true (fabs (allowed (&d, 1e-6) - 2e-6) < 1e-12);
  assert_true (fabs (allowed (&d, 10e-9) - 22e-9) < 1e-12);
  d.n = 64;
  assert_true (fabs (allowed (&d, 10e-9) - 50e-9) < 1e-12);
  d.numbers = GT_CANCELLING;
  assert_true (fabs (allowed (&d, 1e-6) - 4e-6) < 1e-12);
}

TEST (lines_are_allowed_what_each_is)
{
  const struct gt_drawn d
    = {.kind = GT_DRAWN_LINES, .mode = GT_MODE_EXACT, .count = 100, .length = 8};

  assert_true (fabs (allowed (&d, 1e-6) - 5e-6) < 1e-12);
  assert_true (gt_allowance_of (&d, GT_SIDE_LOOP).slack == 20e-9);
}

TEST (distributions)
{
  double speeds[11] = {4, 1, 0.25, 2, 0.5, 1, 1, 1, 1, 1, 1};
  const struct gt_distribution of = gt_distribution_of (speeds, 11);

  assert_true (of.decile[0] == 0.25 && of.decile[1] == 0.5 && of.decile[5] == 1
               && of.decile[9] == 2 && of.decile[10] == 4);
  assert_true (fabs (of.mean - 1) < 1e-9);
  assert_true (gt_distribution_of (speeds, 0).mean == 0);
}

RUN_TESTS (NULL, NULL)
