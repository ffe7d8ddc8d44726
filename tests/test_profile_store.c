/* Tests of profiles on disk: files and folders that cannot be trusted, atomic
   replacement, failing writes, and the lock among tuners.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "tests/unit.h"

#include "tests/profile_folder.h"
#include "tuning/store/profile_store.h"

/* --------------------------------------------------------------- Reading */

TEST_WITH (test_good_file, set_up, tear_down)
{
  struct gt_profile profile;
  check_read (file, GT_PROFILE_OK, "");
  assert_int_equal (gt_profile_read (file, &host, &profile, NULL, 0),
                    GT_PROFILE_OK);
  assert_int_equal (profile.n_steps, SAMPLE_STEPS);
  assert_int_equal (profile.rejected, 0);
  gt_profile_clear (&profile);

  /* A name without a folder is in the working folder.  */
  assert_int_equal (chdir (folder), 0);
  check_read (strrchr (file, '/') + 1, GT_PROFILE_OK, "");
}

TEST_WITH (test_absent, set_up, tear_down)
{
  char below[400], longer[5000];
  assert_int_equal (unlink (file), 0);
  check_read (file, GT_PROFILE_ABSENT, "no such file");
  check_read ("", GT_PROFILE_ABSENT, "no such file");
  check_read (folder, GT_PROFILE_REFUSED, "not a regular file");
  snprintf (below, sizeof below, "%s/x.json", file);
  check_read (below, GT_PROFILE_ABSENT, "no such folder");
  save_in (folder, 0);
  check_read (below, GT_PROFILE_ABSENT, "no such folder");
  memset (longer, 'x', sizeof longer - 1);
  longer[sizeof longer - 1] = '\0';
  check_read (longer, GT_PROFILE_REFUSED, "too long");
  longer[4990] = '/';
  check_read (longer, GT_PROFILE_REFUSED, "too long");
}

TEST_WITH (test_links, set_up, tear_down)
{
  char other[320];
  snprintf (other, sizeof other, "%s/other.json", folder);
  assert_int_equal (rename (file, other), 0);
  assert_int_equal (symlink (other, file), 0);
  check_read (file, GT_PROFILE_REFUSED, "a symbolic link");
  check_read (other, GT_PROFILE_OK, "");

  /* To nowhere, and to itself.  */
  assert_int_equal (unlink (other), 0);
  check_read (file, GT_PROFILE_REFUSED, "a symbolic link");
  assert_int_equal (unlink (file), 0);
  assert_int_equal (symlink (file, file), 0);
  check_read (file, GT_PROFILE_REFUSED, "a symbolic link");
}

TEST_WITH (test_linked_folder, set_up, tear_down)
{
  char path[320];
  assert_int_equal (symlink (folder, "linked"), 0);
  file_in ("linked", path);
  check_read (path, GT_PROFILE_OK, "");
}

TEST_WITH (test_not_regular, set_up, tear_down)
{
  assert_int_equal (unlink (file), 0);
  assert_int_equal (mkfifo (file, 0600), 0);
  check_read (file, GT_PROFILE_REFUSED, "not a regular file");
  assert_int_equal (unlink (file), 0);
  assert_int_equal (mkdir (file, 0700), 0);
  check_read (file, GT_PROFILE_REFUSED, "not a regular file");
  check_read ("/dev/zero", GT_PROFILE_REFUSED, "");

  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strcpy (address.sun_path, "socket.json");
  int socket_descriptor = socket (AF_UNIX, SOCK_STREAM, 0);
  assert_true (socket_descriptor >= 0);
  assert_int_equal (bind (socket_descriptor, (struct sockaddr *) &address,
                          sizeof address),
                    0);
  check_read ("socket.json", GT_PROFILE_REFUSED, "");
  close (socket_descriptor);
}

TEST_WITH (test_permissions, set_up, tear_down)
{
  static const mode_t refused[] = {0602, 0620, 0622, 0666, 0777};
  static const mode_t accepted[] = {0600, 0644, 0400, 0755};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    {
      assert_int_equal (chmod (file, refused[i]), 0);
      check_read (file, GT_PROFILE_REFUSED, "writable by its group or by");
    }
  for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++)
    {
      assert_int_equal (chmod (file, accepted[i]), 0);
      check_read (file, GT_PROFILE_OK, "");
    }
}

TEST_WITH (test_folder_permissions, set_up, tear_down)
{
  struct gt_profile profile;
  char why[256];
  assert_int_equal (chmod (folder, 01777), 0);
  check_read (file, GT_PROFILE_REFUSED, "folder is not safe: writable by");

  /* A profile that would not be read is not written either.  */
  sample_profile (&host, &profile);
  assert_int_equal (gt_profile_save (&profile, folder, 0, why, sizeof why),
                    -1);
  assert_non_null (strstr (why, "would not be read"));
  assert_int_equal (gt_profile_lock (folder, 0, why, sizeof why), -1);
  gt_profile_clear (&profile);

  assert_int_equal (chmod (folder, 0775), 0);
  check_read (file, GT_PROFILE_OK, "");
}

/* Only root can give files away.  */
TEST_WITH (test_foreign_owner, set_up, tear_down)
{
  if (geteuid () != 0 || chown (file, SOMEBODY, SOMEBODY) != 0)
    {
      print_message ("# not tested: needs root to give files away\n");
      return;
    }
  check_read (file, GT_PROFILE_REFUSED, "belongs to another user");
  assert_int_equal (chown (file, 0, SOMEBODY), 0);
  check_read (file, GT_PROFILE_OK, "");
  assert_int_equal (chown (folder, SOMEBODY, 0), 0);
  check_read (file, GT_PROFILE_REFUSED, "folder is not safe: belongs to");
}

/* Root's files are good for everyone.  */
static int
read_file_of_root (void)
{
  if (chmod (base, 0755) || chmod (folder, 0755) || chmod (file, 0644)
      || setresuid (SOMEBODY, SOMEBODY, SOMEBODY))
    return NO_OTHER_USERS;
  struct gt_profile profile;
  enum gt_profile_status status
    = gt_profile_read (file, &host, &profile, NULL, 0);
  gt_profile_clear (&profile);
  return status != GT_PROFILE_OK;
}

TEST_WITH (test_file_of_root, set_up, tear_down)
{
  if (geteuid () == 0)
    check_in_child (read_file_of_root);
  else
    print_message ("# not tested: needs root to own files\n");
}

static int
refused_for_permission (void)
{
  struct gt_profile profile;
  char why[256] = "";
  return gt_profile_read (file, &host, &profile, why, sizeof why)
           == GT_PROFILE_REFUSED
         && strcmp (why, strerror (EACCES)) == 0;
}

static int
read_unreadable (void)
{
  if (!become_ordinary ())
    return NO_OTHER_USERS;
  chmod (file, 0);
  int refused = refused_for_permission ();
  chmod (file, 0600);
  chmod (folder, 0);
  refused += refused_for_permission ();
  chmod (folder, 0700);
  return refused != 2;
}

TEST_WITH (test_unreadable, set_up, tear_down)
{
  check_in_child (read_unreadable);
}

TEST_WITH (test_size, set_up, tear_down)
{
  struct stat status;
  assert_int_equal (stat (file, &status), 0);
  int descriptor = open (file, O_WRONLY | O_APPEND);
  assert_true (descriptor >= 0);
  char *blanks = malloc (GT_PROFILE_MAX_BYTES);
  assert_non_null (blanks);
  memset (blanks, ' ', GT_PROFILE_MAX_BYTES);
  size_t rest = GT_PROFILE_MAX_BYTES - (size_t) status.st_size;
  assert_int_equal (write (descriptor, blanks, rest), rest);
  check_read (file, GT_PROFILE_OK, "");
  assert_int_equal (write (descriptor, " ", 1), 1);
  check_read (file, GT_PROFILE_REFUSED, "larger than 8 MiB");
  assert_int_equal (ftruncate (descriptor, 0), 0);
  check_read (file, GT_PROFILE_BROKEN, "not JSON");
  /* A sparse file of a size beyond all memory.  */
  assert_int_equal (ftruncate (descriptor, (off_t) 1 << 40), 0);
  check_read (file, GT_PROFILE_REFUSED, "larger than 8 MiB");
  close (descriptor);
  free (blanks);
}

TEST_WITH (test_foreign_silicon, set_up, tear_down)
{
  struct gt_profile profile;
  host.host.threads = 4;
  check_read (file, GT_PROFILE_FOREIGN, "tuned for cpu-");
  assert_int_equal (gt_profile_read (file, NULL, &profile, NULL, 0),
                    GT_PROFILE_OK);
  assert_string_equal (profile.device_name, "Example 9000");
  assert_string_equal (profile.path, file);
  gt_profile_clear (&profile);
}

/* --------------------------------------------------------------- Writing */

static char *
contents (const char *path, size_t *length)
{
  FILE *stream = fopen (path, "r");
  char *text = malloc (65536);
  assert_non_null (stream);
  assert_non_null (text);
  *length = fread (text, 1, 65536, stream);
  fclose (stream);
  return text;
}

TEST_WITH (test_saved_twice_is_the_same, set_up, tear_down)
{
  struct gt_profile profile;
  char why[256];
  size_t first_length, second_length;
  char *first = contents (file, &first_length);
  assert_int_equal (first[first_length - 1], '\n');

  assert_int_equal (gt_profile_read (file, &host, &profile, why, sizeof why),
                    GT_PROFILE_OK);
  assert_int_equal (gt_profile_save (&profile, folder, 0, why, sizeof why), 0);
  char *second = contents (file, &second_length);
  assert_int_equal (first_length, second_length);
  assert_memory_equal (first, second, first_length);
  assert_int_equal (files_in (folder), 1);
  gt_profile_clear (&profile);
  free (first);
  free (second);
}

TEST_WITH (test_modes_of_what_is_made, set_up, tear_down)
{
  char path[320];
  assert_int_equal (mode_of (file), 0600);
  assert_int_equal (mode_of (folder), 0700);

  /* The system's is for everyone, whatever the umask of root.  */
  umask (077);
  save_in ("system/deep/er", 1);
  file_in ("system/deep/er", path);
  assert_int_equal (mode_of (path), 0644);
  assert_int_equal (mode_of ("system"), 0755);
  assert_int_equal (mode_of ("system/deep/er"), 0755);
  umask (0);
  save_in ("mine//deep/", 0);
  file_in ("mine/deep", path);
  assert_int_equal (mode_of (path), 0600);
  assert_int_equal (mode_of ("mine"), 0700);
  check_read (path, GT_PROFILE_OK, "");
}

static void
check_save_fails (const struct gt_profile *profile, const char *where,
                  const char *first, const char *second)
{
  char why[512] = "";
  assert_int_equal (gt_profile_save (profile, where, 0, why, sizeof why), -1);
  if (!strstr (why, first) || !strstr (why, second))
    fail_msg ("\"%s\" does not say \"%s\" and \"%s\"", why, first, second);
}

TEST_WITH (test_cannot_save, set_up, tear_down)
{
  struct gt_profile profile;
  char below[400], longer[5000], why[256];
  sample_profile (&host, &profile);

  snprintf (below, sizeof below, "%s/gsltune", file);
  check_save_fails (&profile, below, below, strerror (ENOTDIR));
  assert_int_equal (gt_profile_lock (below, 0, why, sizeof why), -1);
  assert_non_null (strstr (why, strerror (ENOTDIR)));
  check_save_fails (&profile, file, file, strerror (ENOTDIR));
  check_save_fails (&profile, "", "\"\"", strerror (ENOENT));
  memset (longer, 'x', sizeof longer - 1);
  longer[sizeof longer - 1] = '\0';
  check_save_fails (&profile, longer, "xxx", "");

  /* A folder in the file's place.  */
  assert_int_equal (unlink (file), 0);
  assert_int_equal (mkdir (file, 0700), 0);
  check_save_fails (&profile, folder, file, strerror (EISDIR));
  assert_int_equal (files_in (folder), 1);

  strcpy (profile.silicon, "../escape");
  check_save_fails (&profile, folder, "../escape", "no silicon key");
  gt_profile_clear (&profile);
}

TEST_WITH (test_too_large_to_save, set_up, tear_down)
{
  struct gt_profile profile;
  size_t before, after;
  char *old = contents (file, &before);
  sample_profile (&host, &profile);
  profile.n_steps = 1000000;
  profile.steps[0].from = GT_PROFILE_MAX_SIZE;
  profile.steps = realloc (profile.steps, profile.n_steps * sizeof *profile.steps);
  assert_non_null (profile.steps);
  for (unsigned i = 1; i < profile.n_steps; i++)
    profile.steps[i] = profile.steps[0];
  check_save_fails (&profile, folder, "larger than 8 MiB", "");
  char *new = contents (file, &after);
  assert_int_equal (before, after);
  assert_memory_equal (old, new, before);
  gt_profile_clear (&profile);
  free (old);
  free (new);
}

static int
save_in_read_only_folder (void)
{
  struct gt_profile profile;
  char why[512] = "", lock_why[512] = "";
  if (!become_ordinary ())
    return NO_OTHER_USERS;
  sample_profile (&host, &profile);
  chmod (folder, 0500);
  int failed = gt_profile_save (&profile, folder, 0, why, sizeof why);
  int lock = gt_profile_lock (folder, 0, lock_why, sizeof lock_why);
  gt_profile_clear (&profile);
  int still_read = gt_profile_read (file, &host, &profile, NULL, 0)
                   == GT_PROFILE_OK;
  gt_profile_clear (&profile);
  chmod (folder, 0700);
  return !(failed == -1 && strstr (why, file)
           && strstr (why, strerror (EACCES))
           && lock == -1 && strstr (lock_why, strerror (EACCES))
           && still_read);
}

TEST_WITH (test_read_only_folder, set_up, tear_down)
{
  check_in_child (save_in_read_only_folder);
}

/* A disk that is full after 500 bytes.  */
static int
save_with_little_room (void)
{
  struct rlimit limit = {500, 500};
  struct gt_profile profile;
  char why[512] = "";
  signal (SIGXFSZ, SIG_IGN);
  if (setrlimit (RLIMIT_FSIZE, &limit))
    return 77;
  sample_profile (&host, &profile);
  int failed = gt_profile_save (&profile, folder, 0, why, sizeof why);
  gt_profile_clear (&profile);
  return !(failed == -1 && strstr (why, file)
           && strstr (why, strerror (EFBIG)));
}

TEST_WITH (test_full_disk, set_up, tear_down)
{
  size_t before, after;
  char *old = contents (file, &before);
  assert_int_equal (in_child (save_with_little_room), 0);
  char *new = contents (file, &after);
  assert_int_equal (before, after);
  assert_memory_equal (old, new, before);
  assert_int_equal (files_in (folder), 1);
  check_read (file, GT_PROFILE_OK, "");
  free (old);
  free (new);
}

/* Saves by turns the whole sample and its first entry.  */
static int
save_by_turns (void)
{
  struct gt_profile profile;
  sample_profile (&host, &profile);
  int failed = 0;
  for (unsigned turn = 0; turn < 40 && !failed; turn++)
    {
      profile.n_steps = turn % 2 ? SAMPLE_STEPS : 1;
      failed = gt_profile_save (&profile, folder, 0, NULL, 0);
    }
  profile.n_steps = SAMPLE_STEPS;
  gt_profile_clear (&profile);
  return failed != 0;
}

/* A reader meets the old file or the new one, never less.  */
TEST_WITH (test_atomic_replacement, set_up, tear_down)
{
  int status;
  fflush (NULL);
  pid_t child = fork ();
  assert_true (child >= 0);
  if (child == 0)
    _exit (save_by_turns ());

  while (waitpid (child, &status, WNOHANG) == 0)
    {
      struct gt_profile profile;
      char why[256];
      assert_int_equal (
        gt_profile_read (file, &host, &profile, why, sizeof why),
        GT_PROFILE_OK);
      assert_true (profile.n_steps == 1 || profile.n_steps == SAMPLE_STEPS);
      assert_int_equal (profile.rejected, 0);
      gt_profile_clear (&profile);
    }
  assert_true (WIFEXITED (status));
  assert_int_equal (WEXITSTATUS (status), 0);
  assert_int_equal (files_in (folder), 1);
}

/* ------------------------------------------------------------------ Lock */

/* 0: taken, 1: another has it, 2: another reason.  */
static int
try_lock (void)
{
  char why[256] = "";
  if (gt_profile_lock (folder, 0, why, sizeof why) >= 0)
    return 0;
  return strstr (why, "another gsltune is tuning") && strstr (why, folder)
           ? 1
           : 2;
}

TEST_WITH (test_lock, set_up, tear_down)
{
  char why[256] = "";
  int lock = gt_profile_lock (folder, 0, why, sizeof why);
  assert_true (lock >= 0);
  assert_true (fcntl (lock, F_GETFD) & FD_CLOEXEC);
  assert_int_equal (in_child (try_lock), 1);

  /* Readers and the holder's saves do not mind.  */
  check_read (file, GT_PROFILE_OK, "");
  save_in (folder, 0);
  close (lock);
  assert_int_equal (in_child (try_lock), 0);
  assert_int_equal (in_child (try_lock), 0);
}

TEST_WITH (test_hostile_lock_file, set_up, tear_down)
{
  char lock[128], why[256] = "";
  snprintf (lock, sizeof lock, "%s/.lock", folder);
  assert_int_equal (symlink ("/dev/null", lock), 0);
  assert_int_equal (gt_profile_lock (folder, 0, why, sizeof why), -1);
  assert_non_null (strstr (why, lock));
  assert_int_equal (unlink (lock), 0);
  assert_int_equal (mkfifo (lock, 0600), 0);
  assert_int_equal (gt_profile_lock (folder, 0, why, sizeof why), -1);
  assert_non_null (strstr (why, lock));
}

RUN_TESTS (NULL, NULL)
