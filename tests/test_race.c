/* Tests of tuning/search/race.c and of how a sweep uses it, on a device whose times are what a test
   says.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "tests/sweep_scene.h"

#define ROUNDS gt_effort_levels[GT_EFFORT_NORMAL].rounds

TEST (default_stays_when_alike)
{
  struct scene *scene = OPEN (2, 10.0, 30, 10.08);

  expect_winner (scene, 2); /* within 1%: alike, however quiet */
  scene->seconds[2] = 10.2e-6;
  expect_winner (scene, 0);
  scene->wobble = 0.1; /* which drifts alike for all, and so hides nothing */
  expect_winner (scene, 0);
  assert_true (scene->entry.measured.spread > 0.04 && scene->entry.measured.spread < 0.11);
  scene_close (scene);
}

/* Noise of some percent hides neither that two are alike nor that they are not.  */
TEST (noise_decides_nothing)
{
  unsigned kept = 0;

  for (unsigned run = 0; run < 100; run++)
    {
      struct scene *scene = OPEN (1, 10, 10, 10.7);

      scene->jitter = 0.01;
      scene->random = 977 * run + 1;
      assert_int_equal (scene_run (scene), GT_SWEEP_DONE);
      kept += scene->entry.config.blocks_per_sm == 1 + 1;
      scene->seconds[1] = 10.5e-6;
      expect_winner (scene, 0);
      scene_close (scene);
    }
  assert_true (kept >= 95);
}

/* Who is far behind leaves after two rounds, and who cannot win after half of them; the default
   stays unless it is far behind.  */
TEST (who_cannot_win_leaves)
{
  struct scene *scene = OPEN (0, 12, 10, 10.2, 14.9);

  expect_winner (scene, 1);
  assert_int_equal (scene->timed[0], 2 + ROUNDS);
  assert_int_equal (scene->timed[1], 2 + ROUNDS);
  assert_int_equal (scene->timed[2], 2 + ROUNDS);
  assert_int_equal (scene->timed[3], 1 + (ROUNDS + 1) / 2);
  scene->seconds[0] = 20e-6;
  expect_winner (scene, 1);
  assert_int_equal (scene->timed[0], 2 + 2);
  scene_close (scene);
}

/* The default is in the race, however slow it is.  */
TEST (default_is_paired)
{
  struct scene *scene = OPEN (7, 10, 11, 12, 13, 14, 15, 16, 500);

  expect_winner (scene, 0);
  assert_int_equal (scene->timed[7], 1 + 2);
  assert_int_equal (scene->timed[6], 1);
  expect_close (scene->entry.measured.default_seconds, 500e-6);
  scene_close (scene);
}

/* What has won at the length before stays unless another is better by enough.  */
TEST (winner_stays)
{
  struct scene *scene = OPEN (0, 10.02, 10.0, 10.05);

  scene->sweep.before = scene->candidate[2].kernel;
  scene->sweep.before_config = scene->candidate[2].config;
  expect_winner (scene, 2);
  scene->seconds[2] = 10.2e-6;
  expect_winner (scene, 0);
  scene->sweep.before = NULL;
  scene->seconds[2] = 10.05e-6;
  expect_winner (scene, 0);
  scene_close (scene);
}

TEST (simplest_of_a_tie_wins)
{
  struct scene *scene = OPEN (3, 10.04, 10.02, 10.0, 50);

  expect_winner (scene, 0);
  scene->candidate[0].grid = 999; /* no longer the simplest */
  expect_winner (scene, 1);
  scene->candidate[1].config.unroll = 2;
  scene->candidate[1].grid = scene->candidate[2].grid;
  expect_winner (scene, 2);
  scene_close (scene);
}

/* Two runs, disturbed differently, agree: three candidates are alike, one of
   them is the simplest, and what is slower by 5% never wins.  */
TEST (two_runs_agree)
{
  for (unsigned run = 0; run < 50; run++)
    {
      struct scene *scene = OPEN (4, 10.5, 10.0, 10.03, 10.01, 30);

      scene->jitter = 0.003;
      scene->random = 977 * run + 1;
      expect_winner (scene, 1);
      scene_close (scene);
    }
}

/* Timings that something on the machine made ten times as long.  */
TEST (disturbances_are_left_out)
{
  struct scene *scene = OPEN (2, 10, 11, 40);

  for (unsigned every = 3; every < 7; every++)
    {
      scene->noise_every = every;
      scene->sweep.timings = scene->sweep.disturbed = 0;
      expect_winner (scene, 0);
      expect_close (scene->entry.measured.seconds, 10e-6);
      assert_true (scene->entry.measured.spread < 0.1);
      assert_true (scene->sweep.disturbed > 0);
      assert_true (scene->sweep.disturbed <= scene->sweep.timings / 2);
    }
  scene->noise_every = 0;
  scene->sweep.timings = scene->sweep.disturbed = 0;
  expect_winner (scene, 0);
  assert_int_equal (scene->sweep.disturbed, 0);
  assert_int_equal (scene->sweep.timings, ROUNDS + (ROUNDS + 1) / 2 + 2);
  scene_close (scene);
}

static unsigned bad_luck; /* of the default, until it was timed so often */

static double
unlucky_default (struct fake *fake, const struct gt_candidate *c)
{
  const struct scene *scene = fake->context;
  const size_t i = (size_t) (c - scene->candidate);
  const double seconds = tell_time (fake, c);

  return i == scene->space.chosen_default && scene->timed[i] <= bad_luck
           ? 1.4 * seconds : seconds;
}

/* A candidate slower by 10% never takes the place of a default that had bad luck, as long as a
   quarter of the rounds are quiet.  */
TEST (chance_replaces_no_default)
{
  struct scene *scene = OPEN (2, 11, 11.2, 10);

  scene->fake.clock = unlucky_default;
  for (bad_luck = 2; bad_luck <= 1 + ROUNDS - (ROUNDS / 4 + 1); bad_luck++)
    expect_winner (scene, 2);
  scene_close (scene);
}

TEST (slow_sums_meet_in_fewer_rounds)
{
  struct scene *scene = OPEN (2, 100000, 200000, 300000);

  expect_winner (scene, 0);
  assert_int_equal (scene->timed[0], 1 + ROUNDS / 2);
  assert_int_equal (scene->timed[2], 1 + 1);
  scene_close (scene);
}

TEST (who_is_alone_meets_nobody)
{
  struct scene *scene = OPEN (0, 10);

  expect_winner (scene, 0);
  assert_int_equal (scene->timed[0], 2 + 1);
  scene_close (scene);
}

/* ------------------------------------------------------------- The order */

static const struct gt_candidate *called[64];
static unsigned calls;

static double
note_call (struct fake *fake, const struct gt_candidate *c)
{
  if (calls < N_OF (called))
    called[calls++] = c;
  return tell_time (fake, c);
}

/* Nobody is always the first of a round: every other one runs backwards.  */
TEST (rounds_turn_round)
{
  struct scene *scene = OPEN (0, 10, 10.05, 10.02);
  const struct gt_candidate *const *round = called + 6; /* after two timings each */

  calls = 0;
  scene->fake.clock = note_call;
  assert_int_equal (scene_run (scene), GT_SWEEP_DONE);
  assert_true (calls >= 12);
  for (unsigned i = 0; i < 3; i++)
    {
      assert_ptr_equal (round[i], &scene->candidate[i]);
      assert_ptr_equal (round[3 + i], &scene->candidate[2 - i]);
    }
  scene_close (scene);
}

/* --------------------------------------------------------------- Threads */

static double asleep; /* seconds that each thread but the first takes to wake */

static double
after_a_pause (struct fake *fake, const struct gt_candidate *c)
{
  return tell_time (fake, c) + (c->config.threads - 1) * asleep;
}

/* Two threads pay when they gain more among other sums than they lose after a
   pause; the time told is the one among others.  */
TEST (pauses_count)
{
  static const unsigned threads[] = {1, 2};
  struct scene *scene = OPEN (0, 10, 6);

  set_threads (scene, threads);
  scene->fake.clock_spaced = after_a_pause;
  asleep = 5e-6; /* 10 10 against 6 11 */
  expect_threads (scene, 2);
  expect_close (scene->entry.measured.seconds, 6e-6);
  assert_true (scene->fake.spaced > 0);
  asleep = 12e-6; /* against 6 18 */
  expect_threads (scene, 1);
  expect_close (scene->entry.measured.seconds, 10e-6);
  asleep = 10.5e-6; /* against 6 16.5: as good as alike, and one is simpler */
  expect_threads (scene, 1);
  scene_close (scene);
}

/* While others have the processors, several threads look slower than one, however
   quietly: then the default stays.  */
TEST (what_others_took_decides_nothing)
{
  static const unsigned threads[] = {1, 2};
  struct scene *scene = OPEN (1, 10, 14);

  set_threads (scene, threads);
  scene->fake.target.lacking = 0.4;
  expect_threads (scene, 2);
  assert_int_equal (scene->sweep.disturbed, scene->sweep.timings);
  scene->sweep.before = scene->candidate[0].kernel;
  scene->sweep.before_config = scene->candidate[0].config;
  expect_threads (scene, 2);
  scene->fake.target.lacking = 0.1;
  expect_threads (scene, 1);
  scene_close (scene);
}

/* Where all have as many threads a pause would tell nothing.  */
TEST (no_pauses_among_equals)
{
  struct scene *scene = OPEN (0, 10, 6);

  expect_winner (scene, 1);
  assert_int_equal (scene->fake.spaced, 0);
  assert_int_equal (scene->fake.renewals, 0);
  scene_close (scene);
}

/* Each round has threads of its own: one that the system has put badly is bad for a
   round.  */
static double
unlucky (struct fake *fake, const struct gt_candidate *c)
{
  double seconds = tell_time (fake, c);

  return c->config.threads > 1 && fake->renewals % 3 == 1 ? 1.4 * seconds
                                                           : seconds;
}

TEST (threads_are_renewed)
{
  static const unsigned threads[] = {1, 2};
  struct scene *scene = OPEN (0, 10, 8);

  set_threads (scene, threads);
  scene->fake.clock = unlucky;
  expect_threads (scene, 2);
  expect_close (scene->entry.measured.seconds, 8e-6);
  assert_true (scene->fake.renewals >= 5);
  scene_close (scene);
}

RUN_TESTS (NULL, NULL)
