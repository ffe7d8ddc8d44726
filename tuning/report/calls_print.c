/* A program's calls, for people and as JSON.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "src/base/log.h"
#include "src/base/names.h"
#include "src/blas/engines.h"
#include "tuning/report/calls.h"
#include "tuning/text/cli.h"
#include "tuning/text/table.h"

typedef unsigned long long number;

#define WORTH_A_ROW 0.005 /* of the calls' time */

/* The modes in the order of the manual.  */
static const enum gt_mode modes[]
  = {GT_MODE_AUTO, GT_MODE_EXACT, GT_MODE_FAST};
#define N_MODES (sizeof modes / sizeof *modes)

static const char *
base_name (const char *path)
{
  const char *slash = strrchr (path, '/');

  return slash ? slash + 1 : path;
}

static double
percent (double part, double whole)
{
  return whole > 0 ? 100 * part / whole : 0;
}

static const char *
plural (number n, const char *one, const char *many)
{
  return n == 1 ? one : many;
}

static const char *
type_of (const struct gt_calls_of *of)
{
  return gt_types[gt_taken[of->id].element].name;
}

/* -------------------------------------------------------------- The summary */

static void
print_summary (const struct gt_calls *calls, const struct gt_calls_run *run,
               FILE *stream)
{
  const unsigned processes = run->counts->processes;

  putc ('\n', stream);
  gt_calls_print_shares (calls, run, stream);
  fprintf (stream, "gsltune: %s", base_name (run->program[0]));
  if (calls->n_calls == 0)
    {
      fputs (run->unloaded
               ? ": its calls could not be counted\n"
               : " called none of the functions of GSL that gsltune has\n",
             stream);
      return;
    }
  fprintf (stream, " called %zu %s of GSL %llu %s, in %u %s\n", calls->n,
           plural (calls->n, "function", "functions"),
           (number) calls->n_calls,
           plural (calls->n_calls, "time", "times"), processes,
           plural (processes, "process", "processes"));
  fprintf (stream, "gsltune: they took %s, %.1f%% of the %s that the run"
           " lasted", gt_format_seconds (calls->seconds),
           percent (calls->seconds, run->seconds),
           gt_format_seconds (run->seconds));
  if (!run->is_report) /* each call runs on one thread */
    fprintf (stream, " and %.1f%% of its %s of CPU time",
             percent (calls->seconds, run->cpu_seconds),
             gt_format_seconds (run->cpu_seconds));
  putc ('\n', stream);
}

/* ------------------------------------------------------------------- Counts */

static void
format_lengths (char *text, size_t size, unsigned bucket)
{
  const number from = bucket ? 1ull << (bucket - 1) : 0;

  if (bucket < 2)
    snprintf (text, size, "%llu", from);
  else if (bucket == GT_COUNTS_BUCKETS - 1)
    snprintf (text, size, "%llu and more", from);
  else
    snprintf (text, size, "%llu to %llu", from, 2 * from - 1);
}

static int
is_product (enum gt_taken_id id)
{
  return (id >= GT_FIRST_PROCEDURE && id < GT_FIRST_SORT) || id >= GT_FIRST_FACTOR;
}

/* Writes the mean numbers of rows and columns, and of products per element.  */
static void
format_sides (char *text, size_t size, const struct gt_counts_bucket *bucket)
{
  const double calls = (double) (bucket->calls ? bucket->calls : 1);
  const double ones = calls - (double) bucket->strided;
  const double rows = ((double) bucket->strides[0] + ones) / calls;
  const double columns = ((double) bucket->strides[1] + ones) / calls;
  const double added = (double) bucket->elements / calls / (rows * columns);

  snprintf (text, size, added > 1.5 ? "%.0f x %.0f x %.0f" : "%.0f x %.0f", rows, columns,
            added);
}

/* Writes the mean stride, or that of each operand if they differ.  */
static void
format_stride (char *text, size_t size, const struct gt_counts_bucket *bucket)
{
  const double strided = (double) bucket->strided;
  const double mean[]
    = {bucket->strided ? (double) bucket->strides[0] / strided : 1,
       bucket->strided ? (double) bucket->strides[1] / strided : 1};
  int end = snprintf (text, size, "%.4g", mean[0]);

  if (bucket->strides[0] != bucket->strides[1])
    end += snprintf (text + end, size - (size_t) end, ", %.4g", mean[1]);
  if (bucket->strided != 0 && bucket->strided != bucket->calls)
    snprintf (text + end, size - (size_t) end, " in %.0f%%",
              percent (strided, (double) bucket->calls));
}

/* Adds cells with the seconds that each mode saves.  */
static void
add_gains (struct gt_table *table, const double *gained)
{
  for (unsigned k = 0; k < N_MODES; k++)
    gt_table_cell (table, "%s", gt_format_seconds (gained[modes[k]]));
}

static void
add_length (struct gt_table *table, const struct gt_calls_of *of,
            const char *name, const char *lengths,
            const struct gt_calls_length *length, double cpu_seconds)
{
  const double seconds = gt_calls_seconds (&length->counts);
  char stride[48];

  if (is_product (of->id))
    format_sides (stride, sizeof stride, &length->counts);
  else
    format_stride (stride, sizeof stride, &length->counts);
  gt_table_printf (table, "%s\t%s\t%s\t%llu\t%s\t%s\t%.1f%%", name,
                   *name ? type_of (of) : "", lengths,
                   (number) length->counts.calls, stride,
                   gt_format_seconds (seconds), percent (seconds, cpu_seconds));
  if (length->measured)
    add_gains (table, length->gained);
}

/* Adds rows for the lengths of one function: one for each that matters, and one for all
   others.  */
static void
add_lengths (struct gt_table *table, const struct gt_calls *calls,
             const struct gt_calls_of *of, double cpu_seconds)
{
  char name[96], lengths[64];
  uint64_t others = 0;
  double seconds = 0;
  int printed = 0;

  snprintf (name, sizeof name, "gsl_%s", gt_taken[of->id].symbol);
  for (unsigned k = 0; k < GT_COUNTS_BUCKETS; k++)
    {
      const struct gt_counts_bucket *bucket = &of->length[k].counts;
      const double taken = gt_calls_seconds (bucket);

      if (bucket->calls == 0)
        continue;
      if (taken < WORTH_A_ROW * calls->seconds
          && bucket->calls != of->calls)
        {
          others += bucket->calls;
          seconds += taken;
          continue;
        }
      format_lengths (lengths, sizeof lengths, k);
      add_length (table, of, printed++ ? "" : name, lengths, &of->length[k],
                  cpu_seconds);
    }
  if (others)
    gt_table_printf (table, "%s\t%s\t%s\t%llu\t\t%s\t%.1f%%",
                     printed ? "" : name,
                     printed ? "" : type_of (of),
                     printed ? "other" : "any", (number) others,
                     gt_format_seconds (seconds),
                     percent (seconds, cpu_seconds));
}

static void
print_counts (const struct gt_calls *calls, const struct gt_calls_run *run,
              FILE *stream)
{
  struct gt_table *table
    = gt_table_new ("lllrrrrrrr", "function\ttype\tlength\tcalls\tstride, sides\ttime\tof CPU\t"
                                  "auto saves\texact\tfast");

  for (size_t k = 0; k < calls->n; k++)
    add_lengths (table, calls, &calls->functions[k], run->cpu_seconds);
  gt_table_printf (table, "all\t\t\t%llu\t\t%s\t%.1f%%",
                   (number) calls->n_calls, gt_format_seconds (calls->seconds),
                   percent (calls->seconds, run->cpu_seconds));
  if (run->no_gains == NULL)
    add_gains (table, calls->gained);
  putc ('\n', stream);
  gt_table_print (table, stream);
  if (calls->n_nested)
    fputs ("all has calls that these functions make of each other: --json tells of them\n", stream);
  for (size_t k = 0; k < calls->n; k++)
    if (is_product (calls->functions[k].id))
      {
        fputs ("length, of products of matrices: numbers that are multiplied; sides: rows x columns"
               " x\nnumbers added for an element\n",
               stream);
        return;
      }
}

/* ---------------------------------------------------------------- Outcomes */

static const struct
{
  const char *name; /* the name in JSON */
  const char *heading, *meaning;
} outcomes[GT_N_OUTCOMES] = {
  {"in-place", "on the spot",
   "on the spot: without a plan, as few elements and all sorts and selections are"},
  {"cpu", "CPU", NULL},
  {"direct", "GPU", "GPU: the data was read where it lies (direct)"},
  {"copy", "copy", "copy: copied to a GPU in pieces"},
  {"staged", "staged", "staged: copied to a GPU through pinned buffers"},
  {"split", "split", "split: by GPUs and the CPU together"},
  {"blas", "BLAS", "BLAS: a product of matrices by a library of the system"},
  {"tiles", "tiles", "tiles: a product of matrices by gsltune's own tiles"},
  {"program", "own BLAS", "own BLAS: by the BLAS that the program is bound to"},
  {"unwanted", "GSL: unwanted",
   "unwanted: left to GSL by --only, --not, --mode gsl or GSLTUNE_PRELOAD"},
  {"slower", "GSL: slower",
   "slower: exact products of these may take longer than GSL's; --exact-all, or a\n"
   "mode of their own (--mode gemv=exact, or =fast), takes them too"},
  {"signs", "GSL: signs",
   "signs: those of singular vectors and eigenvectors, or the order of eigenvalues, may\n"
   "differ from GSL's; --mode fast, or --mode SV_decomp=fast, takes them"},
  {"few", "GSL: few",
   "few: of so few elements that GSL is as fast; --exact-all takes them too"},
  {"undefined", "GSL: undefined",
   "undefined: no elements, lengths that differ, NaN or infinities in a product, or\n"
   "directed rounding: GSL itself answers"},
  {"inside", "GSL: inside",
   "inside: called by one of ours, by a signal's handler that interrupted one, or\n"
   "after a jump out of one"},
  {"no-library", "GSL: no library",
   "no library: libgsltune was not found, or could not be loaded"}
};

static void
print_outcomes (const struct gt_calls *calls, const struct gt_calls_run *run,
                FILE *stream)
{
  char align[8 + GT_N_OUTCOMES] = "llrrr";
  uint64_t all[GT_N_OUTCOMES] = {0};
  unsigned char own_mode[GT_N_TAKEN];
  int own_modes = 0;
  struct gt_table *table;
  char loss[GT_LOSS_SIZE];

  gt_taken_modes (getenv ("GSLTUNE_MODE"), own_mode);
  for (size_t k = 0; k < calls->n; k++)
    {
      own_modes |= own_mode[calls->functions[k].id] != GT_OWN_NONE;
      for (unsigned o = 0; o < GT_N_OUTCOMES; o++)
        all[o] += calls->functions[k].outcome[o];
    }
  for (unsigned o = 0; o < GT_N_OUTCOMES; o++)
    if (all[o])
      strcat (align, "r");
  if (own_modes)
    strcat (align, "l");
  table = gt_table_new (align, "function\ttype\ttime\tof run\tcalls");
  for (unsigned o = 0; o < GT_N_OUTCOMES; o++)
    if (all[o])
      gt_table_cell (table, "%s", outcomes[o].heading);
  if (own_modes)
    gt_table_cell (table, "own mode");
  for (size_t k = 0; k < calls->n; k++)
    {
      const struct gt_calls_of *of = &calls->functions[k];

      gt_table_printf (table, "gsl_%s\t%s\t%s\t%.1f%%\t%llu",
                       gt_taken[of->id].symbol, type_of (of),
                       gt_format_seconds (of->seconds + of->nested_seconds),
                       percent (of->seconds + of->nested_seconds,
                                run->seconds),
                       (number) (of->calls + of->nested_calls));
      for (unsigned o = 0; o < GT_N_OUTCOMES; o++)
        if (all[o])
          gt_table_cell (table, "%llu", (number) of->outcome[o]);
      if (own_modes)
        gt_table_cell (table, "%s", gt_taken_mode_names[own_mode[of->id]]);
    }
  putc ('\n', stream);
  gt_table_print (table, stream);
  for (unsigned o = 0; o < GT_N_OUTCOMES; o++)
    if (all[o] && outcomes[o].meaning)
      fprintf (stream, "%s\n", outcomes[o].meaning);
  if (all[GT_OUTCOME_BLAS])
    for (unsigned e = GT_OWN_ENGINE + 1; e < gt_engines ()->n; e++)
      if (gt_engine_loss (&gt_engines ()->engine[e], loss))
        fprintf (stream, "%s\n", loss);
}

/* ---------------------------------------------------------- Unreached calls */

static void
print_unreached (const struct gt_calls_run *run, FILE *stream)
{
  const struct gt_counts_place *entry = gt_counts_unreached (run->counts);

  if (run->unloaded)
    fprintf (stream, "gsltune: not reached: %s: %s\n",
             base_name (run->program[0]), run->unloaded);
  for (uint32_t k = 0; k < run->counts->n_unreached; k++, entry++)
    if (entry->state != GT_COUNTS_READY)
      continue;
    else if (entry->kind == GT_UNREACHED_BOUND)
      fprintf (stream, "gsltune: not reached: %s: %u %s bound to GSL's own,"
               " %s for one: opened with RTLD_DEEPBIND?\n",
               base_name (entry->object), entry->functions,
               plural (entry->functions, "function is", "functions are"),
               entry->symbol);
    else
      fprintf (stream, "gsltune: not reached: %s: it has %u of GSL's functions"
               " of its own, %s for one: linked to a static libgsl?\n",
               base_name (entry->object), entry->functions, entry->symbol);
}

static void
print (const struct gt_calls *calls, const struct gt_calls_run *run,
       FILE *stream)
{
  print_summary (calls, run, stream);
  print_unreached (run, stream);
  if (calls->n_calls == 0)
    return;
  if (run->is_report)
    print_outcomes (calls, run, stream);
  else
    print_counts (calls, run, stream);
  if (calls->n_few && run->no_gains == NULL && !run->is_report)
    fprintf (stream, "\ngsltune: %llu of the calls are of a few elements and stay"
             " GSL's own: --exact-all takes them too\n", (number) calls->n_few);
}

/* Prints the calls.  The text is made printable because the names of programs and files may
   contain any bytes.  */
void
gt_calls_print (const struct gt_calls *calls, const struct gt_calls_run *run,
                FILE *stream)
{
  char *text = NULL;
  size_t length;
  FILE *memory = open_memstream (&text, &length);

  if (memory)
    print (calls, run, memory);
  if (memory == NULL || fclose (memory))
    gt_error ("not enough memory to report what was called");
  else
    {
      gt_make_printable (text, "\n");
      fputs (text, stream);
    }
  free (text);
}

/* ------------------------------------------------------------- For programs */

/* Returns a JSON string.  Text from other files may not be UTF-8.  */
static json_t *
utf8 (const char *bytes)
{
  json_t *string = json_string (bytes);

  return string ? string : json_string ("?");
}

static json_t *
modes_json (const double *gained)
{
  json_t *object = json_object ();

  for (int m = 0; m < GT_N_CHOSEN_MODES; m++)
    json_object_set_new (object, gt_mode_names[m], json_real (gained[m]));
  return object;
}

/* Returns the row of a length as JSON.  GAINED is the seconds that each mode would save, or
   null.  */
static json_t *
length_json (unsigned k, const struct gt_counts_bucket *bucket,
             const double *gained)
{
  const json_int_t from = k ? (json_int_t) 1 << (k - 1) : 0;

  return json_pack (
    "{s:I, s:o*, s:I, s:I, s:I, s:I, s:I, s:f, s:o*}", "from", from, "to",
    k < GT_COUNTS_BUCKETS - 1 ? json_integer (k ? 2 * from - 1 : 0) : NULL,
    "calls", (json_int_t) bucket->calls, "elements",
    (json_int_t) bucket->elements, "strided_calls",
    (json_int_t) bucket->strided, "sum_of_strides",
    (json_int_t) bucket->strides[0], "sum_of_other_strides",
    (json_int_t) bucket->strides[1], "seconds", gt_calls_seconds (bucket),
    "saved_seconds", gained ? modes_json (gained) : NULL);
}

static json_t *
outcomes_json (const uint64_t *outcome)
{
  json_t *object = json_object ();

  for (unsigned o = 0; o < GT_N_OUTCOMES; o++)
    if (outcome[o])
      json_object_set_new (object, outcomes[o].name,
                           json_integer ((json_int_t) outcome[o]));
  return object;
}

/* Returns a function as JSON.  The lengths are those of calls that are not nested.  */
static json_t *
function_json (const struct gt_calls_of *of, int is_report)
{
  json_t *lengths = json_array ();
  unsigned char own_mode[GT_N_TAKEN];

  gt_taken_modes (getenv ("GSLTUNE_MODE"), own_mode);
  for (unsigned k = 0; k < GT_COUNTS_BUCKETS; k++)
    if (of->length[k].counts.calls)
      json_array_append_new (
        lengths, length_json (k, &of->length[k].counts,
                              of->length[k].measured ? of->length[k].gained
                                                     : NULL));
  return json_pack ("{s:o, s:s, s:I, s:I, s:f, s:f, s:o*, s:s*, s:o}", "function",
                    json_sprintf ("gsl_%s", gt_taken[of->id].symbol), "type",
                    type_of (of), "calls", (json_int_t) of->calls,
                    "nested_calls", (json_int_t) of->nested_calls, "seconds",
                    of->seconds, "nested_seconds", of->nested_seconds,
                    "outcomes", is_report ? outcomes_json (of->outcome) : NULL,
                    "own_mode", is_report && own_mode[of->id] != GT_OWN_NONE
                                  ? gt_taken_mode_names[own_mode[of->id]] : NULL,
                    "lengths", lengths);
}

/* Returns the numbers of samples as JSON: all, those within counted calls, and those in other
   functions of GSL.  */
static json_t *
samples_json (const struct gt_calls *calls, const struct gt_counts *counts)
{
  json_t *beside = json_object ();

  for (size_t k = 0; k < calls->n_beside; k++)
    json_object_set_new (beside, calls->beside[k].name,
                         json_integer ((json_int_t) calls->beside[k].samples));
  return json_pack ("{s:I, s:I, s:I, s:o}", "all", (json_int_t) counts->samples, "served",
                    (json_int_t) counts->samples_within, "other",
                    (json_int_t) counts->samples_beside, "others", beside);
}

static json_t *
unreached_json (const struct gt_counts *counts)
{
  const struct gt_counts_place *entry = gt_counts_unreached (counts);
  json_t *list = json_array ();

  for (uint32_t k = 0; k < counts->n_unreached; k++, entry++)
    if (entry->state == GT_COUNTS_READY)
      json_array_append_new (
        list, json_pack ("{s:o, s:s, s:I, s:o}", "object", utf8 (entry->object),
                         "reason", entry->kind == GT_UNREACHED_BOUND
                                     ? "bound past gsltune" : "own functions",
                         "functions", (json_int_t) entry->functions, "example",
                         utf8 (entry->symbol)));
  return list;
}

int
gt_calls_print_json (const struct gt_calls *calls,
                     const struct gt_calls_run *run, FILE *stream)
{
  const int is_killed = WIFSIGNALED (run->status);
  const int is_measured = !run->is_report && !run->no_gains;
  json_t *root, *program = json_array (), *functions = json_array ();
  int status;

  for (char *const *word = run->program; *word; word++)
    json_array_append_new (program, utf8 (*word));
  for (size_t k = 0; k < calls->n; k++)
    json_array_append_new (functions, function_json (&calls->functions[k],
                                                     run->is_report));
  root = json_pack (
    "{s:o, s:s, s:i, s:f, s:f, s:I, s:I, s:I, s:f, s:o*, s:o*, s:o*, s:o, s:o, s:o}",
    "program", program, "counted", run->is_report ? "gsltune" : "gsl",
    is_killed ? "signal" : "exit_status",
    is_killed ? WTERMSIG (run->status) : WEXITSTATUS (run->status), "seconds",
    run->seconds, "cpu_seconds", run->cpu_seconds, "programs",
    (json_int_t) run->counts->loaded, "processes",
    (json_int_t) run->counts->processes, "calls", (json_int_t) calls->n_calls,
    "calls_seconds", calls->seconds, "saved_seconds",
    is_measured       ? modes_json (calls->gained)
    : run->is_report ? NULL : json_null (),
    "few_calls", is_measured ? json_integer ((json_int_t) calls->n_few) : NULL,
    "not_loaded", run->unloaded ? utf8 (run->unloaded) : NULL, "not_reached",
    unreached_json (run->counts), "samples", samples_json (calls, run->counts),
    "functions", functions);
  status = root ? json_dumpf (root, stream,
                              JSON_INDENT (2)
                                | JSON_REAL_PRECISION (6))
                : -1;
  json_decref (root);
  putc ('\n', stream);
  return status || fflush (stream) || ferror (stream) ? -1 : 0;
}
