/* The folders of profiles of an installation.  They are in a file of their own so that tests
   can be linked with others.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/profile/profile_private.h"

const char *
gt_system_folder (void)
{
  return SYSCONFDIR "/gsltune";
}

const char *
gt_shipped_folder (void)
{
  return PKGDATADIR "/profiles";
}
