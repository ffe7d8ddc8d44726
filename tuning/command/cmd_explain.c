/* gsltune explain: shows the plan of one computation, and the reasons for it.
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
#include "src/reduce/exact_sums.h"
#include "src/statistics/statistic.h"
#include "tuning/command/commands.h"
#include "tuning/command/explain_call.h"
#include "tuning/measure/called.h"
#include "tuning/measure/listed.h"
#include "tuning/report/report.h"
#include "tuning/search/problems.h"
#include "tuning/store/findings.h"
#include "tuning/text/record.h"
#include "tuning/text/table.h"

struct request
{
  enum gt_reduction operation;
  int type, mode;
  uint64_t n, stride;
  enum gt_place place;
  int json;
  const char *word; /* the argument of --operation */
  struct gt_call_question procedure;
};

/* The answer to a question about a reduction.  */
struct answer
{
  struct gt_problem problem;
  enum gt_mode mode;            /* the mode of the result; the mode of PROBLEM is that of the
                                   kernel */
  const struct gt_plans *plans; /* of the device that computes */
  struct gt_plan plan;
  uint64_t pieces;              /* the number of elements that a GPU computes at a time; 0: all
                                   at once */
  struct gt_plan of_cpu; /* the plan of the CPU's share; its kernel is null if there is no
                            share */
  int on_the_spot; /* ordinary elements are computed without the plan */
  int has_no_kernel; /* the plan is that of exact sums of doubles, of which only the threads
                        are used */
  struct gt_choice choice;
  char route[96];
  const char *route_why;
};

/* Returns the reason why no GPU can compute P.  */
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
    return gt_gpu_count (NULL) == 0
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

/* Copies the planner's decisions on a route to GPUs.  */
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

/* Returns whether an exact result is computed from inexact sums of the kernel, with error
   bounds.  */
static int
is_certified (const struct answer *answer)
{
  const struct gt_problem *const p = &answer->problem;

  return answer->mode == GT_MODE_EXACT && p->mode != GT_MODE_EXACT
         && !gt_is_integer (p->arithmetic);
}

/* Returns whether the statistic NAME needs sums that kernels for integers do not compute.  */
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

/* Finds the plan of a statistic or an exact complex product of data on the host, which have no
   kernel, but use the threads of sums.  */
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
  answer->mode = request->mode == GT_MODE_EXACT
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

static enum gt_arithmetic
arithmetic_of (const struct request *request)
{
  return gt_arithmetic_for (request->operation, gt_types[request->type].arithmetic);
}

/* Returns the profile whose step decided, or the first one if none did.  */
static const struct gt_profile *
deciding (const struct answer *answer)
{
  return gt_plans_profile_of (answer->plans, answer->plan.step);
}

/* ---------------------------------------------------------------- Reporting */

void
gt_explain_steps (const struct gt_record *r, const char *key, const struct gt_plans *plans,
                  const struct gt_step *steps, uint64_t size)
{
  const struct gt_profile *const profile = gt_plans_profile_of (plans, steps);

  gt_record_value (r, key, steps ? gt_report_steps_json (plans->device, profile, NULL, steps->kind)
                                 : json_array ());
  if (steps == NULL || r->json)
    return;
  printf ("\nMeasured for %s:\n", steps->kind);
  gt_report_sequence (profile, gt_report_findings (plans->device, profile), steps->kind, size);
}

/* Returns the method by which the mode of ANSWER is kept without a kernel, or with one whose
   sums are not exact.  */
static const char *
method_of (const struct answer *answer, enum gt_arithmetic arithmetic)
{
  return answer->mode == GT_MODE_FAST ? "rounded sums, by the threads of fast sums"
         : arithmetic == GT_LDBL      ? "whole numbers, by one thread"
                                      : "sums in twice the precision, which have a bound; where"
                                        " that leaves doubt, whole numbers decide";
}

static void
add_kernel (const struct gt_record *r, const struct request *request,
            const struct answer *answer)
{
  const struct gt_plan *plan = &answer->plan;
  const char *way = answer->on_the_spot ? gt_cutoff_way (&answer->problem) : NULL;

  if (answer->on_the_spot)
    gt_record_note (r, "kernel", "none: so few elements are computed on the spot%s%s",
                    way ? " by " : "", way ? way : "");
  if (answer->has_no_kernel)
    gt_record_note (r, "kernel", "none: %s", method_of (answer, arithmetic_of (request)));
  gt_record_value (r, "kernel",
                   json_string (answer->has_no_kernel ? "none" : plan->kernel->name));
  gt_record_value (r, "configuration",
                   json_pack ("{s:i, s:i, s:i, s:i}", "threads", (int) plan->config.threads,
                              "block", (int) plan->config.block, "unroll",
                              (int) plan->config.unroll, "blocks_per_sm",
                              (int) plan->config.blocks_per_sm));
  gt_record_note (r, answer->on_the_spot || answer->has_no_kernel ? "plan" : "kernel", "%s: %s",
                  gt_config_text (plan->kernel, &plan->config), plan->kernel->summary);
  if (gt_exact_serves (&answer->problem) && !answer->has_no_kernel
      && strcmp (answer->route, gt_way_names[GT_WAY_CPU]) == 0)
    gt_record_note (r, "", "where sums of blocks within a bound, which come first, leave doubt");
  if (is_certified (answer) && !answer->has_no_kernel)
    gt_record_note (r, "", "whose sums have a bound; where that leaves doubt, whole numbers"
                    " decide");
  if (answer->pieces)
    gt_record_note (r, "", "for pieces of %s elements", gt_format_count (answer->pieces));
  if (answer->of_cpu.kernel)
    gt_record_note (r, "CPU", "%s, for its share",
                    gt_config_text (answer->of_cpu.kernel, &answer->of_cpu.config));
}

static const char *
why_estimated (const struct answer *answer)
{
  return answer->pieces && answer->problem.mode == GT_MODE_EXACT
           ? "pieces are computed by the kernel for numbers of any size"
         : !answer->plans->profile_found
           ? "no profile was found; estimated from the device's properties"
         : answer->plans->profile.unfinished
           ? "the profile, of a run that was not at its end, has nothing near; estimated"
           : "no profile has a step of this operation, type, mode and layout; estimated";
}

/* Adds the profile, or the estimate, that decided the plan.  */
static void
add_match (const struct gt_record *r, const struct answer *answer)
{
  const struct gt_step *const step = answer->plan.step;
  const struct gt_profile *const profile = deciding (answer);
  const char *const folder = gt_search_folder (&answer->plans->search, profile);
  struct gt_step_kind kind = {.problem = answer->problem};

  if (step == NULL)
    gt_record_text (r, "match", "none: %s", why_estimated (answer));
  else
    gt_record_text (r, "match", "measured: from %s on %s", gt_format_count (step->from),
                    strcmp (step->way, GT_STEP_ESTIMATE) == 0
                      ? "the estimate is the fastest, or nothing was measured near"
                      : "the fastest");
  if (step == NULL)
    return;
  gt_step_kind_read (step->kind, &kind, NULL, 0);
  if (kind.problem.reduction != answer->problem.reduction
      || kind.problem.arithmetic != answer->problem.arithmetic)
    gt_record_text (r, "serves", "the winner of %s of %s: the operation or type has not been"
                    " tuned itself", gt_reductions[kind.problem.reduction].name,
                    gt_types_of (kind.problem.reduction, kind.problem.arithmetic));
  gt_record_text (r, "profile", "%s", profile->path);
  gt_record_note (r, "", "%s, saved %s%s", folder ? folder : "file", profile->created,
                  profile->unfinished ? ", by a run that was not at its end" : "");
  if (profile->match != GT_MATCH_SILICON)
    gt_record_text (r, "tuned_on", "%s, with %s; `gsltune tune' measures this device",
                    profile->device_name, gt_match_texts[profile->match]);
}

/* Adds the question; for people as a title: "Mean of 1000 double, mode exact, ...".  */
static void
add_question (const struct gt_record *r, const struct request *request,
              const struct answer *answer)
{
  const char *const function = request->procedure.function;
  const char *const name = function ? function : request->word;

  gt_record_value (r, "operation", json_string (gt_reductions[request->operation].name));
  gt_record_value (r, "type", json_string (gt_types[request->type].name));
  gt_record_value (r, "mode",
                   json_string (gt_mode_name_for (request->operation, answer->mode)));
  gt_record_value (r, "n", json_integer ((json_int_t) request->n));
  gt_record_value (r, "stride", json_integer ((json_int_t) request->stride));
  gt_record_value (r, "place", json_string (gt_place_names[request->place]));
  gt_record_value (r, "piece", json_integer ((json_int_t) answer->pieces));
  if (r->json == NULL)
    printf ("%c%s of %llu %s (%s)%s, stride %llu, in %s memory\n\n",
            function ? *name : toupper ((unsigned char) *name), name + 1,
            (unsigned long long) request->n, gt_types[request->type].name,
            gt_arithmetics[arithmetic_of (request)].name,
            gt_mode_text (request->operation, answer->mode, ", mode "),
            (unsigned long long) request->stride, gt_place_names[request->place]);
}

static int
report (const struct request *request, const struct answer *answer)
{
  const struct gt_record r = gt_record_new (8, request->json);
  const struct gt_profile *const profile = deciding (answer);
  const uint64_t n = answer->pieces ? answer->pieces : answer->problem.n;
  unsigned count;

  add_question (&r, request, answer);
  gt_record_text (&r, "device", "%s", gt_device_name (answer->plans->device));
  gt_record_text (&r, "route", "%s: %s", answer->route, answer->route_why);
  add_kernel (&r, request, answer);
  add_match (&r, answer);
  if (profile->rejected)
    gt_record_text (&r, "left_out", "%u steps of that file; the first: %s", profile->rejected,
                    profile->rejected_why);
  if (!answer->has_no_kernel)
    gt_explain_steps (&r, "routes", gt_host_plans (),
                      gt_choose_sequence (&answer->problem, answer->choice.at.place, &count),
                      answer->problem.n);
  gt_explain_steps (&r, "steps", answer->plans, answer->plan.step, n);
  gt_record_value (&r, "search", gt_report_search_json (&answer->plans->search));
  if (r.json)
    return gt_print_json (r.json);
  gt_report_search (&answer->plans->search);
  return GT_EXIT_OK;
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

/* Stores the operation and the type of the function in question, if it is a reduction.  */
static int
take_reduction (struct request *request)
{
  const char *const name = gt_bare_name (request->procedure.function);

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
run (const struct gt_command *self, int argc, char **argv)
{
  struct request request = {GT_SUM, GT_TYPE_DOUBLE, -1, 0, 1, 0, 0, "sum", {.n = 0}};
  struct gt_call_question *const call = &request.procedure;
  struct answer answer;

  request.n = UINT64_MAX;
  gt_cli_parse (self, argc, argv, &request);
  if (call->function && !take_reduction (&request))
    {
      call->n = request.n;
      call->mode = request.mode;
      call->json = request.json;
      return gt_explain_call (call);
    }
  if (request.n == UINT64_MAX)
    request.n = 1000000;
  request.mode = (int) gt_mode_of_vectors (
    request.mode < 0 ? (enum gt_mode) gsltune_get_mode () : (enum gt_mode) request.mode);
  if (call->m || call->k || call->trans || call->right)
    gt_usage ("explain: -m, -k, --trans and --right belong to --function");
  if (!gt_reduction_has (request.operation, arithmetic_of (&request))
      && gt_listed_for (request.operation, (enum gt_element_type) request.type) == NULL)
    gt_no_such_type ("explain", request.operation, request.type);
  find_answer (&request, &answer);
  return report (&request, &answer);
}

const struct gt_command gt_cmd_explain = {
  .name = "explain",
  .summary = "how one call would be computed, and why",
  .usage = "[OPTION]...",
  .help
  = "Prints which route, kernel and configuration the library would use for one\n"
    "call, which step of which profile decided, and why other profiles did not\n"
    "count.\n\n"
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
