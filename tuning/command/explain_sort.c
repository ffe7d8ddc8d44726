/* Explains by what a sort would be done, and why.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/command/explain_sort.h"

#include <stdio.h>
#include <string.h>

#include "src/base/names.h"
#include "src/plan/plan.h"
#include "src/plan/sort_ways.h"
#include "src/preload/taken.h"
#include "tuning/command/commands.h"
#include "tuning/command/explain_procedure.h"
#include "tuning/report/report.h"
#include "tuning/text/cli.h"
#include "tuning/text/table.h"

/* Says what each function's time is of.  */
static const struct
{
  const char *name; /* as in struct gt_taken */
  enum gt_sort_job job;
} jobs[] = {
  {"sort", GT_SORT_JOB_SORT},           {"sort_vector", GT_SORT_JOB_SORT},
  {"sort_index", GT_SORT_JOB_INDEX},    {"sort_vector_index", GT_SORT_JOB_INDEX},
  {"sort2", GT_SORT_JOB_INDEX},         {"sort_vector2", GT_SORT_JOB_INDEX},
  {"select", GT_SORT_JOB_SELECT},       {"median", GT_SORT_JOB_SELECT},
};
#define N_JOBS (sizeof jobs / sizeof *jobs)

struct answer
{
  const char *function;
  enum gt_sort_job job;
  enum gt_arithmetic arithmetic;
  char measured[GT_STEP_KIND_SIZE];
  const struct gt_step *steps, *step; /* null: estimated */
  unsigned n, threads;
  const char *way, *why;
};

/* The row of a function with GSL's prefix or ours, or without, that sorts; null if it is
   none.  */
static const struct gt_taken *
row_called (const char *name, enum gt_sort_job *job)
{
  const char *const prefixes[] = {"gsl_", "gsltune_"};

  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strncmp (name, prefixes[i], strlen (prefixes[i])) == 0)
      name += strlen (prefixes[i]);
  for (int id = GT_FIRST_SORT; id < GT_N_TAKEN; id++)
    for (size_t k = 0; k < N_JOBS && strcmp (gt_taken[id].symbol, name) == 0; k++)
      if (strcmp (gt_taken[id].name, jobs[k].name) == 0)
        {
          *job = jobs[k].job;
          return &gt_taken[id];
        }
  return NULL;
}

int
gt_explains_sort (const char *function)
{
  enum gt_sort_job job;

  return row_called (function, &job) != NULL;
}

static void
find_answer (const char *function, uint64_t n, struct answer *answer)
{
  const struct gt_taken *const row = row_called (function, &answer->job);

  answer->function = row->symbol;
  answer->arithmetic = gt_types[row->element].arithmetic;
  gt_sort_prepare ();
  gt_sort_kind_text (answer->job, gt_sort_leader (answer->job, answer->arithmetic),
                     answer->measured);
  if (gt_sort_can_be_ours (answer->job, answer->arithmetic))
    answer->steps = gt_host_steps (answer->measured, &answer->n);
  answer->way = n < gt_sort_begins (answer->job, answer->arithmetic) ? GT_STEP_GSL
                : answer->job == GT_SORT_JOB_SORT                     ? GT_STEP_VQSORT
                                                                      : GT_STEP_OWN;
  answer->threads = strcmp (answer->way, GT_STEP_GSL) == 0
                      ? 1 : gt_sort_threads (answer->job, answer->arithmetic, n);
  if (answer->n && gt_is_measured (&gt_sorts, GT_SORT_FUNCTION (answer->job, answer->arithmetic), 0))
    {
      answer->step = gt_step_at (answer->steps, answer->n, n);
      answer->why = "measured: the quickest of its kind at this length";
    }
  else
    answer->why = !gt_sort_can_be_ours (answer->job, answer->arithmetic)
                    ? "this build and processor have no other way for these elements"
                  : answer->n ? "estimated: what was measured names no way of this build:"
                                " `gsltune tune' measures anew"
                              : "estimated: no profile of this machine has this kind: `gsltune"
                                " tune' measures it";
}

static void
print_answer (const struct answer *answer, uint64_t n)
{
  printf ("%s of %s elements\n\n  by       %s, %u thread%s\n  because  %s\n", answer->function,
          gt_format_count (n),
          strcmp (answer->way, GT_STEP_GSL) == 0 ? "GSL's function" : answer->way,
          answer->threads, answer->threads > 1 ? "s" : "", answer->why);
  if (answer->job != GT_SORT_JOB_SELECT)
    puts ("  unless   there are NaN or zeros of both signs, which GSL's function sorts");
  if (answer->n)
    {
      printf ("\nMeasured for %s, by elements:\n", answer->measured);
      gt_report_sequence (gt_explain_findings (answer->steps), answer->measured, n);
    }
}

int
gt_explain_sort (const char *function, uint64_t n, int json)
{
  struct answer answer = {.function = NULL};

  find_answer (function, n, &answer);
  if (json)
    return gt_print_json (json_pack (
      "{s:s, s:s, s:I, s:s, s:i, s:b, s:s, s:o}", "function", answer.function, "measured_as",
      answer.measured, "n", (json_int_t) n, "way", answer.way, "threads", (int) answer.threads,
      "measured", answer.step != NULL, "why", answer.why, "steps",
      gt_report_steps_json (gt_device_host (), gt_explain_findings (answer.steps), NULL,
                            answer.measured)));
  print_answer (&answer, n);
  return GT_EXIT_OK;
}
