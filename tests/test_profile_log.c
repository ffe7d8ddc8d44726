/* Tests of what GSLTUNE_LOG=debug says of profiles: for each place looked in, once,
   what was found there and why it is not used; and why no GPU is used.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_vector.h>

#include "tests/unit.h"

#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "tests/profile_sample.h"
#include "tests/scenario_folder.h"
#include "tuning/store/profile_store.h"

/* Sums that need plans, so that profiles are looked for; more than once.  */
SCENARIO (sum)
{
  static double x[10000];
  gsl_vector v = {10000, 1, x, NULL, 0}, apart = {5000, 2, x, NULL, 0};

  for (int mode = 0; mode < GT_N_MODES; mode++)
    {
      gsltune_set_mode ((gsltune_mode) mode);
      CHECK (gsltune_vector_sum (&v) == 0 && gsltune_vector_sum (&apart) == 0);
    }
}

/* The last scenario has said this line, or one that begins so, once.  */
static void
assert_line (const char *line)
{
  const char *at = strstr (scenario_output, line);

  if (at == NULL || strstr (at + 1, line)
      || (at > scenario_output && at[-1] != '\n'))
    fail_msg ("not once a line '%s': %s", line, scenario_output);
}

static char silicon[GT_SILICON_SIZE];

/* With the test's folder as that of the environment, what is said of its file.
   With less than debug nothing is.  */
static void
expect_told (const char *told)
{
  char line[512];

  EXPECT_SCENARIO ("sum", "", profiles, "GSLTUNE_LOG=notice");
  EXPECT_SCENARIO ("sum", "", profiles);
  EXPECT_SCENARIO ("sum", NULL, profiles, "GSLTUNE_LOG=debug");
  snprintf (line, sizeof line, "gsltune: profile %s/%s.json (environment): %s",
            base, silicon, told);
  assert_line (line);
}

/* And what follows: one more place.  */
static void
expect_shipped (void)
{
  char line[512];

  snprintf (line, sizeof line,
            "gsltune: profile %s/%s.json (shipped): ", gt_shipped_folder (),
            silicon);
  assert_line (line);
}

static void
save (const struct gt_profile *profile)
{
  char why[256];

  if (gt_profile_save (profile, base, 0, why, sizeof why))
    fail_msg ("%s", why);
}

/* Keeps the first bytes of the file and sets its mode.  */
static void
damage (off_t keep, mode_t mode)
{
  char path[512];

  snprintf (path, sizeof path, "%s/%s.json", base, silicon);
  assert_int_equal (chmod (path, mode), 0);
  assert_int_equal (truncate (path, keep), 0);
}

TEST (absent)
{
  expect_told ("absent: no such file\n");
  expect_shipped ();
  remove_folder (base);
  expect_told ("absent: no such folder\n");
  expect_shipped ();
  assert_int_equal (mkdir (base, 0700), 0);
}

TEST (found)
{
  struct gt_winner winner
    = sample_winner ("simd", GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 10,
                    (struct gt_config) {1, 0, 8, 0});
  struct gt_profile profile;

  gt_profile_init (&profile, gt_device_host ());
  assert_int_equal (gt_findings_put (&profile, &winner), 0);
  gt_profile_drop_figures (&profile);
  save (&profile);
  expect_told ("used\n");
  expect_shipped (); /* for what the first one lacks */

  gt_profile_clear (&profile);
  gt_profile_init (&profile, gt_device_host ());
  assert_int_equal (gt_findings_put (&profile, &winner), 0);
  winner.problem.n++;
  winner.config.threads = 1 << 20;
  assert_int_equal (gt_findings_put (&profile, &winner), 0);
  gt_profile_drop_figures (&profile);
  save (&profile);
  expect_told ("used, but for 1 of its steps: sum f64 fast contiguous: \"threads\" is 1048576");

  profile.steps[0] = profile.steps[1];
  profile.n_steps = 1;
  save (&profile);
  expect_told ("broken: no usable step: sum f64 fast contiguous: \"threads\" is 1048576");
  expect_shipped ();

  damage (5, 0600);
  expect_told ("broken: not JSON: line ");
  expect_shipped ();
  damage (0, 0622);
  expect_told ("refused: writable by its group or by others\n");
  expect_shipped ();
  gt_profile_clear (&profile);
}

/* Without a folder of the environment's, and without a home.  */
TEST (usual_places)
{
  char line[512];

  EXPECT_SCENARIO ("sum", NULL, "GSLTUNE_LOG=debug", "HOME=relative");
  assert_line ("gsltune: profile no folder (user): absent: neither"
               " XDG_DATA_HOME nor HOME is an absolute path\n");
  snprintf (line, sizeof line,
            "gsltune: profile %s/%s.json (system): ", gt_system_folder (),
            silicon);
  assert_line (line);
}

/* A line of any length is printed whole.  */
TEST (long_paths)
{
  char folder[700], setting[800];

  memset (folder, 'x', sizeof folder);
  folder[0] = '/';
  for (size_t i = 200; i < sizeof folder; i += 200)
    folder[i] = '/';
  folder[sizeof folder - 1] = '\0';
  snprintf (setting, sizeof setting, "GSLTUNE_PROFILE_DIR=%s", folder);
  EXPECT_SCENARIO ("sum", NULL, "GSLTUNE_LOG=debug", setting);
  assert_non_null (strstr (scenario_output, folder));
  assert_non_null (strstr (scenario_output,
                           ".json (environment): absent: no such folder\n"));
}

/* Why a GPU that GSLTUNE_DEVICE asks for does not take part.  The soft GPU, without a
   device, has none to offer.  */
TEST (no_gpu)
{
  EXPECT_SCENARIO ("sum", NULL, profiles, "GSLTUNE_LOG=debug",
                   "GSLTUNE_DEVICE=cuda");
  assert_line ("gsltune: no GPU is used: ");
  EXPECT_SCENARIO ("sum", "", profiles, "GSLTUNE_LOG=notice",
                   "GSLTUNE_DEVICE=cuda");
#if HAVE_CUDA
  EXPECT_SCENARIO ("sum", NULL, profiles, h200, "GSLTUNE_LOG=debug",
                   "GSLTUNE_DEVICE=cuda:7");
  assert_line ("gsltune: no GPU is used: none that can be has the number 7,"
               " which GSLTUNE_DEVICE names\n");
#endif
}

int
main (int argc, char **argv)
{
  scenario_main (argc, argv);
  gt_device_silicon (gt_device_host (), silicon);
  return run_unit_tests (set_up, tear_down);
}
