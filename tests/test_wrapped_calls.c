/* Tests in which functions of the C library are the test's own: file systems without locks, and
   threads that cannot be made.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <sys/file.h>
#include <sys/syscall.h>

#include "tests/unit.h"

#include "src/cpu/threads.h"
#include "tests/profile_folder.h"

/* -------------------------------------------------------------- Wrapped calls */

static int no_locks; /* an error number */
static int threads_fail;

int
flock (int descriptor, int operation)
{
  if (no_locks)
    {
      errno = no_locks;
      return -1;
    }
  return (int) syscall (SYS_flock, descriptor, operation);
}

int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes,
                void *(*start) (void *), void *argument)
{
  static int (*real) (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *);

  if (threads_fail)
    {
      errno = EAGAIN;
      return EAGAIN;
    }
  if (real == NULL)
    *(void **) &real = dlsym (RTLD_NEXT, "pthread_create");
  return real (thread, attributes, start, argument);
}

/* ---------------------------------------------------------------------- Tests */

/* A file system without locks is no reason not to tune, only to warn.  Without a lock, temporary
   files may be those of another tuner.  */
TEST_WITH (file_systems_without_locks, set_up, tear_down)
{
  static const int without[] = {ENOSYS, EOPNOTSUPP, ENOLCK};
  char temporary[400], why[512];
  int lock, descriptor;

  snprintf (temporary, sizeof temporary, "%s/.a.json.1-1-1", folder);
  for (size_t i = 0; i < N_OF (without); i++)
    {
      descriptor = open (temporary, O_CREAT | O_WRONLY, 0600);
      assert_true (descriptor >= 0);
      close (descriptor);
      *why = '\0';
      no_locks = without[i];
      lock = gt_profile_lock (folder, 0, why, sizeof why);
      assert_true (lock >= 0);
      close (lock);
      assert_non_null (strstr (why, folder));
      assert_non_null (strstr (why, "has no locks"));
      assert_int_equal (access (temporary, F_OK), 0);
    }
  no_locks = EIO;
  assert_int_equal (gt_profile_lock (folder, 0, why, sizeof why), -1);
  assert_non_null (strstr (why, "cannot lock"));
  no_locks = 0;
  strcpy (why, "nothing");
  lock = gt_profile_lock (folder, 0, why, sizeof why);
  assert_true (lock >= 0);
  close (lock);
  assert_string_equal (why, "");
  assert_int_equal (access (temporary, F_OK), -1);
}

static void
count_member (void *closure, unsigned member)
{
  unsigned *members = closure;

  __atomic_fetch_add (members, 1, __ATOMIC_RELAXED);
  errno = EDOM;
  (void) member;
}

/* A team of one where there are no threads; errno is the caller's.  */
TEST (threads_that_cannot_be_made)
{
  unsigned members = 0;

  threads_fail = 1;
  errno = ERANGE;
  gt_team_run (4, count_member, &members);
  assert_int_equal (errno, ERANGE);
  assert_int_equal (members, 1);
  threads_fail = 0;
  gt_team_release ();
}

RUN_TESTS (NULL, NULL)
