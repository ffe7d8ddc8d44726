/* Profiles on disk: a file is read only when nobody but us or root can have put
   it there.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/profile/profile_private.h"

/* A reason without the path, which the caller of a read knows.  */
static enum gt_profile_status
refuse (char *why, size_t why_size, const char *reason)
{
  gt_profile_fail (why, why_size, "%s", reason);
  return GT_PROFILE_REFUSED;
}

/* Returns the reason why the file or folder with this STATUS cannot be trusted, or null.
   OTHERS are the write permissions that other users must not have.  */
static const char *
distrust (const struct stat *status, mode_t others)
{
  if (status->st_uid != geteuid () && status->st_uid != 0)
    return "belongs to another user";
  if (status->st_mode & others)
    return others & S_IWGRP ? "writable by its group or by others"
                            : "writable by everyone";
  return NULL;
}

enum gt_profile_status
gt_profile_check_folder (int descriptor, char *why, size_t why_size)
{
  struct stat status;
  const char *reason = fstat (descriptor, &status)
                         ? strerror (errno)
                         : distrust (&status, S_IWOTH);

  if (reason == NULL)
    return GT_PROFILE_OK;
  gt_profile_fail (why, why_size, "its folder is not safe: %s", reason);
  return GT_PROFILE_REFUSED;
}

/* Returns the status of a place that could not be opened.  */
static enum gt_profile_status
open_failed (const char *absent, char *why, size_t why_size)
{
  if (errno != ENOENT && errno != ENOTDIR)
    return refuse (why, why_size, errno == ELOOP ? "a symbolic link" : strerror (errno));
  gt_profile_fail (why, why_size, "%s", absent);
  return GT_PROFILE_ABSENT;
}

/* Opens NAME in the folder AT.  A file system of a network or in user space may let a signal
   interrupt that.  */
static int
open_again (int at, const char *name, int flags)
{
  return (int) TEMP_FAILURE_RETRY (openat (at, name, flags | O_CLOEXEC));
}

/* Opens PATH, below a folder that has been checked first, so that nobody can exchange what was
   checked.  O_NONBLOCK: a FIFO must not keep us waiting.  */
static enum gt_profile_status
open_file (const char *path, int *descriptor, char *why, size_t why_size)
{
  const char *const slash = strrchr (path, '/'), *const name = slash ? slash + 1 : path;
  char folder[sizeof ((struct gt_profile *) NULL)->path] = ".";
  enum gt_profile_status status;
  int at;

  if (strlen (path) >= sizeof folder)
    return refuse (why, why_size, strerror (ENAMETOOLONG));
  if (slash)
    memcpy (folder, path, (size_t) (name - path));
  folder[slash ? name - path : 1] = '\0';
  at = open_again (AT_FDCWD, folder, O_PATH | O_DIRECTORY);
  if (at < 0)
    return open_failed ("no such folder", why, why_size);
  status = gt_profile_check_folder (at, why, why_size);
  if (status == GT_PROFILE_OK)
    {
      *descriptor = open_again (at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      if (*descriptor < 0)
        status = open_failed ("no such file", why, why_size);
    }
  close (at);
  return status;
}

/* Reads until the end of the file or SIZE bytes.  Returns the number read, or -1.  */
static ssize_t
read_fully (int descriptor, char *text, size_t size)
{
  size_t done = 0;
  ssize_t got = 1;

  while (done < size && got > 0)
    {
      got = TEMP_FAILURE_RETRY (read (descriptor, text + done, size - done));
      done += got > 0 ? (size_t) got : 0;
    }
  return got < 0 ? -1 : (ssize_t) done;
}

enum gt_profile_status
gt_profile_contents (int descriptor, size_t most, int trusted, char **text,
                     size_t *length, char *why, size_t why_size)
{
  struct stat file;
  const char *reason = NULL;
  size_t size;
  ssize_t got;

  if (fstat (descriptor, &file))
    return refuse (why, why_size, strerror (errno));
  if (!S_ISREG (file.st_mode))
    reason = "not a regular file";
  else if (!trusted)
    reason = distrust (&file, S_IWGRP | S_IWOTH);
  if (reason == NULL && (size_t) file.st_size > most)
    reason = most > GT_PROFILE_MAX_BYTES ? "larger than 64 MiB" : "larger than 8 MiB";
  if (reason)
    return refuse (why, why_size, reason);

  /* One byte more than there should be shows a file that grows.  */
  size = (size_t) file.st_size + 1;
  *text = malloc (size);
  if (*text == NULL)
    return refuse (why, why_size, strerror (errno));
  got = read_fully (descriptor, *text, size);
  if (got < 0 || (size_t) got == size)
    return refuse (why, why_size, got < 0 ? strerror (errno) : "it grows while it is read");
  (*text)[got] = '\0';
  *length = (size_t) got;
  return GT_PROFILE_OK;
}

enum gt_profile_status
gt_profile_read_like (const char *path, const struct gt_device *device, enum gt_match worst,
                      struct gt_profile *profile, char *why, size_t why_size)
{
  int descriptor;
  char *text = NULL;
  size_t length = 0;
  enum gt_profile_status status;

  gt_profile_empty (profile);
  status = open_file (path, &descriptor, why, why_size);
  if (status != GT_PROFILE_OK)
    return status;
  status = gt_profile_contents (descriptor, GT_PROFILE_MAX_BYTES, 0, &text, &length, why,
                                why_size);
  close (descriptor);
  if (status == GT_PROFILE_OK)
    status = gt_profile_parse (text, length, device, worst, profile, why, why_size);
  if (status == GT_PROFILE_OK)
    snprintf (profile->path, sizeof profile->path, "%s", path);
  free (text);
  return status;
}
