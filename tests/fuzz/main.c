/* Fuzzing: without arguments every target is given the inputs of its corpus.

     test_fuzz --targets                    tells the names of the targets
     test_fuzz TARGET FILE...               these inputs alone
     test_fuzz --mutate TARGET SECONDS SEED CORPUS
                                            inputs that are made of those of CORPUS
     test_fuzz --libfuzzer TARGET USUAL ARGUMENT...
                                            libFuzzer, where it is linked

   Inputs of CORPUS or USUAL whose names begin with "usual" say what time is usual.  The
   input of a finding is written to the file finding-TARGET.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <time.h>

#include "tests/fuzz/fuzz.h"

static const struct gt_fuzz_target targets[] = {
#define TARGET(name, most, leaks) {#name, gt_fuzz_##name, most, leaks},
#include "tests/fuzz/targets.def"
#undef TARGET
};
enum { N_TARGETS = sizeof targets / sizeof *targets };

static const struct gt_fuzz_target *target; /* that runs */

static void
choose_target (const char *name)
{
  for (int i = 0; i < N_TARGETS && target == NULL; i++)
    if (strcmp (targets[i].name, name) == 0)
      target = &targets[i];
  if (target)
    return;
  fprintf (stderr, "test_fuzz: there is no target %s; there are:", name);
  for (int i = 0; i < N_TARGETS; i++)
    fprintf (stderr, " %s", targets[i].name);
  putc ('\n', stderr);
  exit (2);
}

/* ---------------------------------------------------------------- Findings */

static void
write_finding (void)
{
  char path[64] = "finding-";
  int fd;

  strncat (path, target->name, sizeof path - 10);
  fd = open (path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd >= 0 && write (fd, gt_fuzz_input, gt_fuzz_input_size) >= 0)
    close (fd);
}

/* A sanitizer calls this, and ends the process.  */
void __sanitizer_set_death_callback (void (*callback) (void))
  __attribute__ ((weak));

static void
end (int signal)
{
  static const char message[] = "test_fuzz: an input never ends\n";

  if (signal == SIGALRM
      && write (STDERR_FILENO, message, sizeof message - 1) < 0)
    _exit (1);
  write_finding ();
  raise (signal); /* as if there were no handler */
}

static void
watch_for_findings (void)
{
  static const int signals[]
    = {SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
  const struct sigaction action
    = {.sa_handler = end, .sa_flags = SA_RESETHAND | SA_NODEFER};

  if (__sanitizer_set_death_callback)
    __sanitizer_set_death_callback (write_finding);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    sigaction (signals[i], &action, NULL);
}

/* ------------------------------------------------------------------ Corpus */

static size_t
run_corpus (const struct gt_fuzz_target *each, const char *folder)
{
  struct gt_fuzz_corpus corpus;
  size_t n;

  gt_fuzz_read_corpus (&corpus, folder, "");
  n = corpus.n;
  for (size_t i = 0; i < n; i++)
    gt_fuzz_call (each, corpus.entry[i].data, corpus.entry[i].size);
  gt_fuzz_clear_corpus (&corpus);
  return n;
}

static int
run_all (void)
{
  const char *srcdir = getenv ("srcdir");
  char folder[4096];

  printf ("1..%d\n", N_TARGETS);
  for (int i = 0; i < N_TARGETS; i++)
    {
      size_t n;

      snprintf (folder, sizeof folder, "%s/tests/data/fuzz/%s",
                srcdir ? srcdir : ".", targets[i].name);
      fflush (stdout);
      n = run_corpus (&targets[i], folder);
      printf ("%s %d - %s: %zu inputs\n", n ? "ok" : "not ok", i + 1,
              targets[i].name, n);
    }
  return 0;
}

static int
run_files (char **files)
{
  for (; *files; files++)
    {
      struct gt_fuzz_entry entry;

      if (gt_fuzz_read (&entry, *files))
        {
          perror (*files);
          return 1;
        }
      gt_fuzz_run (target, entry.data, entry.size);
      free (entry.data);
    }
  return 0;
}

static void
learn_usual (const char *folder)
{
  struct gt_fuzz_corpus corpus;

  gt_fuzz_read_corpus (&corpus, folder, "usual");
  if (corpus.n == 0)
    {
      fprintf (stderr, "test_fuzz: %s has no usual inputs\n", folder);
      exit (2);
    }
  for (size_t i = 0; i < corpus.n; i++)
    gt_fuzz_usual (target, corpus.entry[i].data, corpus.entry[i].size);
  gt_fuzz_clear_corpus (&corpus);
}

/* ------------------------------------------------------------- Two fuzzers */

static int
mutate (double seconds, uint64_t seed, const char *folder)
{
  const time_t until = time (NULL) + (time_t) seconds;
  struct gt_fuzz_corpus corpus;
  uint8_t *data = gt_fuzz_allocate (target->most);
  unsigned long n = 0;

  learn_usual (folder);
  watch_for_findings ();
  gt_fuzz_read_corpus (&corpus, folder, "");
  for (; n % 64 || time (NULL) < until; n++)
    {
      const size_t size
        = gt_fuzz_mutate (&corpus, &seed, data, target->most);
      uint8_t *exact = gt_fuzz_allocate (size);

      /* Memory that ends where the input does, for AddressSanitizer.  */
      memcpy (exact, data, size);
      alarm (60);
      gt_fuzz_run (target, exact, size);
      free (exact);
    }
  alarm (0);
  printf ("%s: %lu executions, corpus %zu, slowest %.1f times the usual\n",
          target->name, n, corpus.n, gt_fuzz_slowest ());
  gt_fuzz_clear_corpus (&corpus);
  free (data);
  return 0;
}

#if GT_LIBFUZZER
int LLVMFuzzerRunDriver (int *argc, char ***argv,
                         int (*run) (const uint8_t *data, size_t size));

static int
run_one (const uint8_t *data, size_t size)
{
  gt_fuzz_run (target, data, size);
  return 0;
}

static void
print_slowest (void)
{
  fprintf (stderr, "slowest %.1f times the usual\n", gt_fuzz_slowest ());
}

static int
libfuzzer (const char *folder, int argc, char **argv)
{
  char **words = gt_fuzz_allocate (((size_t) argc + 2) * sizeof *words);
  char most[40];

  snprintf (most, sizeof most, "-max_len=%zu", target->most);
  memcpy (words, argv, (size_t) argc * sizeof *words);
  words[argc++] = most;
  words[argc] = NULL;
  learn_usual (folder);
  atexit (print_slowest);
  return LLVMFuzzerRunDriver (&argc, &words, run_one);
}
#endif

int
main (int argc, char **argv)
{
  if (argc == 1)
    return run_all ();
  if (argc == 2 && strcmp (argv[1], "--targets") == 0)
    {
      for (int i = 0; i < N_TARGETS; i++)
        puts (targets[i].name);
      return 0;
    }
  if (argc == 6 && strcmp (argv[1], "--mutate") == 0)
    {
      choose_target (argv[2]);
      return mutate (atof (argv[3]), strtoull (argv[4], NULL, 0), argv[5]);
    }
#if GT_LIBFUZZER
  if (argc >= 4 && strcmp (argv[1], "--libfuzzer") == 0)
    {
      choose_target (argv[2]);
      return libfuzzer (argv[3], argc - 3, argv + 3);
    }
#endif
  choose_target (argv[1]);
  watch_for_findings ();
  return run_files (argv + 2);
}
