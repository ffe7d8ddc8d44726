/* Tests of tuning/ladder/ladder_report.c: what a rung is compared with.  What is printed is in
   test_ladder.sh.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "tuning/ladder/ladder.h"

#define MOST 32

static struct gt_candidate measured[MOST];
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
    {
      measured[i].seconds = list[i].shape == GT_RUNG_IN_PLACE ? 2 : 1;
      rungs[i] = (struct gt_rung) {.kernel = &list[i], .winner = &measured[i]};
    }
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
  measured[find ("interleaved_in_place") - rungs].seconds = 0.1;
  expect (&report, "first_add", "interleaved");
  expect (&report, "grid_stride", "recursive");
}

TEST (other_forms_are_compared_with_the_fastest)
{
  struct gt_ladder_report report = made_up ();

  expect (&report, "unroll_blocks_in_place", "first_add");
  expect (&report, "shuffle", "complete");
  measured[find ("complete_in_place") - rungs].seconds = 0.1;
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

RUN_TESTS (NULL, NULL)
