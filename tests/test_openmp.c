/* Tests of src/cpu/openmp.c: what the pool does as OpenMP answers, which is the test's
   own here, and that nobody asks when the process has begun to end.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"


#include "tests/unit.h"

#include "src/cpu/openmp.h"
#include "src/cpu/threads.h"
#include "tests/scenario.h"

static _Atomic int in_parallel, asked, ends;

int
omp_in_parallel (void)
{
  asked++;
  return in_parallel;
}

static void
do_nothing (void *closure, unsigned member)
{
  (void) closure;
  (void) member;
}

/* As OpenMP's own library it is closed after the handlers of exit were run.  */
static __attribute__ ((destructor)) void
close_openmp (void)
{
  if (!ends)
    return;
  asked = 0;
  gt_team_run (4, do_nothing, NULL);
  _exit (asked);
}

/* The process ends, and goes on with teams.  */
SCENARIO (end)
{
  gt_team_run (4, do_nothing, NULL);
  CHECK (asked > 0);
  ends = 1;
}

TEST (it_is_asked)
{
  for (int k = 0; k < 4; k++)
    {
      in_parallel = k % 2;
      asked = 0;
      assert_int_equal (gt_in_parallel_region (), k % 2);
      assert_int_equal (asked, 1);
    }
  in_parallel = 0;
}

TEST (it_is_not_asked_at_the_end)
{
  EXPECT_SCENARIO ("end", "", "");
}

RUN_SCENARIOS (NULL, NULL)
