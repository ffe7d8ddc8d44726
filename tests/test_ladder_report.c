/* Tests of tuning/ladder/ladder_report.c: what a rung is compared with, and the grid of
   its sweep.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "tests/sums.h"

#include "tuning/ladder/ladder.h"

#define MOST 32

static struct gt_candidate measured;
static struct gt_rung rungs[MOST];

/* All rungs, each measured; in-place forms take 2 s, the others 1 s.  */
static struct gt_ladder_report
made_up (void)
{
  const struct gt_ladder_kernel *list = gt_ladder_catalog;
  struct gt_ladder_report report = {.rung = rungs};

  report.n = gt_ladder_catalog_size;
  assert_in_range (report.n, 1, MOST);
  for (unsigned i = 0; i < report.n; i++)
    rungs[i] = (struct gt_rung) {
      .kernel = &list[i],
      .winner = &measured,
      .found.measured.seconds = list[i].shape == GT_RUNG_IN_PLACE ? 2 : 1
    };
  return report;
}

static struct gt_rung *
find (const char *name)
{
  struct gt_rung *rung = rungs;

  while (rung->kernel && strcmp (rung->kernel->kernel->name, name) != 0)
    rung++;
  assert_non_null (rung->kernel);
  return rung;
}

/* Expects that NAME is compared with EXPECTED; null: with nothing.  */
static void
expect (const struct gt_ladder_report *report, const char *name, const char *expected)
{
  const struct gt_rung *before = gt_ladder_before (report, find (name));

  if (expected == NULL)
    assert_null (before);
  else
    {
      assert_non_null (before);
      assert_string_equal (before->kernel->kernel->name, expected);
    }
}

TEST (the_first_rung_has_none_before)
{
  struct gt_ladder_report report = made_up ();

  expect (&report, "neighbored_in_place", NULL);
  expect (&report, "neighbored", NULL);
}

TEST (forms_are_compared_with_the_same_form)
{
  struct gt_ladder_report report = made_up ();

  expect (&report, "neighbored_packed_in_place", "neighbored_in_place");
  expect (&report, "neighbored_packed", "neighbored");
  expect (&report, "first_add", "interleaved");
  expect (&report, "unroll_blocks", "first_add");
  /* However fast the other form is.  */
  find ("interleaved_in_place")->found.measured.seconds = 0.1;
  expect (&report, "first_add", "interleaved");
  expect (&report, "grid_stride", "recursive");
}

TEST (other_forms_are_compared_with_the_fastest)
{
  struct gt_ladder_report report = made_up ();

  expect (&report, "unroll_blocks_in_place", "first_add");
  expect (&report, "shuffle", "complete");
  find ("complete_in_place")->found.measured.seconds = 0.1;
  expect (&report, "shuffle", "complete_in_place");
}

TEST (rungs_that_are_not_there_are_passed_over)
{
  struct gt_ladder_report report = made_up ();

  find ("interleaved")->winner = NULL;
  expect (&report, "first_add", "interleaved_in_place");
  find ("recursive")->winner = NULL;
  expect (&report, "grid_stride", "multilevel");
  find ("neighbored_in_place")->winner = NULL;
  find ("neighbored")->winner = NULL;
  expect (&report, "neighbored_packed", NULL);
}

/* A sweep of grid_stride: at 64 u1 the second of three is the best, 64 u2 is
   ruled out, 128 u1 has failed, and the winner is not the fastest of its cell.  */
static struct gt_candidate swept[] = {
  {.config = {1, 64, 1, 1}, .seconds = 3e-6},
  {.config = {1, 64, 1, 2}, .seconds = 2e-6},
  {.config = {1, 64, 1, 4}, .verdict = GT_PRUNED_WAVES},
  {.config = {1, 64, 2, 1}, .verdict = GT_PRUNED_LAUNCH},
  {.config = {1, 128, 1, 1}, .failed = 1, .why = "wrong"},
  {.config = {1, 128, 2, 1}, .seconds = 1.00e-6},
  {.config = {1, 128, 2, 2}, .seconds = 1.01e-6}
};

/* The text that gt_ladder_print_rung prints of it; the caller frees it.  */
static char *
printed (int colours)
{
  static struct gt_device gpu = {.kind = GT_CUDA};
  enum { n = sizeof swept / sizeof swept[0] };
  struct gt_ladder_report report
    = {.device = &gpu, .problem = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1000},
       .rung = rungs, .n = 1, .cpu = {.function = "gsl_vector_sum"}};
  FILE *file = tmpfile ();
  int out = dup (STDOUT_FILENO);
  char *text = calloc (1, 10000);

  for (unsigned i = 0; i < n; i++)
    {
      swept[i].kernel = sum_kernel ("grid_stride");
      swept[i].limiter = "registers";
    }
  rungs[0] = (struct gt_rung) {.kernel = gt_ladder_find ("grid_stride"),
                               .space = {.candidate = swept, .n = n},
                               .winner = &swept[6],
                               .found = {.config = swept[6].config,
                                         .measured = {.seconds = swept[6].seconds}}};
  assert_non_null (file);
  assert_non_null (text);
  fflush (stdout);
  dup2 (fileno (file), STDOUT_FILENO);
  gt_ladder_print_rung (&report, colours);
  fflush (stdout);
  dup2 (out, STDOUT_FILENO);
  close (out);
  rewind (file);
  assert_true (fread (text, 1, 9999, file) > 0);
  fclose (file);
  return text;
}

static void
expect_text (const char *text, const char *part)
{
  if (strstr (text, part) == NULL)
    {
      fprintf (stderr, "%s\n", text);
      fail_msg ("the text above has no '%s'", part);
    }
}

TEST (a_cell_shows_the_best_blocks_per_sm)
{
  char *text = printed (0);

  expect_text (text, "   64  2 us, 2/SM                -   -   -    -\n");
  free (text);
}

TEST (the_winner_is_marked_and_failures_are_told)
{
  char *text = printed (0);

  expect_text (text, "  128      failed  * 1.01 us, 2/SM   -   -    -\n");
  expect_text (text, "- 1: more than two waves of blocks:\n  64 u1 4/SM\n");
  expect_text (text, "- 1: cannot launch: too large a block or grid:\n"
                     "  64 u2 1/SM\n");
  expect_text (text, "failed 1: wrong:\n  128 u1 1/SM\n");
  assert_null (strchr (text, '\033'));
  free (text);
}

TEST (colours_mark_winner_and_failures)
{
  char *text = printed (1);

  expect_text (text, "\033[31mfailed\033[m  \033[1;32m* 1.01 us, 2/SM\033[m");
  free (text);
}

RUN_TESTS (NULL, NULL)
