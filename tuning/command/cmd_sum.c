/* gsltune sum: adds up numbers in files.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "src/gsltune.h"
#include "tuning/command/commands.h"
#include "tuning/text/table.h"

struct request
{
  int mode; /* -1: not given */
  int hex, json;
};

struct numbers
{
  double *x;
  size_t n, capacity;
};

struct source
{
  FILE *stream;
  const char *name; /* for messages */
  uintmax_t line;
  size_t length;    /* of the word; WORD contains its first characters */
  char word[4096];
};

/* ------------------------------------------------------------------ Reading */

static int
next_character (struct source *source)
{
  const int c = getc_unlocked (source->stream);

  source->line += c == '\n';
  return c;
}

/* Reads the next word, skipping white space and comments.  Returns whether there is one.  */
static int
read_word (struct source *source)
{
  int c = next_character (source);

  while (isspace (c) || c == '#')
    {
      const int is_comment = c == '#';

      do
        c = next_character (source);
      while (is_comment && c != EOF && c != '\n' && c != '\r');
    }
  for (source->length = 0; c != EOF && !isspace (c); c = getc_unlocked (source->stream))
    if (source->length++ < sizeof source->word - 1)
      source->word[source->length - 1] = (char) c;
  ungetc (c, source->stream);
  return source->length > 0;
}

/* Returns the word as a number, or ends the command if it is not one.  The C locale is in
   force.  */
static double
number_of (struct source *source)
{
  const int is_whole = source->length < sizeof source->word;
  char *end = source->word;
  double x = 0;

  if (is_whole)
    {
      source->word[source->length] = '\0';
      errno = 0;
      x = strtod (source->word, &end);
    }
  if (end != source->word + source->length)
    gt_fatal ("%s:%ju: '%s' is no number: %s", source->name, source->line,
              gt_quote (source->word, source->length),
              !is_whole ? "it is too long"
              : memchr (source->word, '#', source->length)
                ? "'#' begins a comment only at the start of a line or after white space"
                : "write e.g. 1.5, -2e10, 0x1.8p3, inf or nan, separated by white space");
  if (errno == ERANGE && isinf (x))
    gt_fatal ("%s:%ju: '%s' is too large for a double: for infinity write inf", source->name,
              source->line, gt_quote (source->word, source->length));
  return x;
}

/* Appends the numbers in FILE, or in standard input if FILE is "-".  */
static void
read_file (const char *file, struct numbers *numbers)
{
  const int is_standard = strcmp (file, "-") == 0;
  struct source source = {.stream = is_standard ? stdin : fopen (file, "re"),
                          .name = is_standard ? "standard input" : file, .line = 1};

  if (source.stream == NULL)
    gt_fatal ("%s: cannot open: %s", file, strerror (errno));
  while (read_word (&source))
    {
      if (numbers->n == numbers->capacity)
        {
          numbers->capacity += numbers->capacity / 2 + 1024;
          numbers->x = gt_need (reallocarray (numbers->x, numbers->capacity, sizeof (double)));
        }
      numbers->x[numbers->n++] = number_of (&source);
    }
  if (ferror (source.stream))
    gt_fatal ("%s: cannot read: %s", source.name, strerror (errno));
  if (!is_standard)
    fclose (source.stream);
}

/* ---------------------------------------------------------------- The command */

static int
print_sum (const struct request *request, double sum, size_t n)
{
  char hex[GT_DOUBLE_SIZE];
  const char *const decimal = gt_format_double (sum);

  snprintf (hex, sizeof hex, "%a", sum);
  if (request->json)
    return gt_print_json (json_pack (
      "{s:o, s:s, s:I, s:s}", "sum", isfinite (sum) ? json_real (sum) : json_string (decimal),
      "hex", hex, "n", (json_int_t) n, "mode",
      gt_mode_names[gt_mode_of_vectors ((enum gt_mode) gsltune_get_mode ())]));
  puts (request->hex ? hex : decimal);
  return GT_EXIT_OK;
}

static int
run_sum (const struct gt_command *self, int argc, char **argv)
{
  static char *standard_input[] = {"-", NULL};
  struct request request = {.mode = -1};
  struct numbers numbers = {NULL, 0, 0};
  gsl_vector v = {.stride = 1};
  int status;

  gt_cli_parse (self, argc, argv, &request);
  if (request.mode >= 0)
    gsltune_set_mode ((gsltune_mode) request.mode);
  for (char **file = optind < argc ? argv + optind : standard_input; *file; file++)
    read_file (*file, &numbers);
  v.data = numbers.x;
  v.size = numbers.n;
  status = print_sum (&request, gsltune_vector_sum (&v), numbers.n);
  free (numbers.x);
  return status;
}

static const char sum_help[]
  = "Reads the FILEs one after the other as one vector of doubles, and sums it with\n"
    "the library.  '-', or no FILE, is standard input.  Numbers are separated by\n"
    "white space.  At the start of a line, or after white space, '#' begins a\n"
    "comment that lasts to the end of its line.  Anything else stops the command.\n\n"
    "Options:\n"
    "  --mode MODE    exact: the exact sum, rounded once; or fast (default:\n"
    "                 $GSLTUNE_MODE, else exact)\n"
    "  --hex          print the sum as a hexadecimal float, e.g. 0x1.8p+1\n"
    "  --json         print an object: sum, hex, n, mode\n"
    GT_COMMON_HELP ("      ") "\n"
    "The sum is printed with as many digits as it takes to read the same value back.\n\n"
    "Examples:\n"
    "  gsltune sum data.txt\n"
    "  cut -f2 table.tsv | gsltune sum --mode fast\n";

static const struct gt_option sum_options[] = {
  GT_OPTION ("mode", 0, GT_MODE, mode),
  GT_OPTION ("hex", 0, GT_FLAG, hex),
  GT_OPTION ("json", 0, GT_FLAG, json),
  GT_NO_MORE_OPTIONS
};

const struct gt_command gt_cmd_sum = {
  .name = "sum",
  .summary = "the sum of numbers in files",
  .usage = "[OPTION]... [FILE]...",
  .help = sum_help,
  .options = sum_options,
  .run = run_sum,
};
