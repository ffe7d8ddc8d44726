/* Tests of profiles in memory and of the round trip through JSON.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <inttypes.h>

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
  assert_int_equal (profile.n_steps, 0);

  gpu.gpu.driver_version = 12080;
  strcpy (gpu.gpu.name, "G\033[2J");
  gt_profile_init (&profile, &gpu);
  assert_string_equal (profile.driver, "12.8");
  assert_string_equal (profile.device_name, "G?[2J");
}

/* Steps of a kind lie together, in the order of their sizes, and one takes the place of
   another of its size; figures move with their steps.  */
TEST (test_put)
{
  static const struct
  {
    const char *kind;
    uint64_t from;
    const char *way;
  } steps[] = {{"dgemm NT square", 64, "b"}, {"dgemm NN square", 512, "d"},
               {"dgemm NN square", 0, "a"}, {"dgemm NN square", 512, "c"}, {"dgemm", 5, "a"}};
  struct gt_device host = sample_host ();
  struct gt_profile profile;
  const struct gt_step *found;
  unsigned n;

  for (int has_figures = 0; has_figures < 2; has_figures++)
    {
      gt_profile_init (&profile, &host);
      for (size_t i = 0; i < N_OF (steps); i++)
        {
          const struct gt_step step = {steps[i].kind, steps[i].way, steps[i].from, {1, 0, 1, 0}, 0, 0, 0};
          const struct gt_measured measured = {.seconds = (double) i};

          assert_int_equal (gt_profile_put (&profile, &step, has_figures ? &measured : NULL), 0);
        }
      assert_int_equal (profile.n_steps, 4);
      assert_int_equal (profile.kinds.n, 3);
      assert_int_equal (profile.ways.n, 4);
      assert_true ((profile.measured != NULL) == has_figures);
      found = gt_profile_steps (&profile, "dgemm NN square", &n);
      assert_int_equal (n, 2);
      assert_ptr_equal (found, &profile.steps[1]);
      assert_string_equal (found[0].way, "a");
      assert_string_equal (found[1].way, "c");
      if (has_figures)
        assert_true (gt_measured_of (&profile, &found[1])->seconds == 3
                     && gt_measured_of (&profile, &profile.steps[3])->seconds == 0);
      assert_ptr_equal (gt_step_at (found, n, 0), &found[0]);
      assert_ptr_equal (gt_step_at (found, n, 511), &found[0]);
      assert_ptr_equal (gt_step_at (found, n, 512), &found[1]);
      assert_ptr_equal (gt_step_at (found, n, UINT64_MAX), &found[1]);
      assert_ptr_equal (gt_profile_first (&profile, "dgemm N"), &profile.steps[1]);
      assert_null (gt_profile_first (&profile, "dgemm T"));
      assert_null (gt_profile_first (&profile, "z"));
      gt_profile_drop (&profile, "dgemm NN square");
      gt_profile_drop (&profile, "dgemm T");
      assert_int_equal (profile.n_steps, 2);
      assert_string_equal (profile.steps[1].kind, "dgemm NT square");
      if (has_figures)
        assert_true (profile.measured[1].seconds == 0 && profile.measured[0].seconds == 4);
      assert_null (gt_profile_steps (&profile, "dgemm NN square", &n));
      assert_int_equal (n, 0);
      gt_profile_clear (&profile);
    }
}

/* Every kind of problem that there is can be read as it is written.  */
TEST (test_kinds)
{
  static const char *const bad[]
    = {"sum", "sum f16 fast contiguous", "sum f64 quick contiguous", "sum f64 fast moon",
       "sum f64 fast contiguous x", "sum f64 fast host", "sum f64 fast host ../x",
       "sum f64 fast device cuda-a", "sum u32 exact contiguous", "sum f64 fast", "sum  f64"};
  char text[GT_STEP_KIND_SIZE], reason[256];
  struct gt_step_kind kind;

  for (int r = 0; r < GT_N_REDUCTIONS; r++)
    for (int a = 0; a < GT_N_ARITHMETICS; a++)
      for (int m = 0; m < GT_N_MODES; m++)
        for (int l = 0; l < GT_N_LAYOUTS; l++)
          {
            const struct gt_problem p = {(enum gt_reduction) r, (enum gt_arithmetic) a,
                                         (enum gt_mode) m, (enum gt_layout) l, 0};
            const int there = gt_reduction_has (p.reduction, p.arithmetic)
                              && gt_mode_for (p.reduction, p.arithmetic, p.mode) == p.mode;

            gt_step_kind_of_problem (&p, text);
            assert_int_equal (gt_step_kind_read (text, &kind, reason, sizeof reason),
                              there ? 1 : -1);
            if (there)
              assert_memory_equal (&kind.problem, &p, sizeof p);
            if (!there || l != GT_CONTIGUOUS)
              continue;
            gt_step_kind_of_route (&p, GT_PLACE_PINNED, "cuda-a", text);
            assert_int_equal (gt_step_kind_read (text, &kind, reason, sizeof reason), 1);
            assert_true (kind.is_route && kind.place == GT_PLACE_PINNED);
            assert_string_equal (kind.device, "cuda-a");
          }
  for (size_t i = 0; i < N_OF (bad); i++)
    {
      *reason = '\0';
      assert_int_equal (gt_step_kind_read (bad[i], &kind, reason, sizeof reason), -1);
      assert_true (*reason != '\0');
    }
  assert_int_equal (gt_step_kind_read ("dgemm NN square", &kind, reason, sizeof reason), 0);
}

/* ---------------------------------------------------------------- Findings */

/* Checks that PROFILE has a step of the sums of doubles from FROM on, by WAY.  */
static void
check_step (const struct gt_profile *profile, unsigned i, uint64_t from, const char *way)
{
  assert_true (i < profile->n_steps);
  assert_int_equal (profile->steps[i].from, from);
  assert_string_equal (profile->steps[i].way, way);
}

/* Returns the profile that is made of sums of doubles by sequential, which is no estimate, at 2^8
   and 2^12, and of one by simd at 2^20.  */
static struct gt_profile
profile_of (const struct gt_device *device, const char *const kernels[3],
            const struct gt_config *config, int unfinished)
{
  static const uint64_t lengths[] = {1 << 8, 1 << 12, 1 << 20};
  struct gt_profile findings, profile;

  gt_profile_init (&findings, device);
  findings.unfinished = unfinished;
  for (int i = 0; i < 3; i++)
    {
      const struct gt_winner winner
        = sample_winner (kernels[i], GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, lengths[i], *config);

      assert_int_equal (gt_findings_put (&findings, &winner), 0);
    }
  assert_int_equal (gt_findings_profile (&findings, device, &profile), 0);
  assert_null (profile.measured);
  gt_profile_clear (&findings);
  return profile;
}

/* Like winners are one step; a tie between two lengths is the shorter one's on a CPU, the longer
   one's on a GPU.  */
TEST (test_profile_of_findings)
{
  static const char *const on_host[] = {"sequential", "sequential", "simd"};
  static const char *const on_gpu[] = {"grid_stride", "grid_stride", "cluster"};
  const struct gt_config one = {1, 0, 1, 0}, grid = {1, 64, 2, 1};
  struct gt_device host = sample_host (), gpu = sample_gpu ();
  struct gt_profile profile = profile_of (&host, on_host, &one, 0);

  assert_int_equal (profile.n_steps, 2);
  check_step (&profile, 0, 0, "sequential");
  check_step (&profile, 1, (1 << 16) + 1, "simd");
  gt_profile_clear (&profile);
  profile = profile_of (&host, on_host, &one, 1);
  assert_int_equal (profile.n_steps, 3);
  check_step (&profile, 1, (1 << 16) + 1, "simd");
  check_step (&profile, 2, (1 << 24) + 1, GT_STEP_ESTIMATE);
  gt_profile_clear (&profile);
  profile = profile_of (&gpu, on_gpu, &grid, 0);
  assert_int_equal (profile.n_steps, 2);
  check_step (&profile, 1, 1 << 16, "cluster");
  gt_profile_clear (&profile);
}

/* What serves untuned is the estimate, which does not change with kernels' versions.  */
TEST (test_estimate_of_findings)
{
  static const char *const kernels[] = {"simd", "simd", "simd"};
  const struct gt_config estimated = {1, 0, 8, 0};
  struct gt_device host = sample_host ();
  struct gt_profile profile = profile_of (&host, kernels, &estimated, 0);

  assert_int_equal (profile.n_steps, 2);
  check_step (&profile, 0, 0, GT_STEP_ESTIMATE);
  check_step (&profile, 1, (1 << 16) + 1, "simd"); /* where several threads serve untuned */
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

/* A file has whole numbers of UNIT.  */
static void
check_close (double got, double expected, double unit)
{
  assert_true (fabs (got - expected) <= 0.501 * unit);
}

static void
check_same_step (const struct gt_step *got, const struct gt_step *expected)
{
  assert_string_equal (got->kind, expected->kind);
  assert_string_equal (got->way, expected->way);
  assert_int_equal (got->from, expected->from);
  assert_memory_equal (&got->config, &expected->config, sizeof got->config);
  assert_int_equal (got->version, expected->version ? expected->version : 1);
  assert_int_equal (got->percent, expected->percent);
  assert_int_equal (got->chunk_kib, expected->chunk_kib);
}

static void
check_same_figures (const struct gt_measured *got, const struct gt_measured *expected)
{
  assert_int_equal (got->effort, expected->effort);
  assert_int_equal (got->candidates, expected->candidates);
  assert_int_equal (got->pruned, expected->pruned);
  assert_int_equal (got->failed, expected->failed);
  check_close (got->seconds, expected->seconds, 1e-12);
  check_close (got->default_seconds, expected->default_seconds, 1e-12);
  check_close (got->gsl_seconds, expected->gsl_seconds, 1e-12);
  check_close (got->cpu_seconds, expected->cpu_seconds, 1e-12);
  check_close (got->call_seconds, expected->call_seconds, 1e-12);
  assert_string_equal (got->next, expected->next);
  check_close (got->next_seconds, expected->next_seconds, 1e-12);
}

/* With figures unless SECONDS is 0.  */
static void
check_round_trip (const struct gt_device *device, double seconds)
{
  struct gt_profile before, after;
  sample_findings (device, &before);
  before.measured[0].seconds = seconds;
  before.measured[1].call_seconds = 3e-9;
  if (seconds == 0)
    gt_profile_drop_figures (&before);
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
  assert_int_equal (after.n_steps, before.n_steps);
  assert_true ((after.measured != NULL) == (seconds > 0));
  for (unsigned i = 0; i < after.n_steps; i++)
    {
      check_same_step (&after.steps[i], &before.steps[i]);
      if (after.measured)
        check_same_figures (&after.measured[i], &before.measured[i]);
    }

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
  for (unsigned i = 0; i < 100; i++) /* more digits than are kept */
    check_round_trip (&host, i / 3e6);
  check_round_trip (&gpu, 1.5e-6);
  check_round_trip (&gpu, 0);
}

/* People read the file, in which a kind is a line.  A time that is not finite is the longest.  */
TEST (test_text)
{
  struct gt_device host = sample_host ();
  struct gt_profile profile;
  sample_findings (&host, &profile);
  profile.measured[0].seconds = 1 / 3e6;
  profile.measured[0].gsl_seconds = INFINITY;
  profile.measured[0].default_seconds = NAN;
  char *text = gt_profile_text (&profile, why, sizeof why);
  assert_non_null (text);
  assert_non_null (strstr (text, ": \"0 gsl effort=quick median_ps=333333 "
                                 "default_ps=1000000000000000 gsl_ps=1000000000000000; 4096"));
  free (text);
  gt_profile_drop_figures (&profile);
  text = gt_profile_text (&profile, why, sizeof why);
  assert_non_null (text);
  assert_non_null (strstr (text, "\n  \"dgemm NN square\": \"0 gsl; 4096 OpenBLAS 0.3.21; "
                                 "16777216 threads=4\",\n"));
  free (text);
  gt_profile_clear (&profile);
}

/* Kinds with the same steps are one line, wherever they stand among the others.  */
TEST (test_shared_steps)
{
  static const char *const kinds[] = {"dsyrk N square", "dgemm NT square", "strsm LN square"};
  struct gt_device host = sample_host ();
  struct gt_profile profile, after;
  unsigned n;
  sample_profile (&host, &profile);
  for (size_t i = 0; i < N_OF (kinds); i++)
    {
      put_call (&profile, kinds[i], 0, GT_STEP_GSL, 1);
      put_call (&profile, kinds[i], 64, "OpenBLAS 0.3.21", 2);
    }
  char *text = gt_profile_text (&profile, why, sizeof why);
  assert_non_null (text);
  assert_non_null (strstr (text, "\n  \"dgemm NT square, dsyrk N square, strsm LN square\": \"0 gsl; "
                                 "64 OpenBLAS threads=2\",\n"));
  assert_int_equal (parse (text, strlen (text), &host, &after), GT_PROFILE_OK);
  assert_int_equal (after.rejected, 0);
  assert_int_equal (after.n_steps, profile.n_steps);
  for (size_t i = 0; i < N_OF (kinds); i++)
    {
      const struct gt_step *const steps = gt_profile_steps (&after, kinds[i], &n);
      assert_int_equal (n, 2);
      assert_string_equal (steps[1].way, "OpenBLAS 0.3.21");
      assert_int_equal (steps[1].config.threads, 2);
    }
  free (text);
  gt_profile_clear (&profile);
  gt_profile_clear (&after);
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
  assert_int_equal (profile.n_steps, 0);
  gt_profile_clear (&profile);
  free (text);
}

RUN_TESTS (NULL, NULL)
