/* Profiles on disk.  A file is read only when nobody but us or root can have
   put it there; it is replaced whole or not at all.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "src/profile/profile_private.h"

#define LOCK_NAME ".lock"

/* A reason without the path, which the caller of a read knows.  */
static enum gt_profile_status
refuse (char *why, size_t why_size, const char *reason)
{
  gt_profile_fail (why, why_size, "%s", reason);
  return GT_PROFILE_REFUSED;
}

/* --------------------------------------------------------------- Reading */

/* Why what STATUS describes cannot be trusted, or null.  OTHERS are the write
   permissions that nobody else may have.  */
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

static enum gt_profile_status
check_folder (int descriptor, char *why, size_t why_size)
{
  struct stat status;
  const char *reason = fstat (descriptor, &status)
                         ? strerror (errno)
                         : distrust (&status, S_IWOTH);
  if (!reason)
    return GT_PROFILE_OK;
  gt_profile_fail (why, why_size, "its folder is not safe: %s", reason);
  return GT_PROFILE_REFUSED;
}

static enum gt_profile_status
check_file (const struct stat *status, char *why, size_t why_size)
{
  if (!S_ISREG (status->st_mode))
    return refuse (why, why_size, "not a regular file");
  const char *reason = distrust (status, S_IWGRP | S_IWOTH);
  if (reason)
    return refuse (why, why_size, reason);
  if (status->st_size > GT_PROFILE_MAX_BYTES)
    return refuse (why, why_size, "larger than 1 MiB");
  return GT_PROFILE_OK;
}

/* What a failed open says of the place looked at.  */
static enum gt_profile_status
open_failed (int error, const char *absent, char *why, size_t why_size)
{
  if (error == ENOENT || error == ENOTDIR)
    {
      gt_profile_fail (why, why_size, "%s", absent);
      return GT_PROFILE_ABSENT;
    }
  return refuse (why, why_size,
                 error == ELOOP ? "a symbolic link" : strerror (error));
}

/* The folder of PATH, to be freed, or null.  NAME receives the name in it.  */
static char *
split (const char *path, const char **name)
{
  const char *slash = strrchr (path, '/');
  *name = slash ? slash + 1 : path;
  if (!slash)
    return strdup (".");
  return strndup (path, slash == path ? 1 : (size_t) (slash - path));
}

/* Opens PATH, below a folder that has been checked first, so that nobody can
   exchange what was checked.  O_NONBLOCK: a FIFO must not keep us waiting.  */
static enum gt_profile_status
open_file (const char *path, int *descriptor, char *why, size_t why_size)
{
  const char *name;
  char *folder = split (path, &name);
  if (!folder)
    return refuse (why, why_size, strerror (ENOMEM));

  int at = open (folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  int error = errno;
  free (folder);
  if (at < 0)
    return open_failed (error, "no such folder", why, why_size);
  enum gt_profile_status status = check_folder (at, why, why_size);
  if (status == GT_PROFILE_OK)
    {
      *descriptor
        = openat (at, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
      if (*descriptor < 0)
        status = open_failed (errno, "no such file", why, why_size);
    }
  close (at);
  return status;
}

/* Reads until the end of the file or SIZE bytes.  Returns the number read, or
   -1.  */
static ssize_t
read_fully (int descriptor, char *text, size_t size)
{
  size_t done = 0;
  while (done < size)
    {
      ssize_t got = read (descriptor, text + done, size - done);
      if (got == 0)
        break;
      if (got > 0)
        done += (size_t) got;
      else if (errno != EINTR)
        return -1;
    }
  return (ssize_t) done;
}

/* The contents of the open file, to be freed.  */
static enum gt_profile_status
read_contents (int descriptor, char **text, size_t *length, char *why,
               size_t why_size)
{
  struct stat file;
  if (fstat (descriptor, &file))
    return refuse (why, why_size, strerror (errno));
  enum gt_profile_status status = check_file (&file, why, why_size);
  if (status != GT_PROFILE_OK)
    return status;

  /* One byte more than there should be shows a file that grows.  */
  size_t size = (size_t) file.st_size + 1;
  *text = malloc (size);
  if (!*text)
    return refuse (why, why_size, strerror (errno));
  ssize_t got = read_fully (descriptor, *text, size);
  if (got < 0)
    return refuse (why, why_size, strerror (errno));
  if ((size_t) got == size)
    return refuse (why, why_size, "it grows while it is read");
  *length = (size_t) got;
  return GT_PROFILE_OK;
}

enum gt_profile_status
gt_profile_read (const char *path, const struct gt_device *device,
                 struct gt_profile *profile, char *why, size_t why_size)
{
  int descriptor;
  char *text = NULL;
  size_t length = 0;

  memset (profile, 0, sizeof *profile);
  enum gt_profile_status status = open_file (path, &descriptor, why, why_size);
  if (status != GT_PROFILE_OK)
    return status;
  status = read_contents (descriptor, &text, &length, why, why_size);
  close (descriptor);
  if (status == GT_PROFILE_OK)
    status = gt_profile_parse (text, length, device, profile, why, why_size);
  if (status == GT_PROFILE_OK)
    snprintf (profile->path, sizeof profile->path, "%s", path);
  free (text);
  return status;
}

/* --------------------------------------------------------------- Writing */

static int
make_folder (const char *path, mode_t mode, char *why, size_t why_size)
{
  struct stat status;
  if (stat (path, &status) == 0)
    return 0;
  if (mkdir (path, mode))
    return errno == EEXIST
             ? 0
             : gt_profile_fail (why, why_size,
                                "cannot create the folder %s: %s", path,
                                strerror (errno));
  /* The umask must not hide the system's folder from its users.  */
  if (chmod (path, mode))
    return gt_profile_fail (why, why_size,
                            "cannot set the permissions of %s: %s", path,
                            strerror (errno));
  return 0;
}

/* Creates what is missing of PATH, from the top.  */
static int
make_folders (const char *path, mode_t mode, char *why, size_t why_size)
{
  char part[4096];
  size_t length = strlen (path);
  if (length == 0 || length >= sizeof part)
    return gt_profile_fail (why, why_size,
                            "cannot create the folder \"%s\": %s", path,
                            strerror (length ? ENAMETOOLONG : ENOENT));
  for (size_t i = 1; i <= length; i++)
    if (path[i] == '/' || path[i] == '\0')
      {
        memcpy (part, path, i);
        part[i] = '\0';
        if (make_folder (part, mode, why, why_size))
          return -1;
      }
  return 0;
}

/* A descriptor of FOLDER, created when missing, or -1 with WHY.  A folder whose
   profiles would not be read is not written to.  */
static int
open_folder (const char *folder, int system_wide, char *why, size_t why_size)
{
  char reason[128];
  if (make_folders (folder, system_wide ? 0755 : 0700, why, why_size))
    return -1;
  int at = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (at < 0)
    return gt_profile_fail (why, why_size, "cannot open the folder %s: %s",
                            folder, strerror (errno));
  if (check_folder (at, reason, sizeof reason) == GT_PROFILE_OK)
    return at;
  close (at);
  return gt_profile_fail (why, why_size,
                          "a profile in %s would not be read: %s", folder,
                          reason);
}

static int
write_fully (int descriptor, const char *text, size_t size)
{
  while (size > 0)
    {
      ssize_t written = write (descriptor, text, size);
      if (written >= 0)
        {
          text += written;
          size -= (size_t) written;
        }
      else if (errno != EINTR)
        return -1;
    }
  return 0;
}

/* A new, empty file beside the one called NAME.  TEMPORARY receives its
   name.  */
static int
create_temporary (int at, const char *name, char *temporary, size_t size)
{
  for (unsigned attempt = 0; attempt < 100; attempt++)
    {
      struct timespec now;
      clock_gettime (CLOCK_REALTIME, &now);
      snprintf (temporary, size, ".%s.%ld-%ld-%u", name, (long) getpid (),
                now.tv_nsec, attempt);
      int descriptor
        = openat (at, temporary,
                  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
      if (descriptor >= 0 || errno != EEXIST)
        return descriptor;
    }
  return -1;
}

/* Fills and closes DESCRIPTOR.  Returns 0, or -1 with errno.  */
static int
fill (int descriptor, const char *text, mode_t mode)
{
  int failed = write_fully (descriptor, text, strlen (text))
               || write_fully (descriptor, "\n", 1)
               || fchmod (descriptor, mode) || fsync (descriptor);
  int error = errno;
  if (close (descriptor) && !failed)
    return -1;
  errno = error;
  return failed ? -1 : 0;
}

/* Replaces NAME in the folder AT.  Returns 0, or -1 with errno; no temporary
   file stays behind.  */
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
  /* Some file systems cannot sync a folder; the file is complete there too.  */
  return fsync (at) && errno != EINVAL && errno != ENOTSUP ? -1 : 0;
}

static int
save_text (const struct gt_profile *profile, const char *text,
           const char *folder, int system_wide, char *why, size_t why_size)
{
  char name[GT_SILICON_SIZE + sizeof ".json"];
  if (strlen (text) >= GT_PROFILE_MAX_BYTES)
    return gt_profile_fail (why, why_size,
                            "the profile would be larger than 1 MiB");
  int at = open_folder (folder, system_wide, why, why_size);
  if (at < 0)
    return -1;
  snprintf (name, sizeof name, "%s.json", profile->silicon);
  int failed = replace_file (at, name, text, system_wide ? 0644 : 0600);
  if (failed)
    gt_profile_fail (why, why_size, "cannot write %s/%s: %s", folder, name,
                     strerror (errno));
  close (at);
  return failed;
}

int
gt_profile_save (const struct gt_profile *profile, const char *folder,
                 int system_wide, char *why, size_t why_size)
{
  if (!gt_profile_silicon_valid (profile->silicon))
    return gt_profile_fail (why, why_size,
                            "\"%s\" is no silicon key and no file's name",
                            profile->silicon);
  char *text = gt_profile_text (profile, why, why_size);
  if (!text)
    return -1;
  int failed
    = save_text (profile, text, folder, system_wide, why, why_size);
  free (text);
  return failed;
}

/* Takes the lock on the file DESCRIPTOR; says why not in errno.  */
static int
lock_file (int descriptor)
{
  struct stat status;
  if (fstat (descriptor, &status))
    return -1;
  if (!S_ISREG (status.st_mode))
    {
      errno = EINVAL;
      return -1;
    }
  int failed;
  do
    failed = flock (descriptor, LOCK_EX | LOCK_NB);
  while (failed && errno == EINTR);
  return failed;
}

int
gt_profile_lock (const char *folder, int system_wide, char *why,
                 size_t why_size)
{
  int at = open_folder (folder, system_wide, why, why_size);
  if (at < 0)
    return -1;
  int descriptor
    = openat (at, LOCK_NAME,
              O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
  if (descriptor >= 0 && lock_file (descriptor) == 0)
    {
      close (at);
      return descriptor;
    }

  int error = errno;
  if (descriptor >= 0)
    close (descriptor);
  close (at);
  if (error == EWOULDBLOCK)
    {
      gt_profile_fail (why, why_size,
                       "another gsltune is tuning into %s: wait for it",
                       folder);
      return GT_LOCK_HELD;
    }
  return gt_profile_fail (why, why_size, "cannot lock %s/" LOCK_NAME ": %s",
                          folder, strerror (error));
}
