/* Tests of where profiles are looked for, and what is passed over.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

/* With what it keeps to itself.  */
#include "src/profile/profile_search.c"

#include <errno.h>

#include "tests/profile_folder.h"
#include "tuning/store/profile_store.h"

static void
check_folder_of_user (const char *expected)
{
  char path[4096] = "", why[256] = "";
  int failed = gt_profile_folder (GT_FOLDER_USER, path, sizeof path, why,
                                  sizeof why);
  if (expected)
    {
      assert_int_equal (failed, 0);
      assert_string_equal (path, expected);
    }
  else
    {
      assert_int_equal (failed, -1);
      assert_true (*why != '\0');
    }
}

TEST_WITH (test_folder_of_user, set_up, tear_down)
{
  setenv ("HOME", "/home/x", 1);
  check_folder_of_user ("/home/x/.cache/gsltune");
  setenv ("XDG_CACHE_HOME", "/cache", 1);
  check_folder_of_user ("/cache/gsltune");
  setenv ("XDG_CACHE_HOME", "cache", 1);
  check_folder_of_user ("/home/x/.cache/gsltune");
  setenv ("XDG_CACHE_HOME", "", 1);
  check_folder_of_user ("/home/x/.cache/gsltune");
  setenv ("HOME", "", 1);
  check_folder_of_user (NULL);
  setenv ("HOME", ".", 1);
  check_folder_of_user (NULL);
  unsetenv ("HOME");
  check_folder_of_user (NULL);
  setenv ("HOME", "/home/x", 1);
  gt_env.secure = 1;
  check_folder_of_user (NULL);
  gt_env.secure = 0;

  char longer[5000], path[4096];
  memset (longer, '/', sizeof longer - 1);
  longer[sizeof longer - 1] = '\0';
  setenv ("HOME", longer, 1);
  check_folder_of_user (NULL);
  assert_int_equal (gt_profile_folder (GT_FOLDER_SYSTEM, path, sizeof path,
                                       NULL, 0),
                    0);
  assert_string_equal (path, "installed/system");
  assert_int_equal (gt_profile_folder (GT_FOLDER_SHIPPED, path, sizeof path,
                                       NULL, 0),
                    0);
  assert_string_equal (path, "installed/shipped");
}

TEST_WITH (test_folder_of_environment, set_up, tear_down)
{
  char path[4096], why[256];
  enum gt_folder place = GT_FOLDER_ENVIRONMENT;
  assert_int_equal (gt_profile_folder (place, path, sizeof path, why,
                                       sizeof why),
                    -1);
  assert_non_null (strstr (why, "not set"));
  gt_env.profile_dir = "relative";
  assert_int_equal (gt_profile_folder (place, path, sizeof path, why,
                                       sizeof why),
                    -1);
  assert_non_null (strstr (why, "not an absolute path"));
  gt_env.profile_dir = "/some/where";
  assert_int_equal (gt_profile_folder (place, path, sizeof path, why,
                                       sizeof why),
                    0);
  assert_string_equal (path, "/some/where");
  gt_env.secure = 1;
  assert_int_equal (gt_profile_folder (place, path, sizeof path, why,
                                       sizeof why),
                    -1);
}

/* A home that may not be entered, and none that can be written.  */
static int
use_unreadable_home (void)
{
  struct gt_profile profile;
  static struct gt_search search;
  char user[320], why[512] = "";
  if (!become_ordinary () || mkdir ("home", 0))
    return NO_OTHER_USERS;
  snprintf (user, sizeof user, "%s/home", base);
  setenv ("HOME", user, 1);
  int found = gt_profile_search (&host, &profile, &search) == 0;
  gt_profile_folder (GT_FOLDER_USER, user, sizeof user, NULL, 0);
  sample_profile (&host, &profile);
  int saved = gt_profile_save (&profile, user, 0, why, sizeof why) == 0;
  gt_profile_clear (&profile);
  return !(!found && search.n_steps == 3 && !saved
           && search.step[0].status == GT_PROFILE_REFUSED
           && strcmp (search.step[0].why, strerror (EACCES)) == 0
           && strstr (why, ".cache") && strstr (why, strerror (EACCES)));
}

TEST_WITH (test_unreadable_home, set_up, tear_down)
{
  check_in_child (use_unreadable_home);
}

/* Searches; the profile must be found at PLACE (GT_N_FOLDERS: nowhere) after
   the N places in STEPS.  */
static void
check_search (enum gt_folder place, unsigned n,
              const enum gt_folder *steps, struct gt_search *search)
{
  struct gt_profile profile;
  int failed = gt_profile_search (&host, &profile, search);
  assert_int_equal (failed, place == GT_N_FOLDERS ? -1 : 0);
  assert_int_equal (search->n_steps, n);
  for (unsigned i = 0; i < n; i++)
    {
      assert_int_equal (search->step[i].folder, steps[i]);
      assert_int_equal (search->step[i].status == GT_PROFILE_OK,
                        steps[i] == place);
      if (steps[i] != place)
        assert_true (*search->step[i].why != '\0');
    }
  if (!failed)
    assert_string_equal (profile.path, search->step[n - 1].path);
  else
    assert_null (profile.entries);
  gt_profile_clear (&profile);
}

TEST_WITH (test_search_order, set_up, tear_down)
{
  static const enum gt_folder usual[]
    = {GT_FOLDER_USER, GT_FOLDER_SYSTEM, GT_FOLDER_SHIPPED};
  static const enum gt_folder named[]
    = {GT_FOLDER_ENVIRONMENT, GT_FOLDER_SHIPPED};
  static struct gt_search search;
  char user[320];
  snprintf (user, sizeof user, "%s/.cache/gsltune", base);

  check_search (GT_N_FOLDERS, 3, usual, &search);
  for (unsigned i = 0; i < 3; i++)
    assert_int_equal (search.step[i].status, GT_PROFILE_ABSENT);
  save_in ("installed/shipped", 1);
  check_search (GT_FOLDER_SHIPPED, 3, usual, &search);
  save_in ("installed/system", 1);
  check_search (GT_FOLDER_SYSTEM, 2, usual, &search);
  save_in (user, 0);
  check_search (GT_FOLDER_USER, 1, usual, &search);

  gt_env.profile_dir = "/nonexistent/profiles";
  check_search (GT_FOLDER_SHIPPED, 2, named, &search);
  gt_env.profile_dir = folder;
  check_search (GT_FOLDER_ENVIRONMENT, 1, named, &search);

  /* Raised privileges: neither the environment's nor the user's.  */
  gt_env.secure = 1;
  check_search (GT_FOLDER_SYSTEM, 2, usual, &search);
  assert_string_equal (search.step[0].path, "");
}

TEST_WITH (test_search_passes_over, set_up, tear_down)
{
  static const enum gt_folder usual[]
    = {GT_FOLDER_USER, GT_FOLDER_SYSTEM, GT_FOLDER_SHIPPED};
  static struct gt_search search;
  struct gt_profile profile;
  char user[320], path[320], why[256];
  snprintf (user, sizeof user, "%s/.cache/gsltune", base);
  save_in (user, 0);
  save_in ("installed/system", 1);
  save_in ("installed/shipped", 1);

  file_in (user, path);
  assert_int_equal (truncate (path, 100), 0);
  file_in ("installed/system", path);
  assert_int_equal (chmod (path, 0666), 0);
  check_search (GT_FOLDER_SHIPPED, 3, usual, &search);
  assert_int_equal (search.step[0].status, GT_PROFILE_BROKEN);
  assert_int_equal (search.step[1].status, GT_PROFILE_REFUSED);

  /* One whose entries all fail gives way to one that still fits.  */
  sample_profile (&host, &profile);
  for (unsigned i = 0; i < profile.n_entries; i++)
    profile.entries[i].candidates = 2000000;
  profile.n_crossovers = 0;
  assert_int_equal (gt_profile_save (&profile, user, 0, why, sizeof why), 0);
  check_search (GT_FOLDER_SHIPPED, 3, usual, &search);
  assert_int_equal (search.step[0].status, GT_PROFILE_BROKEN);
  assert_non_null (strstr (search.step[0].why, "no usable entry: entry 1"));

  profile.n_entries = 0;
  assert_int_equal (gt_profile_save (&profile, user, 0, why, sizeof why), 0);
  check_search (GT_FOLDER_SHIPPED, 3, usual, &search);
  assert_string_equal (search.step[0].why, "no usable entry");
  gt_profile_clear (&profile);

  /* No HOME.  */
  unsetenv ("HOME");
  assert_int_equal (gt_profile_search (&host, &profile, &search), 0);
  gt_profile_clear (&profile);
}

/* A file's name is whole, or there is none, whatever the length of its folder's.  */
TEST_WITH (test_long_paths, set_up, tear_down)
{
  static const char name[] = "/some-gpu.json";
  const char *const before = gt_env.profile_dir;
  struct gt_search_step step;
  char where[sizeof step.path];

  gt_env.profile_dir = where;
  for (size_t n = sizeof where - 20; n < sizeof where; n++)
    {
      const int fits = n + strlen (name) < sizeof step.path;

      memset (where, '/', n);
      where[n] = '\0';
      assert_int_equal (name_file (&step, GT_FOLDER_ENVIRONMENT, "some-gpu"),
                        fits ? 0 : -1);
      assert_int_equal (strlen (step.path), fits ? n + strlen (name) : 0);
      assert_string_equal (step.why, fits ? "" : "the path is too long");
    }
  gt_env.profile_dir = before;
}

RUN_TESTS (NULL, NULL)
