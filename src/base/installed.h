/* Where this installation is.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BASE_INSTALLED_H
#define GT_BASE_INSTALLED_H

/* Returns the place of FOLDER, a folder chosen at configure time, relative to the library, so
   that an installed tree can be moved; the caller frees it.  The folder may be missing if the
   tree has gsltune's data.  Returns null if there is no such folder: then the path from
   configure is valid.  */
char *gt_installed (const char *folder);

#endif
