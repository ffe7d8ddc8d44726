/* gsltune sum: the sum of numbers in files, through the public interface.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "src/gsltune.h"
#include "tuning/command/commands.h"
#include "tuning/text/reader.h"

struct request
{
  int type, raw; /* element types; -1: not given */
  int hex, json;
  size_t stride;
};

/* A sum of any type.  */
struct sum
{
  enum gt_element_type type;
  size_t n;                   /* elements that were added */
  long double real;           /* exact for float and double too */
  unsigned long long integer; /* modulo 2^64 */
  int is_integer, is_signed;
};

/* sum_of_float and so on: each adds SUM->n elements.  */
#define X(id, name, infix, ctype, arithmetic)                       \
  static void                                                       \
  sum_of##infix (void *data, size_t stride, struct sum *sum)        \
  {                                                                 \
    gsl_vector##infix vector                                        \
      = {.size = sum->n, .stride = stride, .data = data};           \
    ctype value = gsltune_vector##infix##_sum (&vector);            \
                                                                    \
    sum->is_integer = (ctype) 0.5 == 0;                             \
    sum->is_signed = (ctype) -1 < (ctype) 1;                        \
    sum->real = (long double) value;                                \
    if (sum->is_integer)                                            \
      sum->integer = (unsigned long long) value;                    \
  }
GT_ELEMENT_TYPES (X)
#undef X

static void (*const sum_functions[GT_N_ELEMENT_TYPES]) (void *, size_t,
                                                        struct sum *)
  = {
#define X(id, name, infix, ctype, arithmetic) [GT_TYPE_##id] = sum_of##infix,
    GT_ELEMENT_TYPES (X)
#undef X
};

/* -------------------------------------------------------------- Printing */

#define NUMBER_SIZE 64

/* Whether TEXT, read as an element of this arithmetic, is VALUE again.  */
static int
reads_back (enum gt_arithmetic arithmetic, const char *text, long double value)
{
  switch (arithmetic)
    {
    case GT_F64:
      return strtod (text, NULL) == (double) value;
    case GT_F32:
      return strtof (text, NULL) == (float) value;
    default:
      return strtold (text, NULL) == value;
    }
}

/* The shortest decimal that reads back, but a whole number in full as long as
   that invents no digits: 250, not 2.5e+02.  */
static void
format_decimal (enum gt_arithmetic arithmetic, long double value, char *text)
{
  int most = arithmetic == GT_F64   ? DBL_DECIMAL_DIG
             : arithmetic == GT_F32 ? FLT_DECIMAL_DIG
                                    : LDBL_DECIMAL_DIG;
  int digits = 0, exponent;

  do
    snprintf (text, NUMBER_SIZE, "%.*Le", digits, value);
  while (digits++ < most - 1 && !reads_back (arithmetic, text, value));
  exponent = atoi (strchr (text, 'e') + 1);
  if (exponent >= digits && exponent < most)
    digits = exponent + 1;
  snprintf (text, NUMBER_SIZE, "%.*Lg", digits, value);
}

/* "inf", "-inf" or "nan" for a value that is none of the numbers, else
   null.  */
static const char *
special_name (const struct sum *sum)
{
  if (sum->is_integer || isfinite (sum->real))
    return NULL;
  return isnan (sum->real) ? "nan" : sum->real > 0 ? "inf" : "-inf";
}

static void
format_sum (const struct sum *sum, int hex, char *text)
{
  enum gt_arithmetic arithmetic = gt_types[sum->type].arithmetic;
  const char *special = special_name (sum);

  if (special)
    strcpy (text, special);
  else if (sum->is_signed && sum->is_integer)
    snprintf (text, NUMBER_SIZE, "%lld", (long long) sum->integer);
  else if (sum->is_integer)
    snprintf (text, NUMBER_SIZE, "%llu", sum->integer);
  else if (!hex)
    format_decimal (arithmetic, sum->real, text);
  else if (arithmetic == GT_LDBL)
    snprintf (text, NUMBER_SIZE, "%La", sum->real);
  else
    snprintf (text, NUMBER_SIZE, "%a", (double) sum->real);
}

/* A string where a JSON number cannot hold the sum.  */
static json_t *
sum_to_json (const struct sum *sum)
{
  char text[NUMBER_SIZE];

  if (sum->is_integer && (sum->is_signed || sum->integer <= INT64_MAX))
    return json_integer ((json_int_t) sum->integer);
  if (!sum->is_integer && !special_name (sum)
      && sum->type != GT_TYPE_LONG_DOUBLE)
    return json_real ((double) sum->real);
  format_sum (sum, 0, text);
  return json_string (text);
}

static int
print_json (const struct sum *sum)
{
  enum gt_arithmetic arithmetic = gt_types[sum->type].arithmetic;
  enum gt_mode mode
    = gt_mode_for (GT_SUM, arithmetic, (enum gt_mode) gsltune_get_mode ());
  json_t *object = json_pack ("{s:o}", "sum", sum_to_json (sum));
  char hex[NUMBER_SIZE];
  int failed = 0;

  if (!sum->is_integer)
    {
      format_sum (sum, 1, hex);
      failed |= json_object_set_new (object, "hex", json_string (hex));
    }
  failed |= json_object_set_new (object, "n",
                                 json_integer ((json_int_t) sum->n));
  failed |= json_object_set_new (object, "type",
                                 json_string (gt_types[sum->type].name));
  failed |= json_object_set_new (object, "mode",
                                 json_string (gt_mode_names[mode]));
  if (failed)
    {
      json_decref (object);
      object = NULL;
    }
  return gt_print_json (object);
}

static int
print_sum (const struct request *request, const struct sum *sum)
{
  char text[NUMBER_SIZE];

  if (request->json)
    return print_json (sum);
  format_sum (sum, request->hex, text);
  puts (text);
  return gt_finish_stdout ();
}

/* ----------------------------------------------------------- Subcommand */

/* Reads all FILES, or standard input when there are none, into NUMBERS.  */
static int
read_all (const struct request *request, char **files,
          struct gt_numbers *numbers)
{
  static char *standard_input[] = {"-", NULL};
  static char why[GT_READER_WHY_SIZE];

  for (char **file = *files ? files : standard_input; *file; file++)
    {
      int status = request->raw >= 0
                     ? gt_read_raw (numbers, *file, why, sizeof why)
                     : gt_read_text (numbers, *file, why, sizeof why);

      if (status)
        {
          gt_error ("%s", why);
          return -1;
        }
    }
  return 0;
}

static int
sum_files (const struct request *request, char **files)
{
  struct gt_numbers numbers;
  struct sum sum = {.type = (enum gt_element_type) request->type};
  int status = GT_EXIT_FAILED;

  gt_numbers_init (&numbers, sum.type);
  if (read_all (request, files, &numbers) == 0)
    {
      sum.n = numbers.n ? (numbers.n - 1) / request->stride + 1 : 0;
      sum_functions[sum.type](numbers.data, request->stride, &sum);
      status = print_sum (request, &sum);
    }
  gt_numbers_clear (&numbers);
  return status;
}

enum
{
  OPT_TYPE = 1,
  OPT_RAW,
  OPT_MODE,
  OPT_STRIDE,
  OPT_HEX,
  OPT_JSON
};

static const struct option options[] = {
  GT_COMMON_OPTIONS,
  {"type", required_argument, 0, OPT_TYPE},
  {"raw", required_argument, 0, OPT_RAW},
  {"mode", required_argument, 0, OPT_MODE},
  {"stride", required_argument, 0, OPT_STRIDE},
  {"hex", no_argument, 0, OPT_HEX},
  {"json", no_argument, 0, OPT_JSON},
  {0, 0, 0, 0},
};

static void
take_option (struct request *request, int option)
{
  switch (option)
    {
    case OPT_TYPE:
      request->type = gt_parse_type ("--type", optarg);
      break;
    case OPT_RAW:
      request->raw = gt_parse_type ("--raw", optarg);
      break;
    case OPT_MODE:
      gsltune_set_mode ((gsltune_mode) gt_parse_mode ("--mode", optarg));
      break;
    case OPT_STRIDE:
      request->stride = gt_parse_count ("--stride", optarg, 1, SIZE_MAX);
      break;
    case OPT_HEX:
      request->hex = 1;
      break;
    default:
      request->json = 1;
      break;
    }
}

static int
run (const struct gt_command *self, int argc, char **argv)
{
  struct request request = {.type = -1, .raw = -1, .stride = 1};
  int option;

  while ((option = gt_cli_next (self, argc, argv, "")) != -1)
    take_option (&request, option);
  if (request.raw >= 0 && request.type >= 0 && request.raw != request.type)
    gt_usage ("sum: --raw %s contradicts --type %s: --raw alone is enough",
              gt_types[request.raw].name, gt_types[request.type].name);
  if (request.type < 0)
    request.type = request.raw < 0 ? GT_TYPE_DOUBLE : request.raw;
  return sum_files (&request, argv + optind);
}

static const char help[]
  = "Reads the FILEs one after the other as one vector; '-', or no FILE, is\n"
    "standard input.  Text is numbers separated by white space, where '#'"
    " begins a\ncomment that lasts to the end of its line.  What cannot be"
    " read stops the\ncommand: nothing is summed past an error.\n\n"
    "Options:\n"
    "  --type TYPE    element type of the numbers (default double):\n"
    "                 double, float, long_double, int, uint, long, ulong,\n"
    "                 short, ushort, char, uchar\n"
    "  --raw TYPE     the FILEs are not text but elements of TYPE, as they lie"
    " in\n"
    "                 this machine's memory\n"
    "  --mode MODE    exact: the exact sum, rounded once; compensated, which"
    " loses\n"
    "                 next to nothing to rounding; or fast (default:\n"
    "                 $GSLTUNE_MODE, else exact); integers wrap in all\n"
    "  --stride S     sum elements 0, S, 2S, ... of the vector (default 1)\n"
    "  --hex          print a real sum as a hexadecimal float, e.g. 0x1.8p+1\n"
    "  --json         print an object: sum, hex, n, type, mode\n"
    "  --help         print this text\n"
    "  --version      print the version\n\n"
    "The sum is printed with as many digits as it takes to read the same"
    " value back.\n\n"
    "Examples:\n"
    "  gsltune sum data.txt\n"
    "  cut -f2 table.tsv | gsltune sum --mode fast\n"
    "  gsltune sum --raw float samples.bin\n";

const struct gt_command gt_cmd_sum = {
  .name = "sum",
  .summary = "the sum of numbers in files, text or raw",
  .usage = "[OPTION]... [FILE]...",
  .help = help,
  .options = options,
  .run = run,
};
