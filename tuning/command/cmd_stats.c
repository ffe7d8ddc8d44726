/* gsltune stats: statistics of numbers in files.
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
#include "tuning/command/columns.h"
#include "tuning/report/summary.h"
#include "tuning/text/table.h"

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
  double quantile[GT_MOST_QUANTILES];
  const struct all *all;
};

/* Of all columns.  */
struct all
{
  struct reading *reading; /* of each; null before the first */
  const struct request *request;
  gsl_histogram **histogram; /* of each, or null */
  double *correlation;       /* of all pairs, or null */
  uint64_t *begin; /* by file: the number of its first element in each column */
};

/* Returns the line of EXTREME if it is in the chunk that begins at element
   BEGIN, else OLD.  */
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
  size_t first;
  const size_t count = gt_columns_counted (reading->read, n, reading->stride, &first);

  if (count > 0)
    {
      const char *from
        = (const char *) data + first * gt_types[summary->type].size;

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

/* The two that gt_columns_read calls.  */
static void
prepare (struct gt_columns *columns, size_t k)
{
  struct all *const all = columns->closure;
  const enum gt_element_type type = (enum gt_element_type) columns->request->type;
  struct reading *reading;

  if (k == 0)
    all->reading = gt_need (calloc (columns->n, sizeof *all->reading));
  reading = &all->reading[k];
  reading->stride = columns->request->stride;
  reading->once = columns->request->once;
  reading->all = all;
  gt_summary_init (&reading->summary, type, (enum gt_mode) gsltune_get_mode ());
  gt_numbers_init (&reading->kept.all, type);
  gt_numbers_init_chunks (&columns->numbers[k], type, take_chunk, reading);
}

static void
begin_file (struct gt_columns *columns, size_t file)
{
  struct all *const all = columns->closure;

  all->begin[file] = columns->n ? all->reading[0].read + columns->numbers[0].n : 0;
}

/* Takes the rest of each column, and computes the statistics that need all
   numbers.  */
static int
finish (struct gt_columns *columns)
{
  struct all *const all = columns->closure;

  for (size_t k = 0; k < columns->n; k++)
    {
      struct reading *const reading = &all->reading[k];

      gt_numbers_flush (&columns->numbers[k]);
      if (reading->no_memory)
        return gt_error ("not enough memory to keep more than %zu elements: --once"
                         " keeps none", reading->kept.all.n);
      gt_summary_finish (&reading->summary);
      if (!reading->once)
        gt_kept_finish (&reading->kept);
    }
  return 0;
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

/* FRACTION,...  */
static void
take_quantiles (void *request, const char *word)
{
  struct request *const r = request;
  const char *at = word;
  char *end;

  for (r->n_quantiles = 0;; at = end + 1)
    {
      const double f = strtod (at, &end);

      if (end == at || !(f >= 0 && f <= 1) || (*end && *end != ','))
        gt_usage ("--quantiles: '%s' is not a list of numbers from 0 to 1, such as"
                  " 0.25,0.5,0.75", word);
      if (r->n_quantiles == GT_MOST_QUANTILES)
        gt_usage ("--quantiles: more than %d of them", GT_MOST_QUANTILES);
      r->quantiles[r->n_quantiles++] = f;
      if (*end == '\0')
        return;
    }
}

static double
as_double (enum gt_element_type type, const void *element)
{
  const struct gt_number number = gt_number_of (type, element);

  return gt_arithmetics[gt_types[type].arithmetic].real ? (double) number.real
         : gt_type_is_signed[type] ? (double) (long long) number.integer
                                   : (double) number.integer;
}

/* Makes the histogram that REQUEST asks for, of all kept numbers.  Where no ends are
   given it reaches from the least to the largest, which it includes.  Null after a
   message.  */
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

  while (reading->all->request->files[i + 1] && reading->all->begin[i + 1] <= element)
    i++;
  return strcmp (reading->all->request->files[i], "-") == 0
           ? "standard input" : reading->all->request->files[i];
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

/* The name of the quantile of fraction F.  */
static const char *
quantile_name (double f, char text[40])
{
  snprintf (text, 40, "quantile %.15g", f);
  return f == 0.5 ? "median" : text;
}

static void
print_table (const struct reading *reading, const gsl_histogram *histogram)
{
  const struct request *const request = reading->all->request;
  const int hex = request->hex;
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
  for (size_t k = 0; k < request->n_quantiles; k++)
    {
      char name[40];

      number = gt_number_of (GT_TYPE_DOUBLE, &reading->quantile[k]);
      add_number (table, quantile_name (request->quantiles[k], name), &number, hex);
    }
  gt_table_print (table, stdout);
  if (histogram)
    print_histogram (histogram, hex);
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

static json_t *
quantiles_to_json (const struct reading *reading)
{
  json_t *const list = json_array ();

  for (size_t k = 0; k < reading->all->request->n_quantiles; k++)
    {
      const struct gt_number number = gt_number_of (GT_TYPE_DOUBLE, &reading->quantile[k]);

      json_array_append_new (list, json_pack ("{s:f, s:o}", "fraction",
                                              reading->all->request->quantiles[k], "value",
                                              gt_number_to_json (&number)));
    }
  return list;
}

static json_t *
reading_to_json (const struct gt_columns *columns, size_t column)
{
  const struct all *const all = columns->closure;
  const struct reading *const reading = &all->reading[column];
  const gsl_histogram *const histogram = all->histogram ? all->histogram[column] : NULL;
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
  if (all->request->n_quantiles)
    gt_json_set (object, "quantiles", quantiles_to_json (reading));
  gt_json_set (object, "type", json_string (gt_types[summary->type].name));
  gt_json_set (object, "mode", json_string (gt_mode_names[summary->mode]));
  return object;
}

/* ------------------------------------------------- Correlations of columns */

static struct gt_number
correlation (const struct gt_columns *columns, size_t i, size_t j)
{
  const struct all *const all = columns->closure;

  return gt_number_of (GT_TYPE_DOUBLE, &all->correlation[i * columns->n + j]);
}

static json_t *
correlations_to_json (const struct gt_columns *columns)
{
  json_t *const rows = json_array ();

  for (size_t i = 0; i < columns->n; i++)
    {
      json_t *const row = json_array ();

      for (size_t j = 0; j < columns->n; j++)
        {
          const struct gt_number r = correlation (columns, i, j);

          json_array_append_new (row, gt_number_to_json (&r));
        }
      json_array_append_new (rows, row);
    }
  return rows;
}

/* One row a pair.  */
static void
print_correlations (const struct gt_columns *columns)
{
  struct gt_table *const table = gt_table_new ("llr", "\t\tcorrelation");
  char text[GT_NUMBER_SIZE];

  for (size_t i = 0; i < columns->n; i++)
    for (size_t j = i + 1; j < columns->n; j++)
      {
        const struct gt_number r = correlation (columns, i, j);

        gt_number_format (&r, columns->request->hex, text);
        gt_table_printf (table, "%s\t%s\t%s", gt_columns_name (columns, i),
                         gt_columns_name (columns, j), text);
      }
  putchar ('\n');
  gt_table_print (table, stdout);
}

/* ------------------------------------------------------------------ Command */

/* Computes what needs all numbers; quantiles last, for they sort.  Returns 0, or -1
   after a message.  */
static int
look_again (struct gt_columns *columns)
{
  struct all *const all = columns->closure;
  const struct request *const request = all->request;
  const size_t n = columns->n;

  if (request->bins)
    all->histogram = gt_need (calloc (n, sizeof *all->histogram));
  if (request->correlation)
    all->correlation = gt_need (calloc (n * n, sizeof *all->correlation));
  for (size_t k = 0; k < n && request->bins; k++)
    {
      all->histogram[k] = make_histogram (request, &all->reading[k].kept.all);
      if (all->histogram[k] == NULL)
        return -1;
    }
  for (size_t k = 0; k < n * n && request->correlation; k++)
    all->correlation[k] = gt_kept_correlation (&all->reading[k / n].kept,
                                               &all->reading[k % n].kept);
  for (size_t k = 0; k < n && !request->once; k++)
    gt_kept_quantiles (&all->reading[k].kept, request->quantiles, request->n_quantiles,
                       all->reading[k].quantile);
  return 0;
}

static int
print (const struct gt_columns *columns)
{
  const struct all *const all = columns->closure;

  if (all->request->json)
    {
      json_t *const object = gt_columns_to_json (columns, reading_to_json);

      if (all->correlation)
        gt_json_set (object, "correlation", correlations_to_json (columns));
      return gt_print_json (object);
    }
  for (size_t k = 0; k < columns->n; k++)
    {
      if (columns->csv)
        printf ("%s%s\n", k ? "\n" : "", gt_columns_name (columns, k));
      print_table (&all->reading[k], all->histogram ? all->histogram[k] : NULL);
    }
  if (all->correlation)
    print_correlations (columns);
  return GT_EXIT_OK;
}

static void
clear (struct gt_columns *columns)
{
  struct all *const all = columns->closure;

  for (size_t k = 0; k < columns->n; k++)
    {
      gt_numbers_clear (&all->reading[k].kept.all);
      gt_summary_clear (&all->reading[k].summary);
      if (all->histogram && all->histogram[k])
        gsl_histogram_free (all->histogram[k]);
    }
  free (all->reading);
  free (all->histogram);
  free (all->correlation);
  free (all->begin);
  gt_columns_clear (columns);
}

static int
run (const struct gt_command *self, int argc, char **argv)
{
  struct request request;
  struct all all = {.request = &request};
  struct gt_columns columns
    = {.request = &request, .prepare = prepare, .begin = begin_file, .closure = &all};
  int status = GT_EXIT_FAILED;

  gt_columns_parse (self, argc, argv, &request);
  if (request.once && (request.bins || request.correlation || request.n_quantiles))
    gt_usage ("%s: --histogram, --quantiles and --correlation look at the numbers twice, of"
              " which --once keeps none", self->name);
  if (request.correlation && !request.columns && !request.delimiter)
    gt_usage ("%s: --correlation is of the columns of CSV: give --columns or --delimiter",
              self->name);
  all.begin = gt_need (calloc ((size_t) argc + 1, sizeof *all.begin));
  if (gt_columns_read (&columns) == 0 && finish (&columns) == 0
      && look_again (&columns) == 0)
    status = print (&columns);
  clear (&columns);
  return status;
}

static const char help[]
  = GT_FILES_HELP "nothing is told of numbers past an error.\n\n"
    "Prints how many there are, their sum, the sum of their magnitudes (asum), and\n"
    "the minimum and the maximum, each with the index of the first element that has\n"
    "it, counted from 0 as in GSL, and with its file and line.  As in GSL a NaN is\n"
    "both the minimum and the maximum.  The Euclidean norm (nrm2), mean, sum of\n"
    "squares about it (tss), variance (of n - 1) and standard deviation (sd) are\n"
    "rounded once, in every mode.  Mean distance from the mean (absdev), skewness,\n"
    "kurtosis and autocorrelation of lag 1 (lag1) are what GSL calls so; they want\n"
    "the mean first, so the elements are kept in memory.\n\n"
    GT_COLUMNS_HELP
    "  --stride S     look at elements 0, S, 2S, ... of the vector (default 1)\n"
    "  --histogram BINS[,LOW,HIGH]\n"
    "                 count as well how many numbers are in each of BINS ranges of\n"
    "                 one width from LOW to below HIGH (default: from the minimum to\n"
    "                 the maximum, which the last range includes)\n"
    "  --quantiles F,...\n"
    "                 quantiles of these fractions as well; 0.5 is the median\n"
    "  --correlation  Pearson's correlation of all pairs of columns of CSV as well\n"
    "  --once         keep nothing: little memory however many numbers there are,\n"
    "                 but no absdev, skew, kurtosis and lag1, and\n"
    "                 none of the three before\n"
    "  --hex          print real numbers as hexadecimal floats, e.g. 0x1.8p+1\n"
    "  --json         print an object: count, sum, asum, min and max (value,\n"
    "                 index, file, line), nrm2, mean, tss, variance, sd, absdev,\n"
    "                 skew, kurtosis, lag1 (null with --once), histogram (range,\n"
    "                 bin) and quantiles (fraction, value) if asked for, type,\n"
    "                 mode; of CSV one with an array of these, columns, each with\n"
    "                 its name, and correlation (rows) if asked for\n"
    GT_COMMON_HELP ("      ") "\n"
    "Numbers are printed with as many digits as it takes to read the same value back.\n"
    "asum of integers has 64 bits, sum those of its type, in which it wraps.\n\n"
    "Examples:\n"
    "  gsltune stats data.txt\n"
    "  cut -f2 table.tsv | gsltune stats --json\n"
    "  gsltune stats --raw float samples.bin\n"
    "  gsltune stats --histogram 20,0,1 data.txt\n"
    "  gsltune stats --columns price,3 --quantiles 0.25,0.5,0.75 sales.csv\n"
    "  zcat endless.gz | gsltune stats --once\n";

static const struct gt_option options[]
  = {GT_COLUMNS_OPTIONS, GT_TAKE ("histogram", take_histogram),
     GT_TAKE ("quantiles", take_quantiles),
     GT_OPTION ("correlation", 0, GT_FLAG, correlation),
     GT_OPTION ("once", 0, GT_FLAG, once), GT_NO_MORE_OPTIONS};

const struct gt_command gt_cmd_stats = {
  .name = "stats",
  .summary = "statistics, quantiles, correlations of numbers in files, CSV too",
  .usage = "[OPTION]... [FILE]...",
  .help = help,
  .options = options,
  .run = run,
};
