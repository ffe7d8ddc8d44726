/* gsltune profile: exports and imports saved winners.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/profile/profile_private.h"
#include "tuning/command/commands.h"
#include "tuning/store/profile_exchange.h"
#include "tuning/store/profile_store.h"

struct request
{
  const char *action;
  const char *output; /* null: standard output */
  struct gt_device_word device;
  int system_wide;
  int force;
  char **file;
  int n_files;
};

static int
is_any (const struct request *request)
{
  return (int) request->device.kind < 0;
}

/* ------------------------------------------------------------------ Import */

/* Returns whether the file of PROFILE's silicon key in FOLDER must not be replaced.  */
static int
is_kept (const char *folder, const struct gt_profile *profile)
{
  static struct gt_profile old;
  char *const path = gt_text ("%s/%s" GT_PROFILE_SUFFIX, folder, profile->silicon);
  const int kept = gt_exchange_profile (path, &old, NULL, 0) == GT_PROFILE_OK && old.n_steps > 0;

  gt_profile_clear (&old);
  if (kept)
    gt_error ("%s is kept: --force replaces it", path);
  free (path);
  return kept;
}

static int
import_profile (const struct request *request, const char *folder, const char *file,
                const struct gt_profile *profile)
{
  char why[512];

  if (profile->rejected)
    gt_error ("%s: %s: %u steps are left out, %u of them of kernels that have changed; first: %s",
              file, profile->device_name, profile->rejected, profile->stale,
              profile->rejected_why);
  if (profile->n_steps == 0)
    return gt_error ("%s: %s: nothing in it can be used: it was tuned by gsltune %s", file,
                     profile->device_name, profile->version);
  if (!request->force && is_kept (folder, profile))
    return -1;
  if (gt_profile_save (profile, folder, request->system_wide, why, sizeof why))
    return gt_error ("%s: %s", why, gt_profile_save_advice (request->system_wide));
  printf ("%s: %u steps saved\n  %s/%s.json\n", profile->device_name, profile->n_steps, folder,
          profile->silicon);
  return 0;
}

static int
import_file (const struct request *request, const char *folder, const char *file)
{
  struct gt_exchange exchange;
  char why[512];
  const enum gt_profile_status status = gt_exchange_read (file, &exchange, why, sizeof why);
  int failed = status != GT_PROFILE_OK;

  if (failed)
    gt_error ("%s is %s: %s", file, gt_profile_status_names[status], why);
  for (unsigned i = 0; i < exchange.n; i++)
    failed |= import_profile (request, folder, file, &exchange.profile[i]);
  gt_exchange_clear (&exchange);
  return failed;
}

/* Imports profiles, holding the lock that tuners hold, so that none saves meanwhile.  */
static int
import (const struct request *request)
{
  char folder[4096], why[512];
  int lock, failed = 0;

  if (request->n_files == 0)
    gt_usage ("profile import: no file: name what `gsltune profile export' has written");
  if (gt_profile_folder_to_save (request->system_wide, folder, sizeof folder, why, sizeof why))
    return gt_failed ("there is no folder to save in: %s", why);
  lock = gt_profile_lock (folder, request->system_wide, why, sizeof why);
  if (lock < 0)
    return gt_failed ("%s", why);
  if (*why)
    gt_error ("%s", why);
  for (int i = 0; i < request->n_files; i++)
    failed |= import_file (request, folder, request->file[i]);
  close (lock);
  return failed ? GT_EXIT_FAILED : GT_EXIT_OK;
}

/* ------------------------------------------------------------------ Export */

/* Stores the profile of DEVICE itself in PROFILE, unless it is among the N profiles in LIST:
   identical GPUs share one.  Returns 1 if it is new, 0 if it is not, -1 if there is none.  */
static int
find_own (const struct gt_device *device, const struct gt_profile *list, unsigned n,
          struct gt_profile *profile)
{
  static struct gt_search search;
  int found = -1;

  if (gt_profile_search (device, profile, &search) == 0)
    found = profile->match == GT_MATCH_SILICON ? 1 : -1;
  for (unsigned k = 0; k < n && found > 0; k++)
    found = strcmp (list[k].silicon, profile->silicon) != 0;
  if (found <= 0)
    gt_profile_clear (profile);
  return found;
}

/* Stores the requested profiles in LIST; returns their number.  */
static unsigned
find_profiles (const struct request *request, struct gt_profile *list, int *failed)
{
  unsigned n = 0;

  for (int i = 0; i < gt_device_count (); i++)
    if (gt_device_meant (&request->device, gt_device_at (i)))
      {
        const int found = find_own (gt_device_at (i), list, n, &list[n]);

        n += found > 0;
        if (found < 0 && !is_any (request))
          *failed = gt_error ("no profile of %s itself: run `gsltune tune' first",
                              gt_device_name (gt_device_at (i)));
      }
  if (n == 0 && !*failed)
    gt_error ("there is no profile of a device of this machine: run `gsltune tune' first");
  return n;
}

static int
export (const struct request *request)
{
  struct gt_profile *list;
  char why[256], *text = NULL;
  int failed = 0, status = GT_EXIT_FAILED;
  unsigned n;

  if (request->n_files)
    gt_usage ("profile export: unexpected argument '%s': -o names the file to write",
              gt_quote_word (request->file[0]));
  if (request->device.ordinal >= 0)
    gt_require_gpu ("--device", request->device.ordinal);
  list = gt_need (calloc ((size_t) gt_device_count (), sizeof *list));
  n = find_profiles (request, list, &failed);
  if (n > 0)
    {
      text = gt_exchange_text (list, n, why, sizeof why);
      status = text ? gt_write_text (request->output, text, strlen (text)) : gt_failed ("%s", why);
    }
  free (text);
  for (unsigned i = 0; i < n; i++)
    gt_profile_clear (&list[i]);
  free (list);
  return failed ? GT_EXIT_FAILED : status;
}

/* ----------------------------------------------------------------- Options */

static const struct gt_option options[] = {
  GT_OPTION ("device", 0, GT_DEVICE, device),
  GT_OPTION ("output", 'o', GT_WORD, output),
  GT_OPTION ("system", 0, GT_FLAG, system_wide),
  GT_OPTION ("force", 0, GT_FLAG, force),
  GT_NO_MORE_OPTIONS
};

/* The actions and the options of each.  */
static const struct
{
  const char *name;
  int (*run) (const struct request *request);
  const char *has;
} actions[] = {
  {"export", export, "device output"},
  {"import", import, "system force"},
};
#define N_ACTIONS (sizeof actions / sizeof *actions)

static void
require_has (size_t action, int given, const char *option)
{
  if (given && strstr (actions[action].has, option) == NULL)
    gt_usage ("profile %s has no option --%s: see 'gsltune profile --help'",
              actions[action].name, option);
}

static int
run (const struct gt_command *self, int argc, char **argv)
{
  struct request request = {.device = GT_ANY_DEVICE};
  size_t action;

  gt_cli_parse (self, argc, argv, &request);
  if (optind == argc)
    gt_usage ("profile: no action: valid actions are export, import");
  action = (size_t) gt_parse_name ("profile", "action", argv[optind],
                                   &actions[0].name, sizeof *actions, N_ACTIONS);
  require_has (action, !is_any (&request), "device");
  require_has (action, request.output != NULL, "output");
  require_has (action, request.system_wide, "system");
  require_has (action, request.force, "force");
  request.file = argv + optind + 1;
  request.n_files = argc - optind - 1;
  return actions[action].run (&request);
}

const struct gt_command gt_cmd_profile = {
  .name = "profile",
  .summary = "carry profiles between machines",
  .usage = "ACTION [OPTION]... [FILE]...",
  .help
  = "Carries profiles from one machine to another: to the nodes of a cluster, or to\n"
    "the authors of gsltune.  Actions:\n\n"
    "  export               write the profiles of this machine's devices\n"
    "  import FILE...       check what was exported, and save it for this user\n\n"
    "Of export:\n"
    "  --device DEVICE      only cpu, cuda (all GPUs), or cuda:N\n"
    "  -o, --output FILE    write FILE instead of standard output\n"
    "Of import:\n"
    "  --system             save for all users of this machine\n"
    "  --force              replace a profile of the same device that is there\n\n"
    GT_COMMON_HELP ("            ") "\n"
    "A profile tells of the device, the processor, the system's and the compiler's\n"
    "version, never whose machine it is.  A device without a profile of its own uses\n"
    "that of the nearest one like it, which 'gsltune explain' calls approximate.\n"
    "Exit status is 1 if a file cannot be used, or if another profile is there.\n",
  .options = options,
  .run = run,
};
