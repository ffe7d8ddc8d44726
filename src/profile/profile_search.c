/* Where profiles are looked for.  Never in /tmp, never in the working folder.

   A device's own profile is found by its name, folder after folder.  Where there is
   none, one of a device like it is better than an estimate: the names of all files in
   the folders tell of what device they are.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/env.h"
#include "src/base/installed.h"
#include "src/base/log.h"
#include "src/profile/step_kind.h"
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
  const char *base, *home;

  if (gt_env.secure)
    return gt_profile_fail (why, why_size,
                            "a program with raised privileges reads no user's "
                            "profile");
  base = secure_getenv ("XDG_DATA_HOME");
  if (absolute (base))
    return join (path, size, base, "/gsltune", why, why_size);
  home = secure_getenv ("HOME");
  if (absolute (home))
    return join (path, size, home, "/.local/share/gsltune", why, why_size);
  return gt_profile_fail (why, why_size, "neither XDG_DATA_HOME nor HOME is an absolute path");
}

int
gt_profile_folder (enum gt_folder folder, char *path, size_t size,
                   char *why, size_t why_size)
{
  const char *told;
  char *installed;
  int failed;

  switch (folder)
    {
    case GT_FOLDER_ENVIRONMENT:
      return environment_folder (path, size, why, why_size);
    case GT_FOLDER_USER:
      return user_folder (path, size, why, why_size);
    default:
      told = folder == GT_FOLDER_SYSTEM ? gt_system_folder () : gt_shipped_folder ();
      installed = gt_installed (told);
      failed = join (path, size, installed ? installed : told, "", why, why_size);
      free (installed);
      return failed;
    }
}

/* A folder named by the environment stands for the user's and the system's.  */
int
gt_profile_looked_at (enum gt_folder folder)
{
  int named = gt_env.profile_dir && !gt_env.secure;

  if (folder == GT_FOLDER_ENVIRONMENT)
    return named;
  return folder == GT_FOLDER_SHIPPED || !named;
}

/* Makes STEP, of FOLDER, one for the file of SILICON in it.  */
static int
name_file (struct gt_search_step *step, enum gt_folder folder,
           const char *silicon)
{
  char path[sizeof step->path], name[GT_SILICON_SIZE + sizeof "/.json"];

  step->folder = folder;
  step->status = GT_PROFILE_ABSENT;
  step->path[0] = step->why[0] = '\0';
  snprintf (name, sizeof name, "/%s.json", silicon);
  if (gt_profile_folder (folder, path, sizeof path, step->why, sizeof step->why)
        == 0
      && join (step->path, sizeof step->path, path, name, step->why,
               sizeof step->why)
           == 0)
    return 0;
  step->path[0] = '\0';
  return -1;
}

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

/* Takes what was read of STEP's file into PROFILE.  A profile without a usable step is
   passed over: another may fit these kernels.  */
static void
consider (struct gt_search_step *step, struct gt_profile *profile)
{
  if (step->status != GT_PROFILE_OK)
    return;
  if (step->folder == GT_FOLDER_SHIPPED)
    keep_kernels (profile);
  if (profile->n_steps > 0)
    {
      if (profile->match != GT_MATCH_SILICON)
        gt_profile_fail (step->why, sizeof step->why,
                         "approximate: tuned on %s, %s", profile->device_name,
                         gt_match_texts[profile->match]);
      return;
    }
  step->status = GT_PROFILE_BROKEN;
  gt_profile_fail (step->why, sizeof step->why, "no usable step%s%s",
                   profile->rejected ? ": " : "", profile->rejected_why);
  gt_profile_clear (profile);
}

/* For whoever asks with GSLTUNE_LOG=debug why a profile is not used.  */
static void
tell (const struct gt_search_step *step, const struct gt_profile *profile)
{
  const char *folder = gt_folder_names[step->folder];
  const char *path = step->path[0] ? step->path : "no folder";
  const char *comma = step->why[0] ? ", " : "";
  char rejected[sizeof profile->rejected_why + 48] = "";

  if (profile->rejected)
    snprintf (rejected, sizeof rejected, ", but for %u of its steps: %s",
              profile->rejected, profile->rejected_why);
  if (step->status != GT_PROFILE_OK)
    gt_log (GT_LOG_DEBUG, "profile %s (%s): %s: %s", path, folder,
            gt_profile_status_names[step->status], step->why);
  else
    gt_log (GT_LOG_DEBUG, "profile %s (%s): used%s%s%s", path, folder, comma,
            step->why, rejected);
}

/* ---------------------------------------------------------- Like devices */

/* Of a folder with more files than this the others are not looked at.  */
#define MOST_FILES 4096

/* Whether A is better than B.  Of two that are alike that of the folder looked into
   first is, and then the one whose name comes first, so that the order of a folder's
   files makes no difference.  */
static int
is_better (const struct gt_like *a, const struct gt_like *b)
{
  if (a->match != b->match)
    return a->match < b->match;
  if (a->distance < b->distance || b->distance < a->distance)
    return a->distance < b->distance;
  if (a->folder != b->folder)
    return a->folder < b->folder;
  return strcmp (a->silicon, b->silicon) < 0;
}

static void
insert (struct gt_likes *likes, const struct gt_like *new)
{
  unsigned at = likes->n;

  while (at > 0 && is_better (new, &likes->like[at - 1]))
    at--;
  if (at == GT_MOST_LIKE)
    return;
  likes->n += likes->n < GT_MOST_LIKE;
  memmove (&likes->like[at + 1], &likes->like[at],
           (likes->n - 1 - at) * sizeof *new);
  likes->like[at] = *new;
}

/* The silicon that NAME, of a file, tells of, in SILICON; or -1.  */
static int
silicon_of (const char *name, char silicon[GT_SILICON_SIZE])
{
  size_t length = strlen (name);

  if (length <= 5 || length - 5 >= GT_SILICON_SIZE
      || strcmp (name + length - 5, ".json") != 0 || strstr (name, GT_MEASURED_SUFFIX))
    return -1;
  memcpy (silicon, name, length - 5);
  silicon[length - 5] = '\0';
  return gt_profile_silicon_valid (silicon) ? 0 : -1;
}

static void
look_for_likes (enum gt_folder folder, const char *silicon, struct gt_likes *likes)
{
  char path[4096];
  const struct dirent *file;
  DIR *stream = NULL;
  struct gt_like like = {.folder = folder};

  if (gt_profile_folder (folder, path, sizeof path, NULL, 0) == 0)
    stream = opendir (path);
  for (unsigned n = 0; stream && n < MOST_FILES && (file = readdir (stream));
       n++)
    if (silicon_of (file->d_name, like.silicon) == 0)
      {
        like.match = gt_profile_match (silicon, like.silicon, &like.distance);
        if (like.match != GT_MATCH_SILICON && like.match != GT_MATCH_NONE)
          insert (likes, &like);
      }
  if (stream)
    closedir (stream);
}

/* ---------------------------------------------------------------- Search */

/* Reads the file of SILICON in FOLDER, whose device is DEVICE or, by its name, MATCHes
   it.  Returns whether PROFILE has it.  */
static int
try_file (struct gt_search *search, enum gt_folder folder, const char *silicon,
          enum gt_match match, const struct gt_device *device,
          struct gt_profile *profile)
{
  const unsigned number = search->n_steps++;
  struct gt_search_step *step = &search->step[search->brief ? 0 : number];

  if (name_file (step, folder, silicon) == 0)
    step->status
      = gt_profile_read_like (step->path, device,
                              match == GT_MATCH_SILICON ? GT_MATCH_SILICON
                                                        : GT_MATCH_NONE - 1,
                              profile, step->why, sizeof step->why);
  step->match = match;
  consider (step, profile);
  tell (step, profile);
  return step->status == GT_PROFILE_OK;
}

/* One of a like device, unless one has been found: what the best lacks is estimated.  */
static int
try_likes (struct gt_search *search, const char *silicon,
           const struct gt_device *device, struct gt_profile *profile)
{
  struct gt_likes *likes = &search->likes;

  for (enum gt_folder f = 0; f < GT_N_FOLDERS && !likes->sought; f++)
    if (gt_profile_looked_at (f))
      look_for_likes (f, silicon, likes);
  likes->sought = 1;
  while (likes->tried < likes->n)
    {
      const struct gt_like *like = &likes->like[likes->tried++];

      if (try_file (search, like->folder, like->silicon, like->match, device,
                    profile))
        {
          likes->tried = likes->n;
          return 1;
        }
    }
  return 0;
}

int
gt_profile_search_on (const struct gt_device *device, enum gt_folder last,
                      struct gt_profile *profile, struct gt_search *search)
{
  char silicon[GT_SILICON_SIZE];

  gt_device_silicon (device, silicon);
  gt_profile_empty (profile);
  while (search->next < GT_N_FOLDERS && search->next <= last)
    {
      enum gt_folder folder = search->next++;

      if (gt_profile_looked_at (folder)
          && try_file (search, folder, silicon, GT_MATCH_SILICON, device,
                       profile))
        return 0;
    }
  return last == GT_N_FOLDERS && try_likes (search, silicon, device, profile)
           ? 0 : -1;
}

int
gt_profile_search (const struct gt_device *device, struct gt_profile *profile,
                   struct gt_search *search)
{
  char silicon[GT_SILICON_SIZE];

  search->n_steps = 0;
  search->next = 0;
  search->likes.n = search->likes.tried = 0;
  search->likes.sought = 0;
  if (gt_profile_search_on (device, GT_N_FOLDERS, profile, search) == 0)
    return 0;
  gt_device_silicon (device, silicon);
  gt_log (GT_LOG_DEBUG, "no profile for %s: estimates are used", silicon);
  return -1;
}

const char *
gt_search_folder (const struct gt_search *search,
                  const struct gt_profile *profile)
{
  for (unsigned i = 0; i < search->n_steps; i++)
    if (search->step[i].status == GT_PROFILE_OK
        && strcmp (search->step[i].path, profile->path) == 0)
      return gt_folder_names[search->step[i].folder];
  return NULL;
}
