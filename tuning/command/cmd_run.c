/* gsltune run: runs a program that calls GSL with the tuned functions instead of GSL's.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/installed.h"
#include "src/base/names.h"
#include "src/preload/taken.h"
#include "tuning/command/commands.h"
#include "tuning/search/libraries.h"

struct request
{
  const char *only, *not, *json;
  char *modes; /* in the syntax of GSLTUNE_MODE, or null */
  int counts, reports, exact_all;
};

/* ----------------------------------------------------------- The object */

static const char object[] = "gsltune-preload.so";

/* Returns the path of the object to preload: beside the library in a build folder, or the
   installed one.  */
static char *
find_object (void)
{
  static const char *const folders[] = {LIBDIR, PKGLIBDIR};
  char *path = NULL;

  for (size_t k = 0; k < sizeof folders / sizeof *folders; k++)
    {
      char *folder = gt_installed (folders[k]);

      free (path);
      path = gt_text ("%s/%s", folder ? folder : folders[k], object);
      free (folder);
      if (access (path, R_OK) == 0)
        return path;
    }
  gt_fatal ("%s cannot be read (%s): install gsltune with 'make install'",
            path, strerror (errno));
}

int
gt_cannot_run (const char *program, int error)
{
  const int is_here = error == ENOENT && strchr (program, '/') == NULL
                      && access (program, X_OK) == 0;

  gt_error ("%s cannot be run: %s%s%s", program, strerror (error),
            is_here ? " in PATH: say ./" : "", is_here ? program : "");
  return error == ENOENT ? GT_EXIT_NOT_FOUND : GT_EXIT_CANNOT_RUN;
}

/* ---------------------------------------------------------- Environment */

static void
set (const char *name, const char *value)
{
  if (setenv (name, value, 1) != 0)
    gt_fatal ("not enough memory for the environment");
}

/* Adds PATH to the objects that the loader preloads.  Objects that were preloaded before
   remain, and precede it, because the runtime of a sanitizer must be the first.  */
static void
preload (const char *path)
{
  const char *others = getenv ("LD_PRELOAD");
  char *list;

  if (strpbrk (path, " :"))
    gt_fatal ("%s cannot be preloaded: the loader takes no path with a space"
              " or a colon", path);
  list = others && *others ? gt_text ("%s:%s", others, path) : gt_text ("%s", path);
  set ("LD_PRELOAD", list);
  free (list);
}

/* Allows gcc's AddressSanitizer, whose runtime library checks that it is the first one, to
   follow other objects; it works in that position, too.  The user's options follow and
   therefore take precedence.  */
static void
allow_sanitizer (void)
{
  const char *const options = getenv ("ASAN_OPTIONS");
  char *text = gt_text ("verify_asan_link_order=0%s%s", options ? ":" : "", options ? options : "");

  set ("ASAN_OPTIONS", text);
  free (text);
}

/* The same as in src/preload/taken.c.  */
static const char separators[] = ", \t\n";

/* Writes the words of LIST, each with SIGN before it.  */
static void
write_words (FILE *words, const char *sign, const char *list)
{
  while (*(list += strspn (list, separators)))
    {
      const size_t length = strcspn (list, separators);

      fprintf (words, "%s%.*s,", sign, (int) length, list);
      list += length;
    }
}

static _Noreturn void
no_function (const char *option, const char *word, size_t length)
{
  gt_usage ("%s: '%s' names no function: give sum, dot, mean, ..., a function such as"
            " gsl_blas_ddot, or a family: vector, blas, stats, matrix, sort,"
            " linalg or eigen",
            option, gt_quote (word, length));
}

static void
check_words (const char *option, const char *list)
{
  size_t length;
  const char *word = gt_taken_unknown (list, &length);

  if (list[strspn (list, separators)] == '\0')
    gt_usage ("%s: the list is empty", option);
  if (word == NULL && strchr (list, '-'))
    {
      /* A sign would invert the meaning of the option.  */
      word = list;
      length = strlen (list);
    }
  if (word)
    no_function (option, word, length);
}

/* Returns whether WORD of --mode is the mode of all functions.  */
static int
is_of_all (const char *word)
{
  return word[strcspn (word, "=, \t\n")] != '=';
}

/* Stores modes.  The option may be given several times: its words are joined.  */
static void
take_modes (void *closure, const char *list)
{
  struct request *const options = closure;
  char *const before = options->modes;
  char *copy = gt_text ("%s", list), *rest = copy;
  size_t length;
  int of_mode;

  if (list[strspn (list, separators)] == '\0')
    gt_usage ("--mode: the list is empty");
  for (char *word; (word = strtok_r (rest, separators, &rest)) != NULL;)
    if (gt_taken_unknown_mode (word, &length, &of_mode))
      {
        const char *const mode = is_of_all (word) ? word : strchr (word, '=') + 1;

        if (!of_mode)
          no_function ("--mode", word, strcspn (word, "="));
        gt_usage ("--mode: unknown mode '%s': valid modes are auto, exact, compensated, fast, gsl, and"
                  " FUNCTION=MODE", gt_quote_word (mode));
      }
  free (copy);
  options->modes = before ? gt_text ("%s,%s", before, list) : gt_text ("%s", list);
  free (before);
}

/* Sets the modes that options choose.  They replace those of the environment, unless all are
   for single functions; then they are appended.  */
static void
set_modes (const char *modes)
{
  const char *before = getenv ("GSLTUNE_MODE");
  int replace = 0;
  char *text;

  for (const char *word = modes; *(word += strspn (word, separators));
       word += strcspn (word, separators))
    replace |= is_of_all (word);
  text = before && *before && !replace ? gt_text ("%s,%s", before, modes) : gt_text ("%s", modes);
  set ("GSLTUNE_MODE", text);
  free (text);
}

/* Sets the variables that the object reads (src/preload/taken.h).  Options that select
   functions replace the selection of the environment.  */
static void
set_words (const struct request *options)
{
  const char *before = getenv ("GSLTUNE_PRELOAD");
  char *text;
  size_t size;
  FILE *words = gt_need (open_memstream (&text, &size));

  if (before && !options->only && !options->not)
    write_words (words, "", before);
  if (options->only)
    write_words (words, "", options->only);
  if (options->not)
    write_words (words, "-", options->not);
  if (options->exact_all)
    write_words (words, "", "exact-all");
  if (fclose (words))
    gt_fatal ("not enough memory for the list of functions");
  if (*text)
    set ("GSLTUNE_PRELOAD", text);
  free (text);
  if (options->modes)
    set_modes (options->modes);
}

/* ----------------------------------------------------------- Subcommand */

static const struct gt_option run_options[] = {
  GT_OPTION ("only", 0, GT_WORD, only),
  GT_OPTION ("not", 0, GT_WORD, not),
  GT_TAKE ("mode", take_modes),
  GT_OPTION ("exact-all", 0, GT_FLAG, exact_all),
  GT_OPTION ("count", 0, GT_FLAG, counts),
  GT_OPTION ("report", 0, GT_FLAG, reports),
  GT_OPTION ("json", 0, GT_WORD, json),
  GT_NO_MORE_OPTIONS
};

static void
parse (const struct gt_command *self, int argc, char **argv,
       struct request *options)
{
  gt_cli_parse (self, argc, argv, options);
  if (options->only)
    check_words ("--only", options->only);
  if (options->not)
    check_words ("--not", options->not);
  if (options->counts && options->reports)
    gt_usage ("--count calls GSL's functions and --report gsltune's: give one"
              " of the two");
  if (options->counts && options->modes)
    gt_usage ("--count tells what every mode would save: leave --mode out");
  if (options->json && !options->counts && !options->reports)
    gt_usage ("--json goes with --count or --report");
  if (optind == argc)
    gt_usage ("the program to run is missing: say gsltune run -- PROGRAM"
              " [ARGUMENT]...");
}

static int
run (const struct gt_command *self, int argc, char **argv)
{
  struct request options = {0};
  char *path;
  int status;

  parse (self, argc, argv, &options);
  path = find_object ();
  preload (path);
  allow_sanitizer ();
  gt_libraries_set_core ();
  /* OpenBLAS's threads wait actively for 2^26 ticks of the clock after it was loaded and after
     each call, which would take processor time from programs that hardly need it.  */
  setenv ("OPENBLAS_THREAD_TIMEOUT", "20", 0);
  set_words (&options);
  if (options.counts || options.reports)
    status = gt_run_watched (argv + optind, path, options.reports, options.json);
  else
    {
      const char *const why = gt_run_unloadable (argv[optind]);

      if (why)
        gt_error ("%s is not reached: %s", argv[optind], why);
      execvp (argv[optind], argv + optind);
      status = gt_cannot_run (argv[optind], errno);
    }
  free (options.modes);
  free (path);
  return status;
}

static const char help[]
  = "Runs a program that was built for GSL, and not changed, with the tuned functions\n"
    "in the place of GSL's.\n\n"
    "Options:\n"
    "  --only LIST  take these functions alone: names (sum, dot, mean), functions\n"
    "               (gsl_blas_ddot) or families (vector, blas, stats, matrix, sort,\n"
    "               linalg, eigen), separated by commas\n"
    "  --not LIST   leave these functions to GSL\n"
    "  --mode MODE  auto (default): exact, but products of matrices fast; exact,\n"
    "               compensated, fast, or gsl: take only what gives GSL's own bits,\n"
    "               extremes and sums of integers; and FUNCTION=MODE, a mode for what\n"
    "               --only would name: --mode dgemm=exact\n"
    "  --exact-all  take calls of a few elements too, which are GSL's own otherwise,\n"
    "               in every mode: of fewer than 8 (variances), 16 (most functions),\n"
    "               64 (sums, dot products) or 2048 (medians), where GSL is as fast;\n"
    "               and exact products of small matrices\n"
    "  --count      call GSL's own functions, and print at the end how much of the\n"
    "               time is in GSL, how much each mode would save, and which\n"
    "               functions were called, how often, for which lengths and how long\n"
    "  --report     print at the end how much of the time is in GSL or in its place,\n"
    "               how much was gained, which calls were served and where, and\n"
    "               which objects could not be reached\n"
    "  --json FILE  with --count or --report: write all that was counted to FILE\n"
    GT_COMMON_HELP ("    ") "\n"
    "Exit status: that of the program; 126 if it cannot be run, 127 if it is\n"
    "not found.\n\n"
    "Examples:\n"
    "  gsltune run -- ./analysis data.txt\n"
    "  gsltune run --count -- ./analysis data.txt\n"
    "  gsltune run --mode fast --not dot -- ./fit\n"
    "  gsltune run --mode fast --mode gemm=exact,trsm=exact -- ./regression\n";

const struct gt_command gt_cmd_run = {
  .name = "run",
  .summary = "run a GSL program with the tuned functions",
  .usage = "[OPTION]... -- PROGRAM [ARGUMENT]...",
  .help = help,
  .options = run_options,
  .ends_at_word = 1,
  .run = run,
};
