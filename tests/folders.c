/* In the place of src/profile/folders.c, in every test program and in the command and the
   library that tests run: folders below the working folder, so that no test meets what is
   installed on its machine, and a test may put profiles there.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/profile/profile_private.h"

const char *
gt_system_folder (void)
{
  return "installed/system";
}

const char *
gt_shipped_folder (void)
{
  return "installed/shipped";
}
