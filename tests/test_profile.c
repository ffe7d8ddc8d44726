/* Tests of profiles in memory and of the round trip through JSON.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <inttypes.h>
#include <sys/resource.h>

#include "tests/unit.h"

#include "src/base/names.h"
#include "src/plan/plan.h"
#include "tests/profile_parse.h"
#include "tests/sums.h"
#include "tuning/store/profile_store.h"

/* -------------------------------------------------------------- In memory */

TEST (test_init)
{
  struct gt_device host = sample_host (), gpu = sample_gpu ();
  struct gt_profile profile;
  char silicon[GT_SILICON_SIZE];

  gt_device_silicon (&host, silicon);
  gt_profile_init (&profile, &host);
  assert_string_equal (profile.silicon, silicon);
  assert_string_equal (profile.device_name, "Example 9000");
  assert_string_equal (profile.driver, "");
  assert_string_equal (profile.version, PACKAGE_VERSION);
  assert_string_equal (profile.path, "");
  assert_int_equal (strlen (profile.created), strlen ("2026-01-02T03:04:05Z"));
  assert_int_equal (profile.n_entries, 0);

  gpu.gpu.driver_version = 12080;
  strcpy (gpu.gpu.name, "G\033[2J");
  gt_profile_init (&profile, &gpu);
  assert_string_equal (profile.driver, "12.8");
  assert_string_equal (profile.device_name, "G?[2J");
}

TEST (test_put_keeps_order)
{
  struct gt_device host = sample_host ();
  struct gt_profile profile;
  struct gt_config config = {1, 0, 1, 0};
  const uint64_t lengths[] = {64, 4, 1024, 4, 1, 64};

  gt_profile_init (&profile, &host);
  for (unsigned round = 0; round < 2; round++)
    for (unsigned i = 0; i < 6; i++)
      {
        struct gt_entry entry
          = sample_entry ("simd", round ? GT_F32 : GT_U8, GT_MODE_FAST,
                          GT_CONTIGUOUS, lengths[i], config);
        entry.candidates = i;
        assert_int_equal (gt_profile_put (&profile, &entry), 0);
      }

  const uint64_t expected[] = {1, 4, 64, 1024};
  const unsigned last[] = {4, 3, 5, 2};
  assert_int_equal (profile.n_entries, 8);
  for (unsigned i = 0; i < 8; i++)
    {
      const struct gt_entry *entry = &profile.entries[i];
      assert_int_equal (entry->problem.arithmetic, i < 4 ? GT_F32 : GT_U8);
      assert_int_equal (entry->problem.n, expected[i % 4]);
      assert_int_equal (entry->candidates, last[i % 4]);
    }
  gt_profile_clear (&profile);
}

/* Steps of a kind lie together, in the order of their sizes, and one takes the place of
   another of its size.  */
TEST (test_put_step)
{
  static const struct gt_step steps[]
    = {{"dgemm NT square", 64, "b", 1, 0, 0}, {"dgemm NN square", 512, "d", 2, 0, 0},
       {"dgemm NN square", 0, "a", 1, 0, 0},  {"dgemm NN square", 512, "c", 1, 0, 0},
       {"dgemm", 5, "e", 1, 0, 0}};
  struct gt_device host = sample_host ();
  struct gt_profile profile, copy;
  const struct gt_step *found;
  unsigned n;

  gt_profile_init (&profile, &host);
  for (size_t i = 0; i < N_OF (steps); i++)
    assert_int_equal (gt_profile_put_step (&profile, &steps[i]), 0);
  assert_int_equal (profile.n_steps, 4);
  assert_int_equal (gt_profile_copy (&copy, &profile), 0);
  gt_profile_drop_steps (&profile, "dgemm NN square");
  gt_profile_drop_steps (&profile, "dgemm T");
  assert_int_equal (profile.n_steps, 2);
  assert_null (gt_profile_steps (&profile, "dgemm NN square", &n));
  assert_int_equal (n, 0);
  found = gt_profile_steps (&copy, "dgemm NN square", &n);
  assert_int_equal (n, 2);
  assert_ptr_equal (found, &copy.steps[1]);
  assert_string_equal (found[0].way, "a");
  assert_string_equal (found[1].way, "c");
  assert_ptr_equal (gt_step_at (found, n, 0), &found[0]);
  assert_ptr_equal (gt_step_at (found, n, 511), &found[0]);
  assert_ptr_equal (gt_step_at (found, n, 512), &found[1]);
  assert_ptr_equal (gt_step_at (found, n, UINT64_MAX), &found[1]);
  gt_profile_clear (&profile);
  gt_profile_clear (&copy);
}

/* Sequences are kept apart, each in the order of its lengths.  */
TEST (test_put_crossover)
{
  struct gt_device host = sample_host ();
  struct gt_profile profile;
  struct gt_problem problem = {GT_SUM, GT_F32, GT_MODE_FAST, GT_CONTIGUOUS, 0};
  const struct gt_crossover *found;
  unsigned n;
  struct gt_crossover crossover
    = {{GT_SUM, GT_F32, GT_MODE_FAST, GT_CONTIGUOUS, 5}, GT_PLACE_PINNED,
       "cuda-b", {GT_WAY_CPU, 0, 0, 0}, 0, 0};

  gt_profile_init (&profile, &host);
  assert_int_equal (gt_profile_put_crossover (&profile, &crossover), 0);
  strcpy (crossover.device, "cuda-a");
  assert_int_equal (gt_profile_put_crossover (&profile, &crossover), 0);
  crossover.problem.n = 0;
  assert_int_equal (gt_profile_put_crossover (&profile, &crossover), 0);
  crossover.route.way = GT_WAY_DIRECT;
  crossover.route.percent = 100;
  assert_int_equal (gt_profile_put_crossover (&profile, &crossover), 0);
  crossover.place = GT_PLACE_HOST;
  assert_int_equal (gt_profile_put_crossover (&profile, &crossover), 0);
  crossover.problem.arithmetic = GT_F64;
  assert_int_equal (gt_profile_put_crossover (&profile, &crossover), 0);

  assert_int_equal (profile.n_crossovers, 5);
  assert_int_equal (profile.crossovers[0].problem.arithmetic, GT_F64);
  assert_int_equal (profile.crossovers[1].place, GT_PLACE_HOST);
  found = gt_profile_crossovers (&profile, &problem, GT_PLACE_PINNED, "cuda-a", &n);
  assert_int_equal (n, 2);
  assert_ptr_equal (found, &profile.crossovers[2]);
  assert_int_equal (found[0].problem.n, 0);
  assert_int_equal (found[0].route.way, GT_WAY_DIRECT);
  assert_int_equal (found[1].problem.n, 5);
  assert_null (gt_profile_crossovers (&profile, &problem, GT_PLACE_MANAGED,
                                      "cuda-a", &n));
  assert_int_equal (n, 0);

  gt_profile_drop_crossovers (&profile, found);
  assert_int_equal (profile.n_crossovers, 3);
  assert_string_equal (profile.crossovers[2].device, "cuda-b");
  gt_profile_drop_crossovers (&profile, &crossover);
  assert_int_equal (profile.n_crossovers, 2);
  gt_profile_drop_crossovers (&profile, &crossover);
  assert_int_equal (profile.n_crossovers, 2);
  gt_profile_clear (&profile);
}

static void
check_nearest (const struct gt_profile *profile, uint64_t n, uint64_t expected)
{
  struct gt_problem problem = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, n};
  const struct gt_entry *entry = gt_profile_find (profile, &problem);
  assert_non_null (entry);
  assert_int_equal (entry->problem.arithmetic, GT_F64);
  assert_int_equal (entry->problem.mode, GT_MODE_FAST);
  assert_int_equal (entry->problem.layout, GT_CONTIGUOUS);
  assert_int_equal (entry->problem.n, expected);
}

TEST (test_find_nearest)
{
  struct gt_device host = sample_host ();
  struct gt_profile profile;
  struct gt_config config = {1, 0, 1, 0};
  struct gt_problem problem = {GT_SUM, GT_F64, GT_MODE_FAST, GT_STRIDED, 100};

  gt_profile_init (&profile, &host);
  assert_null (gt_profile_find (&profile, &problem));
  for (int arithmetic = GT_F64; arithmetic <= GT_F32; arithmetic++)
    for (uint64_t n = 16; n <= 4096; n *= 16)
      {
        struct gt_entry entry
          = sample_entry ("simd", arithmetic, GT_MODE_FAST, GT_CONTIGUOUS, n,
                          config);
        assert_int_equal (gt_profile_put (&profile, &entry), 0);
      }

  check_nearest (&profile, 0, 16);
  check_nearest (&profile, 16, 16);
  check_nearest (&profile, 63, 16);
  check_nearest (&profile, 64, 16); /* a tie: the smaller */
  check_nearest (&profile, 65, 256);
  check_nearest (&profile, 1024, 256);
  check_nearest (&profile, 1025, 4096);
  check_nearest (&profile, UINT64_MAX, 4096);

  /* Neighbours of another kind do not count.  */
  assert_null (gt_profile_find (&profile, &problem));
  problem.mode = GT_MODE_COMPENSATED;
  assert_null (gt_profile_find (&profile, &problem));
  problem.arithmetic = GT_LDBL;
  assert_null (gt_profile_find (&profile, &problem));

  for (unsigned k = 0; k < profile.n_entries; k++)
    {
      profile.entries[k].kernel = sum_kernel ("grid_stride");
      profile.entries[k].config = (struct gt_config) {1, 256, 1, 1};
    }
  check_nearest (&profile, 63, 16);
  check_nearest (&profile, 64, 256); /* a tie on a GPU: the larger */
  check_nearest (&profile, 1024, 4096);
  gt_profile_clear (&profile);
}

TEST (test_names)
{
  assert_string_equal (gt_effort_names[GT_EFFORT_QUICK], "quick");
  assert_string_equal (gt_effort_names[GT_EFFORT_THOROUGH], "thorough");
  assert_string_equal (gt_profile_status_names[GT_PROFILE_OK], "ok");
  assert_string_equal (gt_profile_status_names[GT_PROFILE_ABSENT], "absent");
  assert_string_equal (gt_profile_status_names[GT_PROFILE_REFUSED], "refused");
  assert_string_equal (gt_profile_status_names[GT_PROFILE_BROKEN], "broken");
  assert_string_equal (gt_profile_status_names[GT_PROFILE_FOREIGN], "foreign");
  assert_string_equal (gt_folder_names[GT_FOLDER_ENVIRONMENT],
                       "environment");
  assert_string_equal (gt_folder_names[GT_FOLDER_SHIPPED], "shipped");
  assert_false (gt_profile_silicon_valid (""));
  assert_false (gt_profile_silicon_valid ("../x"));
  assert_false (gt_profile_silicon_valid (".x"));
  assert_true (gt_profile_silicon_valid ("cuda-9.0"));
}

/* -------------------------------------------------------------- Round trip */

static void
check_close (double got, double expected)
{
  assert_true (fabs (got - expected) <= 1e-8 * fabs (expected));
}

static void
check_same_entry (const struct gt_entry *got, const struct gt_entry *expected)
{
  assert_int_equal (got->problem.arithmetic, expected->problem.arithmetic);
  assert_int_equal (got->problem.mode, expected->problem.mode);
  assert_int_equal (got->problem.layout, expected->problem.layout);
  assert_int_equal (got->problem.n, expected->problem.n);
  assert_ptr_equal (got->kernel, expected->kernel);
  assert_memory_equal (&got->config, &expected->config, sizeof got->config);
  assert_int_equal (got->effort, expected->effort);
  assert_int_equal (got->candidates, expected->candidates);
  assert_int_equal (got->pruned, expected->pruned);
  assert_int_equal (got->failed, expected->failed);
  check_close (got->seconds, expected->seconds);
  check_close (got->spread, expected->spread);
  check_close (got->default_seconds, expected->default_seconds);
  check_close (got->gsl_seconds, expected->gsl_seconds);
  check_close (got->one_reads, expected->one_reads);
  check_close (got->all_read, expected->all_read);
  assert_int_equal (got->occupancy_predicted, expected->occupancy_predicted);
}

static void
check_same_crossover (const struct gt_crossover *got,
                      const struct gt_crossover *expected)
{
  assert_memory_equal (&got->problem, &expected->problem, sizeof got->problem);
  assert_int_equal (got->place, expected->place);
  assert_string_equal (got->device, expected->device);
  assert_memory_equal (&got->route, &expected->route, sizeof got->route);
  check_close (got->seconds, expected->seconds);
  check_close (got->cpu_seconds, expected->cpu_seconds);
}

static void
check_round_trip (const struct gt_device *device, double seconds)
{
  struct gt_profile before, after;
  sample_profile (device, &before);
  before.entries[0].seconds = seconds;
  before.entries[1].occupancy_predicted = 0;
  char *text = gt_profile_text (&before, why, sizeof why);
  assert_non_null (text);

  assert_int_equal (parse (text, strlen (text), device, &after),
                    GT_PROFILE_OK);
  assert_int_equal (after.rejected, 0);
  assert_string_equal (after.silicon, before.silicon);
  assert_string_equal (after.device_name, before.device_name);
  assert_string_equal (after.driver, before.driver);
  assert_string_equal (after.version, before.version);
  assert_string_equal (after.created, before.created);
  assert_int_equal (after.n_entries, SAMPLE_ENTRIES);
  for (unsigned i = 0; i < SAMPLE_ENTRIES; i++)
    check_same_entry (&after.entries[i], &before.entries[i]);
  assert_int_equal (after.n_crossovers, before.n_crossovers);
  for (unsigned i = 0; i < after.n_crossovers; i++)
    check_same_crossover (&after.crossovers[i], &before.crossovers[i]);

  /* A profile that was read is written byte for byte as before.  */
  char *again = gt_profile_text (&after, why, sizeof why);
  assert_non_null (again);
  assert_string_equal (again, text);
  free (again);
  free (text);
  gt_profile_clear (&before);
  gt_profile_clear (&after);
}

TEST (test_round_trip)
{
  struct gt_device host = sample_host (), gpu = sample_gpu ();
  for (unsigned i = 1; i < 100; i++) /* more digits than are kept */
    check_round_trip (&host, i / 3e6);
  check_round_trip (&gpu, 1.5e-6);
  check_round_trip (&gpu, 0);
}

/* People read the file.  */
TEST (test_few_digits)
{
  struct gt_device host = sample_host ();
  struct gt_profile profile;
  sample_profile (&host, &profile);
  profile.entries[0].seconds = 1 / 3e6;
  char *text = gt_profile_text (&profile, why, sizeof why);
  assert_non_null (text);
  assert_non_null (strstr (text, "\n   \"median_ns\": 333.333333,\n"));
  free (text);
  gt_profile_clear (&profile);
}

TEST (test_not_finite_is_not_written)
{
  struct gt_device host = sample_host ();
  struct gt_profile profile;
  sample_profile (&host, &profile);
  profile.entries[0].seconds = NAN;
  assert_null (gt_profile_text (&profile, why, sizeof why));
  assert_non_null (strstr (why, "finite"));
  gt_profile_clear (&profile);
}

TEST (test_header_alone)
{
  struct gt_device gpu = sample_gpu ();
  struct gt_profile profile;
  char *text = text_of (&gpu);
  assert_int_equal (parse (text, strlen (text), NULL, &profile),
                    GT_PROFILE_OK);
  assert_string_equal (profile.silicon, SAMPLE_GPU_SILICON);
  assert_string_equal (profile.driver, "13.0");
  assert_int_equal (profile.n_entries, 0);
  gt_profile_clear (&profile);
  free (text);
}

/* A copy is whole, or none.  Sanitizers end a program that asks for what it cannot
   have.  */
TEST (test_copy_without_memory)
{
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
  struct gt_device host = sample_host ();
  struct gt_profile profile, copy;
  struct rlimit before, none;

  gt_profile_init (&profile, &host);
  profile.n_entries = 1 << 20;
  profile.entries = calloc (profile.n_entries, sizeof *profile.entries);
  assert_non_null (profile.entries);
  assert_int_equal (getrlimit (RLIMIT_AS, &before), 0);
  none = before;
  none.rlim_cur = 1 << 20;
  assert_int_equal (setrlimit (RLIMIT_AS, &none), 0);
  assert_int_equal (gt_profile_copy (&copy, &profile), -1);
  assert_int_equal (setrlimit (RLIMIT_AS, &before), 0);
  assert_int_equal (copy.n_entries, 0);
  assert_null (copy.entries);
  gt_profile_clear (&profile);
#endif
}

RUN_TESTS (NULL, NULL)
