/* Which profiles there are, for whom, and how good they still are.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/report/report.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/device/gpus.h"
#include "src/profile/profile_private.h"
#include "tuning/store/profile_exchange.h"
#include "tuning/text/cli.h"

/* For which device of this machine a profile is best.  */
struct use
{
  const struct gt_device *device; /* null: for none */
  enum gt_match match;
  int in_use; /* and the library takes it */
};

/* What `gt_profile_search' has found for each device: the host, then the GPUs.  */
static char (*taken)[4096];

static void
find_taken (void)
{
  static struct gt_profile profile;
  static struct gt_search search;

  taken = gt_need (calloc ((size_t) gt_device_count (), sizeof *taken));
  for (int i = 0; i < gt_device_count (); i++)
    if (gt_profile_search (gt_device_at (i), &profile, &search) == 0)
      {
        memcpy (taken[i], profile.path, sizeof taken[i]);
        gt_profile_clear (&profile);
      }
}

static struct use
use_of (const struct gt_profile *profile, const char *path)
{
  struct use best = {NULL, GT_MATCH_NONE, 0};

  for (int i = 0; i < gt_device_count (); i++)
    {
      struct use use = {gt_device_at (i), GT_MATCH_NONE,
                        strcmp (taken[i], path) == 0};
      char silicon[GT_SILICON_SIZE];
      double distance;

      gt_device_silicon (use.device, silicon);
      use.match = gt_profile_match (silicon, profile->silicon, &distance);
      if (use.match != GT_MATCH_NONE
          && (use.match < best.match
              || (use.match == best.match && use.in_use > best.in_use)))
        best = use;
    }
  return best;
}

/* ------------------------------------------------------------------ Telling */

static void
print_use (const struct use *use)
{
  const char *kind = use->device && use->device->kind == GT_CUDA ? "GPU" : "CPU";

  printf ("  fits      ");
  if (use->device == NULL)
    puts ("no device of this machine");
  else
    printf ("this machine's %s%s, %s%s\n", kind,
            use->match == GT_MATCH_SILICON ? "" : ", approximately",
            gt_match_texts[use->match],
            use->in_use ? ": in use" : ": another is used");
}

static void
print_profile (const struct gt_profile *profile, const char *path,
               const char *place, const struct use *use)
{
  puts (profile->device_name);
  if (strstr (path, profile->silicon) == NULL)
    printf ("  silicon   %s\n", profile->silicon);
  printf ("  file      %s (%s)\n", path, place);
  print_use (use);
  printf ("  tuned     %s by gsltune %s, effort %s%s%s%s\n", profile->created,
          profile->version, gt_effort_names[gt_profile_effort (profile)],
          *profile->driver ? ", CUDA driver " : "", profile->driver,
          profile->unfinished ? "; unfinished" : "");
  if (*profile->machine)
    printf ("  machine   %s\n", profile->machine);
  printf ("  usable    %u entries, %u crossovers\n", profile->n_entries,
          profile->n_crossovers);
  if (profile->stale)
    printf ("  stale     %u entries, of kernels that have changed since: tune"
            " again\n", profile->stale);
  if (profile->rejected)
    printf ("  left out  %u in all; first: %s\n", profile->rejected,
            profile->rejected_why);
  putchar ('\n');
}

static json_t *
profile_json (const struct gt_profile *profile, const char *path,
              const char *place, const struct use *use)
{
  return json_pack (
    "{s:s, s:s, s:s, s:s, s:s, s:s?, s:b, s:s, s:s, s:s, s:s, s:s, s:b, s:i, s:i,"
    " s:i, s:i, s:s}",
    "path", path, "place", place, "name", profile->device_name, "silicon",
    profile->silicon, "match",
    use->device ? gt_match_texts[use->match] : gt_match_texts[GT_MATCH_NONE],
    "device", use->device ? gt_device_name (use->device) : NULL, "in_use",
    use->in_use, "created", profile->created, "gsltune", profile->version,
    "effort", gt_effort_names[gt_profile_effort (profile)], "driver",
    profile->driver, "machine", profile->machine, "unfinished",
    profile->unfinished, "entries", (int) profile->n_entries, "crossovers",
    (int) profile->n_crossovers, "stale", (int) profile->stale, "rejected",
    (int) profile->rejected, "rejected_why", profile->rejected_why);
}

static int
tell (const struct gt_profile *profile, const char *path, const char *place,
      json_t *list)
{
  struct use use = use_of (profile, path);

  if (list)
    return json_array_append_new (list,
                                  profile_json (profile, path, place, &use));
  print_profile (profile, path, place, &use);
  return 0;
}

/* ------------------------------------------------------------------ Looking */

int
gt_list_file (const char *file, json_t *list)
{
  struct gt_exchange exchange;
  char why[256];
  enum gt_profile_status status = gt_exchange_read (file, &exchange, why,
                                                    sizeof why);
  int failed = 0;

  if (taken == NULL)
    find_taken ();
  if (status != GT_PROFILE_OK)
    return gt_error ("%s is %s: %s", file, gt_profile_status_names[status],
                     why);
  for (unsigned i = 0; i < exchange.n; i++)
    failed |= tell (&exchange.profile[i], file, "file", list);
  gt_exchange_clear (&exchange);
  return failed;
}

/* A file that the library would refuse is told of in the library's words.  */
static int
list_found (const char *path, enum gt_folder folder, json_t *list)
{
  static struct gt_profile profile;
  struct gt_device device;
  char why[256];
  enum gt_profile_status status = gt_profile_read (path, NULL, &profile, why,
                                                   sizeof why);

  if (status == GT_PROFILE_OK)
    {
      if (gt_exchange_device (profile.silicon, &device))
        {
          status = GT_PROFILE_BROKEN;
          snprintf (why, sizeof why, "its silicon key tells of no device");
        }
      else
        status = gt_profile_read (path, &device, &profile, why, sizeof why);
    }
  if (status != GT_PROFILE_OK)
    return gt_error ("%s is %s: %s", path, gt_profile_status_names[status],
                     why);
  if (tell (&profile, path, gt_folder_names[folder], list))
    status = GT_PROFILE_BROKEN;
  gt_profile_clear (&profile);
  return status == GT_PROFILE_OK ? 0 : -1;
}

static int
is_profile (const struct dirent *file)
{
  size_t length = strlen (file->d_name);

  return length > 5 && file->d_name[0] != '.'
         && strcmp (file->d_name + length - 5, ".json") == 0;
}

static int
list_folder (enum gt_folder folder, json_t *list, unsigned *n)
{
  char path[4096], file[4096 + 256];
  struct dirent **files = NULL;
  int count = -1, failed = 0;

  if (gt_profile_folder (folder, path, sizeof path, NULL, 0) == 0)
    count = scandir (path, &files, is_profile, alphasort);
  for (int i = 0; i < count; i++)
    {
      snprintf (file, sizeof file, "%s/%s", path, files[i]->d_name);
      failed |= list_found (file, folder, list);
      free (files[i]);
      ++*n;
    }
  free (files);
  return failed;
}

int
gt_list_profiles (json_t *list)
{
  unsigned n = 0;
  int failed = 0;

  find_taken ();
  for (enum gt_folder f = 0; f < GT_N_FOLDERS; f++)
    if (gt_profile_looked_at (f))
      failed |= list_folder (f, list, &n);
  if (n == 0 && list == NULL)
    puts ("There is no profile: `gsltune tune' makes one, `gsltune profile"
          " import' takes\none over from another machine.");
  return failed;
}
