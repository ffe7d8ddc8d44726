/* Tests of programs that trap floating-point exceptions, or look at the flags:
   what the library finds out in a first sum, from files and by estimates, is
   none of theirs.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <fenv.h>
#include <gsl/gsl_ieee_utils.h>

#include "tests/unit.h"

#include "src/device/gpus.h"
#include "src/plan/plan.h"
#include "tests/first_sums.h"

/* ------------------------------------------------------------ Scenarios */

static void
trap_all (void)
{
  CHECK (feenableexcept (FE_ALL_EXCEPT) != -1);
}

static void
trap_common (void)
{
  gsl_ieee_env_setup (); /* GSL_IEEE_MODE */
}

/* Flags are neither lost nor added to, but for that of inexact results, which any sum may
   raise: tests of whether a sum can be rounded are inexact themselves.  */
static void
raise_flag (void)
{
  CHECK (feraiseexcept (FE_UNDERFLOW) == 0);
}

static void
sum_after (void (*change) (void), int whole)
{
  int traps, flags;

  fill_with_threes ();
  feclearexcept (FE_ALL_EXCEPT);
  change ();
  traps = fegetexcept ();
  flags = fetestexcept (FE_ALL_EXCEPT);
  sum_lengths (whole ? sum_ints : sum_doubles);
  CHECK (fegetexcept () == traps);
  CHECK ((fetestexcept (FE_ALL_EXCEPT) | FE_INEXACT) == (flags | FE_INEXACT));
  sum_lengths (whole ? sum_doubles : sum_ints);
}

/* Of each change, sums of ints first, and of doubles.  */
#define SCENARIOS(name, change)                                               \
  SCENARIO (int_##name)                                                       \
  {                                                                           \
    sum_after (change, 1);                                                    \
  }                                                                           \
  SCENARIO (double_##name)                                                    \
  {                                                                           \
    sum_after (change, 0);                                                    \
  }
SCENARIOS (all, trap_all)
SCENARIOS (common, trap_common)
SCENARIOS (flags, raise_flag)

SCENARIO (device_vector)
{
  fill_with_threes ();
  trap_all ();
  sum_device_vector ();
  CHECK (fegetexcept () == FE_ALL_EXCEPT);
}

/* Which of two entries is the nearer is an inexact question.  */
SCENARIO (adopt)
{
  struct gt_problem problem = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 700};
  struct gt_profile profile;
  struct gt_entry entry;

  init_small_profile (&profile, gt_device_host ());
  entry = profile.entries[0];
  entry.problem.n = 30000;
  CHECK (!gt_profile_put (&profile, &entry));
  trap_all ();
  gt_plans_adopt (gt_device_host (), &profile);
  CHECK (fegetexcept () == FE_ALL_EXCEPT);
  CHECK (gt_plan_find (gt_host_plans (), &problem)->entry);
  gt_profile_clear (&profile);
}

/* ------------------------------------------------------------- Profiles */

/* The text in the place of the time of the sample's entries; null: nothing,
   the file is whole.  */
static const char *const times[] = {NULL, "1e999", "1e-320", "-1e-320",
                                    "3.1415926535", "1e14"};

/* TEXT with every "median_ns" being TIME, to be freed.  */
static char *
with_time (const char *text, const char *time)
{
  static const char key[] = "\"median_ns\": ";
  char *changed = malloc (2 * strlen (text) + 1), *to = changed;

  assert_non_null (changed);
  for (const char *from = text; *from;)
    if (starts_with (from, key))
      {
        to += sprintf (to, "%s%s", key, time);
        from += strlen (key) + strcspn (from + strlen (key), ",\n");
      }
    else
      *to++ = *from++;
  *to = '\0';
  return changed;
}

/* Profiles of DEVICE, of all of which the times are TIME.  */
static void
save_profile (const struct gt_device *device, const char *time)
{
  struct gt_profile profile;
  char why[256], *text, *changed;

  init_small_profile (&profile, device);
  text = gt_profile_text (&profile, why, sizeof why);
  assert_non_null (text);
  changed = time ? with_time (text, time) : NULL;
  write_profile (device, changed ? changed : text);
  free (changed);
  free (text);
  gt_profile_clear (&profile);
}

/* ---------------------------------------------------------------- Tests */

/* Both scenarios NAME print OUTPUT in every mode, without a profile and with each.  */
static void
expect_everywhere (const char *name, const char *output)
{
  char of[2][32];

  snprintf (of[0], sizeof of[0], "int_%s", name);
  snprintf (of[1], sizeof of[1], "double_%s", name);
  for (size_t i = 0; i <= N_OF (times); i++)
    {
      for (size_t m = 0; m < 2 * N_OF (every_mode); m++)
        EXPECT_SCENARIO (of[m % 2], output, profiles, every_mode[m / 2],
                         "GSL_IEEE_MODE=trap-common", "SOFTGPU_DEVICE=");
      if (i < N_OF (times))
        save_profile (gt_device_host (), times[i]);
    }
}

TEST (all_traps)
{
  expect_everywhere ("all", "");
}

/* GSL says which mode it has set.  */
TEST (common_traps)
{
  expect_everywhere ("common", NULL);
}

TEST (flags_are_the_callers)
{
  expect_everywhere ("flags", "");
}

TEST (adopted_profiles)
{
  EXPECT_SCENARIO ("adopt", "", "GSLTUNE_PROFILE_DIR=/nonexistent");
}

#if HAVE_CUDA
/* Host data goes to the GPU by every way, and to a device vector.  */
TEST (on_a_gpu)
{
  struct gt_device gpu = *gt_gpu_device (0);

  for (size_t i = 0; i < N_OF (times); i++)
    {
      save_profile (&gpu, times[i]);
      for (size_t m = 0; m < N_OF (every_mode); m++)
        {
          EXPECT_SCENARIO ("int_all", "", profiles, every_mode[m], h200,
                           "GSLTUNE_DEVICE=cuda");
          EXPECT_SCENARIO ("double_all", "", profiles, every_mode[m], h200,
                           "GSLTUNE_DEVICE=cuda");
          EXPECT_SCENARIO ("device_vector", "", profiles, every_mode[m], h200);
        }
    }
}
#endif

RUN_SCENARIOS (set_up_gpu, tear_down)
