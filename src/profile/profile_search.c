/* Which profile serves a device: folders are looked into in order, and each file is accepted or
   passed over as a whole.  If no folder has one of the device's own silicon, one of a like device
   is better than an estimate: the names of files tell of which device they are.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/env.h"
#include "src/base/installed.h"
#include "src/base/log.h"
#include "src/profile/profile_private.h"
#include "src/profile/step_kind.h"

static int
is_absolute (const char *path)
{
  return path && path[0] == '/';
}

int
gt_profile_folder (enum gt_folder folder, char *path, size_t size, char *why, size_t why_size)
{
  const char *base, *rest = "";
  char *installed = NULL;
  int length;

  if (folder >= GT_FOLDER_SYSTEM)
    {
      base = folder == GT_FOLDER_SYSTEM ? gt_system_folder () : gt_shipped_folder ();
      installed = gt_installed (base);
      base = installed ? installed : base;
    }
  else if (gt_env.secure)
    return gt_profile_fail (why, why_size, "a program with raised privileges heeds no environment"
                                           " and reads no user's profile");
  else if (folder == GT_FOLDER_ENVIRONMENT)
    {
      base = gt_env.profile_dir;
      if (!is_absolute (base))
        return gt_profile_fail (why, why_size, "GSLTUNE_PROFILE_DIR is %s",
                                base ? "not an absolute path" : "not set");
    }
  else if (is_absolute (base = secure_getenv ("XDG_DATA_HOME")))
    rest = "/gsltune";
  else if (is_absolute (base = secure_getenv ("HOME")))
    rest = "/.local/share/gsltune";
  else
    return gt_profile_fail (why, why_size, "neither XDG_DATA_HOME nor HOME is an absolute path");
  length = snprintf (path, size, "%s%s", base, rest);
  free (installed);
  return length >= 0 && (size_t) length < size
           ? 0 : gt_profile_fail (why, why_size, "the path is too long");
}

int
gt_profile_looked_at (enum gt_folder folder)
{
  const int named = gt_env.profile_dir && !gt_env.secure;

  return folder == GT_FOLDER_ENVIRONMENT ? named : folder == GT_FOLDER_SHIPPED || !named;
}

/* ------------------------------------------------------------------- Files */

/* Drops the steps of routes and calls, which are another machine's.  */
static void
keep_kernels (struct gt_profile *profile)
{
  struct gt_step_kind kind;

  for (unsigned i = profile->n_steps; i-- > 0;)
    {
      const char *const text = profile->steps[i].kind;

      if ((i == 0 || profile->steps[i - 1].kind != text)
          && (gt_step_kind_read (text, &kind, NULL, 0) <= 0 || kind.is_route))
        gt_profile_drop (profile, text);
    }
}

/* Logs STEP for those who ask with GSLTUNE_LOG=debug why a profile is not used.  */
static void
tell (const struct gt_search_step *step, const struct gt_profile *profile)
{
  const char *const folder = gt_folder_names[step->folder];
  const char *const path = step->path[0] ? step->path : "no folder";
  char rejected[sizeof profile->rejected_why + 48] = "";

  if (profile->rejected)
    snprintf (rejected, sizeof rejected, ", but for %u of its steps: %s",
              profile->rejected, profile->rejected_why);
  if (step->status != GT_PROFILE_OK)
    gt_log (GT_LOG_DEBUG, "profile %s (%s): %s: %s", path, folder,
            gt_profile_status_names[step->status], step->why);
  else
    gt_log (GT_LOG_DEBUG, "profile %s (%s): used%s%s%s", path, folder, step->why[0] ? ", " : "",
            step->why, rejected);
}

/* Reads the file of SILICON in FOLDER into PROFILE, and tells STEP.  */
static void
read_file (struct gt_search_step *step, const char *silicon, const struct gt_device *device,
           struct gt_profile *profile)
{
  const enum gt_match worst
    = step->match == GT_MATCH_SILICON ? GT_MATCH_SILICON : GT_MATCH_NONE - 1;
  size_t length, room;

  if (gt_profile_folder (step->folder, step->path, sizeof step->path, step->why,
                         sizeof step->why))
    {
      step->path[0] = '\0';
      return;
    }
  length = strlen (step->path);
  room = sizeof step->path - length;
  if ((size_t) snprintf (step->path + length, room, "/%s" GT_PROFILE_SUFFIX, silicon) < room)
    step->status = gt_profile_read_like (step->path, device, worst, profile, step->why,
                                         sizeof step->why);
  else
    {
      gt_profile_fail (step->why, sizeof step->why, "the path is too long");
      step->path[0] = '\0';
    }
}

/* Takes the file of SILICON in FOLDER, whose device is DEVICE or, by its name, MATCHes it, into
   PROFILE.  One without a usable step is passed over.  Returns whether PROFILE has it.  */
static int
try_file (struct gt_search *search, enum gt_folder folder, const char *silicon,
          enum gt_match match, const struct gt_device *device, struct gt_profile *profile)
{
  struct gt_search_step *const step = &search->step[search->brief ? 0 : search->n_steps];

  search->n_steps++;
  step->folder = folder;
  step->match = match;
  step->status = GT_PROFILE_ABSENT;
  step->why[0] = '\0';
  read_file (step, silicon, device, profile);
  if (step->status == GT_PROFILE_OK && folder == GT_FOLDER_SHIPPED)
    keep_kernels (profile);
  if (step->status == GT_PROFILE_OK && profile->n_steps == 0)
    {
      step->status = GT_PROFILE_BROKEN;
      gt_profile_fail (step->why, sizeof step->why, "no usable step%s%s",
                       profile->rejected ? ": " : "", profile->rejected_why);
      gt_profile_clear (profile);
    }
  else if (step->status == GT_PROFILE_OK && profile->match != GT_MATCH_SILICON)
    gt_profile_fail (step->why, sizeof step->why, "approximate: tuned on %s, %s",
                     profile->device_name, gt_match_texts[profile->match]);
  tell (step, profile);
  return step->status == GT_PROFILE_OK;
}

/* ---------------------------------------------------------- Like devices */

/* At most this many files of a folder are examined.  */
#define MOST_FILES 4096

/* A file whose name tells of a like device.  */
struct like
{
  enum gt_folder folder;
  enum gt_match match;
  double distance;
  char silicon[GT_SILICON_SIZE];
};

/* Returns whether A is better than B.  Of two that are alike that of the folder looked into first
   is, and then the one whose name is first, so that the order of a folder's files makes no
   difference.  */
static int
is_better (const struct like *a, const struct like *b)
{
  if (a->match != b->match)
    return a->match < b->match;
  if (a->distance < b->distance || b->distance < a->distance)
    return a->distance < b->distance;
  if (a->folder != b->folder)
    return a->folder < b->folder;
  return strcmp (a->silicon, b->silicon) < 0;
}

/* Makes LIKE, of a folder, the file NAME in it.  Returns whether its device is like SILICON's.  */
static int
is_like (struct like *like, const char *name, const char *silicon)
{
  const char *const suffix = strstr (name, GT_PROFILE_SUFFIX);
  const size_t length = suffix ? (size_t) (suffix - name) : 0;

  if (suffix == NULL || length >= sizeof like->silicon
      || suffix[strlen (GT_PROFILE_SUFFIX)] != '\0' || strstr (name, GT_MEASURED_SUFFIX))
    return 0;
  memcpy (like->silicon, name, length);
  like->silicon[length] = '\0';
  if (!gt_profile_silicon_valid (like->silicon))
    return 0;
  like->match = gt_profile_match (silicon, like->silicon, &like->distance);
  return like->match != GT_MATCH_SILICON && like->match != GT_MATCH_NONE;
}

/* Puts in BEST, whose match is none, the best file of FOLDER that is worse than LAST.  */
static void
look_into (enum gt_folder folder, const char *silicon, const struct like *last, struct like *best)
{
  char path[4096];
  struct like like = {.folder = folder};
  const struct dirent *file;
  DIR *stream = NULL;

  if (gt_profile_looked_at (folder) && gt_profile_folder (folder, path, sizeof path, NULL, 0) == 0)
    stream = opendir (path);
  for (unsigned n = 0; stream && n < MOST_FILES && (file = readdir (stream)); n++)
    if (is_like (&like, file->d_name, silicon) && is_better (last, &like)
        && is_better (&like, best))
      *best = like;
  if (stream)
    closedir (stream);
}

/* Tries the files of like devices, the best first.  */
static int
try_likes (struct gt_search *search, const char *silicon, const struct gt_device *device,
           struct gt_profile *profile)
{
  struct like last = {.match = GT_MATCH_SILICON}, best;

  for (int tried = 0; tried < GT_MOST_LIKE; tried++)
    {
      best = (struct like) {.match = GT_MATCH_NONE};
      for (enum gt_folder f = 0; f < GT_N_FOLDERS; f++)
        look_into (f, silicon, &last, &best);
      if (best.match == GT_MATCH_NONE)
        return 0;
      if (try_file (search, best.folder, best.silicon, best.match, device, profile))
        return 1;
      last = best;
    }
  return 0;
}

/* ---------------------------------------------------------------- Search */

int
gt_profile_search_on (const struct gt_device *device, enum gt_folder last,
                      struct gt_profile *profile, struct gt_search *search)
{
  char silicon[GT_SILICON_SIZE];

  gt_device_silicon (device, silicon);
  gt_profile_empty (profile);
  while (search->next <= last)
    {
      const enum gt_folder folder = search->next++;

      if (folder == GT_N_FOLDERS)
        return try_likes (search, silicon, device, profile) ? 0 : -1;
      if (gt_profile_looked_at (folder)
          && try_file (search, folder, silicon, GT_MATCH_SILICON, device, profile))
        return 0;
    }
  return -1;
}

int
gt_profile_search (const struct gt_device *device, struct gt_profile *profile,
                   struct gt_search *search)
{
  char silicon[GT_SILICON_SIZE];

  search->n_steps = 0;
  search->next = 0;
  if (gt_profile_search_on (device, GT_N_FOLDERS, profile, search) == 0)
    return 0;
  gt_device_silicon (device, silicon);
  gt_log (GT_LOG_DEBUG, "no profile for %s: estimates are used", silicon);
  return -1;
}

const char *
gt_search_folder (const struct gt_search *search, const struct gt_profile *profile)
{
  for (unsigned i = 0; i < search->n_steps; i++)
    if (search->step[i].status == GT_PROFILE_OK
        && strcmp (search->step[i].path, profile->path) == 0)
      return gt_folder_names[search->step[i].folder];
  return NULL;
}
