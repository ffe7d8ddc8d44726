/* gsltune show: prints the saved winners, their origin and their gains.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "src/profile/profile_private.h"
#include "tuning/command/commands.h"
#include "tuning/report/report.h"
#include "tuning/store/profile_exchange.h"
#include "tuning/text/record.h"

struct request
{
  int json;
  int procedures; /* --procedures: only these */
  struct gt_report_filter filter;
  struct gt_device_word device;
};

/* One device or one file to show.  */
struct finding
{
  const struct gt_device *device; /* null: the device of a file that cannot be read */
  enum gt_profile_status status;
  char why[512];             /* set unless the status is GT_PROFILE_OK */
  struct gt_profile profile;
  const struct gt_profile *findings; /* the measurements, or the profile itself */
  struct gt_search search;   /* without steps if a file was named */
};

/* Writes "normal", or "quick to thorough" if the winners differ, or "unknown" if there are no
   measurements.  */
static void
effort_text (const struct gt_profile *findings, char text[40])
{
  enum gt_effort least = GT_EFFORT_THOROUGH, most = GT_EFFORT_QUICK;
  unsigned n = 0;

  for (unsigned i = 0; findings->measured && i < findings->n_steps; i++)
    if (findings->measured[i].candidates > 0)
      {
        const enum gt_effort effort = findings->measured[i].effort;

        least = effort < least ? effort : least;
        most = effort > most ? effort : most;
        n++;
      }
  if (n == 0)
    strcpy (text, "unknown");
  else
    snprintf (text, 40, least == most ? "%s" : "%s to %s",
              gt_effort_names[least], gt_effort_names[most]);
}

static const char *
place_found (const struct finding *finding)
{
  const char *folder = gt_search_folder (&finding->search, &finding->profile);
  return folder ? folder : "file";
}

/* ------------------------------------------------------------- The header */

/* Adds the other profiles, which the library searches for steps that the first one lacks.  */
static void
add_next (const struct gt_record *r, const struct finding *finding)
{
  static struct gt_search search;
  static struct gt_profile next;

  search = finding->search;
  while (search.n_steps > 0
         && gt_profile_search_on (finding->device, GT_N_FOLDERS, &next, &search) == 0)
    {
      gt_record_note (r, "next", "%s (%s)", next.path, gt_search_folder (&search, &next));
      gt_profile_clear (&next);
    }
}

static void
add_header (const struct gt_record *r, const struct finding *finding)
{
  const struct gt_profile *profile = &finding->profile;
  char effort[40];

  gt_record_text (r, "place", "%s", place_found (finding));
  gt_record_text (r, "path", "%s", profile->path);
  for (unsigned i = 0; i < finding->search.n_steps; i++)
    {
      const struct gt_search_step *step = &finding->search.step[i];

      if (step->status == GT_PROFILE_REFUSED || step->status == GT_PROFILE_BROKEN)
        gt_record_note (r, "instead", "of %s, which is %s: %s", step->path,
                        gt_profile_status_names[step->status], step->why);
    }
  gt_record_text (r, "saved", "%s by gsltune %s%s%s", profile->created, profile->version,
                  *profile->driver ? ", CUDA driver " : "", profile->driver);
  if (*profile->machine)
    gt_record_text (r, "machine", "%s", profile->machine);
  if (profile->match != GT_MATCH_SILICON)
    gt_record_text (r, "match", "approximate: %s as %s, which was not tuned; times and gains are"
                    " the other's", gt_match_texts[profile->match],
                    gt_device_name (finding->device));
  add_next (r, finding);
  effort_text (finding->findings, effort);
  gt_record_text (r, "effort", "%s", effort);
  gt_record_value (r, "unfinished", json_boolean (profile->unfinished));
  gt_record_value (r, "rejected", json_integer (profile->rejected));
  gt_record_value (r, "stale", json_integer (profile->stale));
  if (profile->rejected)
    gt_record_text (r, "left_out", "%u, %u of them of kernels that have changed; first: %s",
                    profile->rejected, profile->stale, profile->rejected_why);
}

/* ---------------------------------------------------------- For people */

static void
print_search (const struct finding *finding)
{
  printf ("%s (%s)\n  no profile\n", gt_device_name (finding->device),
          gt_silicon_of (finding->device));
  gt_report_search (&finding->search);
}

static void
print_finding (const struct finding *finding, const struct request *request)
{
  const struct gt_record r = gt_record_new (8, 0);

  if (finding->status != GT_PROFILE_OK && finding->search.n_steps)
    print_search (finding);
  if (finding->status != GT_PROFILE_OK)
    return;
  printf ("%s\n", finding->profile.device_name);
  add_header (&r, finding);
  if (request->procedures)
    {
      if (gt_report_calls (finding->findings) == 0)
        puts ("\nNo procedures were measured.");
      return;
    }
  putchar ('\n');
  gt_report_winners (finding->device, finding->findings, &request->filter, 0);
  gt_report_routes (finding->findings, &request->filter);
  if (gt_count_calls (&finding->profile))
    printf ("\n%u kinds of calls of procedures were measured: --procedures lists them.\n",
            gt_count_calls (&finding->profile));
}

/* --------------------------------------------------------- For programs */

static json_t *
finding_json (const struct finding *finding, const struct request *request)
{
  const struct gt_profile *profile = &finding->profile;
  char name[sizeof profile->device_name];
  const int has_header = *profile->silicon != '\0';
  const struct gt_record header = gt_record_new (0, 1);

  snprintf (name, sizeof name, "%s",
            has_header || !finding->device ? profile->device_name
                                           : gt_device_name (finding->device));
  gt_make_ascii (name);
  if (has_header)
    add_header (&header, finding);
  return json_pack (
    "{s:{s:s, s:s}, s:s, s:s, s:o, s:o, s:o}", "device", "silicon",
    has_header || !finding->device ? profile->silicon
                                   : gt_silicon_of (finding->device),
    "name", name, "status", gt_profile_status_names[finding->status],
    "why", finding->why, "profile",
    header.json, "steps",
    gt_report_steps_json (finding->device, finding->findings, &request->filter, NULL), "search",
    gt_report_search_json (&finding->search));
}

/* ------------------------------------------------------------- Looking */

/* Shows FINDING, or appends it to LIST unless that is null, and reports errors on standard
   error.  Returns the exit status.  */
static int
show (struct finding *finding, const struct request *request, json_t *list)
{
  int found = finding->status == GT_PROFILE_OK;

  finding->findings = found ? gt_report_findings (finding->device, &finding->profile)
                            : &finding->profile;
  if (list == NULL)
    print_finding (finding, request);
  else if (json_array_append_new (list, finding_json (finding, request)))
    {
      gt_error ("this cannot be told in JSON: memory is short, or a path is "
                "not UTF-8");
      found = 0;
    }
  if (finding->status != GT_PROFILE_OK)
    gt_error ("%s", finding->why);
  gt_profile_clear (&finding->profile);
  return found ? GT_EXIT_OK : GT_EXIT_FAILED;
}

static int
show_device (const struct gt_device *device, const struct request *request,
             json_t *list)
{
  static struct finding finding;

  memset (&finding, 0, sizeof finding);
  finding.device = device;
  if (gt_profile_search (device, &finding.profile, &finding.search))
    {
      finding.status = GT_PROFILE_ABSENT;
      snprintf (finding.why, sizeof finding.why,
                "no profile for %s: run `gsltune tune'",
                gt_device_name (device));
    }
  return show (&finding, request, list);
}

static int
show_file (const char *path, const struct request *request, json_t *list)
{
  static struct finding finding;
  static struct gt_device device;
  char why[256];

  finding.status = gt_exchange_profile (path, &finding.profile, why, sizeof why);
  if (finding.status != GT_PROFILE_OK)
    snprintf (finding.why, sizeof finding.why, "%.200s is %s: %s", path,
              gt_profile_status_names[finding.status], why);
  else if (gt_exchange_device (finding.profile.silicon, &device) == 0)
    finding.device = &device;
  return show (&finding, request, list);
}

static int
show_all (const char *file, const struct request *request)
{
  json_t *list = request->json ? json_array () : NULL;
  int status = GT_EXIT_OK, shown = 0;

  if (file)
    status = show_file (file, request, list);
  for (int i = 0; i < gt_device_count () && !file; i++)
    if (gt_device_meant (&request->device, gt_device_at (i)))
      {
        if (shown++ && !list)
          putchar ('\n');
        status |= show_device (gt_device_at (i), request, list);
      }
  return list ? status | gt_print_json (json_pack ("{s:o}", "devices", list))
              : status | gt_finish_stdout ();
}

/* -------------------------------------------------------------- Options */

static const struct gt_option options[] = {
  GT_OPTION ("json", 0, GT_FLAG, json),
  GT_OPTION ("operation", 0, GT_OPERATIONS, filter.operations),
  GT_OPTION ("type", 0, GT_TYPE, filter.type),
  GT_OPTION ("mode", 0, GT_MODE, filter.mode),
  GT_OPTION ("device", 0, GT_DEVICE, device),
  GT_OPTION ("procedures", 0, GT_FLAG, procedures),
  GT_NO_MORE_OPTIONS
};

static const char *
parse (const struct gt_command *self, int argc, char **argv,
       struct request *request)
{
  gt_cli_parse (self, argc, argv, request);
  if (request->procedures && request->device.kind == GT_CUDA)
    gt_usage ("show: --procedures are in the CPU's profile: leave --device out");
  if (request->procedures)
    request->device.kind = GT_CPU;
  if (argc - optind > 1)
    gt_usage ("show: more than one file: give one, or none for this machine's "
              "profiles");
  return argv[optind];
}

static int
run (const struct gt_command *self, int argc, char **argv)
{
  struct request request
    = {.filter = {0, -1, -1}, .device = GT_ANY_DEVICE};
  const char *file = parse (self, argc, argv, &request);

  gt_require_device (&request.device);
  return show_all (file, &request);
}

const struct gt_command gt_cmd_show = {
  .name = "show",
  .summary = "the saved winners and where they came from",
  .usage = "[OPTION]... [FILE]",
  .help
  = "Shows the profile of each device of this machine: the winner of each\n"
    "problem, its speed, the share of what the memory or the cache gives, its gain\n"
    "over GSL's own function and over the estimate; and, of the CPU, the crossovers,\n"
    "from which on a GPU helps with data on the host.  With FILE, shows that profile.\n\n"
    "  --operation LIST only these, e.g. sum or max,minmax; may be given again\n"
    "  --type TYPE      only this element type, e.g. double\n"
    "  --mode MODE      only this mode: exact, compensated or fast\n"
    "  --device DEVICE  only cpu, cuda (all GPUs), or cuda:N\n"
    "  --procedures     only these: the libraries that compute products of matrices,\n"
    "                   and the sizes from which they do\n"
    "  --json           for programs\n"
    GT_COMMON_HELP ("        ") "\n"
    "Exit status is 1 when a device has no profile, or FILE cannot be used.\n",
  .options = options,
  .run = run,
};
