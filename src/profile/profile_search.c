/* Where profiles are looked for.  Never in /tmp, never in the working folder.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/env.h"
#include "src/base/log.h"
#include "src/profile/profile_private.h"

static int
absolute (const char *path)
{
  return path && path[0] == '/';
}

/* PREFIX and REST joined in PATH.  */
static int
join (char *path, size_t size, const char *prefix, const char *rest, char *why,
      size_t why_size)
{
  int length = snprintf (path, size, "%s%s", prefix, rest);

  if (length >= 0 && (size_t) length < size)
    return 0;
  return gt_profile_fail (why, why_size, "the path is too long");
}

static int
environment_folder (char *path, size_t size, char *why, size_t why_size)
{
  if (gt_env.secure)
    return gt_profile_fail (why, why_size,
                            "a program with raised privileges heeds no "
                            "environment");
  if (gt_env.profile_dir == NULL)
    return gt_profile_fail (why, why_size, "GSLTUNE_PROFILE_DIR is not set");
  if (!absolute (gt_env.profile_dir))
    return gt_profile_fail (why, why_size,
                            "GSLTUNE_PROFILE_DIR is not an absolute path");
  return join (path, size, gt_env.profile_dir, "", why, why_size);
}

static int
user_folder (char *path, size_t size, char *why, size_t why_size)
{
  const char *cache, *home;

  if (gt_env.secure)
    return gt_profile_fail (why, why_size,
                            "a program with raised privileges reads no user's "
                            "profile");
  cache = secure_getenv ("XDG_CACHE_HOME");
  if (absolute (cache))
    return join (path, size, cache, "/gsltune", why, why_size);
  home = secure_getenv ("HOME");
  if (absolute (home))
    return join (path, size, home, "/.cache/gsltune", why, why_size);
  return gt_profile_fail (why, why_size,
                          "neither XDG_CACHE_HOME nor HOME is an absolute "
                          "path");
}

int
gt_profile_folder (enum gt_folder folder, char *path, size_t size,
                   char *why, size_t why_size)
{
  switch (folder)
    {
    case GT_FOLDER_ENVIRONMENT:
      return environment_folder (path, size, why, why_size);
    case GT_FOLDER_USER:
      return user_folder (path, size, why, why_size);
    case GT_FOLDER_SYSTEM:
      return join (path, size, SYSCONFDIR, "/gsltune", why, why_size);
    default:
      return join (path, size, PKGDATADIR, "/profiles", why, why_size);
    }
}

/* Whether FOLDER is looked at: a folder named by the environment stands for
   the user's and the system's.  */
static int
looked_at (enum gt_folder folder)
{
  int named = gt_env.profile_dir && !gt_env.secure;

  if (folder == GT_FOLDER_ENVIRONMENT)
    return named;
  return folder == GT_FOLDER_SHIPPED || !named;
}

/* Makes of the folder in STEP's path the path of SILICON's profile.  */
static int
append_name (struct gt_search_step *step, const char *silicon)
{
  size_t length = strlen (step->path), room = sizeof step->path - length;
  int added = snprintf (step->path + length, room, "/%s.json", silicon);

  if (added >= 0 && (size_t) added < room)
    return 0;
  return gt_profile_fail (step->why, sizeof step->why, "the path is too long");
}

/* Reads the profile of SILICON in STEP's folder.  One without a usable entry is
   passed over: another folder may hold one that fits these kernels.  */
static void
try_folder (struct gt_search_step *step, const char *silicon,
           const struct gt_device *device, struct gt_profile *profile)
{
  step->status = GT_PROFILE_ABSENT;
  step->path[0] = step->why[0] = '\0';
  if (gt_profile_folder (step->folder, step->path, sizeof step->path, step->why,
                         sizeof step->why)
      || append_name (step, silicon))
    {
      step->path[0] = '\0';
      return;
    }

  step->status = gt_profile_read (step->path, device, profile, step->why,
                                  sizeof step->why);
  if (step->status != GT_PROFILE_OK || profile->n_entries
      || profile->n_crossovers)
    return;
  step->status = GT_PROFILE_BROKEN;
  gt_profile_fail (step->why, sizeof step->why, "no usable entry%s%s",
                   profile->rejected ? ": " : "", profile->rejected_why);
  gt_profile_clear (profile);
}

/* For whoever asks with GSLTUNE_LOG=debug why a profile is not used.  */
static void
tell (const struct gt_search_step *step, const struct gt_profile *profile)
{
  const char *folder = gt_folder_name (step->folder);
  const char *path = step->path[0] ? step->path : "no folder";

  if (step->status != GT_PROFILE_OK)
    gt_log (GT_LOG_DEBUG, "profile %s (%s): %s: %s", path, folder,
            gt_profile_status_name (step->status), step->why);
  else if (profile->rejected)
    gt_log (GT_LOG_DEBUG,
            "profile %s (%s): used, but for %u of its parts: %s", path, folder,
            profile->rejected, profile->rejected_why);
  else
    gt_log (GT_LOG_DEBUG, "profile %s (%s): used", path, folder);
}

int
gt_profile_search (const struct gt_device *device, struct gt_profile *profile,
                   struct gt_search *search)
{
  char silicon[GT_SILICON_SIZE];

  gt_device_silicon (device, silicon);
  memset (profile, 0, sizeof *profile);
  search->n_steps = 0;
  for (int folder = 0; folder < GT_N_FOLDERS; folder++)
    if (looked_at (folder))
      {
        struct gt_search_step *step = &search->step[search->n_steps++];

        step->folder = folder;
        try_folder (step, silicon, device, profile);
        tell (step, profile);
        if (step->status == GT_PROFILE_OK)
          return 0;
      }
  gt_log (GT_LOG_DEBUG, "no profile for %s: estimates are used", silicon);
  return -1;
}
