/* gsltune explain: the plan of one sum, and what decided it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>
#include <string.h>

#include "src/env.h"
#include "src/names.h"
#include "src/reduce.h"
#include "tuning/commands.h"
#include "tuning/report.h"
#include "tuning/space.h"
#include "tuning/table.h"
#include "tuning/tuner.h"

struct request
{
  enum gt_element_type type;
  enum gt_mode mode;
  uint64_t n;
  uint64_t stride;
  int on_device; /* the place: device, else host */
  int json;
};

/* The answer, before it is told.  */
struct answer
{
  struct gt_problem problem;
  const struct gt_plans *plans; /* of the device that computes */
  const struct gt_plan *plan;
  const char *route;            /* "cpu", "staged", "direct" */
  const char *route_why;
};

/* Whether the host's profile says when to copy data of this kind to a GPU.  */
static int
crossover_known (const struct gt_plans *host, const struct gt_problem *p)
{
  for (unsigned i = 0; host->profile_found && i < host->profile.n_crossovers;
       i++)
    if (host->profile.crossovers[i].arithmetic == p->arithmetic
        && host->profile.crossovers[i].mode == p->mode)
      return 1;
  return 0;
}

static const char *
why_cpu (const struct request *request, const struct gt_problem *p)
{
  const struct gt_plans *host = gt_host_plans ();

  if (gt_env.device == GT_CHOOSE_CPU)
    return "GSLTUNE_DEVICE is cpu";
  if (p->arithmetic == GT_LDBL)
    return "a GPU has no long double";
  if (request->stride != 1)
    return "strided host data is summed where it lies";
  if (p->n == 0)
    return "there is nothing to copy";
  if (gt_env.device == GT_CHOOSE_CUDA)
    return "GSLTUNE_DEVICE asks for a GPU that cannot be used";
  if (!crossover_known (host, p))
    return "no crossover to a GPU was measured for this type and mode";
  if (host->gpu_from[p->arithmetic][p->mode] == GT_NEVER)
    return "measured: copying to the GPU never pays here";
  return p->n < host->gpu_from[p->arithmetic][p->mode]
           ? "measured: copying to the GPU pays for longer vectors only"
           : "the GPU of the measured crossover cannot be used";
}

/* Returns 0, or -1 after a message.  */
static int
find_answer (const struct request *request, struct answer *answer)
{
  enum gt_arithmetic arithmetic = gt_types[request->type].arithmetic;
  struct gt_problem *p = &answer->problem;
  struct gt_cuda *gpu;
  const char *why = "";

  *p = (struct gt_problem) {arithmetic,
                            gt_effective_mode (arithmetic, request->mode),
                            request->stride == 1 ? GT_CONTIGUOUS : GT_STRIDED,
                            request->n};
  if (request->on_device)
    {
      gpu = arithmetic == GT_LDBL ? NULL : gt_cuda_chosen (&why);
      if (gpu == NULL)
        {
          gt_error ("there is no device memory to sum in: %s",
                    arithmetic == GT_LDBL ? "a GPU has no long double" : why);
          return -1;
        }
      answer->route = "direct";
      answer->route_why = "the data lies in the GPU's memory";
    }
  else
    {
      gpu = gt_route_host (arithmetic, p->mode, request->n, request->stride);
      answer->route = gpu ? "staged" : "cpu";
      answer->route_why = !gpu ? why_cpu (request, p)
                          : gt_env.device == GT_CHOOSE_CUDA
                            ? "GSLTUNE_DEVICE asks for a GPU"
                            : "measured: copying to the GPU pays from here on";
    }
  answer->plans = gpu ? gt_cuda_plans_of (gpu) : gt_host_plans ();
  if (answer->plans == NULL)
    {
      gt_error ("memory is short");
      return -1;
    }
  answer->plan = gt_plan_find (answer->plans, arithmetic, p->mode, p->layout,
                               p->n);
  return 0;
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
  return "none: the profile has no entry of this type, mode and layout;\n"
         "           estimated from the device's properties";
}

/* How far the tuned length is from the one asked for.  */
static void
match_text (const struct answer *answer, char *text, size_t size)
{
  const struct gt_entry *entry = answer->plan->entry;
  double asked = answer->problem.n ? (double) answer->problem.n : 1, factor;

  if (entry == NULL)
    snprintf (text, size, "%s", why_estimated (answer->plans));
  else if (entry->problem.n == answer->problem.n)
    snprintf (text, size, "exact: this length was tuned");
  else
    {
      factor = asked / (double) entry->problem.n;
      factor = factor > 1 ? factor : 1 / factor;
      snprintf (text, size, factor < 10 ? "nearest: %s was tuned, %.1f times %s"
                                        : "nearest: %s was tuned, %.0f times %s",
                gt_format_count (entry->problem.n), factor,
                entry->problem.n < asked ? "shorter" : "longer");
    }
}

static void
print_search (const struct gt_search *search)
{
  puts ("\nProfiles looked for, in order:");
  for (unsigned i = 0; i < search->n_steps; i++)
    {
      const struct gt_search_step *step = &search->step[i];

      printf ("  %-12s %s: %s%s%s\n", gt_profile_place_name (step->place),
              step->path[0] ? step->path : "no folder",
              gt_profile_status_name (step->status),
              step->why[0] ? ", " : "", step->why);
    }
}

static const char *
place_found (const struct gt_search *search)
{
  return search->n_steps
           ? gt_profile_place_name (search->step[search->n_steps - 1].place)
           : "";
}

/* The file and the entry that decided, and what was measured then.  */
static void
print_entry (const struct gt_plans *plans, const struct gt_entry *entry)
{
  const struct gt_profile *profile = &plans->profile;
  char problem[128];

  gt_problem_text (&entry->problem, problem, sizeof problem);
  printf ("  profile  %s (%s)\n           saved %s%s\n", profile->path,
          place_found (&plans->search), profile->created,
          profile->unfinished ? ", by a run that was not at its end" : "");
  printf ("  entry    %s, effort %s: %s a sum\n", problem,
          gt_effort_name (entry->effort), gt_format_seconds (entry->seconds));
  if (entry->default_seconds > 0)
    printf ("           %.2f times as fast as the default\n",
            entry->default_seconds / entry->seconds);
  if (entry->gsl_seconds > 0)
    printf ("           %.2f times as fast as gsl_vector_sum\n",
            entry->gsl_seconds / entry->seconds);
  printf ("           %u candidates measured, %u ruled out before, %u excluded"
          " as wrong or\n           failing\n", entry->candidates,
          entry->pruned, entry->failed);
}

static void
print_answer (const struct request *request, const struct answer *answer)
{
  const struct gt_plan *plan = answer->plan;
  const struct gt_plans *plans = answer->plans;
  char config[96], match[256];

  gt_config_text (plan->kernel, &plan->config, config, sizeof config);
  match_text (answer, match, sizeof match);
  printf ("Sum of %llu %s (%s), mode %s, stride %llu, in %s memory\n\n",
          (unsigned long long) request->n, gt_types[request->type].name,
          gt_arithmetics[answer->problem.arithmetic].name,
          gt_mode_names[answer->problem.mode],
          (unsigned long long) request->stride,
          request->on_device ? "device" : "host");
  printf ("  device   %s\n", gt_device_name (plans->device));
  printf ("  route    %s: %s\n", answer->route, answer->route_why);
  printf ("  kernel   %s\n           %s\n", config, plan->kernel->summary);
  printf ("  match    %s\n", match);
  if (plan->entry)
    print_entry (plans, plan->entry);
  if (plans->profile.rejected)
    printf ("  left out %u entries of that file; the first: %s\n",
            plans->profile.rejected, plans->profile.rejected_why);
  print_search (&plans->search);
  if (gt_env.ignored[0])
    printf ("\nEnvironment: %s\n", gt_env.ignored);
}

static json_t *
search_json (const struct gt_search *search)
{
  json_t *list = json_array ();

  for (unsigned i = 0; i < search->n_steps; i++)
    json_array_append_new (
      list, json_pack ("{s:s, s:s, s:s, s:s}", "place",
                       gt_profile_place_name (search->step[i].place), "path",
                       search->step[i].path, "status",
                       gt_profile_status_name (search->step[i].status), "why",
                       search->step[i].why));
  return list;
}

static json_t *
answer_json (const struct request *request, const struct answer *answer)
{
  const struct gt_plan *plan = answer->plan;
  const struct gt_plans *plans = answer->plans;
  char match[256];

  match_text (answer, match, sizeof match);
  return json_pack (
    "{s:s, s:s, s:s, s:I, s:I, s:s, s:s, s:s, s:s, s:s,"
    " s:{s:i, s:i, s:i, s:i}, s:s, s:s, s:o?, s:i, s:s, s:o}",
    "type", gt_types[request->type].name, "arithmetic",
    gt_arithmetics[answer->problem.arithmetic].name, "mode",
    gt_mode_names[answer->problem.mode], "n", (json_int_t) request->n,
    "stride", (json_int_t) request->stride, "place",
    request->on_device ? "device" : "host", "device",
    gt_device_name (plans->device), "route", answer->route, "route_why",
    answer->route_why, "kernel", plan->kernel->name, "configuration",
    "threads", (int) plan->config.threads, "block", (int) plan->config.block,
    "unroll", (int) plan->config.unroll, "blocks_per_sm",
    (int) plan->config.blocks_per_sm, "match", match, "profile",
    plan->entry ? plans->profile.path : "", "entry",
    plan->entry ? gt_report_entry_json (plans->device, plan->entry) : NULL,
    "passed_over", (int) plans->profile.rejected, "passed_over_why",
    plans->profile.rejected_why, "search", search_json (&plans->search));
}

enum
{
  OPT_TYPE = 1,
  OPT_MODE,
  OPT_STRIDE,
  OPT_PLACE,
  OPT_JSON
};

static const struct option options[] = {
  GT_COMMON_OPTIONS,
  {"type", required_argument, 0, OPT_TYPE},
  {"mode", required_argument, 0, OPT_MODE},
  {"length", required_argument, 0, 'n'},
  {"stride", required_argument, 0, OPT_STRIDE},
  {"place", required_argument, 0, OPT_PLACE},
  {"json", no_argument, 0, OPT_JSON},
  {0, 0, 0, 0},
};

static int
parse_place (const char *word)
{
  char quoted[GT_QUOTED_SIZE];

  if (strcmp (word, "host") == 0 || strcmp (word, "device") == 0)
    return word[0] == 'd';
  gt_usage ("--place: unknown place '%s': valid places are host, device",
            gt_quote (quoted, word, strlen (word)));
}

static int
run (const struct gt_command *self, int argc, char **argv)
{
  struct request request = {GT_TYPE_DOUBLE, (enum gt_mode) gt_mode_now,
                            1000000, 1, 0, 0};
  struct answer answer;
  int option;

  while ((option = gt_cli_next (self, argc, argv, "n:")) != -1)
    switch (option)
      {
      case OPT_TYPE:
        request.type = gt_parse_type ("--type", optarg);
        break;
      case OPT_MODE:
        request.mode = gt_parse_mode ("--mode", optarg);
        break;
      case 'n':
        request.n = gt_parse_count ("-n", optarg, 0, (uint64_t) 1 << 48);
        break;
      case OPT_STRIDE:
        request.stride
          = gt_parse_count ("--stride", optarg, 1, (uint64_t) 1 << 48);
        break;
      case OPT_PLACE:
        request.on_device = parse_place (optarg);
        break;
      default:
        request.json = 1;
      }
  if (optind < argc)
    gt_usage ("explain: unexpected argument '%s': explain takes options only",
              argv[optind]);
  if (find_answer (&request, &answer))
    return GT_EXIT_FAILED;
  if (request.json)
    return gt_print_json (answer_json (&request, &answer));
  print_answer (&request, &answer);
  return gt_finish_stdout ();
}

const struct gt_command gt_cmd_explain = {
  .name = "explain",
  .summary = "how one sum would be computed, and why",
  .usage = "[OPTION]...",
  .help
  = "Tells which route, kernel and configuration the library would use for one\n"
    "sum, which file and which entry decided, how good the match was, and why\n"
    "other profiles were passed over.\n"
    "\n"
    "  --type TYPE        element type (double)\n"
    "  -n, --length N     elements (1000000)\n"
    "  --stride S         distance of two elements, in elements (1)\n"
    "  --place PLACE      where the data lies: host (the default) or device\n"
    "  --mode MODE        exact, compensated or fast (what GSLTUNE_MODE says, or\n"
    "                     exact)\n"
    "  --json             for programs\n"
    "  --help             print this text\n"
    "  --version          print the version\n",
  .options = options,
  .run = run,
};
