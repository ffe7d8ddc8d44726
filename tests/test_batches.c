/* Tests of tuning/measure/clock.c, by a clock that only runs move on.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "tests/own_clock.h"
#include "tuning/measure/clock.h"

/* The function that is timed.  */
struct work
{
  int64_t run;           /* nanoseconds of a run */
  unsigned slow_batches; /* that come first and take longer */
  unsigned slow_each;    /* of so many batches one does; 0: none */
  unsigned factor;       /* how many times longer */
  unsigned batches;      /* so far */
  uint64_t runs;         /* so far */
};

static void
work_often (void *closure, unsigned count)
{
  struct work *work = closure;
  const int slow = work->batches < work->slow_batches
                   || (work->slow_each && work->batches % work->slow_each == 0);

  now += work->run * count * (slow ? work->factor : 1);
  work->batches++;
  work->runs += count;
}

/* The nanoseconds that a run of WORK is said to take.  */
static double
timed (struct work *work, double at_least)
{
  double seconds;

  now = 0;
  seconds = gt_time_batches (work_often, work, at_least);
  now = -1;
  return seconds * 1e9;
}

static void
expect (struct work work, double at_least)
{
  const double is = timed (&work, at_least);

  if (is < (double) work.run * (1 - 1e-6) || is > (double) work.run * (1 + 1e-6))
    fail_msg ("%g ns instead of %jd", is, (intmax_t) work.run);
}

/* However many of them a batch takes.  */
TEST (a_time_is_that_of_one_run)
{
  for (int64_t run = 1; run <= 1000000000; run *= 10)
    expect ((struct work) {.run = run}, 1e-3);
}

/* A call that lasts long enough is run no more often than it must.  */
TEST (long_runs_are_few)
{
  struct work endless = {.run = 5000000}, longer = {.run = 1000000};

  timed (&endless, 1e-3);
  assert_int_equal (endless.runs, 1);
  timed (&longer, 1e-3);
  assert_int_equal (longer.runs, 2);
}

TEST (disturbed_batches_do_not_count)
{
  expect ((struct work) {.run = 1000, .slow_each = 2, .factor = 3}, 1e-3);
  expect ((struct work) {.run = 100000, .slow_each = 2, .factor = 3}, 1e-3);
}

/* A batch of one run seems long enough, as long as the runs are cold.  */
TEST (cold_runs_do_not_count)
{
  struct work work = {.run = 1000, .slow_batches = 2, .factor = 200};

  expect (work, 1e-3);
}

/* Two batches of a second's eighth, though eight were wanted.  */
TEST (patience_ends)
{
  struct work work = {.run = 1000000};

  timed (&work, 1);
  assert_true (work.runs > 250 && work.runs < 600);
}

/* ------------------------------------------------------------- Medians */

TEST (median)
{
  static const struct
  {
    double values[8];
    unsigned n;
    double median;
  } cases[] = {{{7}, 1, 7},
               {{3, 1}, 2, 2},
               {{9, 1, 5}, 3, 5},
               {{4, 1, 3, 2}, 4, 2.5},
               {{5, 1, 4, 2, 3}, 5, 3},
               {{8, 7, 6, 5, 4, 3, 2, 1}, 8, 4.5},
               {{2, 2, 2, 2, 2, 2, 2, 200}, 8, 2},
               {{0, 0, 0}, 3, 0}};

  for (size_t i = 0; i < N_OF (cases); i++)
    {
      double values[8];

      memcpy (values, cases[i].values, sizeof values);
      assert_true (gt_median (values, cases[i].n) == cases[i].median);
      for (unsigned k = 1; k < cases[i].n; k++)
        assert_true (values[k - 1] <= values[k]);
    }
}

RUN_TESTS (NULL, NULL)
