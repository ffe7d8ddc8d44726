/* gsltune doctor: what a report of a bug needs.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_version.h>
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "src/device/gpus.h"
#include "src/matrix/engines.h"
#include "src/profile/profile.h"
#include "tuning/command/commands.h"
#include "tuning/store/profile_store.h"
#include "tuning/text/table.h"

/* What there is to say about the profile of a device.  */
struct finding
{
  char found[160];
  const char *advice; /* what to do, a sentence; null: nothing */
};

/* ------------------------------------------------------------- Profiles */

/* Returns the first profile that exists and was passed over, or null.  */
static const struct gt_search_step *
passed_over (const struct gt_search *search)
{
  for (unsigned i = 0; i < search->n_steps; i++)
    if (search->step[i].status == GT_PROFILE_REFUSED
        || search->step[i].status == GT_PROFILE_BROKEN)
      return &search->step[i];
  return NULL;
}

/* Names where the profiles in use are, "user, system": an entry that one lacks is looked
   for in the next.  */
static void
folders_text (const struct gt_device *device, const struct gt_profile *first,
              struct gt_search *search, char text[64])
{
  static struct gt_profile next;
  size_t length = 0;

  snprintf (text, 64, "%s", gt_search_folder (search, first));
  while (gt_profile_search_on (device, GT_N_FOLDERS, &next, search) == 0)
    {
      length = strlen (text);
      snprintf (text + length, 64 - length, ", %s",
                gt_search_folder (search, &next));
      gt_profile_clear (&next);
    }
}

static struct finding
find_profile (const struct gt_device *device)
{
  static struct gt_profile profile;
  static struct gt_search search;
  const struct gt_search_step *passed;
  struct finding f = {"", "Run 'gsltune tune'."};
  char folders[64];

  memset (&profile, 0, sizeof profile);
  if (gt_profile_search (device, &profile, &search))
    {
      passed = passed_over (&search);
      snprintf (f.found, sizeof f.found, "none: %.150s",
                passed ? passed->why : "the library estimates");
      return f;
    }
  passed = passed_over (&search);
  if (passed)
    snprintf (f.found, sizeof f.found, "that of the folder '%s' is not used: %.120s",
              gt_folder_names[passed->folder], passed->why);
  else if (profile.rejected > 0)
    snprintf (f.found, sizeof f.found,
              "%u of %u steps cannot be used: %.90s", profile.rejected,
              profile.rejected + profile.n_steps,
              profile.rejected_why);
  else if (profile.unfinished)
    snprintf (f.found, sizeof f.found,
              "%.32s, unfinished: 'gsltune tune' goes on where it ended",
              profile.created);
  else
    {
      folders_text (device, &profile, &search, folders);
      snprintf (f.found, sizeof f.found,
                "%.32s, %u steps, gsltune %.32s (%s)", profile.created,
                profile.n_steps, profile.version, folders);
      f.advice = NULL;
    }
  gt_profile_clear (&profile);
  return f;
}

/* ----------------------------------------------------------- For people */

#define item(...) gt_print_item (20, __VA_ARGS__)

/* The name that the distribution gives itself, or "".  */
static void
distribution (char *name, size_t size)
{
  static const char key[] = "PRETTY_NAME=";
  FILE *file = fopen ("/etc/os-release", "re");
  char line[256];

  *name = '\0';
  while (file != NULL && fgets (line, sizeof line, file) != NULL)
    if (strncmp (line, key, sizeof key - 1) == 0)
      snprintf (name, size, "%.*s",
                (int) strcspn (line + sizeof key, "\"\n"), line + sizeof key);
  if (file != NULL)
    fclose (file);
}

/* Variables that change what the library does.  */
static const char *const variables[]
  = {"GSLTUNE_MODE",        "GSLTUNE_DEVICE",       "GSLTUNE_THREADS",
     "GSLTUNE_ISA",         "GSLTUNE_SCRATCH",      "GSLTUNE_PROFILE_DIR",
     "GSLTUNE_LOG",         "OMP_NUM_THREADS",      "CUDA_VISIBLE_DEVICES",
     "XDG_DATA_HOME",       "LD_PRELOAD",           "LD_LIBRARY_PATH",
     NULL};

static void
print_environment (void)
{
  int any = 0;

  for (int i = 0; variables[i] != NULL; i++)
    if (getenv (variables[i]) != NULL)
      {
        item (any ? "" : "environment", "%s=%s", variables[i],
              getenv (variables[i]));
        any = 1;
      }
  if (!any)
    item ("environment", "nothing that matters is set");
}

/* The libraries that compute fast products of matrices.  */
static void
print_engines (void)
{
  const struct gt_engines *engines = gt_engines ();
  char loss[GT_LOSS_SIZE];

  for (unsigned e = GT_OWN_ENGINE + 1; e < engines->n; e++)
    {
      item (e == GT_OWN_ENGINE + 1 ? "BLAS" : "", "%s, %s", engines->engine[e].name,
            engines->engine[e].file);
      if (gt_engine_loss (&engines->engine[e], loss))
        item ("", "%s", loss);
    }
  if (engines->n == GT_OWN_ENGINE + 1)
    item ("BLAS", "none beside GSL's: gsltune's own tiles compute fast products; a BLAS of the"
                  " system may be faster for some: 'apt-get install libopenblas0'");
  if (engines->passed_over)
    item ("", "not %s: %s", engines->passed_over, engines->why);
}

static json_t *
engines_json (void)
{
  const struct gt_engines *engines = gt_engines ();
  json_t *list = json_array ();

  for (unsigned e = GT_OWN_ENGINE + 1; e < engines->n; e++)
    json_array_append_new (list, json_pack ("{s:s, s:s, s:s?}", "name", engines->engine[e].name,
                                            "file", engines->engine[e].file, "right_core",
                                            engines->engine[e].right_core));
  return list;
}

static void
print_software (const char *why)
{
  char name[128];
  struct utsname system;

  distribution (name, sizeof name);
  puts ("Software");
  item ("gsltune", "%s, compiled by " GT_COMPILER, PACKAGE_VERSION);
  item ("GSL", "%s (compiled with %s)", gsl_version, GSL_VERSION);
  item ("hwloc", "%u.%u", hwloc_get_api_version () >> 16,
        hwloc_get_api_version () >> 8 & 255);
  print_engines ();
  if (uname (&system) == 0)
    item ("system", "%s %s %s%s%s", system.sysname, system.release,
          system.machine, *name != '\0' ? ", " : "", name);
  if (why != NULL)
    item ("CUDA", "no GPU can be used: %s", why);
  print_environment ();
}

static void
print_device (const struct gt_device *device)
{
  if (device->kind == GT_CPU)
    printf ("\ncpu: %s\n", device->host.model);
  else
    printf ("\ncuda:%d: %s\n", device->gpu.ordinal, device->gpu.name);
  item ("silicon key", "%s", gt_silicon_of (device));
  if (device->kind == GT_CPU)
    item ("usable", "%d threads of %d cores, %s, %s of memory",
          device->host.threads, device->host.cores,
          *device->host.isa != '\0' ? device->host.isa : "baseline",
          gt_format_bytes ((double) device->host.memory));
  else
    item ("driver", "for CUDA %d.%d; the GPU has %s, %d SMs, compute capability"
                    " %d.%d",
          device->gpu.driver_version / 1000,
          device->gpu.driver_version % 1000 / 10,
          gt_format_bytes ((double) device->gpu.memory), device->gpu.sms,
          device->gpu.sm.cc_major, device->gpu.sm.cc_minor);
}

static void
print_all (const char *why)
{
  print_software (why);
  for (int i = 0; i < gt_device_count (); i++)
    {
      const struct finding profile = find_profile (gt_device_at (i));

      print_device (gt_device_at (i));
      item ("profile", "%s", profile.found);
      if (profile.advice)
        item ("", "%s", profile.advice);
    }
}

/* --------------------------------------------------------- For programs */

static json_t *
environment_json (void)
{
  json_t *object = json_object ();

  for (int i = 0; variables[i] != NULL; i++)
    if (getenv (variables[i]) != NULL)
      json_object_set_new (object, variables[i],
                           json_string (getenv (variables[i])));
  return object;
}

static int
print_json (const char *why)
{
  json_t *devices = json_array ();
  struct utsname system;

  if (uname (&system) != 0)
    memset (&system, 0, sizeof system);
  for (int i = 0; i < gt_device_count (); i++)
    {
      const struct finding profile = find_profile (gt_device_at (i));

      json_array_append_new (
        devices, json_pack ("{s:s, s:s, s:s, s:s?}", "name", gt_device_name (gt_device_at (i)),
                            "silicon", gt_silicon_of (gt_device_at (i)), "profile", profile.found,
                            "advice", profile.advice));
    }
  return gt_print_json (
    json_pack ("{s:s, s:s, s:s, s:o, s:s?, s:s?, s:s, s:s, s:s?, s:o, s:o}", "gsltune",
               PACKAGE_VERSION, "compiler", __VERSION__, "gsl", gsl_version, "blas",
               engines_json (), "blas_passed_over", gt_engines ()->passed_over,
               "blas_why", gt_engines ()->why,
               "kernel", system.release, "machine", system.machine, "no_gpu",
               why, "environment", environment_json (), "devices", devices));
}

/* ------------------------------------------------------------------ Main */

static int
run (const struct gt_command *self, int argc, char **argv)
{
  int json = 0;
  const char *why = NULL;

  gt_cli_parse (self, argc, argv, &json);
  if (gt_device_count () == 1)
    gt_gpu_count (&why);
  if (json)
    return print_json (why);
  print_all (why);
  return GT_EXIT_OK;
}

const struct gt_command gt_cmd_doctor = {
  .name = "doctor",
  .summary = "what gsltune finds here: what a bug report needs",
  .usage = "[--json]",
  .help
  = "Prints on one page what a report of a bug needs: versions, the libraries and\n"
    "GPUs that were found, the profile of each device, and environment variables.\n"
    "If a GPU or a profile cannot be used it says why.\n\n"
    "  --json     for programs\n"
    GT_COMMON_HELP ("  ") "\n"
    "Exit status is 0 whatever is found.\n",
  .options = gt_json_alone,
  .takes = "this subcommand takes options alone",
  .run = run,
};
