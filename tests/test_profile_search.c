/* Tests of where profiles are looked for, and what is passed over; of silicon keys read
   back, and of profiles of like devices: which matches, which is nearest, and what is taken
   of it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

/* With what it keeps to itself.  */
#include "src/profile/profile_search.c"

#include "tests/profile_folder.h"
#include "tuning/store/profile_store.h"

static void
check_folder (enum gt_folder place, const char *expected)
{
  char path[4096] = "", why[256] = "";
  int failed = gt_profile_folder (place, path, sizeof path, why, sizeof why);
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
  check_folder (GT_FOLDER_USER, "/home/x/.local/share/gsltune");
  setenv ("XDG_DATA_HOME", "/data", 1);
  check_folder (GT_FOLDER_USER, "/data/gsltune");
  setenv ("XDG_DATA_HOME", "data", 1);
  check_folder (GT_FOLDER_USER, "/home/x/.local/share/gsltune");
  setenv ("XDG_DATA_HOME", "", 1);
  check_folder (GT_FOLDER_USER, "/home/x/.local/share/gsltune");
  setenv ("HOME", "", 1);
  check_folder (GT_FOLDER_USER, NULL);
  setenv ("HOME", ".", 1);
  check_folder (GT_FOLDER_USER, NULL);
  unsetenv ("HOME");
  check_folder (GT_FOLDER_USER, NULL);
  setenv ("HOME", "/home/x", 1);
  gt_env.secure = 1;
  check_folder (GT_FOLDER_USER, NULL);
  gt_env.secure = 0;

  char longer[5000], path[4096];
  memset (longer, '/', sizeof longer - 1);
  longer[sizeof longer - 1] = '\0';
  setenv ("HOME", longer, 1);
  check_folder (GT_FOLDER_USER, NULL);
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
           && strstr (why, ".local") && strstr (why, strerror (EACCES)));
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
    assert_null (profile.steps);
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
  snprintf (user, sizeof user, "%s/.local/share/gsltune", base);

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
  snprintf (user, sizeof user, "%s/.local/share/gsltune", base);
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

  /* One whose steps all fail gives way to one that still fits.  */
  sample_profile (&host, &profile);
  for (unsigned i = 0; i < profile.n_steps; i++)
    profile.steps[i].config.threads = 2000000;
  assert_int_equal (gt_profile_save (&profile, user, 0, why, sizeof why), 0);
  check_search (GT_FOLDER_SHIPPED, 3, usual, &search);
  assert_int_equal (search.step[0].status, GT_PROFILE_BROKEN);
  assert_non_null (strstr (search.step[0].why, "no usable step: dgemm NN square: "));

  profile.n_steps = 0;
  assert_int_equal (gt_profile_save (&profile, user, 0, why, sizeof why), 0);
  check_search (GT_FOLDER_SHIPPED, 3, usual, &search);
  assert_string_equal (search.step[0].why, "no usable step");
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
  struct gt_search_step step = {.folder = GT_FOLDER_ENVIRONMENT};
  struct gt_profile profile;
  char where[sizeof step.path];

  gt_env.profile_dir = where;
  for (size_t n = sizeof where - 20; n < sizeof where; n++)
    {
      const int fits = n + strlen (name) < sizeof step.path;

      memset (where, '/', n);
      where[n] = '\0';
      read_file (&step, "some-gpu", &host, &profile);
      assert_int_equal (strlen (step.path), fits ? n + strlen (name) : 0);
      if (!fits)
        assert_string_equal (step.why, "the path is too long");
    }
  gt_env.profile_dir = before;
}

/* ------------------------------------------------------------------ Keys */

static const char *const keys[] = {
  "cuda-9.0-132sm-140gib-l2-60mib",
  "cuda-9.0-114sm-80gib-l2-50mib",
  "cuda-9.0-60sm-71gib-l2-30mib-mig-3g.71gb",
  "cuda-12.0-170sm-32gib-l2-98304kib",
  ("cpu-amd-epyc-9b14-96-core-processor-16c-32t-l1-32kib-l2-1mib-l3-32mibx2-sse2-"
   "avx2-avx512f"),
  "cpu-example-9000-8c-8t-l1-32kib-l2-1mib-l3-32mib-sse2-avx2",
  "cpu-made-up-2c-4t-l1-9-1c-1t-l1-0kib-l2-0kib-l3-0kib",
  "cpu--1c-1t-l1-48kib-l2-1792kib-l3-0kib-neon",
};

TEST (keys_are_read_back)
{
  struct gt_device device;
  char again[GT_SILICON_SIZE];

  for (size_t i = 0; i < N_OF (keys); i++)
    {
      int large_l2 = strstr (keys[i], "98304kib") != NULL;

      /* 98304 KiB are written as 96 MiB: no device has this key.  */
      if (gt_device_from_silicon (keys[i], &device) != -large_l2)
        fail_msg ("%s", keys[i]);
      gt_device_silicon (&device, again);
      if (!large_l2)
        assert_string_equal (again, keys[i]);
    }
  assert_int_equal (gt_device_from_silicon (keys[0], &device), 0);
  assert_int_equal (device.gpu.sms, 132);
  assert_int_equal (device.gpu.sm.max_blocks_per_sm, 32);
  assert_int_equal (gt_device_from_silicon (keys[4], &device), 0);
  assert_string_equal (device.host.model, "amd-epyc-9b14-96-core-processor");
  assert_int_equal (device.host.threads, 32);
  assert_int_equal (device.host.l3_instances, 2);
  assert_string_equal (device.host.isa, "sse2-avx2-avx512f");
}

TEST (other_words_are_no_keys)
{
  static const char *const words[] = {
    "", "cpu", "cuda", "cpu-", "cuda-9.0", "cuda-0.0-none", ".lock",
    "cuda-9.0-132sm-140gib-l2-60mibx", "cuda-9.0-132sm-140gib-l2-60gib",
    "cuda-09.0-132sm-140gib-l2-60mib", "cuda-9.0--132sm-140gib-l2-60mib",
    "cpu-8c-8t-l1-32kib-l2-1mib", "cpu-8c-8t-l1-32kib-l2-1mib-l3-32",
    "cpu-a-8c-8t-l1-32kib-l2-1mib-l3-32mibx-sse2",
    "cpu-a-8c-99999999999t-l1-32kib-l2-1mib-l3-32mib-sse2",
    "gpu-a-8c-8t-l1-32kib-l2-1mib-l3-32mib-sse2",
  };
  struct gt_device device;

  for (size_t i = 0; i < N_OF (words); i++)
    if (gt_device_from_silicon (words[i], &device) != -1)
      fail_msg ("%s", words[i]);
}

/* --------------------------------------------------------------- Matches */

static void
check_match (const char *a, const char *b, enum gt_match expected)
{
  double distance, back;
  enum gt_match match = gt_profile_match (a, b, &distance);

  if (match != expected)
    fail_msg ("%s, %s: %s", a, b, gt_match_texts[match]);
  assert_true (gt_profile_match (b, a, &back) == expected);
  assert_true (distance >= 1 && back >= 1);
}

TEST (what_matches)
{
  const char *h200 = keys[0], *h100 = keys[1], *mig = keys[2], *cpu = keys[5];
  const char *more = "cpu-example-9000-64c-64t-l1-32kib-l2-1mib-l3-32mibx8-sse2-"
                     "avx2";
  const char *other = "cpu-other-8c-8t-l1-32kib-l2-1mib-l3-32mib-sse2-avx2";

  check_match (h200, h200, GT_MATCH_SILICON);
  check_match (h200, h100, GT_MATCH_CAPABILITY);
  check_match (h200, mig, GT_MATCH_CAPABILITY);
  check_match ("cuda-8.0-108sm-40gib-l2-40mib", "cuda-8.6-84sm-24gib-l2-6mib",
               GT_MATCH_ARCHITECTURE);
  check_match ("cuda-8.0-108sm-40gib-l2-40mib", "cuda-8.9-128sm-24gib-l2-72mib",
               GT_MATCH_NONE);
  check_match ("cuda-7.0-80sm-16gib-l2-6mib", "cuda-7.5-68sm-11gib-l2-5632kib",
               GT_MATCH_NONE);
  check_match (h200, "cuda-8.0-108sm-40gib-l2-40mib", GT_MATCH_NONE);
  check_match (h200, cpu, GT_MATCH_NONE);
  check_match (cpu, more, GT_MATCH_MODEL);
  check_match (cpu, other, GT_MATCH_INSTRUCTIONS);
  check_match (cpu, keys[4], GT_MATCH_NONE);
  check_match ("none", "nothing", GT_MATCH_NONE);
  check_match ("none", "none", GT_MATCH_SILICON);
}

TEST (what_is_near)
{
  static const char *const gpu[]
    = {"cuda-9.0-132sm-80gib-l2-50mib", "cuda-9.0-114sm-80gib-l2-50mib",
       "cuda-9.0-60sm-71gib-l2-30mib-mig-3g.71gb"};
  double last = 1, distance;

  for (size_t i = 0; i < N_OF (gpu); i++)
    {
      gt_profile_match (keys[0], gpu[i], &distance);
      assert_true (distance > last);
      last = distance;
    }
}

/* ---------------------------------------------------------------- Search */

/* Saves the sample in WHERE as one of a device with THREADS threads; where STALE, of
   kernels that have changed.  */
static void
save_like (const char *where, int threads, int stale)
{
  struct gt_device other = host;
  struct gt_profile profile;
  char silicon[GT_SILICON_SIZE], command[600], reason[256];

  other.host.threads = threads;
  sample_profile (&other, &profile);
  for (unsigned i = 0; i < profile.n_steps; i++)
    if (strcmp (profile.steps[i].way, "simd") == 0)
      profile.steps[i].config.threads = (unsigned) threads;
  if (gt_profile_save (&profile, where, 0, reason, sizeof reason))
    fail_msg ("%s", reason);
  gt_profile_clear (&profile);
  if (!stale)
    return;
  gt_device_silicon (&other, silicon);
  snprintf (command, sizeof command,
            "sed -i 's/ simd\\| sequential/& version=999/g' '%.100s/%s.json'",
            where, silicon);
  assert_int_equal (system (command), 0);
}

/* The search must end with a profile of a device with THREADS threads; 0: with none.
   The profile is the caller's.  */
static void
check_found (int threads, struct gt_profile *profile, struct gt_search *search)
{
  struct gt_device found;

  if (gt_profile_search (&host, profile, search))
    {
      assert_int_equal (threads, 0);
      return;
    }
  assert_int_equal (gt_device_from_silicon (profile->silicon, &found), 0);
  assert_int_equal (found.host.threads, threads);
}

TEST_WITH (nearest_is_taken, set_up, tear_down)
{
  struct gt_profile profile;
  static struct gt_search search;
  char user[320];

  snprintf (user, sizeof user, "%s/.local/share/gsltune", base);
  check_found (0, &profile, &search);
  save_like ("installed/shipped", 128, 0);
  check_found (128, &profile, &search);
  assert_int_equal (profile.match, GT_MATCH_MODEL);
  assert_int_equal (search.n_steps, 4);
  assert_int_equal (search.step[3].match, GT_MATCH_MODEL);
  assert_string_equal (search.step[3].why, "approximate: tuned on Example 9000,"
                                           " the same model of processor");
  gt_profile_clear (&profile);

  save_like ("installed/shipped", 16, 0);
  check_found (16, &profile, &search);
  gt_profile_clear (&profile);
  save_like (user, 64, 0); /* the folder decides only among equals */
  check_found (16, &profile, &search);
  gt_profile_clear (&profile);
  save_like ("installed/system", 16, 0);
  check_found (16, &profile, &search);
  assert_int_equal (search.step[3].folder, GT_FOLDER_SYSTEM);
  gt_profile_clear (&profile);

  /* One of this silicon beats them all, wherever it is.  */
  save_in ("installed/shipped", 1);
  check_found (8, &profile, &search);
  assert_int_equal (profile.match, GT_MATCH_SILICON);
  assert_int_equal (search.n_steps, 3);
  gt_profile_clear (&profile);
}

TEST_WITH (stale_ones_are_passed_over, set_up, tear_down)
{
  struct gt_profile profile;
  static struct gt_search search;

  for (int threads = 9; threads < 14; threads++)
    save_like ("installed/shipped", threads, 1);
  save_like ("installed/shipped", 12, 0);
  check_found (12, &profile, &search);
  assert_int_equal (search.n_steps, 7);
  for (int i = 3; i < 6; i++)
    assert_int_equal (search.step[i].status, GT_PROFILE_BROKEN);
  gt_profile_clear (&profile);
  save_like ("installed/shipped", 12, 1); /* now the nearest few are all stale */
  save_like ("installed/shipped", 100, 0);
  check_found (0, &profile, &search);
  assert_int_equal (search.n_steps, 7);
}

TEST_WITH (what_is_taken_of_it, set_up, tear_down)
{
  struct gt_profile profile;
  static struct gt_search search;

  save_like ("installed/system", 64, 0);
  check_found (64, &profile, &search);
  assert_int_equal (profile.n_steps, SAMPLE_WINNERS);
  assert_int_equal (profile.rejected, 0);
  for (unsigned i = 0; i < profile.n_steps; i++)
    assert_true (profile.steps[i].config.threads
                 == (strcmp (profile.steps[i].way, "simd") == 0 ? 8 : 1));
  gt_profile_clear (&profile);

  /* A shipped profile of this silicon, too, sends nothing to a GPU.  */
  save_in ("installed/shipped", 1);
  check_found (8, &profile, &search);
  assert_int_equal (profile.n_steps, SAMPLE_WINNERS);
  gt_profile_clear (&profile);
  save_in ("installed/system", 1);
  check_found (8, &profile, &search);
  assert_int_equal (profile.n_steps, SAMPLE_STEPS);
  gt_profile_clear (&profile);
}

/* The file's own words count, not its name.  */
TEST_WITH (a_false_name, set_up, tear_down)
{
  struct gt_device other = host;
  struct gt_profile profile;
  static struct gt_search search;
  char silicon[GT_SILICON_SIZE], path[400], elsewhere[320];

  strcpy (other.host.isa, "sse2");
  sample_profile (&other, &profile);
  assert_int_equal (gt_profile_save (&profile, "installed/shipped", 1, NULL, 0), 0);
  gt_profile_clear (&profile);
  check_found (0, &profile, &search);
  assert_int_equal (search.n_steps, 3);
  gt_device_silicon (&other, silicon);
  snprintf (elsewhere, sizeof elsewhere, "installed/shipped/%s.json", silicon);
  other = host;
  other.host.threads = 16;
  gt_device_silicon (&other, silicon);
  snprintf (path, sizeof path, "installed/shipped/%s.json", silicon);
  assert_int_equal (rename (elsewhere, path), 0);
  check_found (0, &profile, &search);
  assert_int_equal (search.n_steps, 4);
  assert_int_equal (search.step[3].status, GT_PROFILE_FOREIGN);
}

RUN_TESTS (NULL, NULL)
