/* gsltune sum and gsltune stats: numbers in files, their sum, and what else is to be said
   of them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <errno.h>
#include <gsl/gsl_histogram.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "src/gsltune.h"
#include "tuning/command/commands.h"
#include "tuning/measure/listed.h"
#include "tuning/report/summary.h"
#include "tuning/text/table.h"

/* ----------------------------------------------------------------- Input */

struct request
{
  int type; /* element type; -1: not given */
  int raw;  /* -1: text, else elements of this type as they lie in memory */
  int mode; /* -1: not given */
  uint64_t stride; /* elements 0, stride, 2 stride, ... are the vector */
  int hex;       /* prints real numbers in hexadecimal */
  int json;      /* prints an object */
  int once;      /* keeps no element */
  uint64_t bins; /* of a histogram; 0: none */
  int has_ends;  /* whether LOW and HIGH are given */
  double low, high;
  char **files;
};

#define OPTIONS                              \
  GT_OPTION ("type", 0, GT_READ_TYPE, type),     \
  GT_OPTION ("raw", 0, GT_READ_TYPE, raw),       \
  GT_OPTION ("mode", 0, GT_MODE, mode),      \
  GT_COUNTED ("stride", 0, NULL, stride, 1, SIZE_MAX), \
  GT_OPTION ("hex", 0, GT_FLAG, hex),        \
  GT_OPTION ("json", 0, GT_FLAG, json)

/* For the help text: the files, and the first options.  */
#define FILES_HELP \
  "Reads the FILEs one after the other as one vector; '-', or no FILE, is\n" \
  "standard input.  Text is numbers separated by white space, where '#' begins a\n" \
  "comment that lasts to the end of its line.  What cannot be read stops the\n" \
  "command: "
#define OPTIONS_HELP \
  "Options:\n" \
  "  --type TYPE    element type of the numbers (default double):\n" \
  "                 double, float, long_double, int, uint, long, ulong,\n" \
  "                 short, ushort, char, uchar\n" \
  "  --raw TYPE     the FILEs are not text but elements of TYPE, as they lie in\n" \
  "                 this machine's memory\n" \
  "  --mode MODE    exact: the exact sum, rounded once; compensated, which loses\n" \
  "                 next to nothing to rounding; or fast (default:\n" \
  "                 $GSLTUNE_MODE, else exact); integers wrap in all\n"

/* Takes the options of SELF, settles the type and the files; --mode is set for the whole
   process.  */
static void
parse (const struct gt_command *self, int argc, char **argv,
       struct request *request)
{
  static char *standard_input[] = {"-", NULL};

  *request = (struct request) {.type = -1, .raw = -1, .mode = -1, .stride = 1};
  gt_cli_parse (self, argc, argv, request);
  if (request->mode >= 0)
    gsltune_set_mode ((gsltune_mode) request->mode);
  if (request->raw >= 0 && request->type >= 0 && request->raw != request->type)
    gt_usage ("%s: --raw %s contradicts --type %s: --raw alone is enough",
              self->name, gt_types[request->raw].name,
              gt_types[request->type].name);
  if (request->type < 0)
    request->type = request->raw < 0 ? GT_TYPE_DOUBLE : request->raw;
  request->files = optind < argc ? argv + optind : standard_input;
}

/* Appends FILE to NUMBERS.  Returns 0, or -1 after a message.  */
static int
read_file (const struct request *request, const char *file,
           struct gt_numbers *numbers)
{
  static char why[GT_READER_WHY_SIZE];
  int status = request->raw >= 0
                 ? gt_read_raw (numbers, file, why, sizeof why)
                 : gt_read_text (numbers, file, why, sizeof why);

  return status ? gt_error ("%s", why) : 0;
}

/* ------------------------------------------------------------------- Sum */

static int
print_sum (const struct request *request, const struct gt_number *sum, size_t n)
{
  const enum gt_arithmetic arithmetic = gt_types[sum->type].arithmetic;
  const enum gt_mode mode
    = gt_mode_for (GT_SUM, arithmetic, (enum gt_mode) gsltune_get_mode ());
  char text[GT_NUMBER_SIZE];

  gt_number_format (sum, request->hex || request->json, text);
  if (!request->json)
    {
      puts (text);
      return GT_EXIT_OK;
    }
  return gt_print_json (json_pack (
    "{s:o, s:s*, s:I, s:s, s:s}", "sum", gt_number_to_json (sum), "hex",
    gt_arithmetics[arithmetic].real ? text : NULL, "n", (json_int_t) n, "type",
    gt_types[sum->type].name, "mode", gt_mode_names[mode]));
}

static int
run_sum (const struct gt_command *self, int argc, char **argv)
{
  struct request request;
  struct gt_numbers numbers;
  int failed = 0, status = GT_EXIT_FAILED;

  parse (self, argc, argv, &request);
  gt_numbers_init (&numbers, (enum gt_element_type) request.type);
  for (char **file = request.files; *file && !failed; file++)
    failed = read_file (&request, *file, &numbers);
  if (!failed)
    {
      const struct gt_listed *f = gt_listed_for (GT_SUM, numbers.type);
      const struct gt_operands operands
        = {.x = numbers.data,
           .n = numbers.n ? (numbers.n - 1) / request.stride + 1 : 0,
           .stride = {request.stride, 1}};
      struct gt_answer answer;
      struct gt_number sum;

      f->call (f->ours, &operands, &answer);
      sum = gt_number_of (numbers.type, answer.value);
      status = print_sum (&request, &sum, operands.n);
    }
  gt_numbers_clear (&numbers);
  return status;
}

static const char sum_help[]
  = FILES_HELP "nothing is summed past an error.\n\n" OPTIONS_HELP
    "  --stride S     sum elements 0, S, 2S, ... of the vector (default 1)\n"
    "  --hex          print a real sum as a hexadecimal float, e.g. 0x1.8p+1\n"
    "  --json         print an object: sum, hex, n, type, mode\n"
    GT_COMMON_HELP ("      ") "\n"
    "The sum is printed with as many digits as it takes to read the same value back.\n\n"
    "Examples:\n"
    "  gsltune sum data.txt\n"
    "  cut -f2 table.tsv | gsltune sum --mode fast\n"
    "  gsltune sum --raw float samples.bin\n";

static const struct gt_option sum_options[] = {OPTIONS, GT_NO_MORE_OPTIONS};

const struct gt_command gt_cmd_sum = {
  .name = "sum",
  .summary = "the sum of numbers in files, text or raw",
  .usage = "[OPTION]... [FILE]...",
  .help = sum_help,
  .options = sum_options,
  .run = run_sum,
};

/* ------------------------------------------------ Statistics: computing */

/* The lines of both extremes: 0 when the files are raw.  */
struct lines
{
  uintmax_t min, max;
};

struct reading
{
  struct gt_summary summary;
  struct gt_kept kept;
  int once;        /* none are kept */
  int no_memory;   /* to keep them */
  size_t stride;
  uint64_t read;   /* elements of the files, of which each STRIDEth counts */
  struct lines lines;
  char **files;
  uint64_t *begin; /* by file: the number of its first element */
};

/* The line of EXTREME if it is in the chunk that begins at element BEGIN, else
   OLD.  */
static uintmax_t
line_of (const struct reading *reading, const struct gt_extreme *extreme,
         const uintmax_t *line, uintmax_t old)
{
  const uint64_t element = extreme->index * reading->stride;

  return element < reading->read ? old : line[element - reading->read];
}

/* Takes a chunk, see tuning/text/reader.h.  */
static void
take_chunk (void *closure, const void *data, size_t n, const uintmax_t *line)
{
  struct reading *reading = closure;
  struct gt_summary *summary = &reading->summary;
  const uint64_t past = reading->read % reading->stride;
  const uint64_t first = past ? reading->stride - past : 0;

  if (first < n)
    {
      const char *from
        = (const char *) data + first * gt_types[summary->type].size;
      const size_t count = (n - first - 1) / reading->stride + 1;

      gt_summary_add (summary, from, count, reading->stride);
      if (!reading->once && !reading->no_memory)
        reading->no_memory
          = gt_kept_add (&reading->kept, from, count, reading->stride) != 0;
      if (line)
        reading->lines = (struct lines) {
          line_of (reading, &summary->min, line, reading->lines.min),
          line_of (reading, &summary->max, line, reading->lines.max)
        };
    }
  reading->read += n;
}

static int
read_all (const struct request *request, struct reading *reading)
{
  struct gt_numbers numbers;
  int status = 0;

  gt_numbers_init_chunks (&numbers, reading->summary.type, take_chunk,
                          reading);
  for (size_t i = 0; reading->files[i] && status == 0; i++)
    {
      reading->begin[i] = reading->read + numbers.n;
      status = read_file (request, reading->files[i], &numbers);
    }
  if (status == 0)
    gt_numbers_flush (&numbers);
  gt_numbers_clear (&numbers);
  if (status == 0 && reading->no_memory)
    return gt_error ("not enough memory to keep more than %zu elements: --once"
                     " keeps none", reading->kept.all.n);
  return status;
}

/* ------------------------------------------------------------ Histogram */

#define MOST_BINS 1000000

/* BINS, or BINS,LOW,HIGH.  */
static void
take_histogram (void *request, const char *word)
{
  struct request *const r = request;
  char *end;

  errno = 0;
  r->bins = strtoull (word, &end, 10);
  if (*word < '0' || *word > '9' || errno || r->bins < 1 || r->bins > MOST_BINS)
    gt_usage ("--histogram: '%s' does not begin with a number of bins from 1 to %d", word,
              MOST_BINS);
  r->has_ends = *end == ',';
  if (r->has_ends)
    {
      r->low = strtod (end + 1, &end);
      r->high = *end == ',' ? strtod (end + 1, &end) : r->low;
    }
  if (*end || (r->has_ends && !(r->low < r->high && isfinite (r->high - r->low))))
    gt_usage ("--histogram: '%s' is not BINS or BINS,LOW,HIGH, LOW being less than HIGH and"
              " both finite", word);
}

static double
as_double (enum gt_element_type type, const void *element)
{
  const struct gt_number number = gt_number_of (type, element);

  return gt_arithmetics[gt_types[type].arithmetic].real ? (double) number.real
         : gt_type_is_signed[type] ? (double) (long long) number.integer
                                   : (double) number.integer;
}

/* The histogram that REQUEST asks for, of all that was kept: up to the extremes, the
   largest included, where no ends are given.  Null after a message.  */
static gsl_histogram *
make_histogram (const struct request *request, const struct gt_numbers *all)
{
  const size_t size = gt_types[all->type].size;
  double *const x = gt_need (malloc ((all->n + 1) * sizeof *x));
  gsl_histogram *const h = gt_need (gsl_histogram_alloc (request->bins));
  double low = request->low, high = request->high;

  for (size_t i = 0; i < all->n; i++)
    x[i] = as_double (all->type, (const char *) all->data + i * size);
  if (!request->has_ends && all->n > 0)
    {
      gsltune_stats_minmax (&low, &high, x, 1, all->n);
      high = nextafter (high, HUGE_VAL);
    }
  if (!(low < high) || !isfinite (high - low))
    {
      gt_error ("--histogram: the numbers have no finite extremes: give LOW and HIGH");
      gsl_histogram_free (h);
      free (x);
      return NULL;
    }
  gsl_histogram_set_ranges_uniform (h, low, high);
  gsltune_histogram_fill (h, x, 1, all->n);
  free (x);
  return h;
}

static void
print_histogram (const gsl_histogram *h, int hex)
{
  struct gt_table *table = gt_table_new ("rrr", "from\tto below\tcount");
  char ends[2][GT_NUMBER_SIZE];

  putchar ('\n');
  for (size_t k = 0; k < h->n; k++)
    {
      for (size_t end = 0; end < 2; end++)
        {
          const struct gt_number number = gt_number_of (GT_TYPE_DOUBLE, &h->range[k + end]);

          gt_number_format (&number, hex, ends[end]);
        }
      gt_table_printf (table, "%s\t%s\t%.0f", ends[0], ends[1], h->bin[k]);
    }
  gt_table_print (table, stdout);
}

static json_t *
histogram_to_json (const gsl_histogram *h)
{
  json_t *range = json_array (), *bins = json_array ();

  for (size_t k = 0; k <= h->n; k++)
    json_array_append_new (range, json_real (h->range[k]));
  for (size_t k = 0; k < h->n; k++)
    json_array_append_new (bins, json_integer ((json_int_t) h->bin[k]));
  return json_pack ("{s:o, s:o}", "range", range, "bin", bins);
}

/* ------------------------------------------------------------- Printing */

/* The file that EXTREME was read from.  */
static const char *
file_of (const struct reading *reading, const struct gt_extreme *extreme)
{
  const uint64_t element = extreme->index * reading->stride;
  size_t i = 0;

  while (reading->files[i + 1] && reading->begin[i + 1] <= element)
    i++;
  return strcmp (reading->files[i], "-") == 0 ? "standard input"
                                              : reading->files[i];
}

static void
add_number (struct gt_table *table, const char *what,
            const struct gt_number *number, int hex)
{
  char text[GT_NUMBER_SIZE];

  gt_number_format (number, hex, text);
  gt_table_printf (table, "%s\t%s\t\t", what, text);
}

static void
add_extreme (struct gt_table *table, const char *what,
             const struct reading *reading, const struct gt_extreme *extreme,
             uintmax_t line, int hex)
{
  char text[GT_NUMBER_SIZE], at[24] = "";

  if (reading->summary.count == 0)
    {
      gt_table_printf (table, "%s\tnone\t\t", what);
      return;
    }
  if (line)
    snprintf (at, sizeof at, ":%ju", line);
  gt_number_format (&extreme->number, hex, text);
  gt_table_printf (table, "%s\t%s\t%ju\t%s%s", what, text,
                   (uintmax_t) extreme->index, file_of (reading, extreme), at);
}

/* The numbers that follow the extremes.  */
static const struct
{
  const char *name;
  size_t offset; /* in struct reading */
  int twice;     /* wants the elements a second time */
} statistics[] = {
#define STATISTIC(what, member, twice)                                         \
  {what, offsetof (struct reading, member), twice}
  STATISTIC ("nrm2", summary.nrm2, 0),
  STATISTIC ("mean", summary.mean, 0),
  STATISTIC ("tss", summary.tss, 0),
  STATISTIC ("variance", summary.variance, 0),
  STATISTIC ("sd", summary.sd, 0),
  STATISTIC ("absdev", kept.more.absdev, 1),
  STATISTIC ("skew", kept.more.skew, 1),
  STATISTIC ("kurtosis", kept.more.kurtosis, 1),
  STATISTIC ("lag1", kept.more.lag1, 1)
#undef STATISTIC
};
#define N_STATISTICS (sizeof statistics / sizeof *statistics)

/* Whether READING has got statistic K.  */
static int
has (const struct reading *reading, size_t k, struct gt_number *number)
{
  *number = gt_number_of (GT_TYPE_DOUBLE,
                          (const char *) reading + statistics[k].offset);
  return !(statistics[k].twice && reading->once);
}

static int
print_table (const struct reading *reading, const gsl_histogram *histogram, int hex)
{
  const struct gt_summary *summary = &reading->summary;
  struct gt_table *table = gt_table_new ("lrrl", "\tvalue\tindex\twhere");
  struct gt_number number;

  gt_table_printf (table, "count\t%ju\t\t", (uintmax_t) summary->count);
  add_number (table, "sum", &summary->sum, hex);
  add_number (table, "asum", &summary->asum, hex);
  add_extreme (table, "min", reading, &summary->min, reading->lines.min, hex);
  add_extreme (table, "max", reading, &summary->max, reading->lines.max, hex);
  for (size_t k = 0; k < N_STATISTICS; k++)
    if (has (reading, k, &number))
      add_number (table, statistics[k].name, &number, hex);
  gt_table_print (table, stdout);
  if (histogram)
    print_histogram (histogram, hex);
  return GT_EXIT_OK;
}

/* Null as the name of a file that is no UTF-8, which JSON cannot hold.  */
static json_t *
extreme_to_json (const struct reading *reading,
                 const struct gt_extreme *extreme, uintmax_t line)
{
  json_t *file;

  if (reading->summary.count == 0)
    return json_null ();
  file = json_string (file_of (reading, extreme));
  return json_pack ("{s:o, s:I, s:o, s:o}", "value",
                    gt_number_to_json (&extreme->number), "index",
                    (json_int_t) extreme->index, "file",
                    file ? file : json_null (), "line",
                    line ? json_integer ((json_int_t) line) : json_null ());
}

static int
print_json (const struct reading *reading, const gsl_histogram *histogram)
{
  const struct gt_summary *summary = &reading->summary;
  json_t *object = json_pack (
    "{s:I, s:o, s:o, s:o, s:o}", "count", (json_int_t) summary->count, "sum",
    gt_number_to_json (&summary->sum), "asum",
    gt_number_to_json (&summary->asum), "min",
    extreme_to_json (reading, &summary->min, reading->lines.min), "max",
    extreme_to_json (reading, &summary->max, reading->lines.max));
  struct gt_number number;

  for (size_t k = 0; k < N_STATISTICS; k++)
    gt_json_set (object, statistics[k].name,
                 has (reading, k, &number) ? gt_number_to_json (&number)
                                           : json_null ());
  if (histogram)
    gt_json_set (object, "histogram", histogram_to_json (histogram));
  gt_json_set (object, "type", json_string (gt_types[summary->type].name));
  gt_json_set (object, "mode", json_string (gt_mode_names[summary->mode]));
  return gt_print_json (object);
}

static int
run (const struct gt_command *self, int argc, char **argv)
{
  static struct reading reading;
  struct request request;
  gsl_histogram *histogram = NULL;
  int status = GT_EXIT_FAILED;

  parse (self, argc, argv, &request);
  if (request.bins && request.once)
    gt_usage ("%s: --histogram looks at the numbers twice, of which --once keeps none",
              self->name);
  reading.stride = request.stride;
  reading.once = request.once;
  reading.files = request.files;
  reading.begin = gt_need (calloc ((size_t) argc, sizeof *reading.begin));
  gt_summary_init (&reading.summary, (enum gt_element_type) request.type,
                   (enum gt_mode) gsltune_get_mode ());
  gt_numbers_init (&reading.kept.all, (enum gt_element_type) request.type);
  if (read_all (&request, &reading) == 0)
    {
      gt_summary_finish (&reading.summary);
      if (!reading.once)
        gt_kept_finish (&reading.kept);
      if (request.bins)
        histogram = make_histogram (&request, &reading.kept.all);
      if (histogram || !request.bins)
        status = request.json ? print_json (&reading, histogram)
                              : print_table (&reading, histogram, request.hex);
    }
  gsl_histogram_free (histogram);
  gt_numbers_clear (&reading.kept.all);
  free (reading.begin);
  return status;
}

static const char help[]
  = FILES_HELP "nothing is told of numbers past an error.\n\n"
    "Prints how many there are, their sum, the sum of their magnitudes (asum), and\n"
    "the minimum and the maximum, each with the index of the first element that has\n"
    "it, counted from 0 as in GSL, and with its file and line.  As in GSL a NaN is\n"
    "both the minimum and the maximum.  The Euclidean norm (nrm2), mean, sum of\n"
    "squares about it (tss), variance (of n - 1) and standard deviation (sd) are\n"
    "rounded once, in every mode.  Mean distance from the mean (absdev), skewness,\n"
    "kurtosis and autocorrelation of lag 1 (lag1) are what GSL calls so; they want\n"
    "the mean first, so the elements are kept in memory.\n\n"
    OPTIONS_HELP
    "  --stride S     look at elements 0, S, 2S, ... of the vector (default 1)\n"
    "  --histogram BINS[,LOW,HIGH]\n"
    "                 count as well how many numbers are in each of BINS ranges of\n"
    "                 one width from LOW to below HIGH (default: from the minimum to\n"
    "                 the maximum, which the last range includes)\n"
    "  --once         keep nothing: little memory however many numbers there are,\n"
    "                 but no absdev, skew, kurtosis and lag1\n"
    "  --hex          print real numbers as hexadecimal floats, e.g. 0x1.8p+1\n"
    "  --json         print an object: count, sum, asum, min and max (value,\n"
    "                 index, file, line), nrm2, mean, tss, variance, sd, absdev,\n"
    "                 skew, kurtosis, lag1 (null with --once), histogram (range,\n"
    "                 bin) if there is one, type, mode\n"
    GT_COMMON_HELP ("      ") "\n"
    "Numbers are printed with as many digits as it takes to read the same value back.\n"
    "asum of integers has 64 bits, sum those of its type, in which it wraps.\n\n"
    "Examples:\n"
    "  gsltune stats data.txt\n"
    "  cut -f2 table.tsv | gsltune stats --json\n"
    "  gsltune stats --raw float samples.bin\n"
    "  gsltune stats --histogram 20,0,1 data.txt\n"
    "  zcat endless.gz | gsltune stats --once\n";

static const struct gt_option options[]
  = {OPTIONS, GT_TAKE ("histogram", take_histogram),
     GT_OPTION ("once", 0, GT_FLAG, once), GT_NO_MORE_OPTIONS};

const struct gt_command gt_cmd_stats = {
  .name = "stats",
  .summary = "count, sum, extremes, mean, sd of numbers in files",
  .usage = "[OPTION]... [FILE]...",
  .help = help,
  .options = options,
  .run = run,
};
