/* How many threads a CPU uses where its profile, or another CPU's, does not tell
   (src/plan/plan.c).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include <stdlib.h>

#include "src/base/env.h"
#include "src/plan/plan.h"
#include "tests/profile_sample.h"

/* The threads of the plan for N doubles on a CPU of eight, by the profile of one with TUNED
   threads that found one best at 2^18 elements, and two at 2^22.  */
static unsigned
threads_by_profile_of (int tuned, enum gt_match match, uint64_t n)
{
  static struct gt_plans plans;
  const struct gt_entry entries[]
    = {sample_entry ("simd", GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 18,
                     (struct gt_config) {1, 0, 4, 0}),
       sample_entry ("simd", GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 22,
                     (struct gt_config) {2, 0, 4, 0})};
  const struct gt_problem problem
    = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, n};
  struct gt_device eight = *gt_device_host (), other = eight;
  unsigned threads;

  eight.host.cores = eight.host.threads = 8;
  other.host.cores = other.host.threads = tuned;
  gt_profile_init (&plans.profile, &other);
  for (size_t i = 0; i < N_OF (entries); i++)
    assert_int_equal (gt_profile_put (&plans.profile, &entries[i]), 0);
  plans.profile.match = match;
  plans.profile_found = 1;
  plans.device = &eight;
  threads = gt_plan_find (&plans, &problem)->config.threads;
  gt_plans_forget (&plans);
  gt_profile_clear (&plans.profile);
  return threads;
}

/* A CPU with more threads than the one that was tuned uses them where the estimate does;
   what was tuned on this CPU, or on one with as many, stands.  */
TEST (a_smaller_cpu_bounds_no_threads)
{
  const uint64_t many = 1 << 26;

  gt_env.threads = 0;
  assert_int_equal (threads_by_profile_of (2, GT_MATCH_INSTRUCTIONS, many), 8);
  assert_int_equal (threads_by_profile_of (2, GT_MATCH_MODEL, many), 8);
  assert_int_equal (threads_by_profile_of (2, GT_MATCH_MODEL, 1 << 10), 1);
  assert_int_equal (threads_by_profile_of (8, GT_MATCH_MODEL, many), 2);
  assert_int_equal (threads_by_profile_of (16, GT_MATCH_INSTRUCTIONS, many), 2);
  assert_int_equal (threads_by_profile_of (8, GT_MATCH_SILICON, many), 2);
}

/* Where what serves untuned won, what serves untuned serves at other lengths too.  */
TEST (the_estimate_wins_everywhere)
{
  struct gt_plans *plans = calloc (1, sizeof *plans);
  struct gt_device eight = *gt_device_host ();
  const struct gt_problem problem
    = {GT_SUM, GT_F64, GT_MODE_EXACT, GT_CONTIGUOUS, 1 << 20};
  struct gt_entry entry
    = sample_entry ("exact", GT_F64, GT_MODE_EXACT, GT_CONTIGUOUS, 1 << 18,
                    (struct gt_config) {1, 0, 4, 0});

  assert_non_null (plans);
  eight.host.cores = eight.host.threads = 8;
  gt_profile_init (&plans->profile, &eight);
  assert_int_equal (gt_profile_put (&plans->profile, &entry), 0);
  plans->profile_found = 1;
  plans->device = &eight;
  assert_int_equal (gt_plan_find (plans, &problem)->config.threads, 4);
  entry.config.unroll = 2; /* something else won */
  assert_int_equal (gt_profile_put (&plans->profile, &entry), 0);
  gt_plans_forget (plans);
  assert_int_equal (gt_plan_find (plans, &problem)->config.threads, 1);
  gt_plans_forget (plans);
  gt_profile_clear (&plans->profile);
  free (plans);
}

/* Between a length at which one thread is best and one at which two are, the estimate
   tells: nobody measured where more begin to pay.  */
TEST (between_tuned_lengths_the_estimate_tells)
{
  gt_env.threads = 0;
  assert_int_equal (threads_by_profile_of (8, GT_MATCH_SILICON, 1 << 18), 1);
  assert_int_equal (threads_by_profile_of (8, GT_MATCH_SILICON, 1 << 19), 2);
  assert_int_equal (threads_by_profile_of (8, GT_MATCH_SILICON, 1 << 20), 2);
  assert_int_equal (threads_by_profile_of (8, GT_MATCH_SILICON, 1 << 22), 2);
}

RUN_TESTS (NULL, NULL)
