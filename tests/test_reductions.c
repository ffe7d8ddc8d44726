/* Tests of tuning/search/reductions.c and race.c, on a device whose times a test tells.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "tests/unit.h"

#include "tests/fake_target.h"
#include "tests/sums.h"
#include "tuning/search/question.h"
#include "tuning/search/space.h"
#include "tuning/search/tuner.h"
#include "tuning/store/findings.h"

#define MOST 16
#define ROUNDS gt_effort_levels[GT_EFFORT_NORMAL].rounds

/* A search among candidates whose true times are known.  Candidate I runs with I + 1 blocks
   per SM: the lower, the simpler.  */
struct scene
{
  struct fake fake; /* first: its context is the scene */
  struct gt_space space;
  struct gt_candidate candidate[MOST];
  enum gt_effort effort;
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

static int
tamper (struct fake *fake, const struct gt_candidate *c, union gt_value *result)
{
  struct scene *scene = fake->context;
  unsigned bit = 1u << (c - scene->candidate);

  if (scene->failing & bit)
    {
      fake->lost |= (scene->fatal & bit) != 0;
      snprintf (fake->target.why, sizeof fake->target.why, "launching: it fails");
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
  fake_open (&scene->fake, GT_F64, (size_t) 8 << 20);
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
        .occupancy = 0.5
      };
      scene->seconds[i] = microseconds[i] * 1e-6;
    }
  scene->effort = GT_EFFORT_NORMAL;
  scene->random = 1;
  return scene;
}

/* Opens SCENE with N_OF times and the default.  */
#define OPEN(chosen_default, ...)                                       \
  scene_open (N_OF (((const double[]) {__VA_ARGS__})),                  \
              (const double[]) {__VA_ARGS__}, chosen_default)

static const struct gt_candidate *
scene_run (struct scene *scene)
{
  scene->fake.target.why[0] = '\0';
  for (unsigned i = 0; i < scene->space.n; i++)
    {
      scene->candidate[i].failed = 0;
      scene->candidate[i].seconds = 0;
      scene->timed[i] = 0;
    }
  return gt_space_search (scene->effort, &scene->fake.target, &scene->space);
}

static void
scene_close (struct scene *scene)
{
  fake_close (&scene->fake);
  free (scene);
}

static void
expect_winner (struct scene *scene, unsigned winner)
{
  const struct gt_candidate *const c = scene_run (scene);

  if (c == NULL)
    fail_msg ("%s", scene->fake.target.why);
  assert_ptr_equal (c, &scene->candidate[winner]);
}

static void
expect_close (double is, double should)
{
  if (is < 0.97 * should || is > 1.03 * should)
    fail_msg ("%g instead of %g", is, should);
}

/* Candidates of one kernel with a number of threads each.  */
static void
set_threads (struct scene *scene, const unsigned *threads)
{
  for (unsigned i = 0; i < scene->space.n; i++)
    {
      scene->candidate[i].kernel = sum_kernel ("simd");
      scene->candidate[i].config = (struct gt_config) {threads[i], 0, 4, 0};
    }
}

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
      expect_close (scene->candidate[winner].seconds, 10e-6);
      expect_close (scene->candidate[7].seconds, winner == 7 ? 10e-6 : 27e-6);
      scene_close (scene);
    }
}

TEST (pruned_ones_are_not_measured)
{
  struct scene *scene = OPEN (0, 30, 10, 20);

  scene->candidate[1].verdict = GT_PRUNED_WAVES;
  expect_winner (scene, 2);
  assert_int_equal (scene->timed[1], 0);
  scene_close (scene);
}

/* No more race after two rounds than there is room for, though all are nearly as quick as the
   best; of sums that last milliseconds fewer, after one round.  */
TEST (few_race)
{
  for (int e = GT_EFFORT_QUICK; e <= GT_EFFORT_THOROUGH; e++)
    for (unsigned slow = 0; slow < 2; slow++)
      {
        struct scene *scene = OPEN (0, 10, 10.1, 10.2, 10.3, 10.4, 10.5, 10.6, 10.7, 10.8, 10.9,
                                    11, 11.1, 11.2, 11.3, 11.4, 11.5);
        unsigned racers = 0;

        for (unsigned i = 0; i < MOST; i++)
          scene->seconds[i] *= slow ? 210 : 1;
        scene->effort = (enum gt_effort) e;
        expect_winner (scene, 0);
        for (unsigned i = 0; i < MOST; i++)
          racers += scene->timed[i] > (slow ? 1 : 2);
        assert_int_equal (racers, slow ? 3 : gt_effort_levels[e].room);
        scene_close (scene);
      }
}

/* Of more than there is room for those that are far behind leave at once.  */
TEST (outrun)
{
  struct scene *scene = OPEN (0, 10, 24, 26, 30, 30);

  scene->effort = GT_EFFORT_QUICK;
  expect_winner (scene, 0);
  assert_int_equal (scene->timed[1], 2);
  assert_int_equal (scene->timed[2], 1);
  scene->space.n = 4;
  expect_winner (scene, 0);
  assert_int_equal (scene->timed[2], 2);
  scene_close (scene);
}

TEST (default_stays_when_alike)
{
  struct scene *scene = OPEN (2, 10.0, 30, 10.08);

  expect_winner (scene, 2); /* within 1%: alike, however quiet */
  scene->seconds[2] = 10.2e-6;
  expect_winner (scene, 0);
  scene->wobble = 0.1; /* which drifts alike for all, and so hides nothing */
  expect_winner (scene, 0);
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
      kept += scene_run (scene) == &scene->candidate[1];
      scene->seconds[1] = 10.5e-6;
      expect_winner (scene, 0);
      scene_close (scene);
    }
  assert_true (kept >= 95);
}

/* Who is far behind leaves after two rounds, and who cannot win after half of them; the
   default stays unless it is far behind.  */
TEST (who_cannot_win_leaves)
{
  struct scene *scene = OPEN (0, 12, 10, 10.2, 14.9);

  expect_winner (scene, 1);
  assert_int_equal (scene->timed[0], ROUNDS);
  assert_int_equal (scene->timed[1], ROUNDS);
  assert_int_equal (scene->timed[2], ROUNDS);
  assert_int_equal (scene->timed[3], (ROUNDS + 1) / 2);
  scene->seconds[0] = 20e-6;
  expect_winner (scene, 1);
  assert_int_equal (scene->timed[0], 2);
  scene_close (scene);
}

TEST (simplest_of_a_tie_wins)
{
  struct scene *scene = OPEN (3, 10.04, 10.02, 10.0, 50);

  expect_winner (scene, 0);
  scene_close (scene);
}

/* Nobody wins because of two quick timings before it leaves.  */
TEST (of_two_timings_the_longer_counts)
{
  struct scene *scene = OPEN (0, 10, 10, 10, 10, 10.3);

  scene->effort = GT_EFFORT_QUICK;
  scene->noise_every = 2;
  expect_winner (scene, 0);
  assert_true (scene->candidate[4].seconds > 50e-6);
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

  for (unsigned every = 2; every < 7; every++)
    {
      scene->noise_every = every;
      expect_winner (scene, 0);
      expect_close (scene->candidate[0].seconds, 10e-6);
    }
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
  for (bad_luck = 0; bad_luck + ROUNDS / 4 + 1 <= ROUNDS; bad_luck++)
    expect_winner (scene, 2);
  scene_close (scene);
}

TEST (slow_sums_meet_in_fewer_rounds)
{
  struct scene *scene = OPEN (2, 100000, 200000, 300000);

  expect_winner (scene, 0);
  assert_int_equal (scene->timed[0], ROUNDS / 2);
  assert_int_equal (scene->timed[2], 1);
  scene_close (scene);
}

TEST (who_is_alone_meets_nobody)
{
  struct scene *scene = OPEN (0, 10);

  expect_winner (scene, 0);
  assert_int_equal (scene->timed[0], 1);
  scene_close (scene);
}

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

  calls = 0;
  scene->fake.clock = note_call;
  expect_winner (scene, 0);
  assert_true (calls >= 6);
  for (unsigned i = 0; i < 3; i++)
    {
      assert_ptr_equal (called[i], &scene->candidate[i]);
      assert_ptr_equal (called[3 + i], &scene->candidate[2 - i]);
    }
  scene_close (scene);
}

/* --------------------------------------------------------- What is excluded */

TEST (wrong_ones_are_excluded)
{
  struct scene *scene = OPEN (3, 5, 10, 20, 30);

  scene->wrong = 1;
  expect_winner (scene, 1);
  assert_int_equal (scene->candidate[0].failed, 1);
  assert_int_equal (scene->timed[0], 0);
  assert_non_null (strstr (scene->candidate[0].why, "wrong: n = "));
  assert_int_equal (scene->candidate[1].failed, 0);
  scene->wrong = 1 << 3; /* the default itself */
  expect_winner (scene, 0);
  scene_close (scene);
}

TEST (failing_ones_are_excluded)
{
  struct scene *scene = OPEN (3, 5, 10, 20, 30);

  scene->failing = 1;
  expect_winner (scene, 1);
  assert_string_equal (scene->candidate[0].why, "launching: it fails");
  scene->failing = 0;
  for (unsigned at = 1; at <= ROUNDS; at++) /* in every round */
    {
      scene->fails_from[0] = at;
      expect_winner (scene, 1);
      assert_int_equal (scene->candidate[0].failed, 1);
      assert_string_equal (scene->candidate[0].why, "timing: it fails");
    }
  scene_close (scene);
}

TEST (nothing_works)
{
  struct scene *scene = OPEN (1, 5, 10);

  scene->wrong = 3;
  assert_null (scene_run (scene));
  assert_non_null (strstr (scene->fake.target.why, "no candidate works"));
  assert_non_null (strstr (scene->fake.target.why, "wrong: n = "));
  scene->wrong = 0;
  scene->fails_from[0] = scene->fails_from[1] = 2;
  assert_null (scene_run (scene));
  assert_non_null (strstr (scene->fake.target.why, "timing: it fails"));
  scene_close (scene);
}

TEST (a_lost_device_ends_the_search)
{
  struct scene *scene = OPEN (3, 10, 20, 30, 40);

  scene->fatal = scene->failing = 2;
  assert_null (scene_run (scene));
  assert_string_equal (scene->fake.target.why, "grid_stride 128 u1 2/SM: launching: it fails");
  assert_int_equal (scene->timed[2], 0);
  scene->fatal = 1;
  scene->failing = 0;
  for (unsigned at = 1; at <= ROUNDS; at++)
    {
      scene->fails_from[0] = at;
      scene->fake.lost = 0;
      assert_null (scene_run (scene));
      assert_string_equal (scene->fake.target.why, "grid_stride 128 u1 1/SM: timing: it fails");
    }
  scene_close (scene);

  scene = OPEN (0, 10, 20); /* lost before anything was tried */
  scene->fake.lost = 1;
  assert_null (scene_run (scene));
  assert_string_equal (scene->fake.target.why, "it no longer answers");
  scene_close (scene);
}

/* --------------------------------------------------------------- Threads */

static const unsigned one_or_two[] = {1, 2};
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
  struct scene *scene = OPEN (0, 10, 6);

  set_threads (scene, one_or_two);
  scene->fake.clock_spaced = after_a_pause;
  asleep = 5e-6; /* 10 10 against 6 11 */
  expect_winner (scene, 1);
  expect_close (scene->candidate[1].seconds, 6e-6);
  assert_true (scene->fake.spaced > 0);
  asleep = 12e-6; /* against 6 18 */
  expect_winner (scene, 0);
  assert_true (scene->timed[0] > ROUNDS); /* it is not put off by the first round's 6 */
  expect_close (scene->candidate[0].seconds, 10e-6);
  asleep = 10.5e-6; /* against 6 16.5: as good as alike, and one is simpler */
  expect_winner (scene, 0);
  scene_close (scene);
}

/* Where all have as many threads, or several have no chance, a pause would tell nothing.  */
TEST (no_pauses_for_nothing)
{
  struct scene *scene = OPEN (0, 10, 6);

  expect_winner (scene, 1);
  assert_int_equal (scene->fake.renewals, 0);
  set_threads (scene, one_or_two);
  scene->seconds[1] = 41e-6;
  expect_winner (scene, 0);
  assert_int_equal (scene->fake.spaced, 0);
  scene->seconds[1] = 39e-6;
  expect_winner (scene, 0);
  assert_true (scene->fake.spaced > 0);
  scene_close (scene);
}

/* Threads that are asleep at first.  */
static double
late_riser (struct fake *fake, const struct gt_candidate *c)
{
  const struct scene *scene = fake->context;
  const double seconds = tell_time (fake, c);

  return c->config.threads == 2 && scene->timed[c - scene->candidate] <= 1
           ? 5 * seconds : seconds;
}

TEST (threads_may_be_late_once)
{
  struct scene *scene = OPEN (0, 10, 6);

  set_threads (scene, one_or_two);
  scene->fake.clock = late_riser;
  expect_winner (scene, 1);
  scene_close (scene);
}

/* While others have the processors, several threads look slower than one, however
   quietly: then the default stays.  */
TEST (what_others_took_decides_nothing)
{
  struct scene *scene = OPEN (1, 10, 14);

  set_threads (scene, one_or_two);
  scene->fake.target.lacking = 0.4;
  expect_winner (scene, 1);
  scene->fake.target.lacking = 0.1;
  expect_winner (scene, 0);
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
  struct scene *scene = OPEN (0, 10, 8);

  set_threads (scene, one_or_two);
  scene->fake.clock = unlucky;
  expect_winner (scene, 1);
  expect_close (scene->candidate[1].seconds, 8e-6);
  assert_int_equal (scene->fake.renewals, ROUNDS);
  scene_close (scene);
}

/* ------------------------------------------------------------- Occupancy */

TEST (occupancy_chooses)
{
  struct scene *scene = OPEN (2, 10, 20, 30);

  assert_ptr_equal (gt_space_model_choice (&scene->space), &scene->candidate[0]); /* first */
  scene->candidate[1].occupancy = scene->candidate[2].occupancy = 1;
  assert_ptr_equal (gt_space_model_choice (&scene->space), &scene->candidate[1]);
  scene->candidate[1].failed = 1;
  assert_ptr_equal (gt_space_model_choice (&scene->space), &scene->candidate[2]);
  scene->candidate[2].verdict = GT_PRUNED_WAVES;
  assert_ptr_equal (gt_space_model_choice (&scene->space), &scene->candidate[0]);
  scene_close (scene);
}

/* -------------------------------------------------------- Several lengths */

#define LENGTHS 3

/* Microseconds of sums by one thread of the sequential kernel, and of simd with unroll factors
   2, 4 and 8, which is the default, at each length.  Two threads take 20 times as long.  */
static double by_length[LENGTHS][4];
static unsigned timed_at[LENGTHS][4];
static unsigned stop_after, stop_after_saves; /* timings and sums; 0: never */
static struct fake fake;
static struct gt_tuned tuned;
static unsigned saved;

static uint64_t
length (unsigned i)
{
  return (uint64_t) 1 << (12 + 2 * i);
}

static double
tell_by_length (struct fake *of, const struct gt_candidate *c)
{
  const unsigned k = c->kernel == sum_kernel ("sequential")
                       ? 0 : (unsigned) log2 (c->config.unroll);
  unsigned i = 0;

  while (length (i) != of->n)
    i++;
  timed_at[i][k] += c->config.threads == 1;
  return 1e-6 * by_length[i][k] * (c->config.threads == 1 ? 1 : 20);
}

static int
stop (void)
{
  return (stop_after && fake.sums + fake.timings >= stop_after)
         || (stop_after_saves && saved >= stop_after_saves);
}

static int
is_wrong (struct fake *of, const struct gt_candidate *c, union gt_value *result)
{
  (void) of;
  (void) c;
  result->f64[0] += 1;
  return 0;
}

static void
count_save (const struct gt_tuner_options *options, struct gt_tuned *of)
{
  assert_int_equal (options->effort, GT_EFFORT_NORMAL);
  assert_ptr_equal (of, &tuned);
  saved++;
}

static void
lengths_open (double sequential, double two, double four, double eight)
{
  static struct gt_device device;

  device = *gt_device_host ();
  device.host.threads = 2;
  fake_open (&fake, GT_F64, (size_t) 8 << 20);
  fake.target.device = &device;
  fake.clock = tell_by_length;
  for (unsigned i = 0; i < LENGTHS; i++)
    memcpy (by_length[i], (double[]) {sequential, two, four, eight}, sizeof by_length[i]);
  stop_after = stop_after_saves = 0;
}

/* Forgets what the last search found.  */
static void
forget_findings (void)
{
  gt_profile_clear (&tuned.findings);
  memset (&tuned, 0, sizeof tuned);
  gt_profile_empty (&tuned.findings);
}

static void
lengths_run (void)
{
  const struct gt_tuner_options options = {.effort = GT_EFFORT_NORMAL};
  struct gt_problem list[LENGTHS];

  for (unsigned i = 0; i < LENGTHS; i++)
    list[i] = (struct gt_problem) {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, length (i)};
  memset (timed_at, 0, sizeof timed_at);
  fake.sums = fake.timings = saved = 0;
  forget_findings ();
  gt_reductions_find (&options, &fake.target, list, LENGTHS, &tuned, NULL, count_save, stop);
}

/* Expects that these unroll factors win (0: there is no winner).  */
static void
expect_unrolls (unsigned first, unsigned second, unsigned third)
{
  const unsigned unrolls[] = {first, second, third};

  for (unsigned i = 0; i < LENGTHS; i++)
    {
      const struct gt_problem p = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, length (i)};
      const struct gt_measured *const m = gt_findings_of (&tuned.findings, &p);
      unsigned n;

      assert_int_equal (m != NULL, unrolls[i] > 0);
      if (m)
        {
          const struct gt_step *const step
            = &tuned.findings.steps[m - tuned.findings.measured];

          assert_int_equal (step->config.unroll, unrolls[i]);
          expect_close (m->seconds, 1e-6 * by_length[i][(unsigned) log2 (unrolls[i])]);
          expect_close (m->default_seconds, 1e-6 * by_length[i][3]);
          assert_true (m->next_seconds > 0 && strncmp (m->next, "s", 1) == 0);
          assert_int_equal (m->failed, 0);
        }
      gt_profile_steps (&tuned.findings, "sum f64 fast contiguous", &n);
      assert_true (n <= LENGTHS);
    }
}

TEST (each_length_has_its_winner)
{
  lengths_open (30, 12, 11, 13);
  by_length[1][1] = 9;
  by_length[2][3] = 8;
  lengths_run ();
  expect_unrolls (4, 2, 8);
  assert_int_equal (tuned.done, LENGTHS);
  assert_int_equal (saved, LENGTHS);
  assert_int_equal (tuned.failed + tuned.excluded + tuned.disturbed, 0);
  assert_int_equal (tuned.timings, fake.timings);
  fake_close (&fake);
}

/* What has won at the length before stays unless another is better by enough.  */
TEST (winner_stays)
{
  lengths_open (30, 12, 10, 13);
  by_length[1][1] = 9.96;
  by_length[2][1] = 9.8;
  lengths_run ();
  expect_unrolls (4, 4, 2);
  by_length[0][1] = 9.96;
  lengths_run ();
  expect_unrolls (2, 2, 2);
  fake_close (&fake);
}

/* A candidate that is behind is not timed at longer lengths, but the default is; short sums
   say nothing of longer ones.  */
TEST (behind)
{
  lengths_open (260, 141, 100, 500);
  lengths_run ();
  expect_unrolls (4, 4, 4);
  assert_true (timed_at[0][0] > 0 && timed_at[0][1] > 0 && timed_at[0][3] > 0);
  assert_true (timed_at[1][0] == 0 && timed_at[1][1] > 0 && timed_at[1][3] > 0);
  assert_true (timed_at[2][0] == 0 && timed_at[2][1] == 0 && timed_at[2][3] > 0);
  fake_close (&fake);
  lengths_open (26, 14.1, 10, 50);
  lengths_run ();
  assert_true (timed_at[2][0] > 0 && timed_at[2][1] > 0);
  fake_close (&fake);
}

/* Candidates are verified at the awkward lengths once, only the default at each length.  */
TEST (verified_once)
{
  unsigned all;

  lengths_open (30, 12, 11, 13);
  lengths_run ();
  all = fake.sums;
  stop_after_saves = 1;
  lengths_run ();
  assert_true (fake.sums >= 7 * 10 && all > 1.15 * fake.sums && all < 1.6 * fake.sums);
  fake_close (&fake);
}

TEST (nothing_works_at_any_length)
{
  lengths_open (30, 12, 11, 13);
  fake.tamper = is_wrong;
  lengths_run ();
  expect_unrolls (0, 0, 0);
  assert_int_equal (tuned.failed, LENGTHS);
  assert_int_equal (tuned.excluded, 7);
  assert_int_equal (tuned.done + saved, 0);
  assert_string_equal (tuned.trouble, "");
  fake_close (&fake);
}

/* A run that is stopped anywhere keeps the lengths that it has finished.  */
TEST (stopped_anywhere)
{
  unsigned all, before = 0;

  lengths_open (30, 12, 11, 13);
  lengths_run ();
  all = fake.sums + fake.timings;
  for (unsigned after = 1; after <= all; after++)
    {
      stop_after = after;
      lengths_run ();
      assert_true (fake.sums + fake.timings <= after + 16);
      assert_true (tuned.done >= before && tuned.done < LENGTHS);
      assert_int_equal (tuned.findings.n_steps, tuned.done);
      before = tuned.done;
    }
  assert_int_equal (before, LENGTHS - 1);
  fake_close (&fake);
}

TEST (a_lost_device_is_told)
{
  lengths_open (30, 12, 11, 13);
  fake.lost = 1;
  lengths_run ();
  assert_string_equal (tuned.trouble, "it failed for good in double fast contiguous 2^12, it no"
                                      " longer answers");
  fake_close (&fake);
}

TEST (what_others_took_is_told)
{
  lengths_open (30, 12, 11, 13);
  fake.target.lacking = 0.4;
  lengths_run ();
  expect_unrolls (8, 8, 8);
  assert_true (tuned.timings > 0 && tuned.disturbed == tuned.timings);
  fake_close (&fake);
}

/* --------------------------------------------------------- The real host */

static int
never (void)
{
  return 0;
}

TEST (real_host)
{
  const struct gt_tuner_options options = {.effort = GT_EFFORT_NORMAL};
  const struct gt_problem list[] = {{GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1000},
                                    {GT_SUM, GT_F64, GT_MODE_EXACT, GT_CONTIGUOUS, 1000}};
  struct gt_target target;

  gt_target_host (&target);
  assert_true (target.ops->capacity (&target) >= (size_t) 1 << 20);
  forget_findings ();
  gt_reductions_find (&options, &target, list, N_OF (list), &tuned, NULL, count_save, never);
  assert_int_equal (tuned.done, N_OF (list));
  assert_true (target.bytes >= GT_AWKWARD_N * sizeof (double));
  for (unsigned i = 0; i < N_OF (list); i++)
    {
      const struct gt_measured *const m = gt_findings_of (&tuned.findings, &list[i]);

      assert_non_null (m);
      assert_true (m->seconds > 0 && m->seconds < 1);
      assert_true (m->default_seconds > 0 && m->gsl_seconds > 0);
      assert_true (m->failed == 0 && m->candidates > 0);
    }
  gt_profile_clear (&tuned.findings);
  gt_target_close (&target);
  assert_false (target.loaded);
}

RUN_TESTS (NULL, NULL)
