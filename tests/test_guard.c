/* Tests of src/preload/guard.c: who waits for whom, and that a child waits for none of its
   parent's threads.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <sys/syscall.h>

#include "tests/unit.h"

#include "src/preload/guard.h"

/* Waiting takes a second each time, and is tried so often that it is told from a
   busy machine.  */
enum
{
  TIMES = 20,
  SECONDS = 10
};

static int within[2], leave[2]; /* pipes */

static void *
guarded (void *unused)
{
  struct gt_guard guard;
  char byte = 0;

  gt_guard_begin (&guard);
  assert_int_equal (write (within[1], &byte, 1), 1);
  assert_int_equal (read (leave[0], &byte, 1), 1);
  gt_guard_end (&guard);
  return unused;
}

/* A thread that is within a guard.  */
static pthread_t
begin (void)
{
  pthread_t thread;
  char byte;

  assert_int_equal (pipe (within) | pipe (leave), 0);
  assert_int_equal (pthread_create (&thread, NULL, guarded, NULL), 0);
  assert_int_equal (read (within[0], &byte, 1), 1);
  return thread;
}

static void
end (pthread_t thread)
{
  assert_int_equal (write (leave[1], "", 1), 1);
  pthread_join (thread, NULL);
  for (int k = 0; k < 2; k++)
    {
      close (within[k]);
      close (leave[k]);
    }
}

static void
guards (void)
{
  struct gt_guard guard;

  for (int k = 0; k < TIMES; k++)
    {
      gt_guard_begin (&guard);
      gt_guard_end (&guard);
    }
}

static void
forks (void)
{
  for (int k = 0; k < TIMES; k++)
    {
      const pid_t child = fork ();

      if (child == 0)
        _exit (0);
      waitpid (child, NULL, 0);
    }
}

static pid_t
clone_unseen (void)
{
  return (pid_t) syscall (SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

/* A child made by MAKE ends in time that does DO, and knows whether what it inherited may
   be half loaded.  */
static void
check_child (pid_t (*make) (void), void (*do_it) (void), int is_broken)
{
  const pid_t child = make ();
  int status = -1;

  if (child == 0)
    {
      alarm (SECONDS);
      guards ();
      do_it ();
      _exit (gt_guard_broken () != is_broken);
    }
  assert_true (child > 0);
  assert_int_equal (waitpid (child, &status, 0), child);
  assert_int_equal (status, 0);
}

TEST (children)
{
  pthread_t thread;

  guards ();
  check_child (fork, forks, 0);
  check_child (clone_unseen, forks, 0);
  thread = begin ();
  check_child (fork, forks, 1); /* has waited in vain */
  check_child (clone_unseen, forks, 1);
  end (thread);
  assert_false (gt_guard_broken ());
  check_child (fork, forks, 0);
}

static void *
fork_once (void *unused)
{
  const pid_t child = fork ();

  if (child == 0)
    _exit (0);
  waitpid (child, NULL, 0);
  return unused;
}

/* While one thread forks, which waits for the guard of another.  */
TEST (among_forks)
{
  const pthread_t thread = begin ();
  pthread_t forking;

  assert_int_equal (pthread_create (&forking, NULL, fork_once, NULL), 0);
  usleep (20000);
  check_child (clone_unseen, guards, 1);
  end (thread);
  pthread_join (forking, NULL);
  guards ();
}

static void
in_guard (pid_t (*make) (void))
{
  struct gt_guard guard;

  gt_guard_begin (&guard);
  check_child (make, forks, 1);
  gt_guard_end (&guard);
}

/* As a library's constructor may that is being loaded.  */
TEST (within_a_guard)
{
  in_guard (fork);
  in_guard (clone_unseen);
  check_child (fork, forks, 0);
}

/* A handler of the program's hears of faults of this thread, and of nothing else.  */
TEST (faults_come_through)
{
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
  static const int others[] = {SIGTERM, SIGINT, SIGALRM, SIGPROF, SIGCHLD, SIGUSR1};
  struct gt_guard guard;
  sigset_t inside, after;

  gt_guard_begin (&guard);
  assert_int_equal (pthread_sigmask (SIG_BLOCK, NULL, &inside), 0);
  gt_guard_end (&guard);
  assert_int_equal (pthread_sigmask (SIG_BLOCK, NULL, &after), 0);
  for (size_t k = 0; k < sizeof faults / sizeof *faults; k++)
    assert_int_equal (sigismember (&inside, faults[k]), 0);
  for (size_t k = 0; k < sizeof others / sizeof *others; k++)
    {
      assert_int_equal (sigismember (&inside, others[k]), 1);
      assert_int_equal (sigismember (&after, others[k]), 0);
    }
}

RUN_TESTS (NULL, NULL)
