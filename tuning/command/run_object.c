/* Where the object is that `gsltune run' preloads.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/command/run_object.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tuning/text/cli.h"

static const char object[] = "gsltune-preload.so";

/* Appends TEXT to PATH; 0 if there is no room.  */
static int
append (char path[PATH_MAX], const char *text)
{
  const size_t length = strlen (path);

  if (length + strlen (text) >= PATH_MAX)
    return 0;
  strcpy (path + length, text);
  return 1;
}

/* Sets PATH to the folder of this command's own file, with a slash at the end.  */
static int
own_folder (char path[PATH_MAX])
{
  const ssize_t length = readlink ("/proc/self/exe", path, PATH_MAX - 1);

  if (length <= 0)
    return 0;
  path[length] = '\0';
  strrchr (path, '/')[1] = '\0';
  return 1;
}

/* Appends the way from one absolute path to another, with a slash at its end.  */
static int
append_way (char path[PATH_MAX], const char *from, const char *to)
{
  size_t same = 0;

  for (size_t k = 0; from[k] == to[k]; k++)
    {
      if (from[k] == '/')
        same = k;
      if (from[k] == '\0')
        return 1;
    }
  for (const char *up = from + same; (up = strchr (up, '/')) != NULL; up++)
    if (!append (path, "../"))
      return 0;
  return append (path, to + same + 1) && append (path, "/");
}

static int
is_readable (const char *path)
{
  return access (path, R_OK) == 0;
}

void
gt_run_object (char path[PATH_MAX])
{
  char found[PATH_MAX];

  if (own_folder (path) && append (path, ".libs/") && append (path, object)
      && is_readable (path))
    return;
  if (own_folder (path) && append_way (path, BINDIR, PKGLIBDIR)
      && append (path, object) && is_readable (path)
      && realpath (path, found))
    {
      strcpy (path, found);
      return;
    }
  snprintf (path, PATH_MAX, "%s/%s", PKGLIBDIR, object);
  if (is_readable (path))
    return;
  gt_error ("%s cannot be read (%s): install gsltune with 'make install'",
            path, strerror (errno));
  exit (GT_EXIT_FAILED);
}
