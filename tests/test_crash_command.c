/* Tests of `gsltune tune' that is killed, or meets an error, at its system calls on
   the folder of profiles: what it says, its status and what is on disk agree, and the
   next run succeeds.

   Some calls are tried; with TEST_CRASHES in the environment, as `make
   check-crashes' has it, all of them, with four errors each.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <dirent.h>

#include "tests/unit.h"

#include "tests/profile_folder.h"
#include "tests/traced.h"

/* The profile that a run of the command below saves.  */
#define ENTRIES 10

static char profiles[128];
static struct trace trace;

/* LeakSanitizer traces processes itself, and fails where another one does.  */
static void
look_for_no_leaks (void)
{
  const char *options = getenv ("ASAN_OPTIONS");
  char more[1024];

  snprintf (more, sizeof more, "%s:detect_leaks=0", options ? options : "");
  setenv ("ASAN_OPTIONS", more, 1);
}

static int
run_command (void)
{
  const char *builddir = getenv ("builddir");
  char path[4096];
  const int out = open ("out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int err = open ("err", O_WRONLY | O_CREAT | O_TRUNC, 0600);

  snprintf (path, sizeof path, "%s/tests/gsltune", builddir ? builddir : ".");
  setenv ("GSLTUNE_PROFILE_DIR", profiles, 1);
  look_for_no_leaks ();
  dup2 (out, STDOUT_FILENO);
  dup2 (err, STDERR_FILENO);
  execl (path, "gsltune", "tune", "--device", "cpu", "--effort", "quick",
         "--operation", "max", "--type", "int", "--time-limit", "300",
         (char *) NULL);
  return 127;
}

/* Whether the file NAME that the command has written has TEXT in a line.  */
static int
says (const char *name, const char *text)
{
  FILE *stream = fopen (name, "r");
  char line[2048];
  int found = 0;

  while (stream && !found && fgets (line, sizeof line, stream))
    found = strstr (line, text) != NULL;
  if (stream)
    fclose (stream);
  return found;
}

/* How many winners are in the findings, 0 when there are none, -1 when a file is in pieces,
   and how many other files there are but the lock.  */
static int
look (unsigned *others)
{
  DIR *stream = opendir (profiles);
  const struct dirent *file_there;
  int entries = 0;

  *others = 0;
  while (stream && (file_there = readdir (stream)) != NULL)
    {
      const char *name = file_there->d_name;
      struct gt_profile got;
      char path[400];
      int before;

      if (strcmp (name, ".") == 0 || strcmp (name, "..") == 0
          || strcmp (name, ".lock") == 0)
        continue;
      *others += name[0] == '.';
      if (name[0] == '.')
        continue;
      snprintf (path, sizeof path, "%.120s/%.250s", profiles, name);
      before = entries;
      entries = -1;
      if (gt_profile_read (path, gt_device_host (), &got, NULL, 0)
            == GT_PROFILE_OK
          && got.rejected == 0)
        entries = strstr (name, GT_MEASURED_SUFFIX) ? (int) got.n_steps : before;
      gt_profile_clear (&got);
    }
  if (stream)
    closedir (stream);
  return entries;
}

static int
on_profiles (const struct traced_call *call)
{
  return strstr (call->path, profiles) != NULL;
}

static void
expect (int condition, const char *what)
{
  char said[600] = "";
  FILE *stream = condition ? NULL : fopen ("err", "r");

  if (stream)
    {
      said[fread (said, 1, sizeof said - 1, stream)] = '\0';
      fclose (stream);
    }
  if (!condition)
    fail_spoilt (&trace, "gsltune tune", what, said);
}

/* The command lives and has met an error, or has got over it.  */
static void
expect_told (int status, int entries)
{
  expect (status <= 1, "another status");
  expect ((status == 0) == says ("out", "Saved in "),
          "the status does not fit what it says");
  if (status == 0)
    expect (entries == ENTRIES && !says ("err", "gsltune:"),
            "it is not as well as it says");
  else
    expect (says ("err", strerror (trace.spoiling.error)),
            "it does not say what went wrong");
}

/* One run with SPOILING, and one without.  Returns whether there was such a
   call.  */
static int
spoil_command (struct spoiling spoiling)
{
  unsigned others;
  int status, entries;

  remove_folder (base);
  assert_int_equal (mkdir (base, 0700), 0);
  assert_int_equal (chdir (base), 0);
  trace.counts = on_profiles;
  trace.spoiling = spoiling;
  status = trace_child (run_command, &trace);
  if (spoiling.at >= trace.n)
    return 0;
  entries = look (&others);
  /* On a slow machine some are saved before the end.  */
  expect (entries >= 0 && entries <= ENTRIES, "a profile is in pieces");
  expect (WIFEXITED (status) || spoiling.how != FAIL, "it crashed");
  if (WIFEXITED (status))
    expect_told (WEXITSTATUS (status), entries);
  trace.spoiling = (struct spoiling) {0};
  status = trace_child (run_command, &trace);
  trace.spoiling = spoiling;
  expect (status == 0, "the next run fails");
  expect (look (&others) == ENTRIES, "the next run does not save");
  expect (others == 0, "the next run leaves files");
  return 1;
}

TEST (at_every_call)
{
  static const int errors[] = {ENOSPC, EIO, EINTR, EROFS};
  const int all = getenv ("TEST_CRASHES") != NULL;
  unsigned tried = 0;
  int status;

  trace.spoiling = (struct spoiling) {0};
  trace.counts = on_profiles;
  status = trace_child (run_command, &trace);
  expect (status <= 0, "a run fails that nobody disturbs");
  /* Without /proc nobody tells what a descriptor is of.  */
  if (status < 0 || trace.n < 10)
    {
      print_message ("# not tested: no process can be traced here\n");
      return;
    }
  for (unsigned at = 0, there = 1; there; at += all ? 1 : 9)
    {
      there = spoil_command ((struct spoiling) {KILL_BEFORE, at, 0, 0});
      for (size_t e = 0; e < N_OF (errors) && there; e++)
        if (all || at / 9 % N_OF (errors) == e)
          tried += spoil_command ((struct spoiling) {FAIL, at, errors[e], 0});
      tried += there;
    }
  print_message ("# %u runs of gsltune tune were spoilt\n", tried);
}

FIXTURE (set_up_command)
{
  const int failed = set_up (state);

  snprintf (profiles, sizeof profiles, "%s/deep/er", base);
  return failed;
}

RUN_TESTS (set_up_command, tear_down)
