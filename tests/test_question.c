/* Tests of tuning/search/question.c: which sizes are measured, which ways, and the steps.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>

#include "tests/unit.h"
#include "tuning/search/question.h"

enum
{
  GSL,
  ONE,   /* ours, by one thread */
  OTHER, /* another library */
  TEAM,
  WAYS,
  SIZES = 16,
  THREADED = 8 /* the first size for several threads */
};

/* Seconds of a call of each way and size, by variant, and what happened.  */
static struct scene
{
  double seconds[2][SIZES][WAYS];
  int is_wrong[WAYS];
  int is_right_at_first[WAYS]; /* at the first size alone */
  unsigned variants, stop_after;
  unsigned measured[SIZES], timed[SIZES][WAYS];
  unsigned size, variant, prepared;
  int rising;
  int status[SIZES];          /* of prepare */
  int checks[WAYS];           /* what check returns, if not 0 */
  unsigned percent[SIZES];    /* of OTHER, if not 0 */
  struct gt_question *question;
} scene;

static int
ask (void *closure, unsigned k, const struct gt_tuner_options *options,
     struct gt_question *q)
{
  static const struct gt_asked_way ways[WAYS]
    = {{.name = GT_STEP_GSL, .forced = {0, 1}}, {.name = "one", .forced = {1, 1}},
       {.name = "other", .forced = {2, 1}}, {.name = "one", .forced = {1, 4}}};

  (void) closure;
  scene.question = q;
  if (!options->procedures || k == 0)
    return 0;
  snprintf (q->kind, sizeof q->kind, "kind %u", k);
  memcpy (q->way, ways, sizeof ways);
  q->ways = WAYS;
  for (; q->sizes < SIZES; q->sizes++)
    {
      q->size[q->sizes] = (double) (16 << q->sizes);
      q->variants[q->sizes] = scene.variants;
    }
  return 1;
}

static int
prepare (void *closure, unsigned i, unsigned variant)
{
  (void) closure;
  scene.measured[i]++;
  scene.prepared++;
  scene.size = i;
  scene.variant = variant;
  return scene.status[i];
}

static void
release (void *closure)
{
  (void) closure;
}

static double
time_calls (void *closure, unsigned way)
{
  (void) closure;
  assert_true (way == GSL || gt_forced (&gt_sorts)->threads == (way == TEAM ? 4 : 1));
  assert_true (way == GSL || gt_forced (&gt_sorts)->way == (way == OTHER ? 2 : 1));
  scene.timed[scene.size][way]++;
  return scene.seconds[scene.variant][scene.size][way];
}

static int
check (void *closure, unsigned way, int first)
{
  (void) closure;
  (void) first;
  if (way == OTHER)
    scene.question->way[OTHER].percent = scene.percent[scene.size];
  if (scene.is_right_at_first[way])
    return scene.size == 0;
  return scene.checks[way] ? scene.checks[way] : !scene.is_wrong[way];
}

static int
stop (void)
{
  return scene.stop_after && scene.prepared >= scene.stop_after;
}

/* All ways take long calls of the same time; GSL's function is 3 times as slow.  */
static void
open_scene (void)
{
  memset (&scene, 0, sizeof scene);
  scene.variants = 1;
  for (unsigned v = 0; v < 2; v++)
    for (unsigned i = 0; i < SIZES; i++)
      for (unsigned w = 0; w < WAYS; w++)
        scene.seconds[v][i][w] = w == GSL ? 3e-4 : 1e-4;
}

static int
answer (struct gt_profile *profile, int resuming)
{
  const struct gt_question_family family
    = {.label = "CPU", .text = "things", .kinds = 2, .ask = ask, .prepare = prepare,
       .release = release, .check = check, .choices = &gt_sorts, .time = time_calls,
       .threaded = 16 << THREADED, .rising = scene.rising};
  const struct gt_tuner_options options = {.procedures = 1};

  return gt_questions_answer (&family, NULL, &options, profile, resuming, stop);
}

/* EXPECTED: "0 gsl, 16 one, 4096 one 4".  */
static void
expect_steps (const char *expected)
{
  struct gt_profile profile;
  const struct gt_step *steps;
  char text[256] = "";
  unsigned n;

  gt_profile_empty (&profile);
  assert_true (answer (&profile, 0));
  steps = gt_profile_steps (&profile, "kind 1", &n);
  for (unsigned i = 0; i < n; i++)
    {
      char *const at = text + strlen (text);

      snprintf (at, sizeof text - strlen (text), "%s%ju %s", i ? ", " : "",
                (uintmax_t) steps[i].from, steps[i].way);
      if (steps[i].config.threads > 1)
        snprintf (at + strlen (at), sizeof text - strlen (text), " %u",
                  steps[i].config.threads);
      if (steps[i].percent)
        snprintf (at + strlen (at), sizeof text - strlen (text), " %u%%", steps[i].percent);
    }
  assert_string_equal (text, expected);
  gt_profile_clear (&profile);
}

/* Sizes between those with the same winner are not measured.  */
TEST (same_winner)
{
  open_scene ();
  expect_steps ("0 gsl, 16 one");
  for (unsigned i = 0; i < SIZES; i++)
    assert_int_equal (scene.measured[i], (i % 4 == 0 || i == SIZES - 1) + (i == 4));
  assert_null (gt_forced (&gt_sorts));
}

/* Wherever the winner changes, that size is found.  */
TEST (winner_changes)
{
  for (unsigned from = 1; from < SIZES; from++)
    {
      char expected[64];

      open_scene ();
      for (unsigned i = 0; i < from; i++)
        scene.seconds[0][i][GSL] = 1e-4;
      expect_steps ((snprintf (expected, sizeof expected, "0 gsl, %u one", 16 << from),
                     expected));
    }
}

/* A way must gain enough over simpler ones, several threads more than one.  */
TEST (gains)
{
  open_scene ();
  for (unsigned i = 0; i < SIZES; i++)
    {
      scene.seconds[0][i][GSL] = 1e-4;
      scene.seconds[0][i][ONE] = 0.96e-4;
    }
  expect_steps ("0 gsl");
  for (unsigned i = 0; i < SIZES; i++)
    {
      scene.seconds[0][i][ONE] = 0.9e-4;
      scene.seconds[0][i][OTHER] = 0.87e-4;
      scene.seconds[0][i][TEAM] = 0.73e-4;
    }
  expect_steps ("0 gsl, 16 one");
  for (unsigned i = 0; i < SIZES; i++)
    scene.seconds[0][i][TEAM] = 0.71e-4;
  expect_steps ("0 gsl, 16 one, 4096 one 4");
}

/* A way that is behind is not timed at larger sizes: at two sizes a little, at one size far.  */
TEST (behind)
{
  open_scene ();
  for (unsigned i = 0; i < SIZES; i++)
    scene.seconds[0][i][OTHER] = 1.45e-4;
  expect_steps ("0 gsl, 16 one");
  assert_int_equal (scene.timed[0][GSL] > 0, 1);
  assert_int_equal (scene.timed[4][GSL], 0);
  assert_int_equal (scene.timed[4][OTHER] > 0, 1);
  assert_int_equal (scene.timed[8][OTHER], 0);
  assert_int_equal (scene.timed[8][ONE] > 0, 1);
  open_scene ();
  for (unsigned i = 0; i < SIZES; i++) /* short calls: it may catch up */
    for (unsigned w = 0; w < WAYS; w++)
      scene.seconds[0][i][w] *= 1e-2;
  expect_steps ("0 gsl, 16 one");
  assert_int_equal (scene.timed[SIZES - 1][GSL] > 0, 1);
}

/* A way whose results are wrong never wins.  */
TEST (wrong_results)
{
  open_scene ();
  scene.is_wrong[OTHER] = 1;
  for (unsigned i = 0; i < SIZES; i++)
    scene.seconds[0][i][OTHER] = 1e-5;
  expect_steps ("0 gsl, 16 one");
  assert_int_equal (scene.timed[0][OTHER], 0);
}

/* Nor one whose results are wrong at larger sizes, however slow it is at small ones; it is not even
   the next.  */
TEST (wrong_at_larger_sizes)
{
  open_scene ();
  scene.is_right_at_first[OTHER] = scene.is_right_at_first[TEAM] = 1;
  for (unsigned i = 0; i < SIZES; i++)
    scene.seconds[0][i][OTHER] = 2.9e-4;
  expect_steps ("0 gsl, 16 one");
  assert_int_equal (scene.timed[0][OTHER], 0);
}

/* A way that is the best at one size alone won by accident.  */
TEST (accidents)
{
  open_scene ();
  scene.seconds[0][8][OTHER] = 0.5e-4;
  expect_steps ("0 gsl, 16 one");
}

/* GSL's function comes again only where it is faster than the way before; then it serves all
   shorter calls, too, if calls are short.  */
TEST (gsl_again)
{
  static const char *const expected[]
    = {"0 gsl, 16 one", "0 gsl, 16 one, 256 gsl, 512 one", "0 gsl, 512 one"};

  for (unsigned k = 0; k < N_OF (expected); k++)
    {
      open_scene ();
      for (unsigned i = 0; i < 6; i++)
        scene.seconds[0][i][GSL] = i != 4 ? 1.3e-4 : k ? 0.9e-4 : 0.98e-4;
      for (unsigned i = 0; i < SIZES; i++)
        for (unsigned w = 0; w < WAYS && k == 2; w++)
          scene.seconds[0][i][w] *= 1e-2;
      expect_steps (expected[k]);
    }
}

/* GSL's function wins at a size if it does with any data; of others the geometric mean counts.  */
TEST (variants)
{
  open_scene ();
  scene.variants = 2;
  for (unsigned i = 0; i < 6; i++)
    scene.seconds[1][i][GSL] = 1e-4;
  for (unsigned i = 0; i < SIZES; i++)
    {
      scene.seconds[0][i][OTHER] = 1.2e-4;
      scene.seconds[1][i][OTHER] = 0.6e-4;
    }
  for (unsigned i = 0; i < 6; i++)
    scene.seconds[0][i][GSL] = 1e-4;
  expect_steps ("0 gsl, 1024 other");
}

/* It does even where another way that serves smaller sizes is faster at the mean.  */
TEST (gsl_again_with_some_data)
{
  open_scene ();
  scene.variants = 2;
  for (unsigned i = 0; i < SIZES; i++) /* GSL's is not so slow that it is not measured */
    scene.seconds[0][i][GSL] = scene.seconds[1][i][GSL] = 1.3e-4;
  for (unsigned i = 8; i < SIZES; i++)
    {
      scene.seconds[0][i][GSL] = 9e-4;
      scene.seconds[1][i][GSL] = 0.8e-4;
    }
  expect_steps ("0 gsl, 16 one, 4096 gsl");
  for (unsigned i = 8; i < SIZES; i++)
    scene.seconds[1][i][GSL] = 0.98e-4;
  expect_steps ("0 gsl, 16 one");
}

/* Of a family whose ways follow each other a larger size is served by no earlier way.  */
TEST (rising)
{
  for (int rising = 0; rising < 2; rising++)
    {
      open_scene ();
      scene.rising = rising;
      for (unsigned i = 11; i < 14; i++)
        scene.seconds[0][i][TEAM] = 0.5e-4;
      expect_steps (rising ? "0 gsl, 16 one" : "0 gsl, 16 one, 32768 one 4, 262144 one");
    }
}

/* A way that fails at one size serves none.  */
TEST (failing)
{
  open_scene ();
  for (unsigned i = 0; i < SIZES; i++)
    scene.seconds[0][i][OTHER] = i < 8 ? 0.9e-4 : (double) INFINITY;
  expect_steps ("0 gsl, 16 one");
  assert_int_equal (scene.timed[12][OTHER], 0);
}

/* A way may choose numbers of its own at each size; sizes between take those of the smaller one.  */
TEST (numbers)
{
  open_scene ();
  for (unsigned i = 0; i < SIZES; i++)
    {
      scene.seconds[0][i][OTHER] = 0.5e-4;
      scene.percent[i] = i < 8 ? 100 : 60;
    }
  expect_steps ("0 gsl, 16 other 100%, 4096 other 60%");
  assert_int_equal (scene.measured[7], 0);
}

/* A way that is not worth timing is not timed, and not wrong.  */
TEST (not_here)
{
  open_scene ();
  scene.checks[ONE] = scene.checks[TEAM] = GT_NOT_HERE;
  expect_steps ("0 gsl, 16 other");
  assert_int_equal (scene.timed[0][ONE], 0);
}

/* Sizes for which there is no memory are served by the first way; nothing is put if memory is short,
   before the check or in it.  */
TEST (no_data)
{
  struct gt_profile profile;
  unsigned n;

  open_scene ();
  for (unsigned i = 0; i < SIZES; i++)
    scene.status[i] = GT_NO_DATA;
  expect_steps ("0 gsl");
  for (unsigned k = 0; k < 2; k++)
    {
      open_scene ();
      scene.status[8] = k ? 0 : -1;
      scene.checks[OTHER] = k ? -1 : 0;
      gt_profile_empty (&profile);
      assert_false (answer (&profile, 0));
      assert_null (gt_profile_steps (&profile, "kind 1", &n));
    }
}

/* A run that is to stop keeps what was there; one that goes on passes over what is known.  */
TEST (stopped_and_resumed)
{
  struct gt_profile profile;
  unsigned n;

  gt_profile_empty (&profile);
  open_scene ();
  scene.stop_after = 2;
  assert_false (answer (&profile, 0));
  assert_null (gt_profile_steps (&profile, "kind 1", &n));
  assert_null (gt_forced (&gt_sorts));
  scene.stop_after = 0;
  assert_true (answer (&profile, 1));
  assert_non_null (gt_profile_steps (&profile, "kind 1", &n));
  scene.prepared = 0;
  assert_true (answer (&profile, 1));
  assert_int_equal (scene.prepared, 0);
  gt_profile_clear (&profile);
}

RUN_TESTS (NULL, NULL)
