/* Where this installation is.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/base/installed.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The library's file.  It is requested from the loader while that loads the library: later
   another thread may hold the loader's lock and wait for us.  */
static const char *library = "";

__attribute__ ((constructor)) static void
find_library (void)
{
  Dl_info info;

  if (dladdr (&library, &info))
    library = info.dli_fname;
}

/* Returns the place of FOLDER relative to the library.  *BELOW becomes 1 if both are below a
   common folder other than the root.  */
static char *
seen_from_library (const char *folder, int *below)
{
  static const char from[] = LIBDIR;
  char *own = realpath (library, NULL), *path, *end;
  size_t same = 0;

  path = own ? realloc (own, strlen (own) + strlen (folder) + 1) : NULL;
  if (path == NULL)
    {
      free (own);
      return NULL;
    }
  /* The length of the common prefix, in whole names.  */
  for (size_t k = 0; strncmp (from, folder, k) == 0; k++)
    {
      if ((from[k] == '/' || from[k] == '\0') && (folder[k] == '/' || folder[k] == '\0'))
        same = k;
      if (from[k] == '\0' || folder[k] == '\0')
        break;
    }
  *below = same > 0;
  *strrchr (path, '/') = '\0';
  for (const char *up = from + same; (up = strchr (up, '/')); up++)
    if ((end = strrchr (path, '/')))
      *end = '\0';
  strcat (path, folder + same);
  return path;
}

char *
gt_installed (const char *folder)
{
  int below;
  char *path = seen_from_library (folder, &below);
  char *data = seen_from_library (PKGDATADIR, &(int) {0});

  if (path == NULL || (access (path, F_OK) != 0
                       && !(below && data && access (data, F_OK) == 0)))
    {
      free (path);
      path = NULL;
    }
  free (data);
  return path;
}
