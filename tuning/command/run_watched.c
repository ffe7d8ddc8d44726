/* Runs a program and watches it.  This process remains, like `perf stat' or `time': both share
   the memory of the counters, so that they are available however the program ends.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/command/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/preload/watch.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/elf.h"
#include "tuning/report/calls.h"
#include "tuning/text/cli.h"

enum
{
  LIBRARIES = 16,
  UNREACHED = 64,
  SAMPLES = 8192,
  VALUE_SIZE = 64
};

/* ------------------------------------------------------------ Shared memory */

static const struct gt_counts head
  = {.magic = GT_COUNTS_MAGIC,
     .size_of_slot = sizeof (struct gt_counts_slot),
     .n_functions = GT_N_TAKEN,
     .n_libraries = LIBRARIES,
     .n_unreached = UNREACHED,
     .n_samples = SAMPLES};

/* Makes the shared memory.  Untouched pages take no memory.  Its path is valid in every
   process that the program starts as long as this process exists, whichever descriptors it
   closes.  */
static struct gt_counts *
make_counts (const char *word, char value[VALUE_SIZE])
{
  const size_t bytes = gt_counts_bytes (&head);
  const int fd
    = memfd_create ("gsltune-counts", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  struct gt_counts *counts = MAP_FAILED;

  if (fd >= 0 && ftruncate (fd, (off_t) bytes) == 0)
    {
      /* prevents the program from truncating the memory */
      fcntl (fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL);
      counts = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    }
  snprintf (value, VALUE_SIZE, "%s:/proc/%ld/fd/%d", word, (long) getpid (),
            fd);
  if (counts == MAP_FAILED)
    return NULL;
  memcpy (counts, &head, sizeof head);
  return counts;
}

/* ---------------------------------------------------------------- Running */

static volatile sig_atomic_t program;

/* Passes a signal that another process sends to this one on to the program.  The terminal
   sends SIGINT and SIGQUIT to the program directly.  */
static void
pass_on (int signal, siginfo_t *info, void *context)
{
  const int saved = errno;
  const int by_terminal
    = (signal == SIGINT || signal == SIGQUIT) && info->si_code > 0;

  (void) context;
  if (program > 0 && !by_terminal)
    kill (program, signal);
  errno = saved;
}

/* Returns whether a signal, other than one for a fault, would end this process while the
   program runs.  */
static int
would_end (int signal)
{
  static const int signals[]
    = {SIGHUP,  SIGINT,  SIGQUIT,   SIGUSR1, SIGUSR2, SIGPIPE,
       SIGALRM, SIGTERM, SIGVTALRM, SIGPROF, SIGPOLL};

  for (size_t k = 0; k < sizeof signals / sizeof *signals; k++)
    if (signal == signals[k])
      return 1;
  return signal >= SIGRTMIN && signal <= SIGRTMAX;
}

static struct sigaction before[NSIG];

static void
set_signals (void)
{
  struct sigaction action
    = {.sa_sigaction = pass_on, .sa_flags = SA_RESTART | SA_SIGINFO};

  sigemptyset (&action.sa_mask);
  for (int s = 1; s < NSIG; s++)
    if (would_end (s) && sigaction (s, NULL, &before[s]) == 0
        && before[s].sa_handler != SIG_IGN)
      sigaction (s, &action, NULL);
}

static void
restore_signals (void)
{
  for (int s = 1; s < NSIG; s++)
    if (would_end (s))
      sigaction (s, &before[s], NULL);
}

static _Noreturn void
become (char **words, const char *value, int failure, const sigset_t *mask)
{
  int error;

  sigprocmask (SIG_SETMASK, mask, NULL);
  if (setenv (GT_WATCH_VARIABLE, value, 1) == 0)
    execvp (words[0], words);
  error = errno;
  while (write (failure, &error, sizeof error) < 0 && errno == EINTR)
    continue;
  _exit (GT_EXIT_CANNOT_RUN);
}

/* Starts the program with the original signal mask and with VALUE in its environment, but not
   in this process's, because measurements here must not be counted.  Returns 0, or the error
   of the start.  */
static int
start (char **words, const char *value)
{
  int pipes[2], error = 0;
  sigset_t all, mask;
  pid_t child;

  if (pipe2 (pipes, O_CLOEXEC) != 0)
    return errno;
  sigfillset (&all);
  sigprocmask (SIG_SETMASK, &all, &mask);
  child = fork ();
  if (child == 0)
    become (words, value, pipes[1], &mask);
  error = child < 0 ? errno : 0;
  close (pipes[1]);
  if (child > 0)
    {
      program = child;
      set_signals ();
      sigprocmask (SIG_SETMASK, &mask, NULL);
      while (read (pipes[0], &error, sizeof error) < 0 && errno == EINTR)
        continue;
      if (error)
        waitpid (child, NULL, 0);
    }
  else
    sigprocmask (SIG_SETMASK, &mask, NULL);
  close (pipes[0]);
  return error;
}

static double
seconds_of (const struct timeval *t)
{
  return (double) t->tv_sec + 1e-6 * (double) t->tv_usec;
}

static void
wait_for_program (struct gt_calls_run *run)
{
  struct rusage usage = {0};

  while (wait4 (program, &run->status, 0, &usage) < 0 && errno == EINTR)
    continue;
  program = 0;
  restore_signals ();
  run->cpu_seconds
    = seconds_of (&usage.ru_utime) + seconds_of (&usage.ru_stime);
  run->lost = (double) usage.ru_nivcsw;
}

/* Ends this process in the same way as the program ended.  */
static int
end_like (int status)
{
  struct sigaction as_usual = {.sa_handler = SIG_DFL};
  const struct rlimit none = {0, 0};
  sigset_t one;

  if (!WIFSIGNALED (status))
    return WEXITSTATUS (status);
  setrlimit (RLIMIT_CORE, &none); /* the program's own core file is enough */
  sigemptyset (&as_usual.sa_mask);
  sigaction (WTERMSIG (status), &as_usual, NULL);
  sigemptyset (&one);
  sigaddset (&one, WTERMSIG (status));
  sigprocmask (SIG_UNBLOCK, &one, NULL);
  raise (WTERMSIG (status));
  return 128 + WTERMSIG (status);
}

/* -------------------------------------------------------- Unreached calls */

/* Finds the file that execvp would run, as far as possible.  */
static int
find_program (const char *name, char path[PATH_MAX])
{
  const char *folder = getenv ("PATH");

  if (strchr (name, '/'))
    return snprintf (path, PATH_MAX, "%s", name) < PATH_MAX ? 0 : -1;
  while (folder && *folder)
    {
      const size_t length = strcspn (folder, ":");

      if (snprintf (path, PATH_MAX, "%.*s/%s", length ? (int) length : 1,
                    length ? folder : ".", name) < PATH_MAX
          && access (path, X_OK) == 0)
        return 0;
      folder += length + (folder[length] == ':');
    }
  return -1;
}

/* Replaces the path of a script by that of its interpreter.  */
static void
follow_script (char path[PATH_MAX])
{
  /* A FIFO would block until another process opens its other end.  */
  const int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  FILE *file = fd >= 0 ? fdopen (fd, "r") : NULL;
  char line[PATH_MAX] = "";

  if (file && fgets (line, sizeof line, file) && strncmp (line, "#!", 2) == 0)
    {
      const char *word = line + 2 + strspn (line + 2, " \t");

      snprintf (path, PATH_MAX, "%.*s", (int) strcspn (word, " \t\n"), word);
    }
  if (file)
    fclose (file);
  else if (fd >= 0)
    close (fd);
}

/* Returns the reason why no loader can load the object into the program in the file at PATH,
   or null.  The loader itself, if called as a program, is not loaded.  */
static const char *
why_unloadable (const char *path, const struct gt_elf *elf)
{
  const char *slash = strrchr (path, '/');
  struct gt_elf *own = gt_elf_open ("/proc/self/exe");
  const char *why = NULL;
  struct stat file;

  if (elf == NULL || strncmp (slash ? slash + 1 : path, "ld", 2) == 0)
    why = NULL;
  else if (!elf->is_native)
    why = "it is for another kind of processor than gsltune";
  else if (elf->loader == NULL)
    why = "it is linked statically: no loader serves it";
  else if (stat (path, &file) == 0 && (file.st_mode & (S_ISUID | S_ISGID)))
    why = "it runs with other rights than yours (set-user-id)";
  else if (own && own->loader && strcmp (own->loader, elf->loader) != 0)
    why = "its C library is another than the one that gsltune was built for";
  gt_elf_close (own);
  return why;
}

/* Records functions that the program itself defines; these are in its file, but not in the
   loader's tables.  */
static void
note_own (struct gt_counts *counts, const char *path, const struct gt_elf *elf)
{
  struct gt_counts_place *entry = gt_counts_unreached (counts);
  const char *example = "";
  const unsigned functions = gt_elf_defines (elf, gt_taken_has, &example);
  uint32_t k = 0;

  while (k < counts->n_unreached && entry[k].state != GT_COUNTS_FREE)
    k++;
  if (functions == 0 || k == counts->n_unreached)
    return;
  entry[k].kind = GT_UNREACHED_OWN;
  entry[k].functions = functions;
  gt_counts_copy_end (entry[k].object, sizeof entry[k].object, path);
  gt_counts_copy_end (entry[k].symbol, sizeof entry[k].symbol, example);
  entry[k].state = GT_COUNTS_READY;
}

/* Examines the program's file before it runs, and adds its own functions to COUNTS unless that
   is null.  Returns the reason why no loader can load the object into it.  Otherwise returns
   null or, with COUNTS, the reason to report if the object turns out not to be loaded.  */
static const char *
look_at_program (const char *name, struct gt_counts *counts)
{
  char path[PATH_MAX];
  struct gt_elf *elf;
  const char *why;

  if (find_program (name, path))
    return NULL;
  follow_script (path);
  elf = gt_elf_open (path);
  why = why_unloadable (path, elf);
  if (counts && elf)
    note_own (counts, path, elf);
  if (counts && why == NULL)
    why = elf ? "the loader did not load the object, or that could not open what"
                " this command shares with it"
              : "it is no program that can be looked into";
  gt_elf_close (elf);
  return why;
}

const char *
gt_run_unloadable (const char *name)
{
  return look_at_program (name, NULL);
}

/* -------------------------------------------------------------- The report */

static void
report (struct gt_calls_run *run, const char *object, FILE *json,
        const char *json_path, int is_watched)
{
  struct gt_counts *copy = gt_calls_copy (run->counts, &head);
  struct gt_calls calls;

  if (copy == NULL || gt_calls_read (copy, &calls))
    {
      gt_error ("not enough memory to report what was called");
      free (copy);
      return;
    }
  run->counts = copy;
  if (calls.n_calls)
    run->no_gains = is_watched
                      ? "this gsltune is itself run under gsltune run"
                      : gt_calls_measure (&calls, object, run->is_report);
  gt_calls_print (&calls, run, stderr);
  if (json && (gt_calls_print_json (&calls, run, json) | fclose (json)))
    gt_error ("--json: %s cannot be written: %s", json_path, strerror (errno));
  gt_calls_clear (&calls);
  free (copy);
}

int
gt_run_watched (char **words, const char *object, int is_report, const char *json_path)
{
  char value[VALUE_SIZE];
  const int is_watched = getenv (GT_WATCH_VARIABLE) != NULL;
  struct gt_calls_run run = {.program = words, .is_report = is_report};
  FILE *json = json_path ? fopen (json_path, "we") : NULL;
  const char *unloaded;
  struct gt_counts *counts;
  int error;

  if (json_path && json == NULL)
    return gt_failed ("--json: %s cannot be written: %s", json_path,
                      strerror (errno));
  run.counts = counts = make_counts (is_report ? "report" : "count", value);
  if (counts == NULL)
    return gt_failed ("no memory can be shared with the program: %s",
                      strerror (errno));
  unloaded = look_at_program (words[0], counts);
  run.seconds = gt_now ();
  error = start (words, value);
  if (error)
    return gt_cannot_run (words[0], error);
  wait_for_program (&run);
  run.seconds = gt_now () - run.seconds;
  if (counts->loaded == 0)
    run.unloaded = unloaded;
  report (&run, object, json, json_path, is_watched);
  return end_like (run.status);
}
