/* gsltune doctor: prints the information that a bug report needs.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_version.h>
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "src/device/gpus.h"
#include "src/blas/engines.h"
#include "src/profile/profile.h"
#include "tuning/command/commands.h"
#include "tuning/store/profile_store.h"
#include "tuning/text/record.h"
#include "tuning/text/table.h"

/* ------------------------------------------------------------- Profiles */

/* Returns the first profile that exists but was not used, or null.  */
static const struct gt_search_step *
passed_over (const struct gt_search *search)
{
  for (unsigned i = 0; i < search->n_steps; i++)
    if (search->step[i].status == GT_PROFILE_REFUSED
        || search->step[i].status == GT_PROFILE_BROKEN)
      return &search->step[i];
  return NULL;
}

/* Writes the folders of the profiles in use, "user, system": an entry that one profile lacks
   is read from the next.  */
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

static void
add_profile (const struct gt_record *r, const struct gt_device *device)
{
  static struct gt_profile profile;
  static struct gt_search search;
  const struct gt_search_step *passed;
  char folders[64];
  const int found = gt_profile_search (device, &profile, &search) == 0;

  passed = passed_over (&search);
  if (!found)
    gt_record_text (r, "profile", "none: %s", passed ? passed->why : "the library estimates");
  else if (passed)
    gt_record_text (r, "profile", "that of the folder '%s' is not used: %s",
                    gt_folder_names[passed->folder], passed->why);
  else if (profile.rejected > 0)
    gt_record_text (r, "profile", "%u of %u steps cannot be used: %s", profile.rejected,
                    profile.rejected + profile.n_steps, profile.rejected_why);
  else
    {
      folders_text (device, &profile, &search, folders);
      gt_record_text (r, "profile", "%s, %u steps, gsltune %s (%s)%s", profile.created,
                      profile.n_steps, profile.version, folders,
                      profile.unfinished ? ", unfinished" : "");
    }
  if (!found || passed || profile.rejected || profile.unfinished)
    gt_record_text (r, "advice", "Run 'gsltune tune'.");
  if (found)
    gt_profile_clear (&profile);
}

/* --------------------------------------------------------------- Software */

/* Stores the name of the distribution, or "".  */
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

/* Environment variables that affect the library.  */
static const char *const variables[]
  = {"GSLTUNE_MODE",        "GSLTUNE_DEVICE",       "GSLTUNE_THREADS",
     "GSLTUNE_ISA",         "GSLTUNE_SCRATCH",      "GSLTUNE_PROFILE_DIR",
     "GSLTUNE_LOG",         "OMP_NUM_THREADS",      "CUDA_VISIBLE_DEVICES",
     "XDG_DATA_HOME",       "LD_PRELOAD",           "LD_LIBRARY_PATH",
     NULL};

static void
add_environment (const struct gt_record *r)
{
  json_t *set = json_object ();

  for (int i = 0; variables[i] != NULL; i++)
    if (getenv (variables[i]) != NULL)
      {
        gt_record_note (r, json_object_size (set) ? "" : "environment", "%s=%s", variables[i],
                        getenv (variables[i]));
        json_object_set_new (set, variables[i], json_string (getenv (variables[i])));
      }
  if (json_object_size (set) == 0)
    gt_record_note (r, "environment", "nothing that matters is set");
  gt_record_value (r, "environment", set);
}

/* Adds the libraries that compute fast products of matrices.  */
static void
add_engines (const struct gt_record *r)
{
  const struct gt_engines *engines = gt_engines ();
  json_t *list = json_array ();
  char loss[GT_LOSS_SIZE];

  for (unsigned e = GT_OWN_ENGINE + 1; e < engines->n; e++)
    {
      const struct gt_engine *const engine = &engines->engine[e];

      gt_record_note (r, json_array_size (list) ? "" : "BLAS", "%s, %s", engine->name,
                      engine->file);
      if (gt_engine_loss (engine, loss))
        gt_record_note (r, "", "%s", loss);
      json_array_append_new (list, json_pack ("{s:s, s:s, s:s?}", "name", engine->name, "file",
                                              engine->file, "right_core", engine->right_core));
    }
  if (json_array_size (list) == 0)
    gt_record_note (r, "BLAS", "none beside GSL's: gsltune's own tiles compute fast products; a"
                    " BLAS of the system may be faster for some: 'apt-get install libopenblas0'");
  gt_record_value (r, "BLAS", list);
  if (engines->passed_over)
    gt_record_text (r, "not", "%s: %s", engines->passed_over, engines->why);
}

static void
add_software (const struct gt_record *r, const char *no_gpu)
{
  char name[128];
  struct utsname system;

  distribution (name, sizeof name);
  gt_record_text (r, "gsltune", "%s", PACKAGE_VERSION);
  gt_record_text (r, "compiler", "%s", GT_COMPILER);
  gt_record_text (r, "GSL", "%s (compiled with %s)", gsl_version, GSL_VERSION);
  gt_record_text (r, "hwloc", "%u.%u", hwloc_get_api_version () >> 16,
                  hwloc_get_api_version () >> 8 & 255);
  add_engines (r);
  if (uname (&system) == 0)
    gt_record_text (r, "system", "%s %s %s%s%s", system.sysname, system.release, system.machine,
                    *name != '\0' ? ", " : "", name);
  if (no_gpu != NULL)
    gt_record_text (r, "CUDA", "no GPU can be used: %s", no_gpu);
  add_environment (r);
}

/* ---------------------------------------------------------------- Devices */

static void
add_device (const struct gt_record *r, const struct gt_device *device)
{
  const struct gt_host *const host = &device->host;
  const struct gt_gpu *const gpu = &device->gpu;

  if (r->json == NULL)
    putchar ('\n');
  gt_record_text (r, "device", "%s", gt_device_name (device));
  gt_record_text (r, "silicon_key", "%s", gt_silicon_of (device));
  if (device->kind == GT_CPU)
    gt_record_text (r, "usable", "%d threads of %d cores, %s, %s of memory", host->threads,
                    host->cores, *host->isa != '\0' ? host->isa : "baseline",
                    gt_format_bytes ((double) host->memory));
  else
    gt_record_text (r, "driver", "for CUDA %d.%d; cuda:%d has %s, %d SMs, compute capability"
                    " %d.%d", gpu->driver_version / 1000, gpu->driver_version % 1000 / 10,
                    gpu->ordinal, gt_format_bytes ((double) gpu->memory), gpu->sms,
                    gpu->sm.cc_major, gpu->sm.cc_minor);
  add_profile (r, device);
}

/* ------------------------------------------------------------------ Main */

static int
run (const struct gt_command *self, int argc, char **argv)
{
  int is_json = 0;
  const char *no_gpu = NULL;
  json_t *devices = json_array ();
  struct gt_record all;

  gt_cli_parse (self, argc, argv, &is_json);
  all = gt_record_new (11, is_json);
  if (gt_device_count () == 1)
    gt_gpu_count (&no_gpu);
  add_software (&all, no_gpu);
  for (int i = 0; i < gt_device_count (); i++)
    {
      const struct gt_record one = gt_record_new (11, is_json);

      add_device (&one, gt_device_at (i));
      if (is_json)
        json_array_append_new (devices, one.json);
    }
  gt_record_value (&all, "devices", devices);
  return is_json ? gt_print_json (all.json) : GT_EXIT_OK;
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
