/* gsltune tune: measures, verifies and saves the winners.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "src/device/gpus.h"
#include "tuning/command/commands.h"
#include "tuning/measure/clock.h"
#include "tuning/report/report.h"
#include "tuning/search/space.h"
#include "tuning/search/tuner.h"
#include "tuning/store/profile_store.h"
#include "tuning/text/table.h"

struct request
{
  struct gt_tuner_options tuner;
  int dry_run;
  int procedures; /* --procedures: only these */
  int json;
};

/* -------------------------------------------------------------- Dry run */

/* The reasons that exclude candidates; each has a column.  */
static const struct
{
  const char *heading;
  enum gt_verdict verdict;
} columns[] = {{"no launch", GT_PRUNED_LAUNCH},
               {"same", GT_PRUNED_SAME},
               {"in flight", GT_PRUNED_IN_FLIGHT},
               {"waves", GT_PRUNED_WAVES},
               {"unavailable", GT_PRUNED_UNAVAILABLE}};
#define N_COLUMNS (sizeof columns / sizeof columns[0])

/* Writes the reason why a candidate would or would not be measured, with the figures.  */
static const char *
reason (const struct gt_candidate *c, char text[320])
{
  const int has_why = c->verdict == GT_PRUNED_UNAVAILABLE;

  snprintf (text, 320, "%s%s%s", gt_verdict_text[c->verdict],
            has_why ? ": " : "", has_why ? c->why : "");
  return text;
}

static json_t *
candidate_json (const struct gt_candidate *c)
{
  char text[320];

  return json_pack ("{s:s, s:b, s:s, s:s, s:f, s:f}", "configuration",
                    gt_config_text (c->kernel, &c->config), "measured",
                    c->verdict == GT_KEPT, "verdict", gt_verdict_text[c->verdict],
                    "reason", reason (c, text), "occupancy", c->occupancy,
                    "bytes_in_flight", c->bytes_in_flight);
}

static json_t *
space_json (const struct gt_space *space)
{
  const struct gt_problem *p = &space->problem;
  json_t *list = json_array ();

  for (unsigned i = 0; i < space->n; i++)
    json_array_append_new (list, candidate_json (&space->candidate[i]));
  return json_pack ("{s:s, s:s, s:s, s:s, s:I, s:f, s:o}", "operation",
                    gt_reductions[p->reduction].name, "type",
                    gt_arithmetics[p->arithmetic].name, "mode",
                    gt_mode_names[p->mode], "layout",
                    gt_layout_names[p->layout], "n", (json_int_t) p->n,
                    "bytes_needed_in_flight", space->bytes_needed,
                    "candidates", list);
}

static void
list_candidates (const struct gt_space *space)
{
  char text[320];

  puts (gt_problem_text (&space->problem));
  for (unsigned i = 0; i < space->n; i++)
    {
      const struct gt_candidate *c = &space->candidate[i];

      printf ("  %-30s  ", gt_config_text (c->kernel, &c->config));
      if (c->kernel->device == GT_CUDA && c->verdict != GT_PRUNED_UNAVAILABLE)
        printf ("%3.0f%% occupancy, %8s in flight: ", 100 * c->occupancy,
                gt_format_bytes (c->bytes_in_flight));
      puts (reason (c, text));
    }
  putchar ('\n');
}

static void
space_row (struct gt_table *table, const struct gt_space *space)
{
  gt_table_printf (table, "%s\t%u\t%u", gt_problem_text (&space->problem), space->n,
                   gt_space_count (space, GT_KEPT));
  for (unsigned i = 0; i < N_COLUMNS; i++)
    gt_table_cell (table, "%u", gt_space_count (space, columns[i].verdict));
}

/* Shows the search space of every problem of a device.  */
static int
show_spaces (const struct request *request, struct gt_target *target,
             json_t *devices)
{
  const char *name = gt_device_name (target->device);
  struct gt_table *table
    = gt_table_new ("lrrrrrrr", "problem\tspace\tmeasured");
  json_t *spaces = json_array ();
  unsigned n, kept = 0, all = 0; /* problems, candidates */
  struct gt_problem *list
    = gt_tuner_problems (target->device, &request->tuner,
                         target->ops->capacity (target), &n);
  struct gt_space space;
  int failed = list == NULL;

  for (unsigned i = 0; i < N_COLUMNS; i++)
    gt_table_cell (table, "%s", columns[i].heading);
  if (request->tuner.verbose && !request->json)
    printf ("%s, every candidate:\n\n", name);
  for (unsigned i = 0; i < n && !failed; i++)
    {
      failed = gt_space_init (&space, &list[i], target->device, target->gpu);
      if (failed)
        break;
      kept += gt_space_count (&space, GT_KEPT);
      all += space.n;
      if (request->json)
        json_array_append_new (spaces, space_json (&space));
      else
        space_row (table, &space);
      if (request->tuner.verbose && !request->json)
        list_candidates (&space);
      gt_space_clear (&space);
    }
  free (list);
  if (request->json || failed)
    gt_table_free (table);
  else
    {
      printf ("%s: %u problems, %u of %u candidates would be measured\n\n",
              name, n, kept, all);
      gt_table_print (table, stdout);
      putchar ('\n');
    }
  json_array_append_new (devices, json_pack ("{s:s, s:o}", "device", name,
                                             "problems", spaces));
  if (failed)
    return gt_failed ("%s: its search space cannot be listed: memory is short, or"
                      " the GPU has failed", name);
  return n || !request->tuner.length
           ? GT_EXIT_OK : gt_failed ("%s has no room for vectors of that length",
                                     name);
}

static void
print_legend (void)
{
  puts ("Not measured on a GPU:");
  for (unsigned i = 0; i < N_COLUMNS; i++)
    printf ("  %-11s %s\n", columns[i].heading,
            gt_verdict_text[columns[i].verdict]);
}

static int
dry_run (const struct request *request)
{
  json_t *devices = json_array ();
  struct gt_target target;
  int status = GT_EXIT_OK;

  gt_target_host (&target);
  if (request->tuner.host)
    status |= show_spaces (request, &target, devices);
  for (int i = 0; request->tuner.gpus && i < gt_gpu_count (NULL); i++)
    {
      if (!gt_tuner_wants_gpu (&request->tuner, i))
        continue;
      if (gt_target_gpu (&target, i))
        {
          gt_error ("GPU %d cannot be used: %s",
                    gt_gpu_device (i)->gpu.ordinal, target.why);
          status = GT_EXIT_FAILED;
          continue;
        }
      status |= show_spaces (request, &target, devices);
      gt_target_close (&target);
    }
  if (request->json)
    return status | gt_print_json (json_pack ("{s:o}", "devices", devices));
  json_decref (devices);
  if (request->tuner.gpus && gt_gpu_count (NULL) > 0)
    print_legend ();
  puts (request->tuner.verbose
          ? "Nothing was measured or saved."
          : "Nothing was measured or saved.  --verbose lists every candidate.");
  return status | gt_finish_stdout ();
}

/* ------------------------------------------------------------ Reporting */

static void
print_tuned (const struct gt_tuned *tuned)
{
  printf ("%s\n", gt_device_name (tuned->device));
  printf ("  %u of %u problems tuned", tuned->done, tuned->problems);
  if (tuned->resumed)
    printf (" (%u kept from an earlier run)", tuned->resumed);
  if (tuned->failed)
    printf (", %u without a candidate that works", tuned->failed);
  if (tuned->excluded)
    printf (", %u candidates excluded as wrong or failing", tuned->excluded);
  putchar ('\n');
  if (tuned->disturbed > tuned->timings / 20)
    printf ("  %u%% of the timings were disturbed: the machine was busy.  Where that"
            " left a\n    doubt, what serves untuned stays: tune again when nothing else"
            " runs\n", 100 * tuned->disturbed / tuned->timings);
  putchar ('\n');
  if (tuned->findings.n_steps)
    gt_report_winners (tuned->device, &tuned->findings, NULL, 1);
  if (tuned->saved)
    printf ("\nSaved in %s/%s.json\n", tuned->folder, tuned->findings.silicon);
}

static json_t *
tuned_json (const struct gt_tuned *tuned)
{
  return json_pack (
    "{s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:s, s:s, s:o}", "device",
    gt_device_name (tuned->device), "silicon", tuned->findings.silicon,
    "problems", (int) tuned->problems, "done", (int) tuned->done, "kept",
    (int) tuned->resumed, "failed", (int) tuned->failed, "excluded",
    (int) tuned->excluded, "folder", tuned->saved ? tuned->folder : "",
    "trouble", tuned->trouble,
    "steps", gt_report_steps_json (tuned->device, &tuned->findings, NULL, NULL));
}

/* Reports problems that could not be tuned and profiles that could not be saved.  Returns the
   exit status.  */
static int
judge (const struct gt_tuned *tuned, int system_wide)
{
  if (tuned->folder[0] == '\0')
    return gt_failed ("the profile of %s was not saved: %s: %s",
                      gt_device_name (tuned->device), tuned->trouble,
                      gt_profile_save_advice (system_wide));
  if (tuned->trouble[0])
    return gt_failed ("%s was not tuned to the end: %s",
                      gt_device_name (tuned->device), tuned->trouble);
  return tuned->failed ? GT_EXIT_FAILED : GT_EXIT_OK;
}

static int
report (const struct request *request, struct gt_tuned *tuned, unsigned n,
        double seconds)
{
  json_t *list = json_array ();
  int status = GT_EXIT_OK;

  for (unsigned i = 0; i < n; i++)
    if (request->json)
      json_array_append_new (list, tuned_json (&tuned[i]));
    else
      {
        print_tuned (&tuned[i]);
        putchar ('\n');
      }
  if (request->json)
    status |= gt_print_json (json_pack ("{s:o, s:f}", "devices", list,
                                        "seconds", seconds));
  else
    {
      printf ("Tuned in %.0f s.  Next: 'gsltune show' has every winner,"
              " 'gsltune run\n-- PROGRAM' runs a GSL program with them.\n", seconds);
      json_decref (list);
    }
  for (unsigned i = 0; i < n; i++)
    {
      status |= judge (&tuned[i], request->tuner.system_wide);
      gt_profile_clear (&tuned[i].findings);
    }
  return status;
}

static int
tune (const struct request *request)
{
  struct gt_tuned *tuned
    = gt_need (calloc ((size_t) gt_device_count (), sizeof *tuned));
  double begun = gt_now ();
  unsigned n;
  int status, saved = 0;

  n = gt_tuner_run (&request->tuner, tuned);
  status = n ? report (request, tuned, n, gt_now () - begun)
             : GT_EXIT_FAILED;
  for (unsigned i = 0; i < n; i++)
    saved |= tuned[i].saved;
  free (tuned);
  if (gt_tuner_interrupted ())
    return gt_failed ("interrupted%s",
                      saved ? ": what is finished was saved; the same command"
                              " goes on from there" : "");
  if (gt_tuner_out_of_time ())
    gt_error ("the time limit was reached: lengths that were not tuned use the"
              " nearest one that was%s",
              saved ? "; the same command goes on" : "");
  return status;
}

/* -------------------------------------------------------------- Options */

/* Adds a device to those of earlier --device options.  */
static void
take_device (void *request, const char *word)
{
  struct gt_tuner_options *tuner = &((struct request *) request)->tuner;
  struct gt_device_word device = gt_parse_device ("--device", word);
  const char *why = "";
  int index = -1;

  if (device.kind == GT_CPU)
    {
      tuner->host = 1;
      return;
    }
  if (gt_gpu_count (&why) == 0)
    gt_fatal ("there is no GPU to tune: %s", why);
  if (device.ordinal >= 0)
    index = gt_require_gpu ("--device", device.ordinal);
  tuner->gpus |= index < 0 || index > 63 ? GT_ALL_GPUS : (uint64_t) 1 << index;
}

/* Adds operations.  The word "all" does not request crossovers for each.  */
static void
take_operations (void *request, const char *list)
{
  struct gt_tuner_options *tuner = &((struct request *) request)->tuner;
  unsigned operations = gt_parse_operations ("--operation", list);

  tuner->reductions |= operations;
  if (strcmp (list, "all") != 0)
    tuner->crossed |= operations;
}

static void
take_type (void *request, const char *word)
{
  ((struct request *) request)->tuner.arithmetics
    |= 1u << gt_types[gt_parse_type ("--type", word)].arithmetic;
}

static void
take_mode (void *request, const char *word)
{
  ((struct request *) request)->tuner.modes
    |= 1u << gt_mode_of_vectors (gt_parse_mode ("--mode", word));
}

static const struct gt_option options[] = {
  GT_OPTION ("effort", 0, GT_EFFORT, tuner.effort),
  GT_OPTION ("time-limit", 0, GT_SECONDS, tuner.time_limit),
  GT_TAKE ("operation", take_operations),
  GT_TAKE ("type", take_type),
  GT_TAKE ("mode", take_mode),
  GT_COUNTED ("length", 'n', NULL, tuner.length, 1, (uint64_t) 1 << 48),
  GT_TAKE ("device", take_device),
  GT_OPTION ("procedures", 0, GT_FLAG, procedures),
  GT_OPTION ("system", 0, GT_FLAG, tuner.system_wide),
  GT_OPTION ("dry-run", 0, GT_FLAG, dry_run),
  GT_OPTION ("verbose", 'v', GT_FLAG, tuner.verbose),
  GT_OPTION ("json", 0, GT_FLAG, json),
  GT_NO_MORE_OPTIONS
};

/* Requires that at least one of the requested types has one of the operations.  */
static void
require_something (const struct gt_tuner_options *tuner)
{
  enum gt_reduction last = GT_SUM;

  for (int r = 0; r < GT_N_REDUCTIONS; r++)
    for (int a = 0; a < GT_N_ARITHMETICS && tuner->reductions & 1u << r; a++)
      {
        last = (enum gt_reduction) r;
        if (tuner->arithmetics & 1u << a
            && gt_reduction_has (last,
                                 gt_arithmetic_for (last,
                                                    (enum gt_arithmetic) a)))
          return;
      }
  gt_usage ("tune: no such operation is there for these types: %s is of %s",
            gt_reductions[last].name, gt_operation_types (last));
}

/* Completes options that were not given: they mean all values, but --operation only those
   operations whose winners are used for the others.  */
static void
complete (struct gt_tuner_options *tuner)
{
  if (tuner->reductions == 0)
    {
      tuner->procedures = tuner->length == 0 && tuner->effort != GT_EFFORT_QUICK
                          && (tuner->modes == 0 || tuner->modes & 1u << GT_MODE_FAST);
      tuner->reductions = gt_tuner_leads ();
    }
  if (tuner->crossed == 0)
    tuner->crossed = 1u << GT_SUM;
  if (tuner->arithmetics == 0)
    tuner->arithmetics = GT_TUNED_ARITHMETICS;
  require_something (tuner);
  if (tuner->modes == 0)
    tuner->modes = ~0u;
  if (!tuner->host && !tuner->gpus)
    {
      tuner->host = 1;
      tuner->gpus = GT_ALL_GPUS;
    }
}

static void
only_procedures (struct gt_tuner_options *tuner)
{
  tuner->procedures = tuner->host = 1;
  tuner->gpus = 0;
  tuner->reductions = tuner->crossed = 0;
}

static int
run (const struct gt_command *self, int argc, char **argv)
{
  struct request request
    = {.tuner = {.effort = GT_EFFORT_NORMAL,}};

  gt_cli_parse (self, argc, argv, &request);
  complete (&request.tuner);
  if (request.procedures)
    only_procedures (&request.tuner);
  return request.dry_run ? dry_run (&request) : tune (&request);
}

const struct gt_command gt_cmd_tune = {
  .name = "tune",
  .summary = "measure this machine and save the winners",
  .usage = "[OPTION]...",
  .help
  = "Measures every kernel in every configuration that is worth it, on the CPU\n"
    "and on each GPU, from which length on a GPU helps with data on the host, and by\n"
    "what products of matrices are computed; verifies the results, and saves the\n"
    "fastest for the library to use.  Run it once per machine, while nothing else is\n"
    "running.\n\n"
    "  --effort LEVEL     quick (10 s at most), normal or thorough\n"
    "  --time-limit SEC   stop after SEC seconds; sums come first\n"
    "  --operation LIST   instead of sum, max and dot, whose winners serve the others\n"
    "                     until these are tuned: names joined by commas, or all; may\n"
    "                     be given again.  There are sum, "
    GT_OPERATIONS_HELP "\n"
    "  --type TYPE        only this element type; may be given again\n"
    "  --mode MODE        only this mode: exact, compensated or fast\n"
    "  -n, --length N     only this length, in elements, and no crossovers; lengths\n"
    "                     far from it keep what they have\n"
    "  --device DEVICE    only cpu, cuda (all GPUs), or cuda:N; may be given again\n"
    "  --procedures       only by what matrices are multiplied and data sorted, on\n"
    "                     the CPU; quick runs leave that out unless they are asked so\n"
    "  --system           save for all users of this machine\n"
    "  --dry-run          show the search space and what is left out, and why\n"
    "  -v, --verbose      name every candidate that is left out, and why\n"
    "  --json             for programs\n"
    GT_COMMON_HELP ("          ") "\n"
    "A run that was interrupted goes on where it stopped when it is started\n"
    "again, and what was measured with more effort stands; to start afresh,\n"
    "remove the file that 'gsltune show' names.  Exit status is 1 when something\n"
    "could not be tuned or saved.\n\n"
    "Examples:\n"
    "  gsltune tune\n"
    "  gsltune tune --effort quick --type double\n"
    "  gsltune tune --operation all --device cuda:0\n",
  .options = options,
  .takes = "tune takes options only",
  .run = run,
};
