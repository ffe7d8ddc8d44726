/* gsltune run: a program that calls GSL, with the tuned functions in the place of
   GSL's.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/names.h"
#include "src/preload/taken.h"
#include "tuning/command/commands.h"
#include "tuning/command/run_watched.h"

struct request
{
  const char *only, *not, *mode, *json;
  int counts, reports, exact_all;
};

/* ----------------------------------------------------------- The object */

static const char object[] = "gsltune-preload.so";

/* Appends TEXT to PATH; 0 if there is no room.  */
static int
append (char path[PATH_MAX], const char *text)
{
  const size_t length = strlen (path);

  if (length + strlen (text) >= PATH_MAX)
    return 0;
  strcpy (path + length, text);
  return 1;
}

/* Sets PATH to the folder of this command's own file, with a slash at the end.  */
static int
own_folder (char path[PATH_MAX])
{
  const ssize_t length = readlink ("/proc/self/exe", path, PATH_MAX - 1);

  if (length <= 0)
    return 0;
  path[length] = '\0';
  strrchr (path, '/')[1] = '\0';
  return 1;
}

/* Appends the way from one absolute path to another, with a slash at its end.  */
static int
append_way (char path[PATH_MAX], const char *from, const char *to)
{
  size_t same = 0;

  for (size_t k = 0; from[k] == to[k]; k++)
    {
      if (from[k] == '/')
        same = k;
      if (from[k] == '\0')
        return 1;
    }
  for (const char *up = from + same; (up = strchr (up, '/')) != NULL; up++)
    if (!append (path, "../"))
      return 0;
  return append (path, to + same + 1) && append (path, "/");
}

static int
is_readable (const char *path)
{
  return access (path, R_OK) == 0;
}

/* Sets PATH to the object that is preloaded: where it was built, or where it was
   installed together with this command, also if both were moved since.  Ends the
   command if it is nowhere.  */
static void
find_object (char path[PATH_MAX])
{
  char found[PATH_MAX];

  if (own_folder (path) && append (path, ".libs/") && append (path, object)
      && is_readable (path))
    return;
  if (own_folder (path) && append_way (path, BINDIR, PKGLIBDIR)
      && append (path, object) && is_readable (path)
      && realpath (path, found))
    {
      strcpy (path, found);
      return;
    }
  snprintf (path, PATH_MAX, "%s/%s", PKGLIBDIR, object);
  if (is_readable (path))
    return;
  gt_error ("%s cannot be read (%s): install gsltune with 'make install'",
            path, strerror (errno));
  exit (GT_EXIT_FAILED);
}

/* ---------------------------------------------------------- Environment */

static void
set (const char *name, const char *value)
{
  if (setenv (name, value, 1) != 0)
    {
      gt_error ("not enough memory for the environment");
      exit (GT_EXIT_FAILED);
    }
}

/* The loader takes a list.  What was preloaded before stays, and stays before: such as
   the runtime of a sanitizer, which wants to be first.  */
static void
preload (const char *path)
{
  const char *others = getenv ("LD_PRELOAD");
  const size_t size = strlen (path) + (others ? strlen (others) : 0) + 2;
  char *list = malloc (size);

  if (strpbrk (path, " :"))
    {
      gt_error ("%s cannot be preloaded: the loader takes no path with a space"
                " or a colon", path);
      exit (GT_EXIT_FAILED);
    }
  if (list)
    snprintf (list, size, "%s%s%s", others ? others : "",
              others && *others ? ":" : "", path);
  set ("LD_PRELOAD", list ? list : path);
  free (list);
}

/* As src/preload/taken.c has them.  */
static const char separators[] = ", \t\n";

/* Appends the words of LIST to WORDS, each with SIGN before it.  */
static void
append_words (char *words, const char *sign, const char *list)
{
  char *end = words + strlen (words);

  for (list += strspn (list, separators); *list;
       list += strspn (list, separators))
    {
      const size_t length = strcspn (list, separators);

      end += sprintf (end, "%s%.*s,", sign, (int) length, list);
      list += length;
    }
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
      /* A sign would turn the option into its opposite.  */
      word = list;
      length = strlen (list);
    }
  if (word)
    gt_usage ("%s: %s names no function: give sum, dot, mean, ..., a"
              " function such as\ngsl_blas_ddot, or a family: vector, blas,"
              " stats or matrix", option, gt_quote (word, length));
}

/* What the object reads, see src/preload/taken.h.  Options that choose functions replace
   what the environment chooses.  */
static void
set_words (const struct request *options)
{
  const int is_gsl = options->mode && strcmp (options->mode, "gsl") == 0;
  const char *only = options->only ? options->only : "";
  const char *not = options->not ? options->not : "";
  const char *before = getenv ("GSLTUNE_PRELOAD");
  const char *kept = before && !options->only && !options->not ? before : "";
  /* A word of a list takes two bytes more at most, and a list half as many words as
     it has bytes.  */
  char *words = calloc (1, 64 + 3 * (strlen (only) + strlen (not)
                                     + strlen (kept)));

  if (words == NULL)
    {
      gt_error ("not enough memory for the list of functions");
      exit (GT_EXIT_FAILED);
    }
  append_words (words, "", kept);
  append_words (words, "", only);
  append_words (words, "-", not);
  if (is_gsl)
    append_words (words, "", "same-bits");
  if (options->exact_all)
    append_words (words, "", "exact-all");
  if (*words)
    set ("GSLTUNE_PRELOAD", words);
  free (words);
  if (options->mode && !is_gsl)
    set ("GSLTUNE_MODE", options->mode);
}

/* ----------------------------------------------------------- Subcommand */

static void
take_only (void *request, const char *word)
{
  check_words ("--only", word);
  ((struct request *) request)->only = word;
}

static void
take_not (void *request, const char *word)
{
  check_words ("--not", word);
  ((struct request *) request)->not = word;
}

static void
take_mode (void *request, const char *word)
{
  if (strcmp (word, "gsl") != 0)
    gt_parse_mode ("--mode", word);
  ((struct request *) request)->mode = word;
}

static const struct gt_option run_options[] = {
  GT_TAKE ("only", take_only),
  GT_TAKE ("not", take_not),
  GT_TAKE ("mode", take_mode),
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
  if (options->counts && options->reports)
    gt_usage ("--count calls GSL's functions and --report gsltune's: give one"
              " of the two");
  if (options->counts && options->mode)
    gt_usage ("--count tells what every mode would save: leave --mode out");
  if (options->json && !options->counts && !options->reports)
    gt_usage ("--json goes with --count or --report");
  if (optind == argc)
    gt_usage ("the program to run is missing: say gsltune run -- PROGRAM"
              " [ARGUMENT]...");
}

/* A file that cannot be written is found out before the program runs.  */
static int
watch (const struct request *options, const char *path, char **words)
{
  const struct gt_watched watched
    = {.program = words,
       .object = path,
       .is_report = options->reports,
       .json = options->json ? fopen (options->json, "we") : NULL,
       .json_path = options->json};

  if (options->json && watched.json == NULL)
    return gt_failed ("--json: %s cannot be written: %s", options->json,
                      strerror (errno));
  return gt_run_watched (&watched);
}

static int
run (const struct gt_command *self, int argc, char **argv)
{
  struct request options = {0};
  char path[PATH_MAX];

  parse (self, argc, argv, &options);
  find_object (path);
  preload (path);
  set_words (&options);
  if (options.counts || options.reports)
    return watch (&options, path, argv + optind);
  execvp (argv[optind], argv + optind);
  gt_error ("%s cannot be run: %s", argv[optind], strerror (errno));
  return errno == ENOENT ? GT_EXIT_NOT_FOUND : GT_EXIT_CANNOT_RUN;
}

static const char help[]
  = "Runs a program that was built for GSL, and not changed, with the tuned"
    " functions\nin the place of GSL's.\n\n"
    "Options:\n"
    "  --only LIST  take these functions alone: names (sum, dot, mean),"
    " functions\n"
    "               (gsl_blas_ddot) or families (vector, blas, stats, matrix),"
    "\n               separated by commas\n"
    "  --not LIST   leave these functions to GSL\n"
    "  --mode MODE  exact (default), compensated, fast, or gsl: take only what"
    " gives\n               GSL's own bits, extremes and sums of integers\n"
    "  --exact-all  take calls of a few elements too, which are GSL's own otherwise,"
    "\n               in every mode: of fewer than 8 (statistics), 16 (norms,"
    " extremes)\n               or 32 (sums, dot products, matrices), where GSL is"
    " as fast\n"
    "  --count      call GSL's own functions, and tell at the end which were"
    " called,\n               how often, of which lengths, by whom, how long they"
    " took, and\n               what each mode would save\n"
    "  --report     tell at the end which calls were served, where, and what"
    " could\n               not be reached\n"
    "  --json FILE  with --count or --report: write all that was counted to FILE"
    "\n  --help       print this text\n"
    "  --version    print the version\n\n"
    "Exit status: that of the program; 126 if it cannot be run, 127 if it is\n"
    "not found.\n\n"
    "Examples:\n"
    "  gsltune run -- ./analysis data.txt\n"
    "  gsltune run --count -- ./analysis data.txt\n"
    "  gsltune run --mode fast --not dot -- ./fit\n";

const struct gt_command gt_cmd_run = {
  .name = "run",
  .summary = "run a GSL program with the tuned functions",
  .usage = "[OPTION]... -- PROGRAM [ARGUMENT]...",
  .help = help,
  .options = run_options,
  .ends_at_word = 1,
  .run = run,
};
