/* Tests of tuning/search/sweep.c, on a device whose times are what a test says.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdlib.h>

#include "tests/unit.h"

#include "tests/fake_target.h"
#include "tests/sums.h"

#define MOST 16

/* A sweep over candidates whose true times are known.  Candidate I runs with
   I + 1 blocks per SM: the lower, the simpler.  */
struct scene
{
  struct fake fake; /* first: its context is the scene */
  struct gt_space space;
  struct gt_candidate candidate[MOST];
  struct gt_sweep sweep;
  struct gt_entry entry;
  char why[256];
  double seconds[MOST];    /* below 0: timing fails */
  unsigned timed[MOST];    /* so far */
  unsigned fails_from[MOST]; /* this timing and later ones fail; 0: none */
  unsigned wrong;          /* a bit for each whose sums are wrong */
  unsigned failing;        /* a bit for each that cannot be launched */
  unsigned fatal;          /* a bit for each whose failure is the end */
  double jitter;           /* relative, at random */
  double wobble;           /* relative, in turn none, up, down */
  unsigned noise_every;    /* every so many timings takes ten times as long */
  uint64_t random;
};

static unsigned stop_after; /* timings and sums; 0: never */
static const struct fake *stop_of;

static int
stop (void)
{
  return stop_after && stop_of->sums + stop_of->timings >= stop_after;
}

static int
tamper (struct fake *fake, const struct fake_sum *s, union gt_value *result,
        char *why, size_t why_size)
{
  struct scene *scene = fake->context;
  unsigned bit = 1u << (s->candidate - scene->candidate);

  if (scene->failing & bit)
    {
      fake->lost |= (scene->fatal & bit) != 0;
      snprintf (why, why_size, "launching: it fails");
      return -1;
    }
  if (scene->wrong & bit)
    result->f64[0] += 1;
  return 0;
}

static double
next_random (struct scene *scene)
{
  scene->random = scene->random * 6364136223846793005u + 1442695040888963407u;
  return (double) (scene->random >> 40) / (1 << 24) * 2 - 1;
}

static double
tell_time (struct fake *fake, const struct gt_candidate *c)
{
  struct scene *scene = fake->context;
  size_t i = (size_t) (c - scene->candidate);
  double seconds = scene->seconds[i];

  scene->timed[i]++;
  if (scene->fails_from[i] && scene->timed[i] >= scene->fails_from[i])
    {
      fake->lost |= (scene->fatal >> i & 1) != 0;
      return -1;
    }
  if (scene->noise_every && scene->timed[i] % scene->noise_every == 0)
    seconds *= 10;
  seconds *= 1 + scene->wobble * (scene->timed[i] % 3 - 1.0);
  return seconds * (1 + scene->jitter * next_random (scene));
}

/* Sets the scene: N candidates with these true times in microseconds, the
   default among them.  */
static struct scene *
scene_open (unsigned n, const double *microseconds, unsigned chosen_default)
{
  struct scene *scene = calloc (1, sizeof *scene);

  assert_non_null (scene);
  assert_true (n <= MOST);
  fake_open (&scene->fake, GT_F64, (size_t) 1 << 30);
  scene->fake.context = scene;
  scene->fake.tamper = tamper;
  scene->fake.clock = tell_time;
  scene->space = (struct gt_space) {
    .problem = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 20},
    .candidate = scene->candidate,
    .n = n,
    .chosen_default = chosen_default
  };
  for (unsigned i = 0; i < n; i++)
    {
      scene->candidate[i] = (struct gt_candidate) {
        .kernel = sum_kernel ("grid_stride"),
        .config = {1, 128, 1, i + 1},
        .grid = 100 * (i + 1),
        .occupancy = 0.5
      };
      scene->seconds[i] = microseconds[i] * 1e-6;
    }
  scene->sweep = (struct gt_sweep) {.effort = GT_EFFORT_NORMAL, .stop = stop};
  scene->random = 1;
  stop_after = 0;
  stop_of = &scene->fake;
  return scene;
}

static enum gt_sweep_status
scene_run (struct scene *scene)
{
  memset (&scene->entry, 0, sizeof scene->entry);
  scene->why[0] = '\0';
  for (unsigned i = 0; i < scene->space.n; i++)
    {
      scene->candidate[i].failed = 0;
      scene->timed[i] = 0;
    }
  return gt_sweep_run (&scene->sweep, &scene->fake.target, &scene->space,
                       &scene->entry, scene->why, sizeof scene->why);
}

static void
scene_close (struct scene *scene)
{
  gt_sweep_clear (&scene->sweep);
  fake_close (&scene->fake);
  free (scene);
}

/* Opens SCENE with N_OF times and the default.  */
#define OPEN(chosen_default, ...)                                       \
  scene_open (N_OF (((const double[]) {__VA_ARGS__})),                  \
              (const double[]) {__VA_ARGS__}, chosen_default)

static void
expect_winner (struct scene *scene, unsigned winner)
{
  enum gt_sweep_status status = scene_run (scene);

  if (status != GT_SWEEP_DONE)
    fail_msg ("status %d: %s", (int) status, scene->why);
  assert_int_equal (scene->entry.config.blocks_per_sm, winner + 1);
  assert_ptr_equal (scene->entry.kernel, sum_kernel ("grid_stride"));
}

static void
expect_close (double is, double should)
{
  if (is < 0.97 * should || is > 1.03 * should)
    fail_msg ("%g instead of %g", is, should);
}

/* ------------------------------------------------------------- The winner */

static void
fastest_wins (void **state)
{
  (void) state;
  for (unsigned winner = 0; winner < 8; winner++)
    {
      double times[8];
      struct scene *scene;

      for (unsigned i = 0; i < 8; i++)
        times[i] = i == winner ? 10 : 20 + i;
      scene = scene_open (8, times, 7);
      expect_winner (scene, winner);
      expect_close (scene->entry.seconds, 10e-6);
      expect_close (scene->entry.default_seconds, winner == 7 ? 10e-6 : 27e-6);
      assert_true (scene->entry.effort == GT_EFFORT_NORMAL);
      assert_memory_equal (&scene->entry.problem, &scene->space.problem,
                           sizeof scene->entry.problem);
      assert_int_equal (scene->entry.candidates, 8);
      assert_int_equal (scene->entry.failed, 0);
      assert_true (scene->entry.gsl_seconds == 0);
      scene_close (scene);
    }
}

static void
pruned_ones_are_not_measured (void **state)
{
  struct scene *scene = OPEN (0, 30, 10, 20);

  (void) state;
  scene->candidate[1].verdict = GT_PRUNED_WAVES;
  expect_winner (scene, 2);
  assert_int_equal (scene->timed[1], 0);
  assert_int_equal (scene->entry.candidates, 2);
  assert_int_equal (scene->entry.pruned, 1);
  scene_close (scene);
}

static void
default_stays_when_alike (void **state)
{
  struct scene *scene = OPEN (2, 10.0, 30, 10.09);

  (void) state;
  expect_winner (scene, 2); /* within 1%: alike, however quiet */
  scene->seconds[2] = 10.2e-6;
  expect_winner (scene, 0);
  scene->wobble = 0.1; /* which drifts alike for all, and so hides nothing */
  expect_winner (scene, 0);
  assert_true (scene->entry.spread > 0.04 && scene->entry.spread < 0.11);
  scene_close (scene);
}

/* Noise of some percent hides neither that two are alike nor that they are not.  */
static void
noise_decides_nothing (void **state)
{
  unsigned kept = 0;

  (void) state;
  for (unsigned run = 0; run < 100; run++)
    {
      struct scene *scene = OPEN (1, 10, 10, 10.7);

      scene->jitter = 0.02;
      scene->random = 977 * run + 1;
      assert_int_equal (scene_run (scene), GT_SWEEP_DONE);
      kept += scene->entry.config.blocks_per_sm == 1 + 1;
      scene->seconds[1] = 10.5e-6;
      expect_winner (scene, 0);
      scene_close (scene);
    }
  assert_true (kept >= 95);
}

/* The race ends when the winner is certain: at once where the best is far ahead, late
   where a simpler one is nearly as good.  */
static void
a_clear_race_is_short (void **state)
{
  struct scene *scene = OPEN (0, 10, 12, 14);
  unsigned least = gt_effort_levels[GT_EFFORT_NORMAL].rounds;

  (void) state;
  expect_winner (scene, 0);
  assert_int_equal (scene->timed[0], 2 + least);
  scene->seconds[0] = 20e-6; /* leaves at once, and 2 after it */
  scene->seconds[2] = 14.9e-6;
  expect_winner (scene, 1);
  assert_int_equal (scene->timed[1], 2 + least);
  assert_true (scene->timed[0] < 2 + least);
  scene->seconds[0] = 12.06e-6;
  scene->jitter = 0.05;
  assert_int_equal (scene_run (scene), GT_SWEEP_DONE);
  assert_true (scene->timed[0] > 2 + least);
  scene_close (scene);
}

/* The default meets the best in the finals, however slow it is.  */
static void
default_is_paired (void **state)
{
  struct scene *scene = OPEN (7, 10, 11, 12, 13, 14, 15, 16, 500);

  (void) state;
  expect_winner (scene, 0);
  assert_int_equal (scene->timed[7], 2 + 2); /* it leaves after two rounds */
  assert_int_equal (scene->timed[6], 2);
  expect_close (scene->entry.default_seconds, 500e-6);
  scene_close (scene);
}

static void
simplest_of_a_tie_wins (void **state)
{
  struct scene *scene = OPEN (3, 10.05, 10.02, 10.0, 50);

  (void) state;
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
static void
two_runs_agree (void **state)
{
  (void) state;
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
static void
disturbances_are_left_out (void **state)
{
  struct scene *scene = OPEN (2, 10, 11, 40);

  (void) state;
  for (unsigned every = 2; every < 7; every++)
    {
      scene->noise_every = every;
      scene->sweep.timings = scene->sweep.disturbed = 0;
      expect_winner (scene, 0);
      expect_close (scene->entry.seconds, 10e-6);
      assert_true (scene->entry.spread < 0.1);
      assert_true (scene->sweep.disturbed > 0);
      assert_true (scene->sweep.disturbed <= scene->sweep.timings / 2 + 3);
    }
  scene->noise_every = 0;
  scene->sweep.timings = scene->sweep.disturbed = 0;
  expect_winner (scene, 0);
  assert_int_equal (scene->sweep.disturbed, 0);
  assert_int_equal (scene->sweep.timings,
                    gt_effort_levels[GT_EFFORT_NORMAL].rounds);
  scene_close (scene);
}

static void
efforts (void **state)
{
  unsigned before = 0;

  (void) state;
  for (int e = GT_EFFORT_QUICK; e <= GT_EFFORT_THOROUGH; e++)
    {
      struct scene *scene
        = OPEN (15, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18,
                17, 16);

      scene->sweep.effort = (enum gt_effort) e;
      expect_winner (scene, 15);
      assert_true (scene->entry.effort == (enum gt_effort) e);
      assert_true (scene->fake.timings > before);
      before = scene->fake.timings;
      scene_close (scene);
    }
}

static void
slow_sums_meet_in_fewer_rounds (void **state)
{
  struct scene *scene = OPEN (2, 100000, 200000, 300000);

  (void) state;
  expect_winner (scene, 0);
  /* Once, then in five rounds.  */
  assert_int_equal (scene->timed[0], 1 + 5);
  scene->jitter = 0.05; /* nothing is certain, but nine are enough */
  scene->seconds[2] = 0.1005;
  assert_int_equal (scene_run (scene), GT_SWEEP_DONE);
  assert_true (scene->timed[0] <= 1 + 9);
  scene_close (scene);
}

/* --------------------------------------------------------- What is excluded */

static void
wrong_ones_are_excluded (void **state)
{
  struct scene *scene = OPEN (3, 5, 10, 20, 30);

  (void) state;
  scene->wrong = 1;
  expect_winner (scene, 1);
  assert_int_equal (scene->entry.failed, 1);
  assert_int_equal (scene->candidate[0].failed, 1);
  assert_int_equal (scene->timed[0], 0);
  assert_non_null (strstr (scene->candidate[0].why, "wrong: n = "));
  assert_int_equal (scene->candidate[1].failed, 0);

  scene->wrong = 1 << 3; /* the default itself */
  expect_winner (scene, 0);
  assert_true (scene->entry.default_seconds == 0);
  scene_close (scene);
}

static void
failing_ones_are_excluded (void **state)
{
  struct scene *scene = OPEN (3, 5, 10, 20, 30);

  (void) state;
  scene->failing = 1;
  expect_winner (scene, 1);
  assert_string_equal (scene->candidate[0].why, "launching: it fails");
  scene->failing = 0;
  for (unsigned at = 1; at < 8; at++) /* in every stage */
    {
      scene->fails_from[0] = at;
      expect_winner (scene, 1);
      assert_int_equal (scene->candidate[0].failed, 1);
      assert_int_equal (scene->entry.failed, 1);
      assert_string_equal (scene->candidate[0].why, "timing: it fails");
    }
  scene_close (scene);
}

static void
nothing_works (void **state)
{
  struct scene *scene = OPEN (1, 5, 10);

  (void) state;
  scene->wrong = 3;
  assert_int_equal (scene_run (scene), GT_SWEEP_FAILED);
  assert_non_null (strstr (scene->why, "no candidate works"));
  assert_non_null (strstr (scene->why, "wrong: n = "));
  scene->wrong = 0;
  for (unsigned at = 1; at < 8; at++)
    {
      scene->fails_from[0] = scene->fails_from[1] = at;
      assert_int_equal (scene_run (scene), GT_SWEEP_FAILED);
      assert_non_null (strstr (scene->why, "timing: it fails"));
    }
  scene_close (scene);
}

/* What was verified at the awkward lengths is not verified there again; what
   was wrong there is.  */
static void
verified_once (void **state)
{
  struct scene *scene = OPEN (0, 10, 20);
  unsigned first, again;

  (void) state;
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

static void
stopped_anywhere (void **state)
{
  struct scene *scene = OPEN (2, 10, 20, 30, 40);
  unsigned all;

  (void) state;
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

static void
a_lost_device_ends_the_sweep (void **state)
{
  struct scene *scene = OPEN (3, 10, 20, 30, 40);

  (void) state;
  scene->fatal = scene->failing = 2;
  assert_int_equal (scene_run (scene), GT_SWEEP_LOST);
  assert_string_equal (scene->why,
                       "grid_stride 128 u1 2/SM: launching: it fails");
  assert_int_equal (scene->timed[2], 0);

  scene->fatal = 1;
  scene->failing = 0;
  for (unsigned at = 1; at < 8; at++)
    {
      scene->fails_from[0] = at;
      scene->fake.lost = 0;
      assert_int_equal (scene_run (scene), GT_SWEEP_LOST);
      assert_string_equal (scene->why,
                           "grid_stride 128 u1 1/SM: timing: it fails");
    }
  scene_close (scene);

  scene = OPEN (0, 10, 20); /* lost before anything was tried */
  scene->fake.lost = 1;
  assert_int_equal (scene_run (scene), GT_SWEEP_LOST);
  assert_string_equal (scene->why, "it no longer answers");
  scene_close (scene);
}

/* --------------------------------------------------------------- Threads */

/* Candidates of one kernel with a number of threads each.  */
static void
set_threads (struct scene *scene, const unsigned *threads)
{
  for (unsigned i = 0; i < scene->space.n; i++)
    {
      scene->candidate[i].kernel = sum_kernel ("simd");
      scene->candidate[i].config = (struct gt_config) {threads[i], 0, 4, 0};
      scene->candidate[i].grid = 0;
      scene->candidate[i].seconds = 0;
      scene->candidate[i].verdict = GT_KEPT;
    }
}

static void
expect_threads (struct scene *scene, unsigned threads)
{
  assert_int_equal (scene_run (scene), GT_SWEEP_DONE);
  assert_int_equal (scene->entry.config.threads, threads);
}

static double asleep; /* seconds that each thread but the first takes to wake */

static double
after_a_pause (struct fake *fake, const struct gt_candidate *c)
{
  return tell_time (fake, c) + (c->config.threads - 1) * asleep;
}

/* Two threads pay when they gain more among other sums than they lose after a
   pause; the time told is the one among others.  */
static void
pauses_count (void **state)
{
  static const unsigned threads[] = {1, 2};
  struct scene *scene = OPEN (0, 10, 6);

  (void) state;
  set_threads (scene, threads);
  scene->fake.clock_spaced = after_a_pause;
  asleep = 5e-6; /* 10 10 against 6 11 */
  expect_threads (scene, 2);
  expect_close (scene->entry.seconds, 6e-6);
  assert_true (scene->fake.spaced > 0);
  asleep = 12e-6; /* against 6 18 */
  expect_threads (scene, 1);
  expect_close (scene->entry.seconds, 10e-6);
  asleep = 10.5e-6; /* against 6 16.5: as good as alike, and one is simpler */
  expect_threads (scene, 1);
  scene_close (scene);
}

/* Where all have as many threads a pause would tell nothing.  */
static void
no_pauses_among_equals (void **state)
{
  struct scene *scene = OPEN (0, 10, 6);

  (void) state;
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

static void
threads_are_renewed (void **state)
{
  static const unsigned threads[] = {1, 2};
  struct scene *scene = OPEN (0, 10, 8);

  (void) state;
  set_threads (scene, threads);
  scene->fake.clock = unlucky;
  expect_threads (scene, 2);
  expect_close (scene->entry.seconds, 8e-6);
  assert_true (scene->fake.renewals >= 5);
  scene_close (scene);
}

/* What more threads do not gain, still more are not asked for.  */
static void
more_threads_that_do_not_pay (void **state)
{
  static const unsigned threads[] = {1, 2, 4, 8, 16};
  struct scene *scene = OPEN (0, 20, 12, 11.9, 11.8, 5);

  (void) state;
  set_threads (scene, threads);
  expect_threads (scene, 2);
  assert_true (scene->timed[2] > 0); /* four threads were no better */
  assert_int_equal (scene->timed[3], 0);
  assert_int_equal (scene->timed[4], 0);
  assert_true (scene->candidate[3].verdict == GT_PRUNED_THREADS);
  assert_int_equal (scene->entry.pruned, 2);

  set_threads (scene, threads); /* those that pay are found */
  scene->seconds[2] = 9e-6;
  scene->seconds[3] = 7e-6;
  expect_threads (scene, 16);
  scene_close (scene);
}

/* ------------------------------------------------------------- Occupancy */

static void
occupancy_is_put_to_the_test (void **state)
{
  struct scene *scene = OPEN (2, 10, 20, 30);

  (void) state;
  scene->candidate[1].occupancy = 1;
  expect_winner (scene, 0);
  assert_int_equal (scene->entry.occupancy_predicted, 0);
  scene->candidate[0].occupancy = 1; /* among equals the simplest */
  expect_winner (scene, 0);
  assert_int_equal (scene->entry.occupancy_predicted, 1);
  scene->candidate[0].occupancy = 0.5;
  scene->seconds[1] = 10.15e-6; /* within 2% of the winner */
  expect_winner (scene, 0);
  assert_int_equal (scene->entry.occupancy_predicted, 1);
  for (unsigned i = 0; i < 3; i++)
    {
      scene->candidate[i].kernel = sum_kernel ("simd");
      scene->candidate[i].config.threads = i + 1;
    }
  assert_int_equal (scene_run (scene), GT_SWEEP_DONE);
  assert_int_equal (scene->entry.occupancy_predicted, -1);
  scene_close (scene);
}

/* --------------------------------------------------------- The real host */

static int
never (void)
{
  return 0;
}

static void
real_host (void **state)
{
  struct gt_problem p = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1000};
  struct gt_sweep sweep = {.effort = GT_EFFORT_QUICK, .stop = never};
  struct gt_target target;
  struct gt_space space;
  struct gt_entry entry;
  char why[256];

  (void) state;
  assert_int_equal (gt_target_host (&target, why, sizeof why), 0);
  assert_true (target.ops->capacity (&target) >= (size_t) 1 << 20);
  assert_int_equal (target.ops->load (&target, p.arithmetic, 8000, why, 256),
                    0);
  assert_true (target.bytes >= GT_AWKWARD_N * sizeof (double));
  assert_false (target.ops->lost (&target));
  assert_int_equal (gt_space_init (&space, &p, target.device, NULL), 0);
  assert_int_equal (gt_sweep_run (&sweep, &target, &space, &entry, why, 256),
                    GT_SWEEP_DONE);
  assert_true (entry.seconds > 0 && entry.seconds < 1);
  assert_true (entry.default_seconds > 0 && entry.gsl_seconds > 0);
  assert_int_equal (entry.failed, 0);
  assert_int_equal (entry.candidates, gt_space_count (&space, GT_KEPT));
  gt_space_clear (&space);
  gt_sweep_clear (&sweep);
  target.ops->close (&target);
  assert_false (target.loaded);
}

/* ------------------------------------------------------------ The median */

static void
median (void **state)
{
  static const struct
  {
    double values[8];
    unsigned n;
    double median, spread;
  } cases[] = {{{7}, 1, 7, 0},
               {{3, 1}, 2, 2, 0.5},
               {{9, 1, 5}, 3, 5, 0.8},
               {{4, 1, 3, 2}, 4, 2.5, 0.2},
               {{5, 1, 4, 2, 3}, 5, 3, 1.0 / 3},
               {{8, 7, 6, 5, 4, 3, 2, 1}, 8, 4.5, 1.5 / 4.5},
               {{2, 2, 2, 2, 2, 2, 2, 200}, 8, 2, 0},
               {{0, 0, 0}, 3, 0, 0}};

  (void) state;
  for (size_t i = 0; i < N_OF (cases); i++)
    {
      double values[8], spread = -1;

      memcpy (values, cases[i].values, sizeof values);
      assert_true (gt_median (values, cases[i].n, &spread)
                   == cases[i].median);
      assert_true (spread > cases[i].spread - 1e-12
                   && spread < cases[i].spread + 1e-12);
      for (unsigned k = 1; k < cases[i].n; k++)
        assert_true (values[k - 1] <= values[k]);
      assert_true (gt_median (values, cases[i].n, NULL) == cases[i].median);
    }
}

/* The bounds of the sign test, from its tables.  */
static void
bounds_of_the_median (void **state)
{
  static const struct
  {
    unsigned n, from_the_end; /* 0: none */
  } cases[] = {{1, 0}, {4, 0}, {5, 1}, {7, 1}, {8, 2}, {10, 2}, {11, 3},
               {13, 4}, {20, 6}, {25, 8}, {50, 19}, {64, 25}};

  (void) state;
  for (size_t i = 0; i < N_OF (cases); i++)
    {
      unsigned n = cases[i].n, k = cases[i].from_the_end;
      double values[64], low, high;

      for (unsigned v = 0; v < n; v++)
        values[v] = v + 1;
      gt_median_bounds (values, n, &low, &high);
      assert_true (low == k);
      assert_true (k ? high == n - k + 1 : high > 1e300);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (fastest_wins),
    cmocka_unit_test (pruned_ones_are_not_measured),
    cmocka_unit_test (default_stays_when_alike),
    cmocka_unit_test (noise_decides_nothing),
    cmocka_unit_test (a_clear_race_is_short),
    cmocka_unit_test (default_is_paired),
    cmocka_unit_test (simplest_of_a_tie_wins),
    cmocka_unit_test (two_runs_agree),
    cmocka_unit_test (disturbances_are_left_out),
    cmocka_unit_test (efforts),
    cmocka_unit_test (slow_sums_meet_in_fewer_rounds),
    cmocka_unit_test (wrong_ones_are_excluded),
    cmocka_unit_test (failing_ones_are_excluded),
    cmocka_unit_test (nothing_works),
    cmocka_unit_test (verified_once),
    cmocka_unit_test (stopped_anywhere),
    cmocka_unit_test (a_lost_device_ends_the_sweep),
    cmocka_unit_test (pauses_count),
    cmocka_unit_test (no_pauses_among_equals),
    cmocka_unit_test (threads_are_renewed),
    cmocka_unit_test (more_threads_that_do_not_pay),
    cmocka_unit_test (occupancy_is_put_to_the_test),
    cmocka_unit_test (real_host),
    cmocka_unit_test (median),
    cmocka_unit_test (bounds_of_the_median),
  };

  cmocka_set_message_output (CM_OUTPUT_TAP);
  return cmocka_run_group_tests (tests, NULL, NULL);
}
