/* Shared by the tests of crashes: something is saved in a child, of which one
   system call after another is spoilt (traced.h), and then the test looks at what is on
   the disk.  A test sets SAVING in its set-up.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SPOILT_SAVE_H
#define GT_SPOILT_SAVE_H

#include "tests/unit.h"

#include "tests/traced.h"

static struct
{
  const char *noun;             /* "a save", for messages */
  const char *folder;           /* in which all of it lies */
  int (*save) (void);           /* in the child; its status is 0 for success */
  void (*set_scene) (size_t s); /* the disk as it is before */
  size_t scenes;
  unsigned least;               /* calls that a save makes at least */
  /* Look at what is left after a save with that outcome, -1 if it was killed.  */
  void (*look_after_kill) (int outcome), (*look_after_error) (int outcome);
} saving;

/* The child's report.  */
static struct
{
  char why[600];
} *told;

static struct trace trace;
static const char *scene_name;
static unsigned tried;

/* Returns 0 or -1.  */
static inline int
share_told (void)
{
  told = mmap (NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return told == MAP_FAILED ? -1 : 0;
}

static inline void
expect (int condition, const char *what)
{
  char who[160];

  if (condition)
    return;
  snprintf (who, sizeof who, "%s %s", saving.noun, scene_name);
  fail_spoilt (&trace, who, what, told->why);
}

/* Calls on what is below the test's folder.  */
static inline int
on_our_files (const struct traced_call *call)
{
  return strstr (call->path, saving.folder) != NULL;
}

/* Runs WORK, in scene S, and spoils a call.  Returns its status.  */
static inline int
trace_in_scene (size_t s, struct spoiling spoiling,
                int (*counts) (const struct traced_call *call), int (*work) (void))
{
  saving.set_scene (s);
  memset (told, 0, sizeof *told);
  trace.counts = counts;
  trace.spoiling = spoiling;
  return trace_child (work, &trace);
}

/* Saves in scene S.  Returns whether there was a call to be spoilt; then OUTCOME is
   what it says it did, or -1 when it was killed.  */
static inline int
save_spoilt (size_t s, struct spoiling spoiling,
             int (*counts) (const struct traced_call *call), int *outcome)
{
  const int status = trace_in_scene (s, spoiling, counts, saving.save);

  if (spoiling.at >= trace.n)
    return 0;
  tried++;
  *outcome = WIFEXITED (status) ? WEXITSTATUS (status) : -1;
  expect (WIFEXITED (status) || (WTERMSIG (status) == SIGKILL && spoiling.how != FAIL
                && spoiling.how != SHORTEN), "it crashed");
  return 1;
}

/* Without /proc nobody tells what a descriptor is of.  */
static inline int
can_trace (void)
{
  const int status = trace_in_scene (0, (struct spoiling) {0}, on_our_files, saving.save);

  expect (status <= 0, "one fails that nobody disturbs");
  if (status == 0 && trace.n > saving.least)
    return 1;
  print_message ("# not tested: no process can be traced here\n");
  return 0;
}

/* Calls after which nothing is known to have been done, so that they can be made again.  */
static inline int
can_be_repeated (long number)
{
  return number == SYS_openat || number == SYS_read || number == SYS_pread64
         || number == SYS_write || number == SYS_fsync || number == SYS_flock
         || number == SYS_ftruncate || number == SYS_close;
}

/* A failure, which OUTCOME 0 is not, says what went wrong, and where.  */
static inline void
expect_told (int outcome)
{
  const struct spoiling *spoiling = &trace.spoiling;

  if (outcome == 0)
    return;
  expect (strstr (told->why, strerror (spoiling->error)) != NULL,
          "it does not say what went wrong");
  expect (strstr (told->why, saving.folder) != NULL, "it does not say where");
  expect (spoiling->error != EINTR || spoiling->onwards
            || !can_be_repeated (trace.call[spoiling->at].number),
          "an interrupted call was not made again");
}

static const int errors[] = {ENOSPC, EIO, EINTR, EDQUOT, EROFS, EACCES,
                             ENOMEM, ENOLCK, EFBIG, ENOENT, EMFILE};

/* A call that is interrupted for ever would be tried for ever.  */
static inline int
is_tried (unsigned at, size_t error, int onwards)
{
  if (onwards && errors[error] == EINTR)
    return 0;
  return getenv ("TEST_CRASHES")
         || (at + (onwards ? 3 : 0)) % N_OF (errors) == error;
}

/* Between any two calls, of whatever kind.  */
TEST (killed_at_every_call)
{
  static const enum spoil ways[] = {KILL_BEFORE, KILL_AFTER};
  int outcome;

  if (!can_trace ())
    return;
  tried = 0;
  for (size_t w = 0; w < N_OF (ways); w++)
    for (size_t s = 0; s < saving.scenes; s++)
      for (unsigned at = 0;
           save_spoilt (s, (struct spoiling) {.how = ways[w], .at = at}, NULL, &outcome);
           at++)
        saving.look_after_kill (outcome);
  print_message ("# %s was killed %u times\n", saving.noun, tried);
}

/* Every call on our files, once and from there on.  */
TEST (failing_at_every_call)
{
  int outcome;

  if (!can_trace ())
    return;
  tried = 0;
  for (size_t s = 0; s < saving.scenes; s++)
    for (unsigned at = 0, there = 1; there; at++)
      for (size_t e = 0; e < N_OF (errors); e++)
        for (int onwards = 0; onwards <= 1 && there; onwards++)
          if (is_tried (at, e, onwards) && (there = save_spoilt (s, (struct spoiling) {
                                         FAIL, at, errors[e], onwards},
                                       on_our_files, &outcome)))
            saving.look_after_error (outcome);
  print_message ("# %s met an error %u times\n", saving.noun, tried);
}

/* A third of what was asked, once and always, of the calls that COUNTS counts.  */
static inline void
shorten_everywhere (int (*counts) (const struct traced_call *call), void (*look) (int outcome))
{
  int outcome;

  tried = 0;
  for (size_t s = 0; s < saving.scenes; s++)
    for (int onwards = 0; onwards <= 1; onwards++)
      for (unsigned at = 0;
           at < 20 && save_spoilt (s, (struct spoiling) {
                                     SHORTEN, at, 0, onwards}, counts, &outcome);
           at++)
        look (outcome);
}

#endif
