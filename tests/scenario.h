/* Scenarios: the library reads its environment when it is loaded and opens the driver once, so
   each runs in a process of its own, this program again with the scenario's name.  Include
   after tests/unit.h, or without it for what runs inside of a scenario.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_SCENARIO_H
#define GT_TEST_SCENARIO_H

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/env.h"

extern char **environ;

/* A scenario that hangs ends after this many seconds.  ThreadSanitizer makes what
   takes a second take a minute.  */
#ifdef __SANITIZE_THREAD__
#define SCENARIO_SECONDS 1200
#else
#define SCENARIO_SECONDS 120
#endif

struct scenario
{
  const char *name;
  void (*run) (void);
};

static struct scenario scenarios[64];
static size_t n_scenarios;

static inline void
add_scenario (const char *name, void (*run) (void))
{
  if (n_scenarios == sizeof scenarios / sizeof *scenarios)
    abort ();
  scenarios[n_scenarios++] = (struct scenario) {name, run};
}

/* SCENARIO (name) { CHECK (...); }  */

#define SCENARIO(name)                                                     \
  static void name (void);                                                 \
  __attribute__ ((constructor)) static void add_scenario_##name (void)     \
  {                                                                        \
    add_scenario (#name, name);                                            \
  }                                                                        \
  static void name (void)

/* Inside of a scenario: ends it when CONDITION does not hold.  */
#define CHECK(condition)                                                   \
  do                                                                       \
    if (!(condition))                                                      \
      {                                                                    \
        fprintf (stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__,        \
                 #condition);                                              \
        exit (1);                                                          \
      }                                                                    \
  while (0)

/* Whether the tests run on the machine's own GPU: then there is no softgpu, and
   its settings are left out.  */
static inline int
on_real_gpu (void)
{
  const char *word = getenv ("GSLTUNE_TEST_REAL_GPU");
  return word && *word;
}

/* The path of a file in the source tree; one of two static buffers in turn.  */
static inline const char *
source_file (const char *name)
{
  static char paths[2][4096];
  static unsigned turn;
  char *path = paths[turn++ % 2];
  const char *srcdir = getenv ("srcdir");

  snprintf (path, sizeof paths[0], "%s/%s", srcdir ? srcdir : ".", name);
  return path;
}

/* Two devices of tests/softgpu, unlike each other, for tests that run on the machine's
   own GPUs as well.  No profile that somebody has left counts.  */
static inline void
use_two_gpus (void)
{
  char devices[4096];
  char *one = strdup (source_file ("tests/devices/h200.json"));

  gt_env.profile_dir = "/nonexistent";
  snprintf (devices, sizeof devices, "%s:%s", one, source_file ("tests/devices/v100.json"));
  free (one);
  if (on_real_gpu ())
    return;
  setenv ("SOFTGPU_DEVICE", devices, 1);
  unsetenv ("CUDA_VISIBLE_DEVICES");
}

/* Does not return when the program was started as a scenario.  */
static inline void
scenario_main (int argc, char **argv)
{
  if (argc < 2)
    return;
  alarm (SCENARIO_SECONDS);
  for (size_t i = 0; i < n_scenarios; i++)
    if (strcmp (argv[1], scenarios[i].name) == 0)
      {
        scenarios[i].run ();
        exit (0);
      }
  fprintf (stderr, "there is no scenario '%s'\n", argv[1]);
  exit (2);
}

static inline int
starts_with (const char *text, const char *beginning)
{
  return strncmp (text, beginning, strlen (beginning)) == 0;
}

/* The part of this process's environment that a scenario does not inherit: no profile
   of the user, no setting for another test.  */
static inline int
is_setting (const char *word)
{
  return (starts_with (word, "GSLTUNE_") && !starts_with (word, "GSLTUNE_TEST"))
         || starts_with (word, "OMP_") || starts_with (word, "HOME=")
         || starts_with (word, "XDG_DATA_HOME=")
         || (!on_real_gpu () && (starts_with (word, "SOFTGPU_")
                 || starts_with (word, "CUDA_VISIBLE_DEVICES=")));
}

#define SCENARIO_WORDS 512

/* SETTINGS come first, so that they count when a word is there twice.  */
static inline void
scenario_environment (const char *const *settings, char *words[SCENARIO_WORDS])
{
  size_t n = 0;

  for (; settings && *settings; settings++)
    if (!on_real_gpu () || !starts_with (*settings, "SOFTGPU_"))
      words[n++] = (char *) *settings;
  words[n++] = (char *) "HOME=/nonexistent";
  for (char **word = environ; *word && n < SCENARIO_WORDS - 1; word++)
    if (!is_setting (*word))
      words[n++] = *word;
  words[n] = NULL;
}

/* The text that the last scenario printed on standard output and error.  */
static char scenario_output[8192];

static inline void
read_output (int from)
{
  size_t length = 0;
  ssize_t got;
  char rest[512];

  while (length < sizeof scenario_output - 1 && (got = read (from, scenario_output + length,
                         sizeof scenario_output - 1 - length)) > 0)
    length += (size_t) got;
  scenario_output[length] = '\0';
  while (read (from, rest, sizeof rest) > 0)
    continue;
}

/* Runs ARGV with SETTINGS, "NAME=value" words up to a null pointer.  Returns
   the exit status, 256 plus the signal, or -1.  */
static inline int
run_program (char *const argv[], const char *const *settings)
{
  char *words[SCENARIO_WORDS];
  posix_spawn_file_actions_t actions;
  int ends[2], status, failed;
  pid_t child;

  scenario_environment (settings, words);
  fflush (NULL);
  if (pipe2 (ends, O_CLOEXEC) || posix_spawn_file_actions_init (&actions))
    return -1;
  posix_spawn_file_actions_adddup2 (&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2 (&actions, ends[1], STDERR_FILENO);
  failed = posix_spawn (&child, argv[0], &actions, NULL, argv, words);
  posix_spawn_file_actions_destroy (&actions);
  close (ends[1]);
  if (!failed)
    read_output (ends[0]);
  close (ends[0]);
  if (failed || waitpid (child, &status, 0) != child)
    return -1;
  return WIFEXITED (status) ? WEXITSTATUS (status) : 256 + WTERMSIG (status);
}

static inline int
run_scenario (const char *name, const char *const *settings)
{
  char self[] = "/proc/self/exe", path[4096];
  ssize_t length = readlink (self, path, sizeof path - 1);
  char *const argv[] = {path, (char *) name, NULL};

  if (length < 0 || name == NULL)
    return -1;
  path[length] = '\0';
  return run_program (argv, settings);
}

/* How often a program with the setting COUNTS, "SOFTGPU_COUNT=file", called NAME of the
   driver; -1: it did not open the driver at all, and the file was not there before.  */
static inline long
driver_calls (const char *counts, const char *name)
{
  FILE *file = fopen (strchr (counts, '=') + 1, "r");
  long calls = -1, number;
  char word[96];

  if (file == NULL)
    return -1;
  while (fscanf (file, "%95s %ld", word, &number) == 2)
    if (strcmp (word, name) == 0)
      calls = number;
  fclose (file);
  return calls;
}

#ifdef CMOCKA_H_
/* The settings of one soft GPU, and of two.  */
static char h200[4200], h200_and_a100[8400];

__attribute__ ((constructor)) static void
name_soft_gpus (void)
{
  snprintf (h200, sizeof h200, "SOFTGPU_DEVICE=%s", source_file ("tests/devices/h200.json"));
  snprintf (h200_and_a100, sizeof h200_and_a100, "%s:%s", h200,
            source_file ("tests/devices/a100.json"));
}

/* A scenario that must end well, and with OUTPUT alone when that is not null.  */
static inline void
expect_scenario (const char *name, const char *const *settings, const char *output)
{
  int status = run_scenario (name, settings);

  if (status)
    fail_msg ("scenario %s: status %d: %s", name, status, scenario_output);
  if (output)
    assert_string_equal (scenario_output, output);
}
/* The same with the settings listed; at least one.  */
#define EXPECT_SCENARIO(name, output, ...)                                 \
  expect_scenario (name, (const char *const[]) {__VA_ARGS__, NULL}, output)
/* A scenario that is a test at once: with these settings it says nothing.  */
#define SCENARIO_TEST(name, ...)                                           \
  static void name (void);                                                 \
  TEST (test_##name)                                                       \
  {                                                                        \
    EXPECT_SCENARIO (#name, "", __VA_ARGS__);                              \
  }                                                                        \
  SCENARIO (name)
/* A test that the machine's own GPU cannot be put to.  */
#define SOFTGPU_TEST(name) TEST_IF (!on_real_gpu (), name, NULL, NULL)
#define RUN_SCENARIOS(set_up, tear_down)                                   \
  int main (int argc, char **argv)                                         \
  {                                                                        \
    scenario_main (argc, argv);                                            \
    return run_unit_tests (set_up, tear_down);                                  \
  }
#endif

#endif
