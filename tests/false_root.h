/* A folder that stands for the root of a machine's files: what /proc and /sys say, as a
   test wants it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_FALSE_ROOT_H
#define GT_FALSE_ROOT_H

#include "tests/unit.h"

#include "tests/own_folder.h"

static char tree[64];

FIXTURE (make_tree)
{
  make_test_folder (tree);
  return 0;
}

FIXTURE (drop_tree)
{
  remove_folder (tree);
  return 0;
}

/* Writes TEXT to a file of the tree, making the folders above.  */
static void
put (const char *name, const char *text)
{
  char path[512];
  FILE *file;

  snprintf (path, sizeof path, "%s%s", tree, name);
  for (char *slash = path + strlen (tree) + 1;
       (slash = strchr (slash, '/')) != NULL; slash++)
    {
      *slash = '\0';
      assert_true (mkdir (path, 0755) == 0 || errno == EEXIST);
      *slash = '/';
    }
  file = fopen (path, "w");
  assert_non_null (file);
  assert_true (fputs (text, file) >= 0);
  assert_int_equal (fclose (file), 0);
}

#endif
