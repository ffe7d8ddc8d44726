/* Tests of tuning/search/sweep.c, on a device whose times are what a test says.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "tests/sweep_scene.h"

/* ------------------------------------------------------------- The winner */

TEST (fastest_wins)
{
  for (unsigned winner = 0; winner < 8; winner++)
    {
      double times[8];
      struct scene *scene;

      for (unsigned i = 0; i < 8; i++)
        times[i] = i == winner ? 10 : 20 + i;
      scene = scene_open (8, times, 7);
      expect_winner (scene, winner);
      expect_close (scene->entry.measured.seconds, 10e-6);
      expect_close (scene->entry.measured.default_seconds, winner == 7 ? 10e-6 : 27e-6);
      assert_true (scene->entry.measured.effort == GT_EFFORT_NORMAL);
      assert_memory_equal (&scene->entry.problem, &scene->space.problem,
                           sizeof scene->entry.problem);
      assert_int_equal (scene->entry.measured.candidates, 8);
      assert_int_equal (scene->entry.measured.failed, 0);
      assert_true (scene->entry.measured.gsl_seconds == 0);
      scene_close (scene);
    }
}

TEST (pruned_ones_are_not_measured)
{
  struct scene *scene = OPEN (0, 30, 10, 20);

  scene->candidate[1].verdict = GT_PRUNED_WAVES;
  expect_winner (scene, 2);
  assert_int_equal (scene->timed[1], 0);
  assert_int_equal (scene->entry.measured.candidates, 2);
  assert_int_equal (scene->entry.measured.pruned, 1);
  scene_close (scene);
}

TEST (efforts)
{
  unsigned before = 0;

  for (int e = GT_EFFORT_QUICK; e <= GT_EFFORT_THOROUGH; e++)
    {
      struct scene *scene
        = OPEN (15, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18,
                17, 16);

      scene->sweep.effort = (enum gt_effort) e;
      expect_winner (scene, 15);
      assert_true (scene->entry.measured.effort == (enum gt_effort) e);
      assert_true (scene->fake.timings > before);
      before = scene->fake.timings;
      scene_close (scene);
    }
}

/* How many were timed more often than twice, as the first stage does.  */
static unsigned
racers (const struct scene *scene)
{
  unsigned n = 0;

  for (unsigned i = 0; i < scene->space.n; i++)
    n += scene->timed[i] > 2;
  return n;
}

/* Of those with the same number of threads no more race than there is room for, though
   all are nearly as quick as the best.  */
TEST (few_race)
{
  for (int e = GT_EFFORT_QUICK; e <= GT_EFFORT_THOROUGH; e++)
    {
      struct scene *scene
        = OPEN (0, 10, 10.1, 10.2, 10.3, 10.4, 10.5, 10.6, 10.7, 10.8, 10.9, 11,
                11.1, 11.2, 11.3, 11.4, 11.5);

      scene->sweep.effort = (enum gt_effort) e;
      expect_winner (scene, 0);
      assert_int_equal (racers (scene), gt_effort_levels[e].entrants);
      scene_close (scene);
    }
}

/* Of sums that last milliseconds fewer race.  */
TEST (few_slow_ones_race)
{
  for (int e = GT_EFFORT_QUICK; e <= GT_EFFORT_THOROUGH; e++)
    {
      struct scene *scene
        = OPEN (0, 2100, 2101, 2102, 2103, 2104, 2105, 2106, 2107, 2108, 2109, 2110,
                2111, 2112, 2113, 2114, 2115);

      scene->sweep.effort = (enum gt_effort) e;
      expect_winner (scene, 0);
      assert_int_equal (racers (scene), gt_effort_levels[e].slow_entrants);
      scene_close (scene);
    }
}

/* Who is far behind is not timed again by a GPU.  */
TEST (outrun)
{
  struct scene *scene = OPEN (0, 10, 11.9, 12.1, 15);

  assert_non_null (scene->fake.target.gpu);
  expect_winner (scene, 0);
  assert_int_equal (scene->timed[1], 2 + 5); /* and in the race */
  assert_int_equal (scene->timed[2], 1 + 5);
  scene_close (scene);
}

static double
disturbed_once (struct fake *fake, const struct gt_candidate *c)
{
  struct scene *scene = fake->context;
  const int is_first = c == &scene->candidate[0];
  const double seconds = tell_time (fake, c);

  return is_first && scene->timed[0] == 2 ? 100 * seconds : seconds;
}

/* Of two timings the quicker counts, whichever it is.  */
TEST (the_quicker_timing_counts)
{
  struct scene *scene = OPEN (3, 10, 20, 21, 22);

  scene->fake.clock = disturbed_once;
  expect_winner (scene, 0);
  scene_close (scene);
}

/* --------------------------------------------------------- What is excluded */

TEST (wrong_ones_are_excluded)
{
  struct scene *scene = OPEN (3, 5, 10, 20, 30);

  scene->wrong = 1;
  expect_winner (scene, 1);
  assert_int_equal (scene->entry.measured.failed, 1);
  assert_int_equal (scene->candidate[0].failed, 1);
  assert_int_equal (scene->timed[0], 0);
  assert_non_null (strstr (scene->candidate[0].why, "wrong: n = "));
  assert_int_equal (scene->candidate[1].failed, 0);

  scene->wrong = 1 << 3; /* the default itself */
  expect_winner (scene, 0);
  assert_true (scene->entry.measured.default_seconds == 0);
  scene_close (scene);
}

TEST (failing_ones_are_excluded)
{
  struct scene *scene = OPEN (3, 5, 10, 20, 30);

  scene->failing = 1;
  expect_winner (scene, 1);
  assert_string_equal (scene->candidate[0].why, "launching: it fails");
  scene->failing = 0;
  for (unsigned at = 1; at < 8; at++) /* in every stage */
    {
      scene->fails_from[0] = at;
      expect_winner (scene, 1);
      assert_int_equal (scene->candidate[0].failed, 1);
      assert_int_equal (scene->entry.measured.failed, 1);
      assert_string_equal (scene->candidate[0].why, "timing: it fails");
    }
  scene_close (scene);
}

TEST (nothing_works)
{
  struct scene *scene = OPEN (1, 5, 10);

  scene->wrong = 3;
  assert_int_equal (scene_run (scene), GT_SWEEP_FAILED);
  assert_non_null (strstr (scene->fake.target.why, "no candidate works"));
  assert_non_null (strstr (scene->fake.target.why, "wrong: n = "));
  scene->wrong = 0;
  for (unsigned at = 1; at < 5; at++) /* the default is not timed more often */
    {
      scene->fails_from[0] = scene->fails_from[1] = at;
      assert_int_equal (scene_run (scene), GT_SWEEP_FAILED);
      assert_non_null (strstr (scene->fake.target.why, "timing: it fails"));
    }
  scene_close (scene);
}

/* Candidates that were verified at the awkward lengths are not verified there again; what
   was wrong there is.  */
TEST (verified_once)
{
  struct scene *scene = OPEN (0, 10, 20);
  unsigned first, again;

  scene->wrong = 2;
  expect_winner (scene, 0);
  first = scene->fake.sums;
  expect_winner (scene, 0);
  again = scene->fake.sums - first;
  assert_true (again < first / 2);
  scene->space.problem.mode = GT_MODE_COMPENSATED;
  first = scene->fake.sums;
  expect_winner (scene, 0);
  assert_true (scene->fake.sums - first > again);
  scene_close (scene);
}

/* ------------------------------------------------------ Stopped and lost */

TEST (stopped_anywhere)
{
  struct scene *scene = OPEN (2, 10, 20, 30, 40);
  unsigned all;

  expect_winner (scene, 0);
  all = scene->fake.sums + scene->fake.timings;
  for (stop_after = 1; stop_after <= all; stop_after++)
    {
      scene->fake.sums = scene->fake.timings = 0;
      gt_sweep_clear (&scene->sweep);
      assert_int_equal (scene_run (scene), GT_SWEEP_STOPPED);
      /* One candidate is verified to its end, no more is begun.  */
      assert_true (scene->fake.sums + scene->fake.timings <= stop_after + 16);
    }
  stop_after = all + 1;
  scene->fake.sums = scene->fake.timings = 0;
  gt_sweep_clear (&scene->sweep);
  expect_winner (scene, 0);
  scene_close (scene);
}

TEST (a_lost_device_ends_the_sweep)
{
  struct scene *scene = OPEN (3, 10, 20, 30, 40);

  scene->fatal = scene->failing = 2;
  assert_int_equal (scene_run (scene), GT_SWEEP_LOST);
  assert_string_equal (scene->fake.target.why,
                       "grid_stride 128 u1 2/SM: launching: it fails");
  assert_int_equal (scene->timed[2], 0);

  scene->fatal = 1;
  scene->failing = 0;
  for (unsigned at = 1; at < 8; at++)
    {
      scene->fails_from[0] = at;
      scene->fake.lost = 0;
      assert_int_equal (scene_run (scene), GT_SWEEP_LOST);
      assert_string_equal (scene->fake.target.why,
                           "grid_stride 128 u1 1/SM: timing: it fails");
    }
  scene_close (scene);

  scene = OPEN (0, 10, 20); /* lost before anything was tried */
  scene->fake.lost = 1;
  assert_int_equal (scene_run (scene), GT_SWEEP_LOST);
  assert_string_equal (scene->fake.target.why, "it no longer answers");
  scene_close (scene);
}

/* --------------------------------------------------------------- Threads */

/* Where more threads gain nothing, still more are not asked for.  */
TEST (more_threads_that_do_not_pay)
{
  static const unsigned threads[] = {1, 2, 4, 8, 16};
  struct scene *scene = OPEN (0, 20, 12, 11.9, 11.8, 5);

  set_threads (scene, threads);
  expect_threads (scene, 2);
  assert_true (scene->timed[2] > 0); /* four threads were no better */
  assert_int_equal (scene->timed[3], 0);
  assert_int_equal (scene->timed[4], 0);
  assert_true (scene->candidate[3].verdict == GT_PRUNED_THREADS);
  assert_int_equal (scene->entry.measured.pruned, 2);

  set_threads (scene, threads); /* those that pay are found */
  scene->seconds[2] = 9e-6;
  scene->seconds[3] = 7e-6;
  expect_threads (scene, 16);
  scene_close (scene);
}

/* Threads that are asleep at first.  */
static double
late_riser (struct fake *fake, const struct gt_candidate *c)
{
  const struct scene *scene = fake->context;
  const double seconds = tell_time (fake, c);

  return c->config.threads == 2 && scene->timed[c - scene->candidate] <= 2
           ? 5 * seconds : seconds;
}

/* Each number of threads has its best in the race, however far it was behind.  */
TEST (the_best_of_each_number_of_threads_races)
{
  static const unsigned threads[] = {1, 2};
  struct scene *scene = OPEN (0, 10, 6);

  set_threads (scene, threads);
  scene->fake.clock = late_riser;
  expect_threads (scene, 2);
  scene_close (scene);
}

/* ------------------------------------------------------------- Occupancy */

TEST (occupancy_is_put_to_the_test)
{
  struct scene *scene = OPEN (2, 10, 20, 30);

  scene->candidate[1].occupancy = 1;
  expect_winner (scene, 0);
  assert_int_equal (scene->entry.measured.predicted, 2);
  scene->candidate[0].occupancy = 1; /* among equals the simplest */
  expect_winner (scene, 0);
  assert_int_equal (scene->entry.measured.predicted, 1);
  scene->candidate[0].occupancy = 0.5;
  scene->seconds[1] = 10.15e-6; /* within 2% of the winner */
  expect_winner (scene, 0);
  assert_int_equal (scene->entry.measured.predicted, 1);
  for (unsigned i = 0; i < 3; i++)
    {
      scene->candidate[i].kernel = sum_kernel ("simd");
      scene->candidate[i].config.threads = i + 1;
    }
  assert_int_equal (scene_run (scene), GT_SWEEP_DONE);
  assert_int_equal (scene->entry.measured.predicted, 0);
  scene_close (scene);
}

/* --------------------------------------------------------- The real host */

static int
never (void)
{
  return 0;
}

TEST (real_host)
{
  struct gt_problem p = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1000};
  struct gt_sweep sweep = {.effort = GT_EFFORT_QUICK, .stop = never};
  struct gt_target target;
  struct gt_space space;
  struct gt_winner entry;

  gt_target_host (&target);
  assert_true (target.ops->capacity (&target) >= (size_t) 1 << 20);
  assert_int_equal (gt_target_load (&target, &p, 8000), 0);
  assert_true (target.bytes >= GT_AWKWARD_N * sizeof (double));
  assert_false (target.ops->lost (&target));
  assert_int_equal (gt_space_init (&space, &p, target.device, NULL), 0);
  assert_int_equal (gt_sweep_run (&sweep, &target, &space, &entry),
                    GT_SWEEP_DONE);
  assert_true (entry.measured.seconds > 0 && entry.measured.seconds < 1);
  assert_true (entry.measured.default_seconds > 0 && entry.measured.gsl_seconds > 0);
  assert_int_equal (entry.measured.failed, 0);
  assert_int_equal (entry.measured.candidates, gt_space_count (&space, GT_KEPT));
  gt_space_clear (&space);
  /* Others that span as much need not measure this.  */
  assert_true (sweep.n_read == 1 && sweep.read[0].bytes == 8000);
  assert_true (entry.measured.one_reads == sweep.read[0].by_one
               && entry.measured.all_read == sweep.read[0].by_all && entry.measured.one_reads > 0);
  sweep.read[0].by_one = 1;
  sweep.read[0].by_all = 2;
  assert_int_equal (gt_space_init (&space, &p, target.device, NULL), 0);
  assert_int_equal (gt_sweep_run (&sweep, &target, &space, &entry), GT_SWEEP_DONE);
  assert_true (entry.measured.one_reads == 1 && entry.measured.all_read == 2 && sweep.n_read == 1);
  gt_space_clear (&space);
  gt_sweep_clear (&sweep);
  gt_target_close (&target);
  assert_false (target.loaded);
}

RUN_TESTS (NULL, NULL)
