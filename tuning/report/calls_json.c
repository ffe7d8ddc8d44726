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
whole (uint64_t n)
{
  return json_integer ((json_int_t) n);
}

static json_t *
modes_json (const double *gained)
{
  json_t *object = json_object ();

  for (int m = 0; m < GT_N_MODES; m++)
    json_object_set_new (object, gt_mode_names[m], json_real (gained[m]));
  return object;
}

static json_t *
length_json (unsigned k, const struct gt_counts_bucket *bucket)
{
  const uint64_t from = k ? (uint64_t) 1 << (k - 1) : 0;
  json_t *object = json_object ();

  json_object_set_new (object, "from", whole (from));
  if (k < GT_COUNTS_BUCKETS - 1)
    json_object_set_new (object, "to", whole (k ? 2 * from - 1 : 0));
  json_object_set_new (object, "calls", whole (bucket->calls));
  json_object_set_new (object, "elements", whole (bucket->elements));
  json_object_set_new (object, "strided_calls", whole (bucket->strided));
  json_object_set_new (object, "sum_of_strides", whole (bucket->strides[0]));
  json_object_set_new (object, "sum_of_other_strides",
                       whole (bucket->strides[1]));
  json_object_set_new (object, "seconds",
                       json_real (gt_calls_seconds (bucket)));
  return object;
}

static json_t *
outcomes_json (const uint64_t *outcome)
{
  json_t *object = json_object ();

  for (unsigned o = 0; o < GT_N_OUTCOMES; o++)
    if (outcome[o])
      json_object_set_new (object, gt_outcome_names[o], whole (outcome[o]));
  return object;
}

static json_t *
caller_json (const struct gt_calls_from *from, int is_report)
{
  json_t *object = json_object (), *lengths = json_array ();
  uint64_t calls = 0;

  for (unsigned k = 0; k < GT_COUNTS_BUCKETS; k++)
    if (from->counts.bucket[k].calls)
      {
        calls += from->counts.bucket[k].calls;
        json_array_append_new (lengths,
                               length_json (k, &from->counts.bucket[k]));
      }
  json_object_set_new (object, "object", text (from->object));
  json_object_set_new (object, "symbol", text (from->symbol));
  json_object_set_new (object, "nested", json_boolean (from->nested));
  json_object_set_new (object, "calls", whole (calls));
  json_object_set_new (object, "largest_stride",
                       whole (from->counts.largest_stride
                                ? from->counts.largest_stride : 1));
  if (is_report)
    json_object_set_new (object, "outcomes",
                         outcomes_json (from->counts.outcome));
  json_object_set_new (object, "lengths", lengths);
  return object;
}

/* The lengths of all callers together but nested ones, with what would be saved.  */
static json_t *
lengths_json (const struct gt_calls_of *of)
{
  json_t *lengths = json_array ();

  for (unsigned k = 0; k < GT_COUNTS_BUCKETS; k++)
    if (of->length[k].counts.calls)
      {
        json_t *object = length_json (k, &of->length[k].counts);

        if (of->length[k].measured)
          json_object_set_new (object, "saved_seconds",
                               modes_json (of->length[k].gained));
        json_array_append_new (lengths, object);
      }
  return lengths;
}

static json_t *
function_json (const struct gt_calls_of *of, const struct gt_calls_run *run)
{
  json_t *object = json_object (), *callers = json_array ();
  char name[96];

  snprintf (name, sizeof name, "gsl_%s", gt_taken[of->id].symbol);
  for (size_t k = 0; k < of->n_from; k++)
    json_array_append_new (callers,
                           caller_json (&of->from[k], run->is_report));
  json_object_set_new (object, "function", json_string (name));
  json_object_set_new (object, "type", json_string (gt_calls_type (of->id)));
  json_object_set_new (object, "calls", whole (of->calls));
  json_object_set_new (object, "nested_calls", whole (of->nested_calls));
  json_object_set_new (object, "seconds", json_real (of->seconds));
  json_object_set_new (object, "nested_seconds",
                       json_real (of->nested_seconds));
  if (run->is_report)
    json_object_set_new (object, "outcomes", outcomes_json (of->outcome));
  json_object_set_new (object, "lengths", lengths_json (of));
  json_object_set_new (object, "callers", callers);
  return object;
}

static json_t *
unreached_json (const struct gt_counts *counts)
{
  const struct gt_counts_unreached *entry = gt_counts_unreached (counts);
  json_t *list = json_array ();

  for (uint32_t k = 0; k < counts->n_unreached; k++, entry++)
    if (entry->state == GT_COUNTS_READY)
      {
        json_t *object = json_object ();

        json_object_set_new (object, "object", text (entry->object));
        json_object_set_new (object, "reason",
                             json_string (entry->kind == GT_UNREACHED_BOUND
                                            ? "bound past gsltune"
                                            : "own functions"));
        json_object_set_new (object, "functions", whole (entry->functions));
        json_object_set_new (object, "example", text (entry->symbol));
        json_array_append_new (list, object);
      }
  return list;
}

static void
set_run (json_t *root, const struct gt_calls_run *run)
{
  json_t *program = json_array ();

  for (char *const *word = run->program; *word; word++)
    json_array_append_new (program, text (*word));
  json_object_set_new (root, "program", program);
  json_object_set_new (root, "counted", json_string (run->is_report
                                                       ? "gsltune" : "gsl"));
  if (WIFSIGNALED (run->status))
    json_object_set_new (root, "signal", json_integer (WTERMSIG (run->status)));
  else
    json_object_set_new (root, "exit_status",
                         json_integer (WEXITSTATUS (run->status)));
  json_object_set_new (root, "seconds", json_real (run->seconds));
  json_object_set_new (root, "cpu_seconds", json_real (run->cpu_seconds));
  json_object_set_new (root, "programs", whole (run->counts->loaded));
  json_object_set_new (root, "processes", whole (run->counts->processes));
}

int
gt_calls_print_json (const struct gt_calls *calls,
                     const struct gt_calls_run *run, FILE *stream)
{
  json_t *root = json_object (), *functions = json_array ();
  int status;

  set_run (root, run);
  json_object_set_new (root, "calls", whole (calls->n_calls));
  json_object_set_new (root, "calls_seconds", json_real (calls->seconds));
  if (!run->is_report)
    json_object_set_new (root, "saved_seconds",
                         run->no_gains ? json_null ()
                                       : modes_json (calls->gained));
  if (!run->is_report && !run->no_gains)
    json_object_set_new (root, "few_calls", whole (calls->n_few));
  if (run->unloaded)
    json_object_set_new (root, "not_loaded", text (run->unloaded));
  json_object_set_new (root, "not_reached", unreached_json (run->counts));
  for (size_t k = 0; k < calls->n; k++)
    json_array_append_new (functions,
                           function_json (&calls->functions[k], run));
  json_object_set_new (root, "functions", functions);
  status = root ? json_dumpf (root, stream,
                              JSON_INDENT (2)
                                | JSON_REAL_PRECISION (SECONDS_DIGITS))
                : -1;
  json_decref (root);
  putc ('\n', stream);
  return status || fflush (stream) || ferror (stream) ? -1 : 0;
}
