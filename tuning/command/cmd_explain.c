/* gsltune explain: the plan of one sum, and what decided it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/cutoffs.h"
#include "src/base/env.h"
#include "src/base/names.h"
#include "src/base/problem.h"
#include "src/device/gpus.h"
#include "src/gsltune.h"
#include "src/plan/scheme.h"
#include "src/preload/taken.h"
#include "src/profile/step_kind.h"
#include "src/public/exact_sums.h"
#include "src/public/statistic.h"
#include "tuning/command/commands.h"
#include "tuning/command/explain_procedure.h"
#include "tuning/command/explain_sort.h"
#include "tuning/measure/called.h"
#include "tuning/measure/listed.h"
#include "tuning/report/report.h"
#include "tuning/search/problems.h"
#include "tuning/store/findings.h"
#include "tuning/text/table.h"

struct request
{
  enum gt_reduction operation;
  int type, mode;
  uint64_t n, stride;
  enum gt_place place;
  int json;
  const char *word; /* of --operation */
  struct gt_procedure_question procedure;
};

/* The answer, before it is told.  */
struct answer
{
  struct gt_problem problem;
  enum gt_mode mode;            /* what is promised of the result: PROBLEM's is the kernel's */
  const struct gt_plans *plans; /* of the device that computes */
  struct gt_plan plan;
  uint64_t pieces;              /* elements that a GPU computes at a time; 0:
                                   all at once */
  struct gt_plan of_cpu; /* of the CPU's share; its kernel is null where there is
                            none */
  int on_the_spot; /* the plan is for extraordinary elements alone */
  int has_no_kernel; /* the plan is of exact sums of doubles, whose threads serve */
  struct gt_choice choice;
  char route[96];
  const char *route_why;
};

/* Whether routes to some GPU were measured for P.  */
static int
has_routes (const struct gt_problem *p, enum gt_place place)
{
  const struct gt_profile *profile;
  char kind[GT_STEP_KIND_SIZE];

  gt_step_kind_of_route (p, place, "", kind);
  for (unsigned k = 0; (profile = gt_plans_profile (gt_host_plans (), k)); k++)
    if (gt_profile_first (profile, kind))
      return 1;
  return 0;
}

/* Whether they were measured for the problem that serves it.  */
static int
measured (const struct answer *answer)
{
  struct gt_problem p = answer->problem;
  int sign_changed = 0;

  while (!has_routes (&p, answer->choice.at.place))
    if (!gt_plan_serving (&p, &sign_changed))
      return 0;
  return 1;
}

/* Why no GPU computes P.  */
static const char *
no_kernel (const struct gt_problem *p)
{
  return !gt_arithmetics[p->arithmetic].gpu ? "a GPU has no long double"
         : gt_is_complex (p->arithmetic)
           ? "there is no kernel of GPUs for exact complex products: their parts' serve"
           : "GPUs have no kernel for this operation and type";
}

static const char *
why_cpu (const struct request *request, const struct answer *answer)
{
  const struct gt_problem *p = &answer->problem;

  if (gt_env.device == GT_CHOOSE_CPU)
    return "GSLTUNE_DEVICE is cpu";
  if (!gt_device_computes (GT_CUDA, p))
    return no_kernel (p);
  if (request->stride != 1)
    return "strided host data is read where it lies";
  if (p->n == 0)
    return "there is nothing to compute";
  if (gt_env.device == GT_CHOOSE_CUDA)
    return "GSLTUNE_DEVICE asks for a GPU that cannot be used";
  if (answer->choice.step == NULL)
    return measured (answer)
             ? "the GPU of the measured crossovers cannot be used"
             : gt_gpu_count (NULL) == 0
               ? "no GPU here"
               : "no crossovers were measured for this operation, type, mode and place";
  return "measured: the quickest at this length";
}

static const char *
why_gpu (const struct answer *answer)
{
  if (answer->choice.at.place == GT_PLACE_DEVICE)
    return "the data lies in the GPU's memory";
  if (gt_env.device == GT_CHOOSE_CUDA)
    return answer->choice.step
             ? "GSLTUNE_DEVICE asks for a GPU; measured: its quickest way"
             : "GSLTUNE_DEVICE asks for a GPU; not measured";
  return "measured: the quickest at this length";
}

/* Takes over what the planner has decided on a route to GPUs.  */
static void
take_scheme (const struct gt_scheme *scheme, struct answer *answer)
{
  uint64_t share = scheme->gpu_n;

  answer->plans = scheme->plans;
  answer->plan = scheme->gpu_plan;
  if (!scheme->at_once)
    answer->pieces = scheme->piece < share ? scheme->piece : share;
  if (scheme->choice.route.percent < 100)
    answer->of_cpu = scheme->cpu_plan;
}

/* Returns whether an exact result is made of sums of the kernel that are not exact.  */
static int
is_certified (const struct answer *answer)
{
  const struct gt_problem *const p = &answer->problem;

  return answer->mode == GT_MODE_EXACT && p->mode != GT_MODE_EXACT
         && !gt_is_integer (p->arithmetic);
}

/* Returns whether the statistic NAME is made of other sums than kernels of integers make.  */
static int
is_of_powers (const char *name)
{
  static const struct
  {
    const char *name;
    enum gt_term_what what;
  } statistics[] = {
#define STATISTIC(name, what, ...) {#name, GT_TERM_##what},
#include "kernels/statistics.def"
  };

  for (size_t i = 0; i < sizeof statistics / sizeof *statistics; i++)
    if (strcmp (statistics[i].name, name) == 0)
      return gt_kinds[statistics[i].what].form > GT_FORM_SQUARES
             && statistics[i].what != GT_TERM_COVARIANCE;
  return 0;
}

/* Statistics and exact complex products of data on the host have no kernel, and the threads of
   sums.  */
static void
find_statistic (const struct request *request, struct answer *answer)
{
  answer->has_no_kernel = 1;
  answer->problem = (struct gt_problem) {GT_SUM, GT_F64, answer->mode, GT_CONTIGUOUS, request->n};
  answer->choice.route = (struct gt_route) {GT_WAY_CPU, 0, 0, 0};
  answer->route_why = "GPUs compute this only if the data lies in their memory";
  answer->plans = gt_host_plans ();
  answer->plan = *gt_plan_find (answer->plans, &answer->problem);
}

static void
find_on_host (const struct request *request, struct answer *answer)
{
  struct gt_location at = {request->place, -1};
  struct gt_choice *choice = &answer->choice;
  struct gt_scheme scheme;

  gt_choose (&answer->problem, &at, choice);
  if (choice->route.way != GT_WAY_CPU
      && gt_scheme_make (choice, &answer->problem, &scheme) == 0)
    {
      answer->route_why = why_gpu (answer);
      take_scheme (&scheme, answer);
      return;
    }
  choice->route = (struct gt_route) {GT_WAY_CPU, 0, 0, 0};
  answer->route_why = why_cpu (request, answer);
  answer->plans = gt_host_plans ();
  answer->plan = *gt_plan_find (answer->plans, &answer->problem);
}

static void
find_on_device (const struct request *request, struct answer *answer)
{
  const char *why = no_kernel (&answer->problem);
  struct gt_open_gpu *gpu
    = gt_device_computes (GT_CUDA, &answer->problem) ? gt_gpu_chosen (&why) : NULL;

  if (gpu == NULL)
    gt_fatal ("there is no device memory to compute in: %s", why);
  answer->plans = gt_need ((struct gt_plans *) gt_plans_of (gpu));
  answer->choice
    = (struct gt_choice) {.route = {GT_WAY_DIRECT, 100, 0, 0},
                          .at = {request->place, gt_gpu_chosen_index ()},
                          .gpu = gt_gpu_chosen_index (),
                          .n_gpus = 1};
  answer->route_why = why_gpu (answer);
  answer->plan = *gt_plan_find (answer->plans, &answer->problem);
}

static void
find_answer (const struct request *request, struct answer *answer)
{
  const enum gt_reduction reduction = request->operation;

  *answer = (struct answer) {
    .problem = gt_problem_for (reduction, (enum gt_element_type) request->type,
                               (enum gt_mode) request->mode)};
  if (request->place == GT_PLACE_DEVICE && reduction == GT_CORRELATION
      && gt_is_integer (answer->problem.arithmetic))
    answer->problem.reduction = GT_COMOMENTS;
  answer->mode = gt_mode_asked (reduction, (enum gt_mode) request->mode) == GT_MODE_EXACT
                     && gt_reductions[reduction].algebra != GT_ALGEBRA_ORDER
                   ? GT_MODE_EXACT : answer->problem.mode;
  answer->problem.layout = gt_layout_of (request->stride);
  answer->problem.n = request->n;
  if (request->place == GT_PLACE_DEVICE)
    find_on_device (request, answer);
  else if (is_certified (answer) || is_of_powers (request->word)
           || !gt_device_computes (GT_CPU, &answer->problem))
    find_statistic (request, answer);
  else
    find_on_host (request, answer);
  gt_route_text (&answer->choice.route, answer->route, sizeof answer->route);
  answer->on_the_spot = request->place != GT_PLACE_DEVICE && !answer->has_no_kernel
                        && answer->choice.route.way == GT_WAY_CPU
                        && gt_called_on_the_spot (&answer->problem);
  if (answer->plan.kernel == NULL)
    gt_fatal ("the catalogue has no kernel for %s of %s, mode %s: the library"
              " cannot compute it", gt_reductions[reduction].name,
              gt_types[request->type].name,
              gt_mode_names[answer->problem.mode]);
}

static const char *
why_estimated (const struct gt_plans *plans)
{
  if (!plans->profile_found)
    return "none: no profile was found; estimated from the device's"
           " properties";
  if (plans->profile.unfinished)
    return "none: the profile, of a run that was not at its end, has nothing"
           " near;\n           estimated from the device's properties";
  return "none: no profile has a step of this operation, type, mode and\n"
         "           layout; estimated from the device's properties";
}

/* Says by what the plan was decided.  */
static void
match_text (const struct answer *answer, char *text, size_t size)
{
  const struct gt_step *const step = answer->plan.step;

  if (step == NULL && answer->pieces && answer->problem.mode == GT_MODE_EXACT)
    snprintf (text, size, "none: pieces are computed by the kernel for numbers"
              " of any size");
  else if (step == NULL)
    snprintf (text, size, "%s", why_estimated (answer->plans));
  else if (strcmp (step->way, GT_STEP_ESTIMATE) == 0)
    snprintf (text, size, "measured: from %s on the estimate is the fastest, or nothing was"
              " measured near", gt_format_count (step->from));
  else
    snprintf (text, size, "measured: the fastest from %s on", gt_format_count (step->from));
}

/* Returns the profile whose step decided, or the first one where none did.  */
static const struct gt_profile *
deciding (const struct answer *answer)
{
  return gt_plans_profile_of (answer->plans, answer->plan.step);
}

/* Tells whose winner serves, where the problem has none of its own.  */
static void
print_serving (const struct answer *answer)
{
  const struct gt_problem *asked = &answer->problem;
  struct gt_step_kind kind = {.problem = *asked};
  const struct gt_problem *const tuned = &kind.problem;

  if (answer->plan.step)
    gt_step_kind_read (answer->plan.step->kind, &kind, NULL, 0);
  if (tuned->reduction != asked->reduction)
    printf ("  serves   %s's winner serves: %s has not been tuned itself\n",
            gt_reductions[tuned->reduction].name,
            gt_reductions[asked->reduction].name);
  else if (tuned->arithmetic != asked->arithmetic)
    printf ("  serves   the winner of %s serves: %s has not been tuned itself\n",
            gt_types_of (tuned->reduction, tuned->arithmetic),
            gt_types_of (asked->reduction, asked->arithmetic));
}

static void
print_search (const struct gt_search *search)
{
  puts ("\nProfiles looked for, in order:");
  for (unsigned i = 0; i < search->n_steps; i++)
    {
      const struct gt_search_step *step = &search->step[i];

      printf ("  %-12s %s: %s%s%s\n", gt_folder_names[step->folder],
              step->path[0] ? step->path : "no folder",
              gt_profile_status_names[step->status],
              step->why[0] ? ", " : "", step->why);
    }
}

/* Prints from which length on which route was the quickest.  */
static void
print_routes (const struct answer *answer)
{
  enum gt_place place = answer->choice.at.place;
  unsigned n;
  const struct gt_step *const steps = gt_choose_sequence (&answer->problem, place, &n);
  struct gt_step_kind kind;
  char text[96];
  int own;

  if (n == 0)
    return;
  gt_step_kind_read (steps->kind, &kind, NULL, 0);
  own = kind.problem.reduction == answer->problem.reduction;
  printf ("\nRoutes measured for %s%s%s memory and %s:\n",
          own ? "" : gt_reductions[kind.problem.reduction].name,
          own ? "" : ", which serve, in ", gt_place_names[place], kind.device);
  for (unsigned i = 0; i < n; i++)
    {
      const struct gt_route route = gt_step_route (&steps[i]);

      gt_route_text (&route, text, sizeof text);
      printf ("  from %-6s %s%s\n", gt_format_count (steps[i].from), text,
              &steps[i] == answer->choice.step ? "   <-" : "");
    }
}

/* Returns the step of the findings of KIND whose length is the nearest to N, or null.  */
static const struct gt_step *
nearest (const struct gt_profile *findings, const char *kind, uint64_t n)
{
  unsigned count;
  const struct gt_step *const steps = gt_profile_steps (findings, kind, &count);
  const struct gt_step *best = steps;

  for (unsigned k = 1; k < count; k++)
    if (fabs (log2 ((double) steps[k].from / (double) (n + (n == 0))))
        < fabs (log2 ((double) best->from / (double) (n + (n == 0)))))
      best = &steps[k];
  return best;
}

/* Prints the figures that were measured at the length nearest to N.  */
static void
print_figures (const struct gt_profile *findings, const char *kind, uint64_t n)
{
  const struct gt_step *const step = nearest (findings, kind, n);
  struct gt_winner winner;
  double call;

  if (findings->measured == NULL || step == NULL
      || !gt_findings_winner (findings, step, &winner))
    return;
  call = gt_winner_call (&winner);
  printf ("  figures  %s, effort %s: %s", gt_problem_text (&winner.problem),
          gt_effort_names[winner.measured.effort],
          gt_config_text (winner.kernel, &winner.config));
  if (call > 0)
    printf (", %s a call", gt_format_seconds (call));
  putchar ('\n');
  if (winner.measured.default_seconds > 0 && !gt_winner_on_the_spot (&winner))
    printf ("           %.2f times as fast as the estimate\n",
            winner.measured.default_seconds / winner.measured.seconds);
  if (winner.measured.gsl_seconds > 0 && call > 0)
    printf ("           %.2f times as fast as %s\n", winner.measured.gsl_seconds / call,
            gt_gsl_name (winner.problem.reduction, winner.problem.arithmetic));
  if (winner.measured.next_seconds > 0)
    printf ("           next best %s: %.2f times as long\n", winner.measured.next,
            winner.measured.next_seconds / winner.measured.seconds);
  printf ("           %u candidates measured, %u ruled out before, %u excluded"
          " as wrong or\n           failing\n", winner.measured.candidates,
          winner.measured.pruned, winner.measured.failed);
}

/* Prints the file that decided, and what was measured then.  */
static void
print_step (const struct answer *answer)
{
  const struct gt_plans *const plans = answer->plans;
  const struct gt_profile *profile = deciding (answer);
  const char *folder = gt_search_folder (&plans->search, profile);

  printf ("  profile  %s (%s)\n           saved %s%s\n", profile->path,
          folder ? folder : "", profile->created,
          profile->unfinished ? ", by a run that was not at its end" : "");
  if (profile->match != GT_MATCH_SILICON)
    printf ("           tuned on %s, not on this device; `gsltune tune' measures it\n",
            profile->device_name);
  print_figures (gt_report_findings (plans->device, profile), answer->plan.step->kind,
                 answer->pieces ? answer->pieces : answer->problem.n);
}

/* Prints the steps of the kind that decided.  */
static void
print_steps (const struct answer *answer)
{
  printf ("\nSteps of %s, by elements:\n", answer->plan.step->kind);
  gt_report_sequence (deciding (answer), answer->plan.step->kind,
                      answer->pieces ? answer->pieces : answer->problem.n);
}

static enum gt_arithmetic
arithmetic_of (const struct request *request)
{
  return gt_arithmetic_for (request->operation, gt_types[request->type].arithmetic);
}

/* The title: "Mean of 1000 double (f64), mode exact, ...", or "gsl_stats_mean of ...".  */
static void
print_title (const struct request *request, const struct answer *answer)
{
  const char *const function = request->procedure.function;
  const char *const name = function ? function : request->word;

  printf ("%c%s of %llu %s (%s)%s, stride %llu, in %s memory\n\n",
          function ? *name : toupper ((unsigned char) *name), name + 1,
          (unsigned long long) request->n, gt_types[request->type].name,
          gt_arithmetics[arithmetic_of (request)].name,
          gt_mode_text (request->operation, answer->mode, ", mode "),
          (unsigned long long) request->stride,
          gt_place_names[request->place]);
}

static void
print_answer (const struct request *request, const struct answer *answer)
{
  const struct gt_plan *plan = &answer->plan;
  const struct gt_plans *plans = answer->plans;
  char match[256];

  match_text (answer, match, sizeof match);
  print_title (request, answer);
  printf ("  device   %s\n", gt_device_name (plans->device));
  printf ("  route    %s: %s\n", answer->route, answer->route_why);
  if (answer->on_the_spot)
    {
      const char *way = gt_cutoff_way (&answer->problem);

      printf ("  kernel   none: so few elements are computed on the spot%s%s\n",
              way ? " by\n           " : "",
              way ? way : "");
      if (way)
        printf ("           and, where there is doubt, by the kernel of the plan\n");
    }
  if (answer->has_no_kernel)
    printf ("  kernel   none: %s\n", answer->mode == GT_MODE_FAST
              ? "rounded sums, by the threads of fast sums"
              : arithmetic_of (request) == GT_LDBL
              ? "whole numbers, by one thread"
              : "sums in twice the precision, which have a bound, by the threads of exact\n"
                "           sums; where that leaves doubt, whole numbers decide");
  printf ("  %s   %s\n           %s\n",
          answer->on_the_spot || answer->has_no_kernel ? "plan  " : "kernel",
          gt_config_text (plan->kernel, &plan->config), plan->kernel->summary);
  if (gt_exact_serves (&answer->problem) && !answer->has_no_kernel
      && strcmp (answer->route, gt_way_names[GT_WAY_CPU]) == 0)
    printf ("           where sums of blocks within a bound, which come first, leave doubt\n");
  if (is_certified (answer))
    printf ("           whose sums have a bound; where that leaves doubt, whole numbers decide\n");
  if (answer->pieces)
    printf ("           for pieces of %s elements\n",
            gt_format_count (answer->pieces));
  if (answer->of_cpu.kernel)
    printf ("  CPU      %s, for its share\n",
            gt_config_text (answer->of_cpu.kernel, &answer->of_cpu.config));
  if (plan->step && deciding (answer)->match != GT_MATCH_SILICON)
    printf ("  match    approximate: tuned on a device with %s\n           %s\n",
            gt_match_texts[deciding (answer)->match], match);
  else
    printf ("  match    %s\n", match);
  print_serving (answer);
  if (plan->step)
    print_step (answer);
  if (deciding (answer)->rejected)
    printf ("  left out %u steps of that file; the first: %s\n",
            deciding (answer)->rejected, deciding (answer)->rejected_why);
  if (!answer->has_no_kernel)
    print_routes (answer);
  if (plan->step)
    print_steps (answer);
  print_search (&plans->search);
}

/* Returns the steps of the kind of STEP, of PROFILE; none if STEP is null.  */
static json_t *
steps_json (const struct gt_device *device, const struct gt_profile *profile,
            const struct gt_step *step)
{
  return step ? gt_report_steps_json (device, profile, NULL, step->kind) : json_array ();
}

static json_t *
routes_json (const struct answer *answer)
{
  unsigned n;
  const struct gt_step *const steps
    = gt_choose_sequence (&answer->problem, answer->choice.at.place, &n);

  return steps_json (gt_device_host (), gt_plans_profile_of (gt_host_plans (), steps), steps);
}

static json_t *
answer_json (const struct request *request, const struct answer *answer)
{
  const struct gt_plan *plan = &answer->plan;
  const struct gt_plans *plans = answer->plans;
  char match[256];

  match_text (answer, match, sizeof match);
  return json_pack (
    "{s:s, s:s, s:s, s:s, s:I, s:I, s:s, s:s, s:s, s:s, s:s,"
    " s:{s:i, s:i, s:i, s:i}, s:b, s:I, s:s, s:s, s:s, s:o, s:i, s:s, s:o, s:o}",
    "operation", gt_reductions[request->operation].name, "type",
    gt_types[request->type].name, "arithmetic",
    gt_arithmetics[arithmetic_of (request)].name, "mode",
    gt_mode_name_for (request->operation, answer->mode), "n", (json_int_t) request->n,
    "stride", (json_int_t) request->stride, "place",
    gt_place_names[request->place], "device",
    gt_device_name (plans->device), "route", answer->route, "route_why",
    answer->route_why, "kernel", answer->has_no_kernel ? "none" : plan->kernel->name, "configuration",
    "threads", (int) plan->config.threads, "block", (int) plan->config.block,
    "unroll", (int) plan->config.unroll, "blocks_per_sm",
    (int) plan->config.blocks_per_sm, "on_the_spot", answer->on_the_spot, "piece",
    (json_int_t) answer->pieces,
    "match", match, "profile",
    plan->step ? deciding (answer)->path : "", "profile_match",
    plan->step ? gt_match_texts[deciding (answer)->match] : "", "steps",
    steps_json (plans->device, deciding (answer), plan->step),
    "passed_over", (int) deciding (answer)->rejected, "passed_over_why",
    deciding (answer)->rejected_why, "routes", routes_json (answer),
    "search", gt_report_search_json (&plans->search));
}

static void
take_place (void *request, const char *word)
{
  ((struct request *) request)->place
    = gt_parse_name ("--place", "place", word, gt_place_names,
                     sizeof gt_place_names[0], GT_N_PLACES);
}

static void
take_operation (void *closure, const char *word)
{
  struct request *const request = closure;

  request->operation = gt_parse_operation ("--operation", word);
  request->word = word;
}

static const struct gt_option options[] = {
  GT_TAKE ("operation", take_operation),
  GT_OPTION ("type", 0, GT_TYPE, type),
  GT_OPTION ("mode", 0, GT_MODE, mode),
  GT_COUNTED ("length", 'n', "-n", n, 0, (uint64_t) 1 << 48),
  GT_COUNTED ("stride", 0, NULL, stride, 1, (uint64_t) 1 << 48),
  GT_TAKE ("place", take_place),
  GT_OPTION ("function", 0, GT_WORD, procedure.function),
  GT_COUNTED ("rows", 'm', "-m", procedure.m, 1, INT32_MAX),
  GT_COUNTED ("added", 'k', "-k", procedure.k, 1, INT32_MAX),
  GT_OPTION ("trans", 0, GT_WORD, procedure.trans),
  GT_OPTION ("right", 0, GT_FLAG, procedure.right),
  GT_OPTION ("json", 0, GT_FLAG, json),
  GT_NO_MORE_OPTIONS
};

/* The size of a product is told by its sides; a side of a million would be
   long.  */
#define SIDE_OF_PRODUCT 300

/* Takes the operation and the type of the function that is asked for, if it is a reduction.  */
static int
take_reduction (struct request *request)
{
  const char *const prefixes[] = {"gsl_", "gsltune_"};
  const char *name = request->procedure.function;

  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strncmp (name, prefixes[i], strlen (prefixes[i])) == 0)
      name += strlen (prefixes[i]);
  for (int id = 0; id < GT_FIRST_PROCEDURE; id++)
    if (strcmp (gt_taken[id].symbol, name) == 0)
      {
        request->operation = (enum gt_reduction) gt_reduction_of_function (gt_taken[id].name);
        request->type = gt_taken[id].element;
        request->word = gt_taken[id].name;
        return 1;
      }
  return 0;
}

static int
explain_procedure (struct request *request)
{
  if (gt_explains_sort (request->procedure.function))
    return gt_explain_sort (request->procedure.function, request->n, request->json);
  request->procedure.n = request->n != 1000000 ? request->n : SIDE_OF_PRODUCT;
  request->procedure.mode = request->mode;
  request->procedure.json = request->json;
  if (request->procedure.n == 0 || request->procedure.n > INT32_MAX)
    gt_usage ("explain: -n of a product is 1 to %d", INT32_MAX);
  return gt_explain_procedure (&request->procedure);
}

static int
run (const struct gt_command *self, int argc, char **argv)
{
  struct request request = {GT_SUM, GT_TYPE_DOUBLE, -1,
                            1000000, 1, 0, 0, "sum", {.n = 0}};
  struct answer answer;

  gt_cli_parse (self, argc, argv, &request);
  if (request.procedure.function && !take_reduction (&request))
    return explain_procedure (&request);
  if (request.mode < 0)
    request.mode = (int) gsltune_get_mode ();
  request.mode = (int) gt_mode_of_vectors ((enum gt_mode) request.mode);
  if (request.procedure.m || request.procedure.k || request.procedure.trans
      || request.procedure.right)
    gt_usage ("explain: -m, -k, --trans and --right belong to --function");
  if (!gt_reduction_has (request.operation,
                         gt_arithmetic_for (request.operation,
                                            gt_types[request.type].arithmetic))
      && gt_listed_for (request.operation, (enum gt_element_type) request.type) == NULL)
    gt_no_such_type ("explain", request.operation, request.type);
  find_answer (&request, &answer);
  if (request.json)
    return gt_print_json (answer_json (&request, &answer));
  print_answer (&request, &answer);
  return GT_EXIT_OK;
}

const struct gt_command gt_cmd_explain = {
  .name = "explain",
  .summary = "how one call would be computed, and why",
  .usage = "[OPTION]...",
  .help
  = "Tells which route, kernel and configuration the library would use for one\n"
    "call, which file and which step decided, how good the match was, and why\n"
    "other profiles were passed over.\n\n"
    "  --operation NAME   sum (the default), "
    GT_OPERATIONS_HELP "\n"
    "  --type TYPE        element type (double)\n"
    "  -n, --length N     elements (1000000)\n"
    "  --stride S         distance of two elements, in elements, of each vector (1)\n"
    "  --place PLACE      where the data lies: in host (the default), pinned,\n"
    "                     managed or device memory\n"
    "  --mode MODE        auto, exact, compensated or fast (what GSLTUNE_MODE\n"
    "                     says, or auto)\n"
    "  --function NAME    instead of operation and type a function of GSL's, such as\n"
    "                     gsl_stats_float_mean, or gsl_sort, of -n elements; or a\n"
    "                     product of matrices, gsl_blas_dgemm: by which library and\n"
    "                     how many threads; -n columns (300)\n"
    "  -m, --rows M       its rows (as many as columns)\n"
    "  -k, --added K      products that are added for an element (as many as columns)\n"
    "  --trans LETTERS    N, T or C for each matrix that may be transposed (NN)\n"
    "  --right            the symmetric or triangular matrix stands on the right\n"
    "  --json             for programs\n"
    GT_COMMON_HELP ("          ") "\n"
    "Examples:\n"
    "  gsltune explain --type double -n 1000000\n"
    "  gsltune explain -n 2^27 --place pinned\n"
    "  gsltune explain --function gsl_blas_dgemm -m 300 -n 300 -k 20\n",
  .options = options,
  .takes = "explain takes options only",
  .run = run,
};
