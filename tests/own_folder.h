/* A folder of a test's own.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_OWN_FOLDER_H
#define GT_OWN_FOLDER_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static inline int
remove_one (const char *path, const struct stat *status, int flag, struct FTW *ftw)
{
  (void) status;
  (void) flag;
  (void) ftw;
  return remove (path);
}

static inline void
remove_folder (const char *path)
{
  nftw (path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A new, empty folder of mode 0700; aborts when there can be none.  */
static inline void
make_test_folder (char path[64])
{
  strcpy (path, "/tmp/gsltune-test-XXXXXX");
  if (!mkdtemp (path))
    {
      perror (path);
      abort ();
    }
}

#endif
