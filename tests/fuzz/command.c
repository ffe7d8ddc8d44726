/* Fuzz target: command lines.  An input is the number of a subcommand, and its words,
   each ended by a null byte.  A subcommand that has understood them goes no further than
   to what it would measure, read, tune or run: the linker calls the functions below in
   the place of these (--wrap).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include <setjmp.h>

#include "src/base/env.h"
#include "src/gsltune.h"
#include "tuning/measure/listed.h"
#include "tuning/command/commands.h"
#include "tuning/store/profile_exchange.h"

static const struct gt_command *const commands[]
  = {&gt_cmd_tune,      &gt_cmd_show, &gt_cmd_explain, &gt_cmd_devices,
     &gt_cmd_occupancy, &gt_cmd_sum,  &gt_cmd_doctor,  &gt_cmd_run,
     &gt_cmd_bench,     &gt_cmd_ladder, &gt_cmd_profile, &gt_cmd_plot};
enum
{
  N_COMMANDS = sizeof commands / sizeof *commands,
  MOST_WORDS = 64
};

/* ----------------------------------------------------- In the place of others */

static jmp_buf out;
/* Whether a subcommand is running, in the thread that can be left by a jump.  */
static _Thread_local int inside;

enum { UNDERSTOOD = 1000 };

/* Ends the subcommand; exit statuses are one more.  */
static void
leave (int status)
{
  if (inside)
    longjmp (out, status + 1);
}

/* All words have been understood.  */
static void
understood (void)
{
  leave (UNDERSTOOD);
}

_Noreturn void __real_exit (int status);
_Noreturn void __wrap_exit (int status);

_Noreturn void
__wrap_exit (int status)
{
  leave (status);
  __real_exit (status);
}

/* The work that begins where the words have been understood.  */
#define ENDS(type, name, parameters, arguments) \
  type __real_##name parameters;                \
  type __wrap_##name parameters;                \
  type __wrap_##name parameters                 \
  { understood (); return __real_##name arguments; }

ENDS (int, execvp, (const char *file, char *const *words), (file, words))
ENDS (int, gt_run_watched,
      (char **words, const char *object, int is_report, const char *json),
      (words, object, is_report, json))
struct gt_target;
ENDS (void, gt_target_host, (struct gt_target *target), (target))
struct gt_tuner_options;
struct gt_tuned;
ENDS (unsigned, gt_tuner_run,
      (const struct gt_tuner_options *options, struct gt_tuned *tuned),
      (options, tuned))
ENDS (FILE *, fopen, (const char *path, const char *mode), (path, mode))
ENDS (int, gt_profile_lock,
      (const char *folder, int system_wide, char *why, size_t size),
      (folder, system_wide, why, size))
ENDS (enum gt_profile_status, gt_exchange_read,
      (const char *path, struct gt_exchange *exchange, char *why, size_t size),
      (path, exchange, why, size))

const struct gt_listed *
__real_gt_listed_for (enum gt_reduction reduction, enum gt_element_type type);
const struct gt_listed *
__wrap_gt_listed_for (enum gt_reduction reduction, enum gt_element_type type);

/* None is an error that is told.  */
const struct gt_listed *
__wrap_gt_listed_for (enum gt_reduction reduction, enum gt_element_type type)
{
  const struct gt_listed *f = __real_gt_listed_for (reduction, type);

  if (f)
    understood ();
  return f;
}

/* ----------------------------------------------------------------- Running */

/* The traces that a subcommand leaves in the environment and in the library.  */
static void
put_back (void)
{
  unsetenv ("LD_PRELOAD");
  unsetenv ("GSLTUNE_PRELOAD");
  unsetenv ("GSLTUNE_MODE");
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
}

static void
run (const struct gt_command *command, int argc, char **argv)
{
  FILE *const before[] = {stdout, stderr};
  char *message = NULL;
  size_t size = 0;
  int status;

  gt_env.profile_dir = "/nonexistent";
  stderr = open_memstream (&message, &size);
  GT_FUZZ_CHECK (stderr != NULL);
  stdout = gt_fuzz_null ();
  optind = 0;
  status = setjmp (out);
  if (status == 0)
    {
      inside = 1;
      status = command->run (command, argc, argv) + 1;
    }
  inside = 0;
  fclose (stderr);
  stdout = before[0];
  stderr = before[1];
  put_back ();
  /* Whoever refuses says why, in letters.  */
  GT_FUZZ_CHECK (status == GT_EXIT_OK + 1 || status == UNDERSTOOD + 1
                 || (message && strncmp (message, "gsltune: ", 9) == 0));
  for (size_t i = 0; i < size; i++)
    GT_FUZZ_CHECK (message[i] == '\n'
                   || (message[i] >= ' ' && message[i] <= '~'));
  free (message);
}

int
gt_fuzz_command (const uint8_t *data, size_t size)
{
  struct gt_fuzz_bytes bytes = {data, data + size};
  const struct gt_command *command
    = commands[gt_fuzz_byte (&bytes) % N_COMMANDS];
  const size_t length = (size_t) (bytes.end - bytes.at);
  char *text = gt_fuzz_rest (&bytes), name[64];
  char *words[MOST_WORDS + 1];
  int n = 1;

  snprintf (name, sizeof name, "gsltune %s", command->name);
  words[0] = name;
  for (size_t at = 0; at < length && n < MOST_WORDS;
       at += strlen (text + at) + 1)
    words[n++] = text + at;
  words[n] = NULL;
  run (command, n, words);
  free (text);
  return 0;
}
