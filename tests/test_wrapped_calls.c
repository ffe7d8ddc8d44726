/* Tests in which functions of the C library are the test's own: the order in which a
   profile reaches the disk, short writes, and threads that cannot be made.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "tests/unit.h"

#include "src/cpu/threads.h"
#include "tests/profile_folder.h"
#include "tuning/store/profile_store.h"

/* -------------------------------------------------------------- Wrapped calls */

static char calls[32];
static int threads_fail, short_writes;

static void
note (char what)
{
  const size_t length = strlen (calls);

  if (length + 1 < sizeof calls)
    calls[length] = what;
}

int
fsync (int descriptor)
{
  struct stat status;

  note (fstat (descriptor, &status) == 0 && S_ISDIR (status.st_mode) ? 'D' : 'F');
  return (int) syscall (SYS_fsync, descriptor);
}

ssize_t
write (int descriptor, const void *bytes, size_t count)
{
  return syscall (SYS_write, descriptor, bytes,
                  short_writes && count > 100 ? 100 : count);
}

int
renameat (int from_folder, const char *from, int to_folder, const char *to)
{
  note ('R');
  return (int) syscall (SYS_renameat2, from_folder, from, to_folder, to, 0);
}

int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes,
                void *(*start) (void *), void *argument)
{
  static int (*real) (pthread_t *, const pthread_attr_t *, void *(*) (void *),
                      void *);

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

/* The file is on the disk before it has its name, and then its name is.  */
static void
a_profile_is_on_the_disk_before_it_has_its_name (void **state)
{
  (void) state;
  memset (calls, 0, sizeof calls);
  save_in (folder, 0);
  assert_string_equal (calls, "FRD");
}

/* The system may take less than it was given.  */
static void
a_profile_is_written_whole (void **state)
{
  (void) state;
  short_writes = 1;
  save_in (folder, 0);
  short_writes = 0;
  check_read (file, GT_PROFILE_OK, "");
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
static void
threads_that_cannot_be_made (void **state)
{
  unsigned members = 0;

  (void) state;
  threads_fail = 1;
  errno = ERANGE;
  gt_team_run (4, count_member, &members);
  assert_int_equal (errno, ERANGE);
  assert_int_equal (members, 1);
  threads_fail = 0;
  gt_team_release ();
}

int
main (void)
{
  static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (
      a_profile_is_on_the_disk_before_it_has_its_name, set_up, tear_down),
    cmocka_unit_test_setup_teardown (a_profile_is_written_whole, set_up,
                                     tear_down),
    cmocka_unit_test (threads_that_cannot_be_made),
  };

  cmocka_set_message_output (CM_OUTPUT_TAP);
  return cmocka_run_group_tests (tests, NULL, NULL);
}
