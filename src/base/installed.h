/* Where this installation is.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BASE_INSTALLED_H
#define GT_BASE_INSTALLED_H

#include <limits.h>

/* Writes into PATH where FOLDER is, one of those that configure was told: as seen from the
   library, so that a tree that was moved stays whole, or where there is no such folder, as
   it was told.  */
void gt_installed (const char *folder, char path[PATH_MAX]);

#endif
