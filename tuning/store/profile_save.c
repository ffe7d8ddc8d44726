/* Writes profiles to disk: a file is replaced as a whole or not at all.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "src/base/env.h"
#include "src/profile/profile_private.h"
#include "tuning/store/profile_store.h"

#define LOCK_NAME ".lock"

/* -------------------------------------------------------------- Folders */

int
gt_profile_folder_to_save (int system_wide, char *path, size_t size, char *why,
                           size_t why_size)
{
  return gt_profile_folder (system_wide          ? GT_FOLDER_SYSTEM
                            : gt_env.profile_dir ? GT_FOLDER_ENVIRONMENT
                                                 : GT_FOLDER_USER,
                            path, size, why, why_size);
}

/* Makes the name of the new folder PATH durable by syncing the folder above it.  A folder that
   may be written to but not be opened cannot be synced.  */
static int
sync_above (const char *path)
{
  const int at = gt_open_again (AT_FDCWD, path, O_PATH | O_DIRECTORY, 0);
  const int above = at < 0 ? -1 : gt_open_again (at, "..", O_RDONLY | O_DIRECTORY, 0);
  const int failed = above >= 0 && gt_sync_again (above);

  if (above >= 0)
    close (above);
  if (at >= 0)
    close (at);
  return failed ? -1 : 0;
}

/* Makes the folder PATH unless it exists.  The umask must not hide the system's folder from
   its users; if the permissions were set afterwards, they would stay wrong if the process were
   killed in between.  */
static int
make_folder (const char *path, mode_t mode)
{
  struct stat status;
  mode_t callers;
  int failed;

  if (stat (path, &status) == 0)
    return 0;
  callers = umask (~mode & 0777);
  failed = mkdir (path, mode);
  umask (callers);
  return failed ? (errno == EEXIST ? 0 : -1) : sync_above (path);
}

/* Creates the missing folders of PATH, from the top.  */
static int
make_folders (const char *path, mode_t mode, char *why, size_t why_size)
{
  char part[4096];
  const size_t length = strlen (path);
  int failed = length == 0 || length >= sizeof part;

  errno = length ? ENAMETOOLONG : ENOENT;
  snprintf (part, sizeof part, "%s", path);
  for (size_t i = 1; i <= length && !failed; i++)
    if (path[i] == '/' || path[i] == '\0')
      {
        part[i] = '\0';
        failed = make_folder (part, mode);
        if (!failed)
          part[i] = path[i];
      }
  return failed ? gt_profile_fail (why, why_size, "cannot create the folder %s: %s",
                                   length ? part : "\"\"", strerror (errno))
                : 0;
}

/* Returns a descriptor of FOLDER, which is created if missing, or -1 with WHY.  If the library
   would not read profiles in the folder, nothing is written to it.  */
static int
open_folder (const char *folder, int system_wide, char *why, size_t why_size)
{
  char reason[128];
  int at;

  if (make_folders (folder, system_wide ? 0755 : 0700, why, why_size))
    return -1;
  at = gt_open_again (AT_FDCWD, folder, O_RDONLY | O_DIRECTORY, 0);
  if (at < 0)
    return gt_profile_fail (why, why_size, "cannot open the folder %s: %s", folder,
                            strerror (errno));
  if (gt_profile_check_folder (at, reason, sizeof reason) == GT_PROFILE_OK)
    return at;
  close (at);
  return gt_profile_fail (why, why_size, "a profile in %s would not be read: %s", folder, reason);
}

/* --------------------------------------------------------------- Saving */

/* Creates an empty file next to the one called NAME.  TEMPORARY receives its name, which
   is_temporary recognises.  */
static int
create_temporary (int at, const char *name, char *temporary, size_t size)
{
  for (unsigned attempt = 0; attempt < 100; attempt++)
    {
      struct timespec now;
      int descriptor;

      clock_gettime (CLOCK_REALTIME, &now);
      snprintf (temporary, size, ".%s.%ld-%ld-%u", name, (long) getpid (),
                now.tv_nsec, attempt);
      descriptor
        = gt_open_again (at, temporary,
                         O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
      if (descriptor >= 0 || errno != EEXIST)
        return descriptor;
    }
  return -1;
}

/* Returns whether NAME may have been made by create_temporary: a dot, a profile's name,
   another dot and three numbers.  */
static int
is_temporary (const char *name)
{
  const char *end = name[0] == '.' ? strstr (name, GT_PROFILE_SUFFIX ".") : NULL;
  unsigned numbers = 0;

  if (end == NULL)
    return 0;
  end += strlen (GT_PROFILE_SUFFIX);
  for (size_t digits = 1; digits > 0 && (*end == '.' || *end == '-'); numbers++)
    {
      digits = strspn (++end, "0123456789");
      end += digits;
    }
  return numbers == 3 && *end == '\0' && end[-1] != '-';
}

/* Removes from the folder AT the files of tuners that were killed while they saved.  The
   holder of the lock may do so, because all tuners need the lock to save.  A file that cannot
   be removed does no harm.  */
static void
clear_temporaries (int at)
{
  const int again = gt_open_again (at, ".", O_RDONLY | O_DIRECTORY, 0);
  DIR *stream = again < 0 ? NULL : fdopendir (again);
  const struct dirent *entry;

  if (stream)
    {
      while ((entry = readdir (stream)) != NULL)
        if (is_temporary (entry->d_name))
          unlinkat (at, entry->d_name, 0);
      closedir (stream);
    }
  else if (again >= 0)
    close (again);
}

/* Fills and closes DESCRIPTOR.  Returns 0, or -1 with errno.  */
static int
fill (int descriptor, const char *text, mode_t mode)
{
  int failed = gt_write_fully (descriptor, text, strlen (text))
               || gt_write_fully (descriptor, "\n", 1)
               || fchmod (descriptor, mode) || gt_sync_again (descriptor);
  int error = errno;

  if (gt_close_once (descriptor) && !failed)
    return -1;
  errno = error;
  return failed ? -1 : 0;
}

/* Replaces NAME in the folder AT.  Returns 0, or -1 with errno; no temporary file is left.  */
static int
replace_file (int at, const char *name, const char *text, mode_t mode)
{
  char temporary[256];
  int descriptor = create_temporary (at, name, temporary, sizeof temporary);

  if (descriptor < 0)
    return -1;
  if (fill (descriptor, text, mode) || renameat (at, temporary, at, name))
    {
      int error = errno;

      unlinkat (at, temporary, 0);
      errno = error;
      return -1;
    }
  return gt_sync_again (at);
}

int
gt_profile_save (const struct gt_profile *profile, const char *folder, int system_wide, char *why,
                 size_t why_size)
{
  char name[GT_SILICON_SIZE + sizeof GT_MEASURED_SUFFIX], *text;
  int at = -1, failed = -1;

  if (!gt_profile_silicon_valid (profile->silicon))
    return gt_profile_fail (why, why_size, "\"%s\" is no silicon key and no file's name",
                            profile->silicon);
  text = gt_profile_text (profile, why, why_size);
  if (text && strlen (text) >= GT_PROFILE_MAX_BYTES)
    gt_profile_fail (why, why_size, "the profile would be larger than 8 MiB");
  else if (text)
    at = open_folder (folder, system_wide, why, why_size);
  if (at >= 0)
    {
      snprintf (name, sizeof name, "%s%s", profile->silicon,
                profile->measured ? GT_MEASURED_SUFFIX : GT_PROFILE_SUFFIX);
      failed = replace_file (at, name, text, system_wide ? 0644 : 0600);
      if (failed)
        gt_profile_fail (why, why_size, "cannot write %s/%s: %s", folder, name, strerror (errno));
      close (at);
    }
  free (text);
  return failed;
}

const char *
gt_profile_save_advice (int system_wide)
{
  return system_wide ? "run this as the owner of that folder, or as root if it is root's"
                     : "set GSLTUNE_PROFILE_DIR to a folder that only you can write to";
}

/* ------------------------------------------------------------- The lock */

/* Takes the lock on the file DESCRIPTOR.  Returns 0, or -1 with errno.  */
static int
lock_file (int descriptor)
{
  struct stat status;

  if (descriptor < 0 || fstat (descriptor, &status))
    return -1;
  if (S_ISREG (status.st_mode))
    return TEMP_FAILURE_RETRY (flock (descriptor, LOCK_EX | LOCK_NB));
  errno = EINVAL;
  return -1;
}

int
gt_profile_lock (const char *folder, int system_wide, char *why, size_t why_size)
{
  const int at = open_folder (folder, system_wide, why, why_size);
  int descriptor, error;

  if (at < 0)
    return -1;
  descriptor = gt_open_again (at, LOCK_NAME, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0600);
  *why = '\0';
  error = lock_file (descriptor) ? errno : 0;
  if (error == 0)
    clear_temporaries (at);
  close (at);
  if (error == 0)
    return descriptor;
  if (descriptor >= 0 && (error == ENOSYS || error == EOPNOTSUPP || error == ENOLCK))
    {
      gt_profile_fail (why, why_size, "the file system of %s has no locks (%s): run one"
                                      " 'gsltune tune' at a time there", folder, strerror (error));
      return descriptor;
    }
  if (descriptor >= 0)
    close (descriptor);
  if (error != EWOULDBLOCK)
    return gt_profile_fail (why, why_size, "cannot lock %s/" LOCK_NAME ": %s", folder,
                            strerror (error));
  gt_profile_fail (why, why_size, "another gsltune is tuning into %s: wait for it", folder);
  return GT_LOCK_HELD;
}
