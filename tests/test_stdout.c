/* Tests of what tuning/text/cli.c says of standard output in the end.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "tuning/text/cli.h"

/* Writes something while standard output is opened in a MODE, and something while it is
   opened in LATER.  The status of the program then.  */
static int
write_both (int mode, int later)
{
  const int first = open ("/dev/null", mode), second = open ("/dev/null", later);

  if (first < 0 || second < 0 || dup2 (first, STDOUT_FILENO) < 0)
    return 77;
  puts ("something");
  fflush (stdout);
  if (dup2 (second, STDOUT_FILENO) < 0)
    return 77;
  puts ("and more");
  return gt_finish_stdout ();
}

/* Runs the same in a child, which is to end with a STATUS and to have SAID that.  */
static void
expect (int mode, int later, int status, const char *said)
{
  char text[256] = "";
  size_t length = 0;
  ssize_t got;
  int pipes[2], ended;
  pid_t child;

  fflush (stdout);
  assert_int_equal (pipe (pipes), 0);
  child = fork ();
  assert_true (child >= 0);
  if (child == 0)
    _exit (dup2 (pipes[1], STDERR_FILENO) < 0 ? 77 : write_both (mode, later));
  close (pipes[1]);
  while ((got = read (pipes[0], text + length, sizeof text - 1 - length)) > 0)
    length += (size_t) got;
  close (pipes[0]);
  assert_int_equal (waitpid (child, &ended, 0), child);
  assert_true (WIFEXITED (ended));
  assert_int_equal (WEXITSTATUS (ended), status);
  assert_string_equal (text, said);
}

TEST (what_was_written)
{
  expect (O_WRONLY, O_WRONLY, GT_EXIT_OK, "");
}

TEST (what_cannot_be_written_at_last)
{
  expect (O_WRONLY, O_RDONLY, GT_EXIT_FAILED,
          "gsltune: cannot write to standard output: Bad file descriptor\n");
}

/* Though what came later was written.  */
TEST (what_could_not_be_written_earlier)
{
  expect (O_RDONLY, O_WRONLY, GT_EXIT_FAILED,
          "gsltune: cannot write to standard output: an earlier write failed\n");
}

RUN_TESTS (NULL, NULL)
