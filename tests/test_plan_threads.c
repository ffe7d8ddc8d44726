/* How many threads a CPU uses whose plans are made of another CPU's profile
   (src/plan/plan.c).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "src/base/env.h"
#include "src/plan/plan.h"
#include "tests/profile_sample.h"

/* The threads of the plan for N doubles on a CPU of eight, by the profile of one with TUNED
   threads that found two best, and one below 2^14 elements.  */
static unsigned
threads_by_profile_of (int tuned, enum gt_match match, uint64_t n)
{
  static struct gt_plans plans;
  const struct gt_entry entries[]
    = {sample_entry ("simd", GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 10,
                     (struct gt_config) {1, 0, 4, 0}),
       sample_entry ("simd", GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 24,
                     (struct gt_config) {2, 0, 4, 0})};
  const struct gt_problem problem
    = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, n};
  struct gt_device eight = *gt_device_host (), other = eight;
  unsigned threads;

  eight.host.cores = eight.host.threads = 8;
  other.host.cores = other.host.threads = tuned;
  memset (&plans, 0, sizeof plans);
  gt_profile_init (&plans.profile, &other);
  for (size_t i = 0; i < N_OF (entries); i++)
    assert_int_equal (gt_profile_put (&plans.profile, &entries[i]), 0);
  plans.profile.match = match;
  plans.profile_found = 1;
  plans.device = &eight;
  gt_plans_make (&plans, GT_SUM);
  threads = gt_plan_find (&plans, &problem)->config.threads;
  gt_profile_clear (&plans.profile);
  return threads;
}

/* A CPU with more threads than the one that was tuned uses them where the estimate does;
   what was tuned on this CPU, or on one with as many, stands.  */
static void
a_smaller_cpu_bounds_no_threads (void **state)
{
  const uint64_t many = 1 << 26;

  (void) state;
  gt_env.threads = 0;
  assert_int_equal (threads_by_profile_of (2, GT_MATCH_INSTRUCTIONS, many), 8);
  assert_int_equal (threads_by_profile_of (2, GT_MATCH_MODEL, many), 8);
  assert_int_equal (threads_by_profile_of (2, GT_MATCH_MODEL, 1 << 10), 1);
  assert_int_equal (threads_by_profile_of (8, GT_MATCH_MODEL, many), 2);
  assert_int_equal (threads_by_profile_of (16, GT_MATCH_INSTRUCTIONS, many), 2);
  assert_int_equal (threads_by_profile_of (8, GT_MATCH_SILICON, many), 2);
}

int
main (void)
{
  static const struct CMUnitTest tests[] = {
    cmocka_unit_test (a_smaller_cpu_bounds_no_threads),
  };

  cmocka_set_message_output (CM_OUTPUT_TAP);
  return cmocka_run_group_tests (tests, NULL, NULL);
}
