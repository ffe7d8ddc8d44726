/* A program's calls, as JSON.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <jansson.h>
#include <sys/wait.h>

#include "src/base/names.h"
#include "tuning/report/calls.h"

#define SECONDS_DIGITS 6

/* Text of other people's files need not be UTF-8.  */
static json_t *
text (const char *bytes)
{
  json_t *string = json_string (bytes);

  return string ? string : json_string ("?");
}

static json_t *
modes_json (const double *gained)
{
  json_t *object = json_object ();

  for (int m = 0; m < GT_N_MODES; m++)
    json_object_set_new (object, gt_mode_names[m], json_real (gained[m]));
  return object;
}

/* GAINED: what each mode would save, or null.  */
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
      json_object_set_new (object, gt_outcome_names[o],
                           json_integer ((json_int_t) outcome[o]));
  return object;
}

static json_t *
caller_json (const struct gt_calls_from *from, int is_report)
{
  const struct gt_counts_slot *counts = &from->counts;
  json_t *lengths = json_array ();

  for (unsigned k = 0; k < GT_COUNTS_BUCKETS; k++)
    if (counts->bucket[k].calls)
      json_array_append_new (lengths,
                             length_json (k, &counts->bucket[k], NULL));
  return json_pack (
    "{s:o, s:o, s:b, s:I, s:I, s:o*, s:o}", "object", text (from->object),
    "symbol", text (from->symbol), "nested", from->nested, "calls",
    (json_int_t) from->calls, "largest_stride",
    (json_int_t) (counts->largest_stride ? counts->largest_stride : 1),
    "outcomes", is_report ? outcomes_json (counts->outcome) : NULL, "lengths",
    lengths);
}

/* The lengths are those of all callers together but nested ones.  */
static json_t *
function_json (const struct gt_calls_of *of, int is_report)
{
  json_t *lengths = json_array (), *callers = json_array ();

  for (unsigned k = 0; k < GT_COUNTS_BUCKETS; k++)
    if (of->length[k].counts.calls)
      json_array_append_new (
        lengths, length_json (k, &of->length[k].counts,
                              of->length[k].measured ? of->length[k].gained
                                                     : NULL));
  for (size_t k = 0; k < of->n_from; k++)
    json_array_append_new (callers, caller_json (&of->from[k], is_report));
  return json_pack ("{s:o, s:s, s:I, s:I, s:f, s:f, s:o*, s:o, s:o}", "function",
                    json_sprintf ("gsl_%s", gt_taken[of->id].symbol), "type",
                    gt_calls_type (of->id), "calls", (json_int_t) of->calls,
                    "nested_calls", (json_int_t) of->nested_calls, "seconds",
                    of->seconds, "nested_seconds", of->nested_seconds,
                    "outcomes", is_report ? outcomes_json (of->outcome) : NULL,
                    "lengths", lengths, "callers", callers);
}

static json_t *
unreached_json (const struct gt_counts *counts)
{
  const struct gt_counts_unreached *entry = gt_counts_unreached (counts);
  json_t *list = json_array ();

  for (uint32_t k = 0; k < counts->n_unreached; k++, entry++)
    if (entry->state == GT_COUNTS_READY)
      json_array_append_new (
        list, json_pack ("{s:o, s:s, s:I, s:o}", "object", text (entry->object),
                         "reason", entry->kind == GT_UNREACHED_BOUND
                                     ? "bound past gsltune" : "own functions",
                         "functions", (json_int_t) entry->functions, "example",
                         text (entry->symbol)));
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
    json_array_append_new (program, text (*word));
  for (size_t k = 0; k < calls->n; k++)
    json_array_append_new (functions, function_json (&calls->functions[k],
                                                     run->is_report));
  root = json_pack (
    "{s:o, s:s, s:i, s:f, s:f, s:I, s:I, s:I, s:f, s:o*, s:o*, s:o*, s:o, s:o}",
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
    "not_loaded", run->unloaded ? text (run->unloaded) : NULL, "not_reached",
    unreached_json (run->counts), "functions", functions);
  status = root ? json_dumpf (root, stream,
                              JSON_INDENT (2)
                                | JSON_REAL_PRECISION (SECONDS_DIGITS))
                : -1;
  json_decref (root);
  putc ('\n', stream);
  return status || fflush (stream) || ferror (stream) ? -1 : 0;
}
