/* Common code of all subcommands: messages, standard output and options.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/resources.h"
#include "src/base/env.h"
#include "tuning/text/cli.h"
#include "tuning/text/table.h"

/* -------------------------------------------------------------- Messages */

int
gt_error (const char *format, ...)
{
  va_list arguments;
  char *text;

  fflush (stdout); /* keeps the order if both streams have the same destination */
  va_start (arguments, format);
  if (vasprintf (&text, format, arguments) < 0)
    text = NULL;
  va_end (arguments);
  if (text)
    gt_make_printable (text, "\n\t");
  fprintf (stderr, "gsltune: %s\n", text ? text : "not enough memory for a message");
  free (text);
  return -1;
}

void *
gt_need (void *memory)
{
  if (memory == NULL)
    gt_fatal ("not enough memory");
  return memory;
}

char *
gt_vtext (const char *format, va_list arguments)
{
  char *text;

  return vasprintf (&text, format, arguments) < 0 ? gt_need (NULL) : text;
}

char *
gt_text (const char *format, ...)
{
  va_list arguments;
  char *text;

  va_start (arguments, format);
  text = gt_vtext (format, arguments);
  va_end (arguments);
  return text;
}

#define QUOTED 4 /* the number of buffers, more than the words in a message */

const char *
gt_quote (const char *bytes, size_t n)
{
  static char ring[QUOTED][192];
  static unsigned turn;
  char *quoted = ring[turn++ % QUOTED], *end = quoted;
  size_t shown = n <= 40 ? n : 40;

  for (size_t i = 0; i < shown; i++)
    {
      unsigned char byte = (unsigned char) bytes[i];

      end += sprintf (end, byte < ' ' || byte > '~' ? "\\x%02x" : "%c", byte);
    }
  strcpy (end, n > shown ? "..." : "");
  return quoted;
}

const char *
gt_quote_word (const char *word)
{
  return gt_quote (word, strlen (word));
}

void
gt_list_add (char *text, size_t size, const char *format, ...)
{
  size_t used = strlen (text);
  va_list arguments;

  used += (size_t) snprintf (text + used, size - used, "%s", used ? ", " : "");
  if (used >= size)
    return;
  va_start (arguments, format);
  vsnprintf (text + used, size - used, format, arguments);
  va_end (arguments);
}

/* ------------------------------------------------------- Standard output */

int
gt_finish_stdout (void)
{
  static int reported;

  errno = 0;
  if (fflush (stdout) == 0 && !ferror (stdout))
    return GT_EXIT_OK;
  if (!reported)
    gt_error ("cannot write to standard output: %s",
              errno ? strerror (errno) : "an earlier write failed");
  reported = 1;
  return GT_EXIT_FAILED;
}

int
gt_write_text (const char *name, const char *text, size_t size)
{
  FILE *file = name ? fopen (name, "we") : stdout;
  int written = file != NULL && fwrite (text, 1, size, file) == size;

  if (name == NULL)
    return gt_finish_stdout ();
  if (file != NULL && fclose (file) != 0)
    written = 0;
  return written ? GT_EXIT_OK
                 : gt_failed ("%s cannot be written: %s", name, strerror (errno));
}

int
gt_print_json (json_t *value)
{
  int status = value ? json_dumpf (value, stdout, JSON_INDENT (2)) : -1;

  json_decref (value);
  if (status == 0)
    putchar ('\n');
  else if (!ferror (stdout))
    {
      gt_error ("not enough memory to print JSON");
      return GT_EXIT_FAILED;
    }
  return gt_finish_stdout ();
}

void
gt_json_set (json_t *object, const char *name, json_t *member)
{
  if (json_object_set_new (object, name, member))
    gt_need (NULL);
}

/* Prints the compute capabilities of the compiled CUDA kernels, from the table of the
   compiler's reports.  */
static void
print_cuda_support (void)
{
  const struct gt_kernel_resources *row = gt_kernel_resources;
  const char *separator = "";

  if (row->symbol == NULL)
    {
      puts ("Built without CUDA: the CPU computes everything.");
      return;
    }
  fputs ("Built with CUDA: machine code for compute capabilities ", stdout);
  for (; row->symbol; row++)
    {
      const struct gt_kernel_resources *first = gt_kernel_resources;

      while (first->cc != row->cc)
        first++;
      if (first != row)
        continue;
      printf ("%s%d.%d", separator, row->cc / 10, row->cc % 10);
      separator = ", ";
    }
  puts ("; drivers compile for later ones.");
}

void
gt_print_version (void)
{
  puts ("gsltune " PACKAGE_VERSION "\n"
        "Copyright (C) 2026 The gsltune authors.\n"
        "License GPLv3+: GNU GPL version 3 or later"
        " <https://gnu.org/licenses/gpl.html>.\n"
        "This is free software: you are free to change and redistribute it.\n"
        "There is NO WARRANTY, to the extent permitted by law.\n");
  print_cuda_support ();
}

/* --------------------------------------------------------------- Options */

const struct gt_option gt_json_alone[]
  = {{"json", 0, GT_FLAG, 0, 0, 0, NULL, NULL}, GT_NO_MORE_OPTIONS};

static _Noreturn void
print_help (const struct gt_command *self)
{
  size_t length = strlen (self->help);

  printf ("Usage: gsltune %s%s%s\n%c%s.\n\n%s%s", self->name,
          *self->usage ? " " : "", self->usage,
          toupper ((unsigned char) self->summary[0]), self->summary + 1,
          self->help, length && self->help[length - 1] != '\n' ? "\n" : "");
  exit (gt_finish_stdout ());
}

/* The options of a subcommand for getopt_long.  The value of an option is its letter or, if it
   has none, ROW plus the number of its row.  */
enum
{
  MOST_OPTIONS = 16,
  HELP = 1000,
  VERSION,
  ROW
};

struct parser
{
  const struct gt_command *self;
  struct option options[MOST_OPTIONS + 3];
  char letters[2 * MOST_OPTIONS + 3];
};

/* Fills PARSER.  The colon makes getopt distinguish a missing argument from an unknown
   option.  */
static void
prepare (struct parser *parser, const struct gt_command *self)
{
  char *letter = parser->letters;
  unsigned n = 0;

  *parser = (struct parser) {.self = self};
  letter += sprintf (letter, "%s:", self->ends_at_word ? "+" : "");
  parser->options[n++] = (struct option) {"help", no_argument, 0, HELP};
  parser->options[n++] = (struct option) {"version", no_argument, 0, VERSION};
  for (unsigned i = 0; self->options[i].name; i++)
    {
      const struct gt_option *o = &self->options[i];

      parser->options[n++] = (struct option) {
        o->name, o->kind == GT_FLAG ? no_argument : required_argument, 0,
        o->letter ? o->letter : ROW + (int) i};
      if (o->letter)
        letter += sprintf (letter, "%c%s", o->letter,
                           o->kind == GT_FLAG ? "" : ":");
    }
}

/* Writes the options whose names begin with the LENGTH bytes at PREFIX to TEXT.  Returns their
   number.  */
static int
list_options (const struct parser *parser, const char *prefix, size_t length,
              char *text, size_t size)
{
  int count = 0;

  *text = '\0';
  for (const struct option *o = parser->options; o->name; o++)
    if (strncmp (o->name, prefix, length) == 0)
      {
        gt_list_add (text, size, "--%s", o->name);
        count++;
      }
  return count;
}

static _Noreturn void
unknown_option (const struct parser *parser, const char *word)
{
  const char *name = parser->self->name;
  const size_t length = strcspn (word, "=");
  char text[1024];

  if (strncmp (word, "--", 2) == 0 && length > 2
      && list_options (parser, word + 2, length - 2, text, sizeof text) > 1)
    gt_usage ("%s: ambiguous option '%s': it could be %s", name, gt_quote (word, length), text);
  list_options (parser, "", 0, text, sizeof text);
  gt_usage ("%s: unknown option '%s': valid options are %s; see 'gsltune %s --help'", name,
            gt_quote (word, length), text, name);
}

/* Returns the option for which getopt_long reported an error, or null.  */
static const struct option *
complained_of (const struct parser *parser)
{
  for (const struct option *o = parser->options; o->name; o++)
    if (o->val == optopt)
      return o;
  return NULL;
}

static _Noreturn void
bad_option (const struct parser *parser, char **argv)
{
  const struct option *o = complained_of (parser);
  const char *word = argv[optind - 1];
  char letter[] = {'-', (char) optopt, '\0'};

  if (optopt && strncmp (word, "--", 2) == 0 && strchr (word, '=') && o
      && o->has_arg == no_argument)
    gt_usage ("%s: option '%s' takes no argument: write it without '='",
              parser->self->name, gt_quote (word, strcspn (word, "=")));
  unknown_option (parser, optopt ? letter : word);
}

/* Returns a positive number of seconds, e.g. 90 or 0.5.  */
static double
parse_seconds (const char *option, const char *word)
{
  char *end = NULL;
  double seconds = 0;

  if (isdigit ((unsigned char) *word) || *word == '.')
    seconds = strtod (word, &end);
  if (end == NULL || *end || !isfinite (seconds) || !(seconds > 0))
    gt_usage ("%s: '%s' is not a time: give a number of seconds above 0,"
              " e.g. 90 or 0.5", option, gt_quote_word (word));
  return seconds;
}

static void
take_option (const struct gt_option *o, char *request)
{
  void *at = request + o->at;
  char called[32];

  snprintf (called, sizeof called, "--%s", o->name);
  if (o->called)
    strcpy (called, o->called);
  switch (o->kind)
    {
    case GT_FLAG:
      *(int *) at = 1;
      break;
    case GT_WORD:
      *(const char **) at = optarg;
      break;
    case GT_COUNT:
      *(uint64_t *) at = gt_parse_count (called, optarg, o->least, o->most);
      break;
    case GT_SECONDS:
      *(double *) at = parse_seconds (called, optarg);
      break;
    case GT_TYPE:
      *(int *) at = (int) gt_parse_type (called, optarg);
      break;
    case GT_MODE:
      *(int *) at = (int) gt_parse_mode (called, optarg);
      break;
    case GT_OPERATION:
      *(enum gt_reduction *) at = gt_parse_operation (called, optarg);
      break;
    case GT_OPERATIONS:
      *(unsigned *) at |= gt_parse_operations (called, optarg);
      break;
    case GT_EFFORT:
      *(enum gt_effort *) at = (enum gt_effort) gt_parse_name (
        called, "effort", optarg, gt_effort_names, sizeof gt_effort_names[0], GT_N_EFFORTS);
      break;
    case GT_DEVICE:
      *(struct gt_device_word *) at = gt_parse_device (called, optarg);
      break;
    case GT_TAKEN:
      o->take (request, optarg);
    }
}

/* Returns the row of an option that getopt_long has found.  */
static const struct gt_option *
row_of (const struct gt_command *self, int option)
{
  const struct gt_option *o = self->options;

  if (option >= ROW)
    return &o[option - ROW];
  while (o->letter != option)
    o++;
  return o;
}

void
gt_cli_parse (const struct gt_command *self, int argc, char **argv,
              void *request)
{
  struct parser parser;
  int option;

  prepare (&parser, self);
  opterr = 0;
  while ((option = getopt_long (argc, argv, parser.letters, parser.options,
                                NULL))
         != -1)
    switch (option)
      {
      case HELP:
        print_help (self);
      case VERSION:
        gt_print_version ();
        exit (gt_finish_stdout ());
      case '?':
        bad_option (&parser, argv);
      case ':':
        gt_usage ("%s: option '--%s' needs an argument: see 'gsltune %s --help'",
                  self->name, complained_of (&parser)->name, self->name);
      default:
        take_option (row_of (self, option), request);
      }
  if (gt_env.ignored[0])
    gt_usage ("%s", gt_env.ignored);
  if (self->takes && optind < argc)
    gt_usage ("%s: unexpected argument '%s': %s", self->name,
              gt_quote_word (argv[optind]), self->takes);
}
