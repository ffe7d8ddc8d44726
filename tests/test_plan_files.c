/* Tests of plans that come of several profiles: a step is looked up in the user's, then
   in the system's, then in the shipped one, and at last in that of a like device.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "tests/profile_sample.h"
#include "tests/scenario_folder.h"
#include "tuning/store/profile_store.h"

/* Which file a step is of is told by when its profile was made.  */
enum
{
  USER = 1,
  SYSTEM,
  SHIPPED,
  LIKE
};

/* ------------------------------------------------------------ Scenarios */

static const struct gt_plan *
planned (enum gt_reduction reduction, enum gt_arithmetic arithmetic,
         uint64_t n)
{
  const struct gt_problem problem
    = {reduction, arithmetic, GT_MODE_FAST, GT_CONTIGUOUS, n};

  return gt_plan_find (gt_host_plans (), &problem);
}

static void
expect (enum gt_reduction reduction, enum gt_arithmetic arithmetic, uint64_t n,
        unsigned file)
{
  const struct gt_plan *plan = planned (reduction, arithmetic, n);

  CHECK (plan->step
         && (unsigned) atoi (gt_plans_profile_of (gt_host_plans (), plan->step)->created)
              == file);
}

static void
begin (void)
{
  gt_findings_kept = 1;
  CHECK (!chdir (getenv ("TEST_FOLDER")));
}

SCENARIO (every_file)
{
  const struct gt_plans *plans;

  begin ();
  plans = gt_host_plans ();
  CHECK (plans->profile_found && plans->search.n_steps == 1);
  expect (GT_SUM, GT_F64, 1 << 10, USER);
  expect (GT_SUM, GT_F64, 1 << 12, USER);
  expect (GT_SUM, GT_F64, 1 << 20, USER);
  expect (GT_DOT, GT_F64, 1 << 10, SYSTEM);
  expect (GT_SUM, GT_F32, 1 << 10, SHIPPED);
  expect (GT_DOT, GT_F32, 1 << 10, SHIPPED); /* that of its sums serves */
  CHECK (strncmp (planned (GT_DOT, GT_F32, 1 << 10)->step->kind, "sum ", 4) == 0);
  expect (GT_SUM, GT_U32, 1 << 10, LIKE);
  CHECK (planned (GT_SUM, GT_U8, 1 << 10)->step == NULL);
}

/* Each file is read once, whatever is planned.  */
SCENARIO (read_once)
{
  const struct gt_plans *plans;

  begin ();
  plans = gt_host_plans ();
  for (int r = 0; r < GT_N_REDUCTIONS; r++)
    for (int a = 0; a < GT_N_ARITHMETICS; a++)
      planned ((enum gt_reduction) r, (enum gt_arithmetic) a, 1 << 10);
  CHECK (plans->search.n_steps == 4 && plans->n_more == 3);
  for (unsigned k = 0; k < 4; k++)
    CHECK (gt_plans_profile (plans, k)
           && gt_search_folder (&plans->search, gt_plans_profile (plans, k)));
  CHECK (!gt_plans_profile (plans, 4));
}

/* The routes that the administrator has measured serve who has measured none.  */
SCENARIO (crossovers)
{
  const struct gt_problem problem
    = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 10};

  begin ();
  CHECK (gt_planned_find (gt_host_plans (), &problem)->gpu_from < UINT64_MAX);
}

/* A profile with a step for everything is all that is read.  */
SCENARIO (first_only)
{
  begin ();
  expect (GT_SUM, GT_F64, 1 << 10, USER);
  CHECK (gt_host_plans ()->n_more == 0);
}

/* ------------------------------------------------------------- Profiles */

static struct gt_profile profile;

static void
put (enum gt_reduction reduction, enum gt_arithmetic arithmetic,
     enum gt_mode mode, enum gt_layout layout, uint64_t n, unsigned file)
{
  struct gt_winner winner
    = sample_winner ("simd", GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, n,
                     (struct gt_config) {1, 0, 4, 0});

  snprintf (profile.created, sizeof profile.created, "%u", file);
  winner.kernel = gt_catalog_find (mode == GT_MODE_EXACT ? "exact" : "simd",
                                   reduction);
  assert_non_null (winner.kernel);
  winner.problem.reduction = reduction;
  winner.problem.arithmetic = arithmetic;
  winner.problem.mode = mode;
  winner.problem.layout = layout;
  winner.config.unroll = gt_kernel_unroll (winner.kernel, 4);
  assert_int_equal (gt_findings_put (&profile, &winner), 0);
}

static void
put_fast (enum gt_reduction reduction, enum gt_arithmetic arithmetic,
          uint64_t n, unsigned file)
{
  put (reduction, arithmetic, GT_MODE_FAST, GT_CONTIGUOUS, n, file);
}

static void
begin_profile (const struct gt_device *device)
{
  gt_profile_clear (&profile);
  gt_profile_init (&profile, device);
}

static void
save (const char *place)
{
  char folder[128], why[256];

  snprintf (folder, sizeof folder, "%s/%s", base, place);
  gt_profile_drop_figures (&profile);
  if (gt_profile_save (&profile, folder, 0, why, sizeof why))
    fail_msg ("%s", why);
}

#define USERS "home/.local/share/gsltune"

static void
save_all (void)
{
  struct gt_device like = *gt_device_host ();

  begin_profile (gt_device_host ());
  put_fast (GT_SUM, GT_F64, 1 << 10, USER);
  save (USERS);
  begin_profile (gt_device_host ());
  put_fast (GT_SUM, GT_F64, 1 << 10, SYSTEM);
  put_fast (GT_SUM, GT_F64, 1 << 20, SYSTEM);
  put_fast (GT_DOT, GT_F64, 1 << 10, SYSTEM);
  put_sample_routes (&profile);
  save ("installed/system");
  begin_profile (gt_device_host ());
  put_fast (GT_SUM, GT_F64, 1 << 10, SHIPPED);
  put_fast (GT_SUM, GT_F32, 1 << 10, SHIPPED);
  save ("installed/shipped");
  like.host.l3 += 1 << 20;
  begin_profile (&like);
  put_fast (GT_SUM, GT_F64, 1 << 10, LIKE);
  put_fast (GT_SUM, GT_U32, 1 << 10, LIKE);
  save ("installed/shipped");
  gt_profile_clear (&profile);
}

/* ---------------------------------------------------------------- Tests */

static char home[96], folder[96];

FIXTURE (set_up_files)
{
  if (set_up (state))
    return -1;
  snprintf (home, sizeof home, "HOME=%s/home", base);
  snprintf (folder, sizeof folder, "TEST_FOLDER=%s", base);
  return 0;
}

TEST_WITH (entry_by_entry, set_up_files, tear_down)
{
  save_all ();
  EXPECT_SCENARIO ("every_file", "", home, folder);
  EXPECT_SCENARIO ("read_once", "", home, folder);
  EXPECT_SCENARIO ("crossovers", "", home, folder);
}

TEST_WITH (whole_profile, set_up_files, tear_down)
{
  begin_profile (gt_device_host ());
  for (int a = 0; a < GT_N_ARITHMETICS; a++)
    for (int m = 0; m < GT_N_MODES; m++)
      for (int l = 0; l < GT_N_LAYOUTS; l++)
        if (gt_reduction_has (GT_SUM, a) && a != GT_LDBL
            && gt_mode_for (GT_SUM, a, m) == (enum gt_mode) m
            && gt_device_computes (GT_CPU, &(struct gt_problem) {GT_SUM, a, m, l, 0}))
          {
            put (GT_SUM, a, m, l, 16, USER);
            put (GT_SUM, a, m, l, 1 << 24, USER);
            put (GT_SUM, a, m, l, 1 << 10, USER);
            put (GT_SUM, a, m, l, 1 << 17, USER);
          }
  for (int m = 0; m < GT_N_MODES; m++)
    for (int l = 0; l < GT_N_LAYOUTS; l++)
      for (unsigned n = 16; n <= 1 << 24; n *= 16)
        {
          struct gt_winner winner
            = sample_winner ("sequential", GT_LDBL, m, l, n,
                             (struct gt_config) {1, 0, 1, 0});

          if (m == GT_MODE_EXACT)
            winner.kernel = gt_catalog_find ("exact_wide", GT_SUM);
          if (gt_device_computes (GT_CPU, &winner.problem))
            assert_int_equal (gt_findings_put (&profile, &winner), 0);
        }
  save (USERS);
  gt_profile_clear (&profile);
  EXPECT_SCENARIO ("first_only", "", home, folder);
}

RUN_SCENARIOS (NULL, NULL)
