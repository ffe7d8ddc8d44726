/* For the tests of profiles on disk: a folder with a good profile, and children
   with other rights.  Include after tests/unit.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROFILE_FOLDER_H
#define GT_PROFILE_FOLDER_H

#include <grp.h>
#include <sys/wait.h>

#include "src/base/env.h"
#include "tests/profile_sample.h"
#include "tuning/store/profile_store.h"

/* A user who is not root, when the test runs as root.  */
#define SOMEBODY 12345

static char base[64];   /* every test's own folder, and the working folder */
static char folder[96]; /* base/profiles */
static char file[320];  /* the sample host's file in it */
static struct gt_device host;

static inline void
file_in (const char *where, char path[320])
{
  char silicon[GT_SILICON_SIZE];
  gt_device_silicon (&host, silicon);
  snprintf (path, 320, "%.100s/%s.json", where, silicon);
}

static inline void
save_in (const char *where, int system_wide)
{
  struct gt_profile profile;
  char why[256] = "";
  sample_profile (&host, &profile);
  if (gt_profile_save (&profile, where, system_wide, why, sizeof why))
    fail_msg ("%s", why);
  gt_profile_clear (&profile);
}

FIXTURE (set_up)
{
  make_test_folder (base);
  snprintf (folder, sizeof folder, "%s/profiles", base);
  host = sample_host ();
  file_in (folder, file);
  gt_env.profile_dir = NULL;
  gt_env.secure = 0;
  setenv ("HOME", base, 1);
  unsetenv ("XDG_DATA_HOME");
  umask (022);
  if (chdir (base))
    return -1;
  save_in (folder, 0);
  return 0;
}

FIXTURE (tear_down)
{
  if (chdir ("/"))
    return -1;
  remove_folder (base);
  return 0;
}

/* Reads PATH and checks that nothing is left to clear when it fails.  */
static inline void
check_read (const char *path, enum gt_profile_status status, const char *why)
{
  struct gt_profile profile;
  char got[256] = "";
  enum gt_profile_status got_status
    = gt_profile_read (path, &host, &profile, got, sizeof got);
  if (got_status != status || !strstr (got, why))
    fail_msg ("%s: %s, \"%s\" instead of %s, \"%s\"", path,
              gt_profile_status_names[got_status], got,
              gt_profile_status_names[status], why);
  if (status == GT_PROFILE_OK)
    assert_string_equal (profile.path, path);
  else
    assert_null (profile.steps);
  gt_profile_clear (&profile);
}

static inline unsigned
files_in (const char *path)
{
  char command[160];
  unsigned n = 0;
  snprintf (command, sizeof command, "ls -A '%s' | wc -l", path);
  FILE *stream = popen (command, "r");
  assert_non_null (stream);
  assert_int_equal (fscanf (stream, "%u", &n), 1);
  pclose (stream);
  return n;
}

static inline mode_t
mode_of (const char *path)
{
  struct stat status;
  assert_int_equal (stat (path, &status), 0);
  return status.st_mode & 07777;
}

/* Runs TEST in a child and returns its exit status.  */
static inline int
in_child (int (*test) (void))
{
  int status;
  fflush (NULL);
  pid_t child = fork ();
  assert_true (child >= 0);
  if (child == 0)
    _exit (test ());
  assert_int_equal (waitpid (child, &status, 0), child);
  assert_true (WIFEXITED (status));
  return WEXITSTATUS (status);
}

static inline int
give_away (const char *path, const struct stat *status, int flag,
           struct FTW *ftw)
{
  (void) status;
  (void) flag;
  (void) ftw;
  return lchown (path, SOMEBODY, SOMEBODY);
}

/* Makes this process, a child, an ordinary user who owns the test's folder, so
   that permissions count.  Returns whether it could.  */
static inline int
become_ordinary (void)
{
  return geteuid () != 0
         || (nftw (base, give_away, 16, FTW_PHYS) == 0
             && setgroups (0, NULL) == 0
             && setresgid (SOMEBODY, SOMEBODY, SOMEBODY) == 0
             && setresuid (SOMEBODY, SOMEBODY, SOMEBODY) == 0);
}

/* The status of a child's test where there are no other users, as in some
   containers: what it tests cannot happen there.  */
#define NO_OTHER_USERS 77

static inline void
check_in_child (int (*test) (void))
{
  int status = in_child (test);
  if (status == NO_OTHER_USERS)
    print_message ("# not tested: there are no other users here\n");
  else
    assert_int_equal (status, 0);
}

#endif
