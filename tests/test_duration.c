/* Tests of tuning/search/duration.c: how long a run will take follows from what will be
   measured.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <string.h>

#include "tests/unit.h"

#include "tuning/search/duration.h"
#include "tuning/search/problems.h"

static struct gt_target host;
static struct gt_pace pace;

/* A pace of EFFORT at which every sum takes SECONDS, and PER_BYTE more a byte.  */
static void
set_pace (enum gt_effort effort, double seconds, double per_byte)
{
  pace = (struct gt_pace) {.target = &host, .effort = effort};
  for (int i = 0; i < GT_N_PROBLEM_KINDS; i++)
    pace.kind[i] = (struct gt_pace_kind) {1, 0, seconds, per_byte, 1};
}

static double
seconds_of (enum gt_effort effort, double per_byte, uint64_t n)
{
  const struct gt_problem problem
    = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, n};

  set_pace (effort, 1e-6, per_byte);
  return gt_pace_sweeps (&pace, &problem, 1);
}

TEST (more_takes_longer)
{
  const double quick = seconds_of (GT_EFFORT_QUICK, 0, 1000);
  const double normal = seconds_of (GT_EFFORT_NORMAL, 0, 1000);
  const double thorough = seconds_of (GT_EFFORT_THOROUGH, 0, 1000);
  const double all = seconds_of (GT_EFFORT_EXHAUSTIVE, 0, 1000);

  assert_true (0 < quick && quick < normal && normal < thorough && thorough < all);
  /* Timings last what they should, whatever a sum takes of it; then, as long as a
     sum.  */
  assert_true (seconds_of (GT_EFFORT_NORMAL, 1e-12, 1000) < 1.01 * normal);
  assert_true (seconds_of (GT_EFFORT_NORMAL, 1e-9, 1 << 24) > 10 * normal);
  assert_true (seconds_of (GT_EFFORT_NORMAL, 1e-9, 1 << 26)
               > 3.5 * seconds_of (GT_EFFORT_NORMAL, 1e-9, 1 << 24));
}

/* Sums of over a millisecond race fewer rounds, as many as race.c has them.  */
TEST (slow_sums_race_less)
{
  const double quick = seconds_of (GT_EFFORT_NORMAL, 0.9e-3 / 8000, 1000);
  const double slow = seconds_of (GT_EFFORT_NORMAL, 1.1e-3 / 8000, 1000);

  assert_true (slow < 0.85 * quick);
}

/* Two problems take what each of them takes.  What is verified once, and data that is
   loaded once, count once.  */
TEST (all_of_a_list)
{
  const struct gt_problem list[]
    = {{GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1000},
       {GT_SUM, GT_F64, GT_MODE_FAST, GT_STRIDED, 1000},
       {GT_SUM, GT_F64, GT_MODE_COMPENSATED, GT_CONTIGUOUS, 1000}};
  double first, second;

  set_pace (GT_EFFORT_NORMAL, 1e-6, 0);
  assert_true (gt_pace_sweeps (&pace, list, 0) == 0);
  first = gt_pace_sweeps (&pace, list, 1);
  second = gt_pace_sweeps (&pace, list + 1, 1);
  assert_true (gt_pace_sweeps (&pace, list, 2) > 0.999 * (first + second));
  set_pace (GT_EFFORT_NORMAL, 1e-6, 0);
  pace.awkward = 100;
  first = gt_pace_sweeps (&pace, list, 1);
  assert_true (first >= 100);
  assert_true (gt_pace_sweeps (&pace, list, 1) < 100);
  set_pace (GT_EFFORT_NORMAL, 1e-6, 0);
  pace.loading = 1;
  assert_true (gt_pace_sweeps (&pace, list, 1) >= 8000);
  second = (double) gt_problem_span (&list[1]);
  first = gt_pace_sweeps (&pace, list, 3);
  assert_true (second > 15000 && second <= first && first < second + 100);
}

TEST (crossings)
{
  const struct gt_problem list[]
    = {{GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1000},
       {GT_SUM, GT_F32, GT_MODE_FAST, GT_CONTIGUOUS, 1000}};
  double one, two;

  set_pace (GT_EFFORT_NORMAL, 1e-6, 1e-10);
  assert_true (gt_pace_crossings (&pace, list, 0) == 0);
  one = gt_pace_crossings (&pace, list, 1);
  two = gt_pace_crossings (&pace, list, 2);
  assert_true (0 < one && one < two && two < 2 * one);
}

static int
never (void)
{
  return 0;
}

static int
at_once (void)
{
  return 1;
}

/* Measured problems are of all kinds of the list, and of no other.  */
TEST (the_host_is_measured)
{
  const struct gt_problem list[]
    = {{GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 100},
       {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 5000},
       {GT_MAX, GT_I32, GT_MODE_FAST, GT_STRIDED, 100}};
  unsigned known = 0;

  pace = (struct gt_pace) {.target = &host, .effort = GT_EFFORT_NORMAL};
  assert_int_equal (gt_pace_measure (&pace, list, N_OF (list), never), 0);
  for (int i = 0; i < GT_N_PROBLEM_KINDS; i++)
    known += pace.kind[i].known && pace.kind[i].fixed > 0
             && pace.kind[i].best > 0 && pace.kind[i].best <= 1;
  assert_int_equal (known, 2);
  assert_true (pace.loading > 0 && pace.awkward > 0);
  assert_true (gt_pace_sweeps (&pace, list, N_OF (list)) > 0);
  pace = (struct gt_pace) {.target = &host, .effort = GT_EFFORT_NORMAL};
  assert_int_equal (gt_pace_measure (&pace, list, N_OF (list), at_once), -1);
}

FIXTURE (set_up)
{
  gt_target_host (&host);
  return 0;
}

FIXTURE (tear_down)
{
  gt_target_close (&host);
  return 0;
}

RUN_TESTS (set_up, tear_down)
